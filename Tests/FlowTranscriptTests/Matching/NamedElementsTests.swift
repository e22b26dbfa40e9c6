import FlowCore
import FlowSystem
import Testing

@testable import FlowTranscript

/// Differences of lists whose elements have names, such as the messages of a conversation.
@Suite struct NamedElementsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let recorded: String
    let now: String
    let lines: [String]
    var testDescription: String { id }
  }

  private static let lists = [
    NamedList("json.messages", element: "message", names: ["role", "name", "tool_call_id"]),
    NamedList(
      "json.turns", element: "turn", names: ["role", "content[*].tool_use_id"]),
    NamedList("json.input", element: "item", names: ["type", "call_id"]),
  ]

  private static let system = #"{"role":"system","content":"You help."}"#
  private static let user = #"{"role":"user","content":"Find a lamp."}"#
  private static let call =
    #"{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"search"}}]}"#
  private static func result(_ text: String) -> String {
    #"{"role":"tool","tool_call_id":"c1","content":"\#(text)"}"#
  }

  private static func messages(_ elements: String...) -> String {
    #"{"json":{"messages":[\#(elements.joined(separator: ","))]}}"#
  }

  static let cases: [Case] = [
    Case(
      id: "a changed word of a prompt", recorded: messages(system, user),
      now: messages(system, #"{"role":"user","content":"Find a chair."}"#),
      lines: [#"message 2 (user), content: recorded "Find a lamp.", now "Find a chair.""#]),
    Case(
      id: "a changed field of a tool's result",
      recorded: messages(system, user, call, result("{price: 5}")),
      now: messages(system, user, call, result("{price: 6}")),
      lines: [#"message 4 (tool, search), content: recorded "{price: 5}", now "{price: 6}""#]),
    Case(
      id: "a call too many",
      recorded: messages(system, user, call, result("5")),
      now: messages(system, user, call, call, result("5")),
      lines: [
        #"message 4 (assistant): recorded nothing, now {role: "assistant", tool_calls: "#
          + #"[{id: "c1", type: "function", function: {name: …"#
      ]),
    Case(
      id: "a missing message in the middle", recorded: messages(system, user, call, result("5")),
      now: messages(system, call, result("5")),
      lines: [
        #"message 2 (user): recorded {role: "user", content: "Find a lamp."}, now nothing"#
      ]),
    Case(
      id: "a message with another role and content", recorded: messages(system, user),
      now: messages(user, user),
      lines: [
        #"message 1 (user), role: recorded "system", now "user""#,
        #"message 1 (user), content: recorded "You help.", now "Find a lamp.""#,
      ]),
    Case(
      id: "results in the blocks of a message",
      recorded:
        #"{"json":{"turns":[{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"look"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}]}}"#,
      now:
        #"{"json":{"turns":[{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"look"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"b"}]}]}}"#,
      lines: [#"turn 2 (user, look), content[0].content: recorded "a", now "b""#]),
    Case(
      id: "items with the id of a call",
      recorded:
        #"{"json":{"input":[{"type":"function_call","call_id":"f1","name":"look"},{"type":"function_call_output","call_id":"f1","output":1}]}}"#,
      now:
        #"{"json":{"input":[{"type":"function_call","call_id":"f1","name":"look"},{"type":"function_call_output","call_id":"f1","output":2}]}}"#,
      lines: ["item 2 (function_call_output, look), output: recorded 1, now 2"]),
    Case(
      id: "a list without names", recorded: #"{"json":{"other":[1,2]}}"#,
      now: #"{"json":{"other":[2]}}"#,
      lines: [
        "json.other[0]: recorded 1, now 2", "json.other[1]: recorded 2, now nothing",
      ]),
    Case(
      id: "elements without names", recorded: messages("1", "2"), now: messages("1", "3"),
      lines: ["message 2: recorded 2, now 3"]),
    Case(
      id: "a name that is long and has line breaks",
      recorded: messages(#"{"role":"a\n\#(String(repeating: "b", count: 50))","content":1}"#),
      now: messages(#"{"role":"a\n\#(String(repeating: "b", count: 50))","content":2}"#),
      lines: [
        #"message 1 (a\n\#(String(repeating: "b", count: 37))…), content: recorded 1, now 2"#
      ]),
  ]

  @Test(arguments: cases) func `a difference names the element`(_ sample: Case) throws {
    let recorded = try JSONParser.parse(Array(sample.recorded.utf8)[...])
    let now = try JSONParser.parse(Array(sample.now.utf8)[...])

    let changes = FieldChange.between(recorded, now, naming: Self.lists)

    #expect(changes.noteLines == sample.lines)
  }

  @Test func `the path of an element is that of the present list`() throws {
    let recorded = try JSONParser.parse(Array(Self.messages(Self.user).utf8)[...])
    let now = try JSONParser.parse(Array(Self.messages(Self.system, Self.user).utf8)[...])

    #expect(
      FieldChange.between(recorded, now, naming: Self.lists).map(\.path) == ["json.messages[0]"])
  }

  @Test func `a changed word beside a part that varies is shown alone`() throws {
    let pattern =
      #"{"$any":"string","in":"You answer the customers of a shop for lamps and chairs. Today is {date}, at {place}.","example":"You answer the customers of a shop for lamps and chairs. Today is 2026-11-30, at home."}"#
    let recorded = try JSONParser.parse(
      Array(Self.messages(#"{"role":"system","content":\#(pattern)}"#).utf8)[...])
    let now = try JSONParser.parse(
      Array(
        Self.messages(
          #"{"role":"system","content":"You help the customers of a shop for lamps and chairs. Today is 2027-01-02, at work."}"#
        ).utf8)[...])

    #expect(
      FieldChange.between(recorded, now, naming: Self.lists).noteLines == [
        "message 1 (system), content: recorded 86 characters, now 84, first different at character 4: "
          + #"recorded "You answer the customers of a shop for lamps and chairs. Today is 2027-01-02, …, "#
          + #"now "You help the customers of a shop for lamps and chairs. Today is 2027-01-02, at…"#
      ])
  }
}
