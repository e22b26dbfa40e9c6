internal import FlowCore

/// The conditions for a request.
///
/// All must hold.
struct RequestPattern: Sendable {
  var method: String?
  var path: PathPattern?
  var host: String?
  var query: RequestFields = [:]
  var headers: RequestFields = [:]
  var json: Value?
  var form: RequestFields = [:]

  static let record = Record(
    RequestPattern.init(method:path:host:query:headers:json:form:),
    Field("method", \.method, "The method. Any by default."),
    Field(
      "path", \.path?.text,
      "The path. '*' and '{name}' stand for one segment, '**' at the end for any rest.",
      examples: ["/payments/{id}"]),
    Field("host", \.host, "The host, for requests to the proxy. Any by default."),
    Field("query", \.query, "Parameters of the query. Null for a missing one.", default: [:]),
    Field("headers", \.headers, "Headers. Null for a missing one.", default: [:]),
    Field("json", \.json, "A part of the body. Maps may have further keys."),
    Field("form", \.form, "Fields of the form. Null for a missing one.", default: [:]))

  init(
    method: String?, path: String?, host: String?, query: RequestFields,
    headers: RequestFields, json: Value?, form: RequestFields
  ) {
    (self.method, self.path, self.host) = (method, path.map(PathPattern.init), host)
    (self.query, self.json, self.form) = (query, json, form)
    self.headers = headers.lowercased
  }

  /// Returns true if all conditions hold.
  func fits(_ request: ReceivedRequest) -> Bool { differences(from: request).isEmpty }

  /// A failed condition.
  enum Difference: Sendable {
    case method
    case host
    case path
    /// The name alone, because values of headers are often credentials.
    case header(String)
    /// The place in the request with its value.
    case value(String, Value, instead: Value)
  }

  /// Returns the failed conditions.
  func differences(from request: ReceivedRequest) -> [Difference] {
    var differences: [Difference] = []
    if let method, method != request.method { differences.append(.method) }
    if let host, host.lowercased() != request.host { differences.append(.host) }
    if let path, !path.fits(request.path) { differences.append(.path) }
    differences += Self.texts(query, request.query, "query")
    differences += headers.entries
      .filter { !Self.texts([$0.name: $0.value], request.headers, "headers").isEmpty }
      .map { .header($0.name) }
    differences += Self.texts(form, request.form ?? [:], "form")
    if let json { differences += Self.parts(json, request.json ?? .null, "json") }
    return differences
  }

  /// `POST /payments`, with `any` for a missing part.
  var line: String { "\(method ?? "any") \(host ?? "")\(path?.text ?? "/**")" }

  /// Compares the texts of parameters.
  private static func texts(
    _ expected: RequestFields, _ found: RequestFields, _ place: String
  ) -> [Difference] {
    expected.entries.compactMap { name, value in
      let actual = found[name] ?? .null
      return text(value) == text(actual)
        ? nil : .value("\(place).\(name)", actual, instead: value)
    }
  }

  private static func text(_ value: Value) -> [String]? {
    switch value {
    case .null: nil
    case .list(let values): values.map(\.interpolated)
    default: [value.interpolated]
    }
  }

  /// Compares parts of a body.
  ///
  /// Its maps may have further keys.
  private static func parts(_ expected: Value, _ found: Value, _ place: String) -> [Difference] {
    switch (expected, found) {
    case (.map(let expected), .map(let found)):
      return expected.entries.flatMap { entry in
        parts(
          entry.value, found[entry.key] ?? .null, "\(place).\(entry.key.interpolated)")
      }
    case (.list(let expected), .list(let found)) where expected.count == found.count:
      return expected.indices.flatMap { parts(expected[$0], found[$0], "\(place)[\($0)]") }
    default:
      return expected == found ? [] : [.value(place, found, instead: expected)]
    }
  }
}
