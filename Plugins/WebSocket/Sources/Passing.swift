internal import FlowCore
internal import HTTPPlugin

/// The request of another program for a connection, to be passed on as it is.
struct PassedRequest: Sendable {
  var path: String
  var query: NamedValues
  var headers: NamedValues
  var protocols: [String]
  /// The server that the program named, which is asked only without 'base'.
  var origin: String?
  /// The program's own name for itself, which is passed on and never recorded.
  var agent: String?
  /// Further headers of the program, which are passed on and never recorded.
  var aside: NamedValues?

  static let record = Record(
    PassedRequest.init(path:query:headers:protocols:origin:agent:aside:),
    Field(
      "path", \.path,
      "The path as the program wrote it, added to 'base' unchanged. It may have a query.",
      examples: ["/events"]),
    Field(
      "query", \.query,
      "Query parameters. A list becomes one parameter for each element, and null one without a value.",
      default: NamedValues()),
    Field(
      "headers", \.headers,
      "The only headers to send, besides those of the handshake, which is made anew.",
      default: NamedValues()),
    Field("protocols", \.protocols, "The subprotocols that the program offers.", default: []),
    Field(
      "origin", \.origin,
      "The scheme, host and port that the program named to a proxy. It is asked if the component has no 'base'."
    ),
    Field(
      "agent", \.agent, "The header 'user-agent' of the program. A recording has none.",
      volatile: true),
    Field(
      "aside", \.aside,
      "Headers of the program that are left out of recordings. A recording has none.",
      volatile: true))

  /// Checks the inputs known before the run.
  ///
  /// - Throws: `WebSocketError`.
  static func check(_ known: [String: Value]) throws(WebSocketError) {
    try Handshake.check(known)
  }

  /// The request, without the headers of the program's own handshake.
  var request: UpgradeRequest {
    var request = UpgradeRequest()
    (request.path, request.query) = (path, query)
    request.headers = Handshake.without(headers)
    request.passed = .init(origin: origin, agent: agent, aside: aside.map(Handshake.without))
    return request
  }
}

/// The response of the server to a request that was passed on.
struct PassedAnswer: Sendable {
  var status: Int
  var headers: HeaderFields
  var `protocol`: String?
  var text: String?
  var bytes: Bytes?
  var stream: String?

  static let record = Record(
    PassedAnswer.init(status:headers:protocol:text:bytes:stream:),
    Field(
      "status", \.status, "The status code. There is a connection only if it is 101.",
      plausible: [101, 401, 404, 503]),
    Field(
      "headers", \.headers,
      "The headers as in 'connect', without those about the connection and the handshake.",
      compared: .whenRead),
    Field("protocol", \.protocol, "The subprotocol that the server chose. Null without one."),
    Field("text", \.text, "The body of a refusal, if it is UTF-8. Otherwise null."),
    Field(
      "bytes", \.bytes, "Another body of a refusal. Otherwise null.", mutated: .whenPresent),
    Field(
      "stream", \.stream,
      "The name of the connection for 'piece' and 'exchange-send'. Null after a refusal."))

  init(
    status: Int, headers: HeaderFields, protocol chosen: String?, text: String?, bytes: Bytes?,
    stream: String?
  ) {
    (self.status, self.headers, self.protocol) = (status, headers, chosen)
    (self.text, self.bytes, self.stream) = (text, bytes, stream)
  }

  /// Creates an answer without a stream.
  init(_ reply: UpgradeReply, protocol chosen: String?) {
    let body = reply.body
    let text = body.isEmpty ? nil : String(validating: body, as: UTF8.self)
    self.init(
      status: reply.status, headers: Handshake.shown(reply.headers), protocol: chosen, text: text,
      bytes: text == nil && !body.isEmpty ? Bytes(body) : nil, stream: nil)
  }

  /// The failures that clients of servers meet.
  static let faults: [Fault<PassedAnswer>] = [
    .error("refused", "The server accepts no connection.", .unreachable),
    .error("timeout", "The server does not answer in time.", .timeout),
    .late("slow", "The server answers after five seconds.", by: .seconds(5)),
    .answer(
      "unavailable", "The server answers 503 in place of a connection.",
      PassedAnswer(
        status: 503, headers: HeaderFields(), protocol: nil, text: nil, bytes: nil, stream: nil)),
  ]
}

