internal import FlowCore

/// The role of a server of WebSockets, with its calls.
struct SocketRole: Sendable {
  /// The role of the WebSockets that programs open at the port and through the proxy.
  static let role = Role(
    "websocket", "Answers the WebSockets that programs open: a component of 'websocket'.",
    optional: true)
  /// The call for the handshake of a program.
  static let exchange = role.call(
    "exchange", input: SocketRequest.record, answers: SocketAnswer.record, errors: errors,
    fromOutside: true)
  /// The call for a message of a program.
  static let send = role.call(
    "exchange-send", input: SentMessage.record, answers: .none, errors: errors, fromOutside: true)
  /// The call for the next message of the server.
  static let piece = role.call(
    "piece", Parameter<String>("stream", "The name of the connection."),
    answers: SocketMessage.record, errors: errors, continuingRequest: true)

  /// All calls.
  static let uses: [any DeclaredRoleUse] = [exchange, send, piece]

  private static let errors = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "closed",
    "forbidden",
  ].map { ErrorCode($0, "") }
}

/// The handshake of a program, without what belongs to its connection.
struct SocketRequest: Sendable {
  let path: String
  let query: RequestFields
  let headers: RequestFields
  let protocols: [String]
  let origin: String?
  let agent: String?
  let aside: RequestFields?

  static let record = Record(
    SocketRequest.init(path:query:headers:protocols:origin:agent:aside:),
    Field("path", \.path, "The path as the program wrote it, without the query."),
    Field("query", \.query, "The parameters of the query."),
    Field("headers", \.headers, "The headers that are passed on."),
    Field("protocols", \.protocols, "The subprotocols that the program offers."),
    Field("origin", \.origin, "The server of a request to the proxy, as 'https://pay.example'."),
    Field(
      "agent", \.agent, "The header 'user-agent', which is passed on and never compared.",
      volatile: true),
    Field(
      "aside", \.aside, "Headers that are passed on, and left out of recordings.", volatile: true))

  private init(
    path: String, query: RequestFields, headers: RequestFields, protocols: [String],
    origin: String?, agent: String?, aside: RequestFields?
  ) {
    (self.path, self.query, self.headers, self.protocols) = (path, query, headers, protocols)
    (self.origin, self.agent, self.aside) = (origin, agent, aside)
  }

  /// The handshake in a request, with the subprotocols that it offers.
  init(_ request: PassedRequest, protocols: [String]) {
    let own = request.headers.entries.map(\.name).filter { $0.hasPrefix("sec-websocket-") }
    self.init(
      path: request.path, query: request.query,
      headers: own.reduce(request.headers) { $0.without($1) }, protocols: protocols,
      origin: request.origin, agent: request.agent, aside: request.aside)
  }
}

/// The answer to a handshake.
struct SocketAnswer: Sendable {
  let status: Int
  let headers: [String: String]
  let `protocol`: String?
  let text: String?
  let bytes: Bytes?
  let stream: String?

  static let record = Record(
    SocketAnswer.init(status:headers:protocol:text:bytes:stream:),
    Field("status", \.status, "The status code, 101 for an open connection."),
    Field("headers", \.headers, "The headers."),
    Field("protocol", \.protocol, "The subprotocol that the server has chosen."),
    Field("text", \.text, "The body of a refusal."),
    Field("bytes", \.bytes, "Another body of a refusal."),
    Field("stream", \.stream, "The name of the open connection."))

  /// The refusal as an answer to an ordinary request.
  var refusal: ServerAnswer {
    ServerAnswer(
      status: status, headers: headers, json: nil, text: text, bytes: bytes, stream: nil)
  }
}

/// A message of a program, or the end of what it says.
struct SentMessage: Sendable {
  let stream: String
  let json: Value?
  let text: String?
  let bytes: Bytes?
  let end: Bool
  let code: Int?
  let reason: String?
  let written: Bytes?

  static let record = Record(
    SentMessage.init(stream:json:text:bytes:end:code:reason:written:),
    Field("stream", \.stream, "The name of the connection."),
    Field("json", \.json, "A text that is JSON."), Field("text", \.text, "Another text."),
    Field("bytes", \.bytes, "A message of bytes."),
    Field("end", \.end, "True for the end, without a message."),
    Field("code", \.code, "The code by which the program closes the connection, if it has one."),
    Field("reason", \.reason, "The reason beside the code."),
    Field(
      "written", \.written, "The text of JSON as the program wrote it, which is passed on.",
      volatile: true))

  private init(
    stream: String, json: Value?, text: String?, bytes: Bytes?, end: Bool, code: Int?,
    reason: String?, written: Bytes?
  ) {
    (self.stream, self.json, self.text, self.bytes) = (stream, json, text, bytes)
    (self.end, self.code, self.reason, self.written) = (end, code, reason, written)
  }

  /// A text of a program, as its value if it is JSON.
  init(_ text: String, in stream: String) {
    let json = ["{", "["].contains(text.prefix(1)) ? try? Value(json: Array(text.utf8)) : nil
    self.init(
      stream: stream, json: json, text: json == nil ? text : nil, bytes: nil, end: false, code: nil,
      reason: nil, written: json == nil ? nil : Bytes(Array(text.utf8)))
  }

  /// Bytes of a program.
  init(_ bytes: [UInt8], in stream: String) {
    self.init(
      stream: stream, json: nil, text: nil, bytes: Bytes(bytes), end: false, code: nil, reason: nil,
      written: nil)
  }

  /// The end of what a program says.
  init(endOf stream: String, _ code: Int?, _ reason: String) {
    self.init(
      stream: stream, json: nil, text: nil, bytes: nil, end: true, code: code,
      reason: reason.isEmpty ? nil : reason, written: nil)
  }
}

/// A message of the server, or the end of what it says.
struct SocketMessage: Sendable {
  let json: Value?
  let layout: String?
  let text: String?
  let bytes: Bytes?
  let end: Bool
  let code: Int?
  let reason: String?

  static let record = Record(
    SocketMessage.init(json:layout:text:bytes:end:code:reason:),
    Field("json", \.json, "A text that is JSON."),
    Field("layout", \.layout, "How the server wrote `json`."),
    Field("text", \.text, "Another text."), Field("bytes", \.bytes, "A message of bytes."),
    Field("end", \.end, "True at the end, without a message."),
    Field("code", \.code, "The code by which the server closes the connection, if it has one."),
    Field("reason", \.reason, "The reason beside the code."))

  private init(
    json: Value?, layout: String?, text: String?, bytes: Bytes?, end: Bool, code: Int?,
    reason: String?
  ) {
    (self.json, self.layout, self.text, self.bytes) = (json, layout, text, bytes)
    (self.end, self.code, self.reason) = (end, code, reason)
  }

  /// A text, or bytes.
  init(text: String? = nil, bytes: [UInt8]? = nil) {
    self.init(
      json: nil, layout: nil, text: text, bytes: bytes.map { Bytes($0) }, end: false, code: nil,
      reason: nil)
  }

  /// The text, or nil for bytes.
  var written: String? {
    if let text { return text }
    guard bytes == nil else { return nil }
    let json = json ?? .null
    let written = layout.flatMap { JSONLayout(text: $0).json(of: json) } ?? JSONLayout.plain(json)
    return String(decoding: written, as: UTF8.self)
  }
}
