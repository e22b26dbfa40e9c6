internal import FlowCore

/// The answer of the server in the role.
struct ServerAnswer: Sendable {
  let status: Int
  let headers: [String: String]
  let json: Value?
  let text: String?
  let bytes: Bytes?
  let stream: String?

  static let record = Record(
    ServerAnswer.init(status:headers:json:text:bytes:stream:),
    Field("status", \.status, "The status code."), Field("headers", \.headers, "The headers."),
    Field("json", \.json, "A body that is JSON."), Field("text", \.text, "Another text."),
    Field("bytes", \.bytes, "Another body."),
    Field("stream", \.stream, "The name of the stream if the body comes in pieces."))

  init(
    status: Int, headers: [String: String], json: Value?, text: String?, bytes: Bytes?,
    stream: String?
  ) {
    (self.status, self.headers, self.stream) = (status, headers, stream)
    (self.json, self.text, self.bytes) = (json, text, bytes)
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
    return json.map { Array($0.json.utf8) } ?? []
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