/// A message of another program, to be passed on as it is, or its end of the connection.
struct PassedSending: Sendable {
  var stream: String
  var json: Value?
  var layout: String?
  var text: String?
  var bytes: Bytes?
  var end: Bool
  var code: Int?
  var reason: String?
  /// The message as the program wrote it, which is sent in place of 'json', and never recorded.
  var written: Bytes?

  static let record = Record(
    PassedSending.init(stream:json:layout:text:bytes:end:code:reason:written:),
    Field("stream", \.stream, "The 'stream' of the answer."),
    Field("json", \.json, "A message of text that is a list or an object of JSON."),
    Field(
      "layout", \.layout, "How the program wrote 'json', as in the answers of http.exchange."),
    Field("text", \.text, "Another message of text."),
    Field("bytes", \.bytes, "A message of bytes."),
    Field("end", \.end, "Ends the connection, without a message.", default: false),
    Field(
      "code", \.code,
      "The code of the close frame at the end. 1005 or null sends none, and 1006 drops the connection without a close frame."
    ),
    Field("reason", \.reason, "The reason of the close frame."),
    Field(
      "written", \.written,
      "The message as the program wrote it, which is sent in place of the same as JSON. A recording has none.",
      volatile: true))

  /// Checks the inputs known before the run.
  ///
  /// - Throws: `WebSocketError`.
  static func check(_ known: [String: Value]) throws(WebSocketError) {
    try MessageContent.check(known)
  }

  /// Returns the message.
  ///
  /// - Throws: `WebSocketError` unless there is exactly one content.
  func message() throws(WebSocketError) -> Message {
    let message = try MessageContent(json: json, text: text, bytes: bytes).message()
    guard let json else { return message }
    let written = written.flatMap { String(validating: $0.content, as: UTF8.self) }
    return .text(written ?? PassedMessage.text(json, layout: layout))
  }

  /// Returns the close frame, or nil to drop the connection.
  ///
  /// - Throws: `WebSocketError` for one that cannot be sent.
  func close() throws(WebSocketError) -> WebSocketClosing? {
    if code == Ending.lost.code { return nil }
    return try WebSocketClosing(code == 1005 ? nil : code, reason ?? "")
  }
}

/// The next message of the server, or the end of the connection.
struct PassedPiece: Sendable {
  var json: Value?
  var layout: String?
  var text: String?
  var bytes: Bytes?
  var end: Bool
  var code: Int?
  var reason: String?

  static let record = Record(
    PassedPiece.init(json:layout:text:bytes:end:code:reason:),
    Field(
      "json", \.json,
      "A message of text that is a list or an object of JSON, and that 'layout' describes. Otherwise null."
    ),
    Field(
      "layout", \.layout, "How the server wrote 'json', as in the answers of http.exchange.",
      compared: .whenRead, mutated: .onRequest),
    Field(
      "text", \.text, "Another message of text. Otherwise null.", mutated: .whenPresent),
    Field(
      "bytes", \.bytes, "A message of bytes. Otherwise null.", mutated: .whenPresent),
    Field("end", \.end, "True at the end of the connection, without a message."),
    Field(
      "code", \.code,
      "The code of the server's close frame at the end: 1005 for one without a code, and 1006 without a close frame. Otherwise null.",
      mutated: .whenPresent),
    Field(
      "reason", \.reason, "The reason of the server's close frame. Otherwise null.",
      mutated: .whenPresent))

  init(
    json: Value?, layout: String?, text: String?, bytes: Bytes?, end: Bool, code: Int?,
    reason: String?
  ) {
    (self.json, self.layout, self.text, self.bytes) = (json, layout, text, bytes)
    (self.end, self.code, self.reason) = (end, code, reason)
  }

  /// Creates the piece of an arrival.
  init(_ arrival: Channel.Arrival) {
    switch arrival {
    case .message(let message):
      let form = PassedMessage(message)
      self.init(
        json: form.json, layout: form.layout, text: form.text, bytes: form.bytes, end: false,
        code: nil, reason: nil)
    case .end(let ending): self.init(ending)
    }
  }

  /// Creates the end.
  init(_ ending: Ending) {
    self.init(
      json: nil, layout: nil, text: nil, bytes: nil, end: true, code: ending.code,
      reason: ending.reason)
  }

  /// The failures that readers of connections meet.
  static let faults: [Fault<PassedPiece>] = [
    .error("stalled", "Neither this message nor another one comes.", .timeout),
    .answer("lost", "The connection is lost before the message.", PassedPiece(.lost)),
    .answer(
      "restart", "The server ends the connection, since it restarts.",
      PassedPiece(Ending(code: 1012, reason: "service restart"))),
  ]
}
