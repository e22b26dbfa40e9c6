internal import FlowCore

/// A request as `received` returns it.
struct ReceivedRequest: RecordRepresentable {
  let method: String
  let path: String
  let host: String?
  let query: RequestFields
  let headers: RequestFields
  let json: Value?
  let form: RequestFields?
  let text: String?
  let bytes: Bytes?

  static let record = Record(
    ReceivedRequest.init(method:path:host:query:headers:json:form:text:bytes:),
    Field("method", \.method, "The method."),
    Field("path", \.path, "The path as the program wrote it, without the query."),
    Field("host", \.host, "The host, with a port unless it is the usual one. Null at the port."),
    Field("query", \.query, "The parameters of the query. A repeated one is a list."),
    Field("headers", \.headers, "The headers that are passed on. A repeated one is a list."),
    Field("json", \.json, "A body that is JSON."), Field("form", \.form, "A body that is a form."),
    Field("text", \.text, "Another body that is UTF-8."),
    Field("bytes", \.bytes, "Another body."))

  init(
    method: String, path: String, host: String?, query: RequestFields, headers: RequestFields,
    json: Value?, form: RequestFields?, text: String?, bytes: Bytes?
  ) {
    (self.method, self.path, self.host, self.query) = (method, path, host, query)
    (self.headers, self.json, self.form) = (headers, json, form)
    (self.text, self.bytes) = (text, bytes)
  }

  /// Copies a request to a host, or to the port for nil.
  init(_ request: PassedRequest, host: RequestHost?) {
    self.init(
      method: request.method, path: request.path, host: host?.text, query: request.query,
      headers: request.headers, json: request.json, form: request.form, text: request.text,
      bytes: request.bytes)
  }

  /// `POST /payments`, with the host if there is one.
  var line: String { "\(method) \(host ?? "")\(path)" }
}

/// The answer to a request as `received` returns it.
struct GivenAnswer: RecordRepresentable {
  let status: Int
  let headers: [String: String]
  let json: Value?
  let text: String?
  let bytes: Bytes?

  static let record = Record(
    GivenAnswer.init(status:headers:json:text:bytes:),
    Field("status", \.status, "The status code."), Field("headers", \.headers, "The headers."),
    Field("json", \.json, "A body that is JSON."), Field("text", \.text, "Another text."),
    Field("bytes", \.bytes, "Another body. A streamed body is in none of the three."))

  private init(
    status: Int, headers: [String: String], json: Value?, text: String?, bytes: Bytes?
  ) {
    (self.status, self.headers) = (status, headers)
    (self.json, self.text, self.bytes) = (json, text, bytes)
  }

  init(_ answer: ServerAnswer) {
    self.init(
      status: answer.status, headers: answer.headers, json: answer.json, text: answer.text,
      bytes: answer.bytes)
  }

  /// An answer of flow's own, which is text.
  init(status: Int, text: String) {
    self.init(status: status, headers: [:], json: nil, text: text, bytes: nil)
  }
}

/// A request with the answer to it, or nil before there is one.
struct ReceivedExchange: Sendable {
  let request: ReceivedRequest
  var answer: GivenAnswer?
}

/// The answer of `received`.
struct ReceivedRequests: Sendable {
  let count: Int
  let requests: [ReceivedRequest]
  let answers: [GivenAnswer?]?

  static let record = Record(
    ReceivedRequests.init(count:requests:answers:),
    Field("count", \.count, "The number of requests that fit."),
    Field("requests", \.requests, "These requests, in order of arrival.", compared: .whenRead),
    Field(
      "answers", \.answers,
      "The answers that the program gets to them, in the same order. Null before there is one, and for a connection that was reset.",
      compared: .whenRead))

  private init(count: Int, requests: [ReceivedRequest], answers: [GivenAnswer?]?) {
    (self.count, self.requests, self.answers) = (count, requests, answers)
  }

  init(_ exchanges: [ReceivedExchange]) {
    self.init(
      count: exchanges.count, requests: exchanges.map(\.request), answers: exchanges.map(\.answer))
  }
}
