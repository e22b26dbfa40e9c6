internal import FlowCore

/// The answer of the server in the role.
struct ServerAnswer: Sendable {
  let status: Int
  private(set) var headers: [String: String]
  private(set) var json: Value?
  let layout: String?
  private(set) var text: String?
  let bytes: Bytes?
  /// The number of bytes behind these that never came, or nil for a whole body.
  let missing: Int?
  let stream: String?
  let server: String?

  static let record = Record(
    ServerAnswer.init(status:headers:json:layout:text:bytes:missing:stream:server:),
    Field("status", \.status, "The status code."), Field("headers", \.headers, "The headers."),
    Field("json", \.json, "A body that is JSON."),
    Field("layout", \.layout, "How the server wrote `json`."),
    Field("text", \.text, "Another text."),
    Field("bytes", \.bytes, "Another body."),
    Field("missing", \.missing, "The number of bytes of the body that did not come."),
    Field("stream", \.stream, "The name of the stream if the body comes in pieces."),
    Field("server", \.server, "The address of the server, if the answer has it."))

  init(
    status: Int, headers: [String: String], json: Value?, layout: String? = nil, text: String?,
    bytes: Bytes?, missing: Int? = nil, stream: String?, server: String? = nil
  ) {
    (self.status, self.headers, self.stream) = (status, headers, stream)
    (self.missing, self.server) = (missing, server)
    (self.json, self.layout, self.text, self.bytes) = (json, layout, text, bytes)
  }

  /// The answer with another address in place of the server's.
  func replacing(_ address: String, with other: String) -> ServerAnswer {
    changing(
      headers: { $1.replacing(address: address, with: other) },
      json: { $0.replacing(address: address, with: other) },
      text: { $0.replacing(address: address, with: other) })
  }

  /// The answer with other values in its headers and its body.
  func changing(
    headers: (_ name: String, _ value: String) -> String, json: (Value) -> Value,
    text: (String) -> String = { $0 }
  ) -> ServerAnswer {
    var copy = self
    copy.headers = Dictionary(
      self.headers.map { ($0.key, headers($0.key, $0.value)) }, uniquingKeysWith: { $1 })
    (copy.json, copy.text) = (self.json.map(json), self.text.map(text))
    return copy
  }

  /// The answer with the date of now, as every server with a clock sends it (RFC 9110, section 6.6.1).
  ///
  /// A recording has none, since it is another one each time.
  func dated(in context: Context) -> ServerAnswer {
    guard headers["date"] == nil, let now = context.date.advanced(by: context.recordingAge) else {
      return self
    }
    var copy = self
    copy.headers["date"] = HTTPDate(date: now).description
    return copy
  }

  /// The head as it is sent to the program.
  var head: AnswerHead {
    var head = AnswerHead(status: status)
    for (name, value) in headers.sorted(by: { $0.key < $1.key })
    where !PassedHeaders.ofConnections.contains(name) || name == "content-length" {
      // Repeated headers are joined by line breaks.
      for line in value.split(separator: "\n", omittingEmptySubsequences: false) {
        head.headers.append((name, String(line)))
      }
    }
    return head
  }

  /// The body as it is sent to the program.
  var body: [UInt8] {
    if let bytes { return bytes.content }
    if let text { return Array(text.utf8) }
    guard let json else { return [] }
    // A value of another shape, as an altered one may be, has no layout.
    return layout.flatMap { JSONLayout(text: $0).json(of: json) } ?? JSONLayout.plain(json)
  }
}

/// A piece of a streamed answer.
struct ServerPiece: Sendable {
  let text: String?
  let bytes: Bytes?
  let end: Bool

  static let record = Record(
    ServerPiece.init(text:bytes:end:), Field("text", \.text, "A piece that is UTF-8."),
    Field("bytes", \.bytes, "Another piece."), Field("end", \.end, "True at the end."))

  private init(text: String?, bytes: Bytes?, end: Bool) {
    (self.text, self.bytes, self.end) = (text, bytes, end)
  }

  /// The bytes of the piece.
  var content: [UInt8] { bytes?.content ?? Array((text ?? "").utf8) }
}
