internal import FlowCore
internal import FlowOpenAPI

/// The answer to a request in the terms of a description.
struct DescribedResponse {
  let value: OpenAPIResponseValue
  /// True if the body is in a file or arrives in pieces, so that its content is not known.
  private let hasUnknownBody: Bool

  /// Creates a response from an answer, or nil for the response of another request: that of a
  /// redirect.
  init?(_ answer: Value, to request: DescribedRequest) {
    guard case .record(let record) = answer, case .int(let status)? = record["status"] else {
      return nil
    }
    if case .string(let url)? = record["url"], !request.isAnswered(from: url) { return nil }
    let headers = Self.headers(record["headers"] ?? .null)
    let type = headers.first { Header.isSame($0.name, "content-type") }?.value
    hasUnknownBody =
      record["streamed"] == .bool(true) || Self.isInFile(record)
      || record["size"] == nil && record["json"] == nil && record["text"] == nil
    value = OpenAPIResponseValue(
      status: status, headers: headers, contentType: type,
      body: request.method == "HEAD" ? .none : Self.body(record, headers, type))
  }

  /// The contradictions of an operation.
  func problems(of operation: OpenAPIOperation) -> [ContractProblem] {
    operation.problems(in: value).compactMap { problem in
      let field = problem.field
      if hasUnknownBody, ["json", "text", "bytes", "body"].contains(field) { return nil }
      let steps: [FieldPath.Step] =
        field.hasPrefix("headers.")
        ? [.field("headers"), .field(String(field.dropFirst("headers.".count)))]
        : [.field(field == "body" ? "text" : field)] + problem.steps
      return ContractProblem(
        in: .answer, at: FieldPath(steps), problem.message, actual: problem.actual,
        rule: problem.rule)
    }
  }

  private static func headers(_ value: Value) -> [(name: String, value: String)] {
    guard case .map(let map) = value else { return [] }
    return map.entries.map { ($0.key.interpolated, $0.value.interpolated) }
  }

  /// True if the answer has a size without any content.
  private static func isInFile(_ record: RecordValue) -> Bool {
    guard case .int(let size)? = record["size"], size > 0 else { return false }
    return record["text"] == .string("") && record["bytes"].map { $0 == .null } ?? true
      && record["json"] == .null
  }

  private static func body(
    _ record: RecordValue, _ headers: [(name: String, value: String)], _ type: String?
  ) -> OpenAPIResponseValue.Body {
    if let problem = problem(of: record, headers) { return .undecoded(problem) }
    if let json = record["json"], json != .null { return .json(json) }
    if case .string(let text)? = record["text"], !text.isEmpty {
      let isNull = MediaType(type ?? "").isJSON && text.trimmed == "null"
      return isNull ? .json(.null) : .text(text)
    }
    if case .bytes(let bytes)? = record["bytes"] { return .bytes(bytes.content.count) }
    return .none
  }
}

extension DescribedResponse {
  /// The reason why a body is not decoded as its headers say, or nil.
  private static func problem(
    of record: RecordValue, _ headers: [(name: String, value: String)]
  ) -> String? {
    if let problem = record["problem"] {
      if case .string(let reason) = problem { return reason }
      return nil
    }
    // An exchange keeps the header of a coding that is still there.
    let coding = headers.first { Header.isSame($0.name, "content-encoding") }?.value
    let hasBody = ["json", "text", "bytes"].contains { record[$0].map { $0 != .null } ?? false }
    guard let coding, hasBody, coding.lowercased() != "identity" else { return nil }
    return "it has the content coding '\(coding.excerpt)'"
  }
}

extension String {
  /// The text without the white space around it.
  fileprivate var trimmed: Substring {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
