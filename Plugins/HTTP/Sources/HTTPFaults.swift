internal import FlowCore

/// The body of a response that can be cut off.
protocol FaultyAnswer: Sendable {
  /// Creates a response without a body.
  init(status: Int, headers: HeaderFields)

  /// The response with the first half of its body.
  var truncated: Self { get }
  /// The decoded body, or null.
  var model: Value { get }

  /// Returns the response with another body.
  func replacing(model: Value) -> Self
}

extension FaultyAnswer {
  /// The failures that clients of servers meet.
  static var faults: [Fault<Self>] {
    [
      .error("refused", "The server accepts no connection.", .unreachable),
      .error("reset-before", "The connection breaks, and nothing is done.", .protocolError),
      .lost("reset-after", "The request is handled, and the response is lost.", .protocolError),
      .error("timeout", "The server does not answer in time.", .timeout),
      .late("slow", "The server answers after five seconds.", by: .seconds(5)),
      .answer(
        "unavailable", "The server answers 503.", Self(status: 503, headers: HeaderFields())),
      .answer(
        "limited", "The server answers 429 with a Retry-After of a second.",
        Self(status: 429, headers: HeaderFields(head: Array("retry-after: 1".utf8)))),
      .changed("truncated", "The second half of the body is missing.") { $0.truncated },
      .changed("refusal", "The model refuses to answer.") { $0.ended(by: .refusal) },
      .changed("length", "The answer of the model has reached its greatest length.") {
        $0.ended(by: .length)
      },
    ]
  }

  /// The answer of a model with an early end, or the same answer if it is none.
  private func ended(by kind: EarlyEnd.Kind) -> Self {
    EarlyEnd.applied(kind, to: model).map(replacing) ?? self
  }
}

extension HTTPAnswer: FaultyAnswer {
  init(status: Int, headers: HeaderFields) {
    self.init(
      status: status, headers: headers, text: "", json: .null, size: 0, url: "", date: "",
      elapsed: .zero)
  }

  var model: Value { json }

  func replacing(model: Value) -> HTTPAnswer {
    var copy = self
    (copy.json, copy.text) = (model, model.json)
    copy.size = copy.text.utf8.count
    return copy
  }

  var truncated: HTTPAnswer {
    var copy = self
    copy.text = text.firstHalf
    copy.json = .null
    copy.bytes = bytes.map(\.firstHalf)
    copy.size = size / 2
    return copy
  }
}

extension ExchangeAnswer: FaultyAnswer {
  init(status: Int, headers: HeaderFields) {
    self.init(
      status: status, headers: headers, json: nil, layout: nil, text: nil, bytes: nil,
      missing: nil, streamed: false, stream: nil, trailers: nil, server: nil, date: "")
  }

  var model: Value { json ?? .null }

  func replacing(model: Value) -> ExchangeAnswer {
    var copy = self
    // The members may be others.
    (copy.json, copy.layout) = (model, nil)
    return copy
  }

  var truncated: ExchangeAnswer {
    let body = body
    guard !body.isEmpty else { return self }
    var copy = self
    let half = Array(body.prefix(body.count / 2))
    (copy.json, copy.layout, copy.text, copy.bytes) = (
      nil, nil, nil, bytes.map { _ in Bytes(half) }
    )
    // Half of a JSON text is none.
    if bytes == nil { copy.set(body: half, type: MediaType("")) }
    copy.missing = body.count - body.count / 2
    return copy
  }

  /// The body as the server sent it.
  private var body: [UInt8] {
    if let bytes { return bytes.content }
    if let text { return Array(text.utf8) }
    guard let json else { return [] }
    return layout.flatMap { JSONLayout(text: $0).json(of: json) } ?? JSONLayout.plain(json)
  }
}

extension Piece {
  /// The failures that readers of streams meet.
  static let faults: [Fault<Piece>] = [
    .error("cut", "The connection breaks before the piece.", .protocolError),
    .error("stalled", "Neither this piece nor another one comes.", .timeout),
    .changed("garbled", "The second half of the piece has other bytes.") { $0.garbled },
    .changed("refusal", "The model refuses to go on.") { $0.ended(by: .refusal) },
    .changed("length", "The answer of the model has reached its greatest length.") {
      $0.ended(by: .length)
    },
  ]

  /// The last piece of a model's answer with an early end, or the same piece if it is none.
  private func ended(by kind: EarlyEnd.Kind) -> Piece {
    guard let changed = text.flatMap({ EarlyEnd.applied(kind, toPiece: $0) }) else { return self }
    return Piece(Array(changed.utf8))
  }

  /// The piece with other bytes in its second half, none of which is a part of UTF-8.
  ///
  /// The ends of lines stay, so that the same pieces follow.
  var garbled: Piece {
    guard let content = bytes?.content ?? text.map({ Array($0.utf8) }) else { return self }
    let half = content.count / 2
    let isLineEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    return Piece(content.prefix(half) + content.dropFirst(half).map { isLineEnd($0) ? $0 : 0xFF })
  }
}

extension String {
  fileprivate var firstHalf: String { String(prefix(count / 2)) }
}

extension Bytes {
  fileprivate var firstHalf: Bytes { Bytes(Array(content.prefix(content.count / 2))) }
}
