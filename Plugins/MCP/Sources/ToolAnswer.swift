import FlowCore
import FlowSchema

/// The answer of a tool.
struct ToolAnswer: Sendable {
  var text: String
  var json: Value
  var content: [Value]

  static let record = Record(
    ToolAnswer.init(text:json:content:),
    Field("text", \.text, "The texts of the content, joined by line breaks."),
    Field(
      "json", \.json,
      "The structured content, or else the text if it is JSON, or null."),
    Field("content", \.content, "The blocks of the content, as the tool returns them."))

  init(text: String, json: Value, content: [Value]) {
    (self.text, self.json, self.content) = (text, json, content)
  }

  /// Reads the result of a call.
  ///
  /// - Throws: `MCPError`: a failure of the tool, or a result that contradicts the protocol or the
  ///   schema of the tool.
  init(_ result: Value, of tool: Tool) throws(MCPError) {
    content = try Self.content(result)
    text = content.compactMap { $0["type"] == .string("text") ? $0["text"]?.string : nil }
      .joined(separator: "\n")
    if try Self.isError(result) {
      let reason = ServerText.line(text.isEmpty ? "the tool reports an error" : text, limit: 2_000)
      guard let name = result["_meta"]?["flow/error"]?.string else { throw .failed(reason) }
      guard let code = tool.error(named: name) else {
        throw .malformed(
          "the tool does not declare its error '\(ServerText.line(name, limit: 60))': \(reason)")
      }
      throw .declared(code, reason)
    }
    if let structured = result["structuredContent"], structured != .null || tool.output != nil {
      json = structured
    } else if tool.output != nil {
      throw .malformed(
        "the answer has no 'structuredContent', though the tool has an outputSchema")
    } else {
      json = (try? Value(json: Array(text.utf8))) ?? .null
    }
    if let schema = tool.output { try Self.check(json, schema) }
  }

  private static func isError(_ result: Value) throws(MCPError) -> Bool {
    guard let value = result["isError"] else { return false }
    guard case .bool(let isError) = value else {
      throw .malformed("'isError' is not true or false: \(shown(value))")
    }
    return isError
  }

  private static func content(_ result: Value) throws(MCPError) -> [Value] {
    guard let content = result["content"] else {
      // A result of structured content alone is common, and complete.
      if result["structuredContent"] != nil { return [] }
      throw .malformed("the answer has no 'content': \(shown(result))")
    }
    guard let blocks = content.list, blocks.allSatisfy({ $0["type"]?.string != nil }) else {
      throw .malformed("'content' is not a list of blocks with a 'type': \(shown(content))")
    }
    return blocks
  }

  private static func shown(_ value: Value) -> String {
    ServerText.line(value.summary(limit: 200))
  }

  private static func check(_ value: Value, _ schema: Schema) throws(MCPError) {
    let violations: Violations
    do throws(SchemaError) { violations = try schema.validate(value) } catch {
      throw .malformed("the answer cannot be checked: \(ServerText.line("\(error)"))")
    }
    guard let first = violations.all.first else { return }
    let others = violations.all.count + violations.more - 1
    throw .malformed(
      "the answer contradicts the outputSchema: structuredContent\(ServerText.line("\(first)"))"
        + (others > 0 ? " (and \(others) more)" : ""))
  }
}
