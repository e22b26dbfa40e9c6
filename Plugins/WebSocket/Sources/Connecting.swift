internal import FlowCore
internal import HTTPPlugin
internal import WebSocketCoding

/// The input of `connect`.
struct ConnectInput: Sendable {
  var path: String?
  var query: NamedValues
  var headers: NamedValues
  /// The subprotocols, or nil for those of the settings.
  var protocols: [String]?

  static let summaryOfName =
    "The 'connection' of the answer of 'connect'. The only open one if absent."

  static let record = Record(
    ConnectInput.init(path:query:headers:protocols:),
    Field(
      "path", \.path, "A path below 'base', which may have a query, or a whole URL.",
      examples: ["chat"]),
    Field("query", \.query, "Query parameters.", default: NamedValues()),
    Field(
      "headers", \.headers, "Headers of the request, in place of the component's.",
      default: NamedValues()),
    Field(
      "protocols", \.protocols,
      "The subprotocols to offer, in place of those of the settings."))

  /// The request of the handshake.
  var request: UpgradeRequest {
    var request = UpgradeRequest()
    (request.path, request.query, request.headers) = (path, query, headers)
    return request
  }
}

/// The response of a server to a request for a connection.
struct ConnectAnswer: Sendable {
  var status: Int
  var headers: HeaderFields
  var `protocol`: String?
  var text: String?
  var connection: String?

  static let record = Record(
    ConnectAnswer.init(status:headers:protocol:text:connection:),
    Field(
      "status", \.status, "The status code. There is a connection only if it is 101.",
      plausible: [101, 401, 404, 503]),
    Field(
      "headers", \.headers,
      "The headers by lower-case name, without 'date' and those of the handshake.",
      compared: .whenRead),
    Field("protocol", \.protocol, "The subprotocol that the server chose. Null without one."),
    Field("text", \.text, "The body of a refusal, if it is UTF-8. Otherwise null."),
    Field(
      "connection", \.connection, "The name of the connection. Null after a refusal."))

  private init(
    status: Int, headers: HeaderFields, protocol chosen: String?, text: String?,
    connection: String?
  ) {
    (self.status, self.headers, self.protocol) = (status, headers, chosen)
    (self.text, self.connection) = (text, connection)
  }

  /// Creates an answer without a connection.
  init(_ reply: UpgradeReply, protocol chosen: String?) {
    let body = reply.body
    self.init(
      status: reply.status, headers: Handshake.shown(reply.headers), protocol: chosen,
      text: body.isEmpty ? nil : String(validating: body, as: UTF8.self), connection: nil)
  }
}

/// The input of `send`.
struct SendInput: Sendable {
  var content: MessageContent
  var connection: String?

  static let record = Record(
    { json, text, bytes, connection in
      SendInput(
        content: MessageContent(json: json, text: text, bytes: bytes), connection: connection)
    }, Field("json", \.content.json, "A message of text: a value as JSON."),
    Field("text", \.content.text, "A message of text."),
    Field("bytes", \.content.bytes, "A message of bytes."),
    Field("connection", \.connection, ConnectInput.summaryOfName))
}

/// The answer of `close`.
struct CloseAnswer: Sendable {
  var code: Int
  var reason: String

  static let record = Record(
    CloseAnswer.init(code:reason:),
    Field(
      "code", \.code,
      "The code of the server's close frame: 1005 for one without a code, and 1006 without a close frame."
    ),
    Field("reason", \.reason, "The reason of the server's close frame."))

  private init(code: Int, reason: String) { (self.code, self.reason) = (code, reason) }

  init(_ ending: Ending) { self.init(code: ending.code, reason: ending.reason) }
}

/// A close frame that can be sent.
struct WebSocketClosing: Sendable {
  let frame: WebSocketClose

  /// - Throws: `WebSocketError` for a code or a reason that no close frame has.
  init(_ code: Int?, _ reason: String) throws(WebSocketError) {
    frame = WebSocketClose(code, reason: reason)
    if let problem = frame.problem { throw .close(problem) }
  }
}
