internal import FlowCore

/// The request of another program, to be passed on as it is.
struct ExchangeInput: Sendable {
  var method: String
  var path: String
  var query: NamedValues
  var headers: NamedValues
  var json: Value?
  var form: NamedValues?
  var text: String?
  var bytes: Bytes?
  /// The coding that the body had.
  var coding: String?
  /// The server that the program named, which is asked only without 'base'.
  var origin: String?
  /// The program's own name for itself, which is passed on and never recorded.
  var agent: String?
  /// Further headers of the program, which are passed on and never recorded.
  var aside: NamedValues?
  /// The bytes of the body as the program wrote them, which are sent and never recorded.
  var written: Bytes?

  static let record = Record(
    ExchangeInput.init(
      method:path:query:headers:json:form:text:bytes:coding:origin:agent:
      aside:written:),
    Field("method", \.method, "The method, as the program wrote it.", examples: ["GET"]),
    Field(
      "path", \.path,
      "The path as the program wrote it, added to 'base' unchanged. It may have a query.",
      examples: ["/places/7.json"]),
    Field(
      "query", \.query,
      "Query parameters. A list becomes one parameter for each element, and null one without a value.",
      default: NamedValues()),
    Field(
      "headers", \.headers, "The only headers to send. A list becomes one header for each element.",
      default: NamedValues()),
    Field("json", \.json, "The body as JSON."),
    Field(
      "form", \.form, "The body as form fields. A list becomes one field for each element."),
    Field("text", \.text, "The body as text."), Field("bytes", \.bytes, "The body as bytes."),
    Field(
      "coding", \.coding,
      "The `content-encoding` that the program had used. The body is sent without it."),
    Field(
      "origin", \.origin,
      "The scheme, host and port that the program named to a proxy. It is asked if the component has no 'base'."
    ),
    Field(
      "agent", \.agent, "The header 'user-agent' of the program. A recording has none.",
      volatile: true),
    Field(
      "aside", \.aside,
      "Headers of the program that the preset leaves out of recordings. A recording has none.",
      volatile: true),
    Field(
      "written", \.written,
      "The body as the program wrote it, which is sent in place of the same as JSON or a form. A recording has none.",
      volatile: true))

  /// The safety of repeating a request whose outcome is unknown.
  var safety: RetrySafety { HTTPRequest.isSafe(method) ? .safe : .never }

  /// Checks the inputs known before the run.
  ///
  /// - Throws: `RequestError`.
  static func check(_ known: [String: Value]) throws {
    let bodies = bodyNames.filter { name in known[name].map { $0 != .null } ?? false }
    guard bodies.count <= 1 else { throw RequestError.bodies(bodies) }
    guard known["method"] != .string("HEAD") || bodies.isEmpty else {
      throw RequestError.headWithBody
    }
  }

  /// The server of 'origin', or nil without one.
  var server: WebAddress? {
    get throws(RequestError) {
      guard let origin else { return nil }
      do throws(WebAddressError) { return try WebAddress(origin) } catch { throw .address(error) }
    }
  }

  /// Returns the body, opaque without a type of its own, or nil without one.
  ///
  /// - Throws: `HTTPError`.
  func body(in context: Context) throws(HTTPError) -> EncodedBody? {
    let isGiven = [json != nil, form != nil, text != nil, bytes != nil]
    let given = zip(Self.bodyNames, isGiven).compactMap { $1 ? $0 : nil }
    guard given.count <= 1 else { throw .request(.bodies(given)) }
    if let written { return EncodedBody(kind: .opaque, type: "", bytes: written.content) }
    if let content = text.map({ Array($0.utf8) }) ?? bytes?.content {
      return EncodedBody(kind: .opaque, type: "", bytes: content)
    }
    return try BodyInput(json: json, form: form).encoded(in: context)
  }

  private static let bodyNames = ["json", "form", "text", "bytes"]
}
