internal import FlowCore

/// The body of a response that can be cut off.
protocol FaultyAnswer: Sendable {
  /// Creates a response without a body.
  init(status: Int, headers: HeaderFields)

  /// The response with the first half of its body.
  var truncated: Self { get }
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
    ]
  }
}

extension HTTPAnswer: FaultyAnswer {
  init(status: Int, headers: HeaderFields) {
    self.init(
      status: status, headers: headers, text: "", json: .null, size: 0, url: "", date: "",
      elapsed: .zero)
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
      streamed: false,
      stream: nil, trailers: nil, server: nil, date: "")
  }

  var truncated: ExchangeAnswer {
    var copy = self
    // Half of a JSON text is none.
    copy.text = text?.firstHalf ?? json.flatMap { try? $0.jsonText() }?.firstHalf
    copy.json = nil
    copy.bytes = bytes.map(\.firstHalf)
    return copy
  }
}

extension String {
  fileprivate var firstHalf: String { String(prefix(count / 2)) }
}

extension Bytes {
  fileprivate var firstHalf: Bytes { Bytes(Array(content.prefix(content.count / 2))) }
}
