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
    hasUnknownBody =
      record["streamed"] == .bool(true) || Self.isInFile(record)
      || record["size"] == nil && record["json"] == nil && record["text"] == nil
    value = OpenAPIResponseValue(status: status, of: record, to: request.method)
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

  /// True if the answer has a size without any content.
  private static func isInFile(_ record: RecordValue) -> Bool {
    guard case .int(let size)? = record["size"], size > 0 else { return false }
    return record["text"] == .string("") && record["bytes"].map { $0 == .null } ?? true
      && record["json"] == .null
  }
}
