internal import FlowCore

/// An answer for the requests of a pattern.
struct Stub: Sendable {
  let pattern: RequestPattern
  let answer: StubAnswer
  /// The number of requests to answer, or nil for any.
  let times: Int?

  static let record = Record(
    Stub.init(method:path:host:query:headers:json:form:answer:times:),
    Field("method", \.pattern.method, "The method. Any by default.", examples: ["POST"]),
    Field(
      "path", \.path,
      "The path. '*' and '{name}' stand for one segment, '**' at the end for any rest.",
      examples: ["/payments/{id}"]),
    Field("host", \.pattern.host, "The host, for requests to the proxy. Any by default."),
    Field(
      "query", \.pattern.query, "Parameters of the query. Null for a missing one.", default: [:]),
    Field("headers", \.pattern.headers, "Headers. Null for a missing one.", default: [:]),
    Field("json", \.pattern.json, "A part of the body. Maps may have further keys."),
    Field("form", \.pattern.form, "Fields of the form. Null for a missing one.", default: [:]),
    Field("answer", \.answer, "The answer."),
    Field("times", \.times, "The number of requests to answer. Any number by default."))

  private init(
    method: String?, path: String, host: String?, query: RequestFields,
    headers: RequestFields, json: Value?, form: RequestFields, answer: StubAnswer, times: Int?
  ) {
    pattern = RequestPattern(
      method: method, path: path, host: host, query: query, headers: headers, json: json,
      form: form)
    (self.answer, self.times) = (answer, times)
  }

  private var path: String { pattern.path?.text ?? "" }

  /// Checks the inputs known before the run.
  ///
  /// - Throws: `ComponentError`.
  static func check(_ known: [String: Value]) throws {
    if case .string(let path)? = known["path"], !path.hasPrefix("/") {
      throw ComponentError(.invalid, Messages.noPath(path))
    }
    if case .int(let times)? = known["times"], times < 1 {
      throw ComponentError(.invalid, Messages.noTimes(times))
    }
    if let value = known["answer"], let answer = try? StubAnswer.record.decode(value) {
      try answer.check()
    }
  }

  /// Checks all inputs.
  ///
  /// - Throws: `ComponentError`.
  func check() throws {
    try Self.check(["path": .string(path), "times": times.map { .int($0) } ?? .null])
    try answer.check()
  }
}

/// The answer of a stub.
struct StubAnswer: RecordRepresentable {
  let status: Int
  let headers: [String: String]
  let json: Value?
  let text: String?
  let bytes: Bytes?
  let delay: Duration
  let drop: Bool

  static let record = Record(
    StubAnswer.init(status:headers:json:text:bytes:delay:drop:),
    Field("status", \.status, "The status code, 200 to 599.", default: 200),
    Field("headers", \.headers, "The headers. 'content-type' follows from the body.", default: [:]),
    Field("json", \.json, "The body as JSON."), Field("text", \.text, "The body as text."),
    Field("bytes", \.bytes, "The body as bytes."),
    Field("delay", \.delay, "The wait before the answer, in real time.", default: .zero),
    Field("drop", \.drop, "Resets the connection in place of an answer.", default: false))

  /// Checks the parts against each other.
  ///
  /// - Throws: `ComponentError`.
  func check() throws {
    guard 200...599 ~= status else {
      throw ComponentError(.invalid, Messages.noStatus(status))
    }
    let bodies = [("json", json != nil), ("text", text != nil), ("bytes", bytes != nil)]
      .filter(\.1).map(\.0)
    guard bodies.count <= 1 else { throw ComponentError(.invalid, Messages.bodies(bodies)) }
    guard delay >= .zero else { throw ComponentError(.invalid, Messages.noDelay) }
    // The library leaves out such a header, or cuts its value at a zero byte.
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) where !Self.isValue(value) {
      throw ComponentError(.invalid, Messages.noHeader(name))
    }
  }

  /// Returns true if a text can be the value of a header, or those of several on separate lines.
  private static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A }
  }

  /// The answer in the form of a server's.
  var answer: ServerAnswer {
    var headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
    if headers["content-type"] == nil {
      if json != nil { headers["content-type"] = "application/json" }
      if text != nil { headers["content-type"] = "text/plain; charset=utf-8" }
    }
    return ServerAnswer(
      status: status, headers: headers, json: json, text: text, bytes: bytes, stream: nil)
  }
}

extension ErrorCode {
  static let invalid = ErrorCode("invalid", "The stub has no meaning.")
}
