public import FlowCore
internal import FlowSystem

extension OpenAPIResponseValue {
  /// Creates a response from the fields of an answer: `headers`, and `json`, `text` or `bytes`.
  ///
  /// A text in `problem` says why the body is not decoded.
  public init(status: Int, of record: RecordValue, to method: String) {
    let headers = Self.headers(record["headers"] ?? .null)
    let type = headers.contentType
    self.init(
      status: status, headers: headers, contentType: type,
      body: method == "HEAD" ? .none : Self.body(record, headers, type))
  }

  private static func headers(_ value: Value) -> [(name: String, value: String)] {
    guard case .map(let map) = value else { return [] }
    return map.entries.map { ($0.key.interpolated, $0.value.interpolated) }
  }

  private static func body(
    _ record: RecordValue, _ headers: [(name: String, value: String)], _ type: String?
  ) -> OpenAPIResponseValue.Body {
    if let problem = problem(of: record, headers) { return .undecoded(problem) }
    if let json = record["json"], json != .null { return .json(json) }
    if case .string(let text)? = record["text"], !text.isEmpty {
      let isNull = MediaType(type ?? "").isJSON && text.trimming(while: \.isWhitespace) == "null"
      return isNull ? .json(.null) : .text(text)
    }
    if case .bytes(let bytes)? = record["bytes"] { return .bytes(bytes.content.count) }
    return .none
  }

  /// The reason why a body is not decoded as its headers say, or nil.
  private static func problem(
    of record: RecordValue, _ headers: [(name: String, value: String)]
  ) -> String? {
    if let problem = record["problem"] {
      if case .string(let reason) = problem { return reason }
      return nil
    }
    // An exchange keeps the header of a coding that is still there.
    let coding = headers.first { $0.name.lowercased() == "content-encoding" }?.value
    let hasBody = ["json", "text", "bytes"].contains { record[$0].map { $0 != .null } ?? false }
    guard let coding, hasBody, coding.lowercased() != "identity" else { return nil }
    return "it has the content coding '\(coding.shortened(to: 100))'"
  }
}
