import FlowCore
import TestKit
import Testing

@testable import MCPPlugin

/// The parts of the protocol that need no program.
struct ToolTests {
  private static func value(_ json: String) throws -> Value { try Value(json: Array(json.utf8)) }

  @Test(arguments: [
    ("add", "add"), ("add.numbers", "add-numbers"), ("a/b c", "a-b-c"), ("2fa", "tool-2fa"),
    ("Größe", "Gr--e"), ("", "tool-"), ("_x", "tool-_x"),
  ])
  func `tools have names that scenarios can write`(_ name: String, expected: String) {
    #expect(Tool.operationName(of: name) == expected)
  }

  @Test(arguments: [
    (#"{"type": "object", "properties": {}}"#, "timeout, answers"),
    (#"{"type": "object", "additionalProperties": false}"#, "timeout, answers"),
    (#"{"type": "object"}"#, "arguments?, timeout, answers"),
    (#"{"type": "object", "required": ["a"]}"#, "arguments, timeout, answers"),
    (#"{"anyOf": [{"type": "object"}]}"#, "arguments?, timeout, answers"),
    (
      #"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}"#,
      "a: int, b?, timeout, answers"
    ),
    (
      #"{"type": "object", "properties": {"a b": {}}}"#, "arguments?, timeout, answers"
    ),
    (
      #"{"type": "object", "properties": {"timeout": {"type": "integer"}}}"#,
      "timeout?: optional(int), answers"
    ),
    (
      #"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}"#,
      "arguments?, timeout, answers"
    ),
  ])
  func `fields are the properties of a plain object`(_ schema: String, fields: String) throws {
    let type = ToolInput(try Self.value(schema)).type

    let text = type.fields.map { field in
      if ["timeout", "answers"].contains(field.name), field.type != .optional(.int) {
        return field.name
      }
      let mark = field.isRequired ? "" : "?"
      let isOpen = field.type == .dynamic || field.type == .map(.dynamic)
      return field.name + mark + (isOpen ? "" : ": \(field.type)")
    }
    #expect(text.joined(separator: ", ") == fields)
  }

  @Test func `examples of a property that have its type are those of the field`() throws {
    let schema = #"""
      {"type": "object", "properties": {"a": {"type": "integer", "examples": [7, "x", 9]},
        "b": {"type": "string", "examples": "y"}, "c": {"type": ["string", "null"], "examples": ["z"]}}}
      """#
    let fields = ToolInput(try Self.value(schema)).type.fields

    #expect(fields.prefix(3).map(\.examples) == [[.int(7), .int(9)], [], [.string("z")]])
  }

  @Test func `absent fields are not sent, and nulls that are values are`() throws {
    let schema = """
      {"type": "object", "properties": {"a": {"type": ["integer", "null"]}, "b": {"type": "string"},
        "c": {"type": "object", "properties": {"d": {"type": "string"}}}}, "required": ["a"]}
      """
    let input = ToolInput(try Self.value(schema))
    let given = Value.map(ValueMap([("a", .null), ("c", .map(ValueMap()))]))
    guard case .record(let record) = try given.converted(to: .record(input.type)) else { return }

    #expect(Value.map(input.arguments(record)).json == #"{"a":null,"c":{}}"#)
    #expect(input.timeout(record) == nil)
  }

  @Test(arguments: [
    (
      #"{"content": [{"type": "text", "text": "[1"}, {"type": "text", "text": ", 2]"}]}"#,
      #"{text: "[1\n, 2]", json: [1, 2], content: 2}"#
    ),
    (#"{"content": [{"type": "image", "data": ""}]}"#, #"{text: "", json: null, content: 1}"#),
    (
      #"{"content": [], "structuredContent": [1.50]}"#, #"{text: "", json: [1.50], content: 0}"#
    ),
    (#"{"structuredContent": "x"}"#, #"{text: "", json: "x", content: 0}"#),
    (
      #"{"content": [], "isError": true}"#, "failed: the tool reports an error"
    ),
    (
      #"{"content": [], "isError": true, "_meta": {"flow/error": "gone"}}"#,
      "gone: the tool reports an error"
    ),
    (
      #"{"content": [], "isError": true, "_meta": {"flow/error": "other"}}"#,
      "malformed: the tool does not declare its error 'other': the tool reports an error"
    ),
    (#"{"content": [], "isError": false}"#, #"{text: "", json: null, content: 0}"#),
    (
      #"{"content": [], "isError": "true"}"#,
      #"malformed: 'isError' is not true or false: "true""#
    ),
    (#"{"content": [], "isError": 1}"#, "malformed: 'isError' is not true or false: 1"),
    (#"{"content": [], "isError": null}"#, "malformed: 'isError' is not true or false: null"),
    (#"{"content": [1]}"#, "malformed: 'content' is not a list of blocks with a 'type': [1]"),
  ])
  func `an answer has text, JSON and content`(_ result: String, expected: String) throws {
    let fields = #"{"inputSchema": {"type": "object"}, "errors": {"gone": "It is gone."}}"#
    let tool = try Tool("act", try Self.value(fields))

    let value = try Self.value(result)
    let text: String
    do throws(MCPError) {
      let answer = try ToolAnswer(value, of: tool)
      let string = Value.string(answer.text)
      text = "{text: \(string), json: \(answer.json), content: \(answer.content.count)}"
    } catch {
      text = "\(error.code.name): \(error)"
    }

    #expect(text == expected)
  }

  @Test func `text of servers is one line without control characters`() {
    #expect(ServerText.line("a\n\u{1B}[31mb\u{202E}c", limit: 80) == "a  [31mbc")
    #expect(ServerText.line(String(repeating: "x", count: 999), limit: 5).count == 5)
  }

  @Test func `lines are found in any pieces, up to a limit`() throws {
    var buffer = LineBuffer(limit: 3)

    #expect(try buffer.append(Array("a\n\nb".utf8)) == [Array("a".utf8)])
    #expect(try buffer.append(Array("c\n".utf8)) == [Array("bc".utf8)])
    #expect(buffer.rest() == nil)
    #expect(throws: MCPError.self) { try buffer.append(Array("long".utf8)) }
  }

  @Test func `two tools with one name in scenarios are refused`() throws {
    let entry = try Self.value(
      #"{"revision": "2026-07-28", "tools": {"a.b": {}, "a/b": {}}}"#)

    let error = #expect(throws: MCPError.self) {
      try ServerOperations(ServerDescription(lock: entry))
    }
    #expect(error?.description == "the tools 'a.b' and 'a/b' are both 'a-b' in scenarios")
  }

  @Test(arguments: [
    (
      #"{"mcp": "server --x"}"#,
      "'server --x' is not a URL; write a program as a list, such as [server, --x]"
    ),
    (
      #"{"mcp": "https://user@example.org/mcp"}"#,
      "a URL with a user or a password is not accepted"
    ),
    (#"{"mcp": []}"#, "'mcp' needs a program and its arguments, each a string"),
    (#"{"mcp": 7}"#, "'mcp' is a list of a program and its arguments, or a URL"),
    (#"{"mcp": ["x"], "state": "disk"}"#, "'state' is none, memory or external, not 'disk'"),
  ])
  func `a declaration without a meaning is refused`(_ json: String, expected: String) throws {
    let declaration = try MCP.declaration.decode(try Self.value(json))

    let error = #expect(throws: MCPError.self) { try MCP.check(declaration) }
    #expect(error?.description == expected)
  }
}
