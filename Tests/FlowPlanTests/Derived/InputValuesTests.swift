import FlowCore
import FlowPlan
import FlowScenario
import TestKit
import Testing

/// Inputs from the caller of a scenario.
@Suite struct InputValuesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let type: String
    let text: String
    let result: String
    var note = ""
    var testDescription: String { "\(type) \(text)" }
  }

  private static func values(
    _ inputs: String, _ texts: [(String, String)]
  ) throws -> [String] {
    let plan = try ScenarioText.plan("flow: 1\nsteps: []\ninputs: {\(inputs)}")
    do throws(ScenarioError) {
      return try plan.inputValues(texts: texts.map { (name: $0.0, text: $0.1) })
        .map { "\($0.kindName) \($0)" }
    } catch {
      return error.diagnostics.map(\.line)
    }
  }

  @Test(arguments: accepted) func `a text is read as the input's type says`(_ sample: Case) throws {
    let values = try Self.values("x: {type: \(sample.type)}", [("x", sample.text)])

    #expect(values == [sample.result])
  }

  @Test(arguments: refused) func `a text of another type is refused`(_ sample: Case) throws {
    let values = try Self.values("x: {type: \(sample.type)}", [("x", sample.text)])

    let problem = "the input 'x': expected \(sample.type), got \(sample.result) [F1403]"
    #expect(values == [problem + sample.note])
  }

  static let accepted: [Case] = [
    Case(type: "bool", text: "false", result: "bool false"),
    Case(type: "int", text: "-3", result: "int -3"),
    Case(type: "decimal", text: "30", result: "decimal 30"),
    Case(type: "double", text: "0.1", result: "double 0.1"),
    Case(type: "string", text: "12", result: #"string "12""#),
    Case(type: "string", text: "{a: ${{ b", result: #"string "{a: ${{ b""#),
    Case(type: "string", text: "", result: #"string """#),
    Case(type: "bytes", text: "héllo", result: "bytes 6 bytes"),
    Case(type: "timestamp", text: "2026-01-31T08:00:00Z", result: "timestamp 2026-01-31T08:00:00Z"),
    Case(type: "duration", text: "200ms", result: "duration 0.2s"),
    Case(type: "list(int)", text: "[1, 2]", result: "list [1, 2]"),
    Case(type: "list(string)", text: "- a\n- '1'\n", result: #"list ["a", "1"]"#),
    Case(type: "list(bytes)", text: "[ab, c]", result: "list [2 bytes, 1 bytes]"),
    Case(type: "map(decimal)", text: "{a: 1, b: 2.50}", result: "map {a: 1, b: 2.50}"),
    Case(type: "map(list(double))", text: "{a: [.inf, 1]}", result: "map {a: [inf, 1.0]}"),
    Case(type: "any", text: "[1, a]", result: #"list [1, "a"]"#),
    Case(type: "list(string)", text: #"["\ud83d\ude00"]"#, result: #"list ["😀"]"#),
  ]

  static let refused: [Case] = [
    Case(type: "bool", text: "yes", result: #""yes""#),
    Case(type: "int", text: "1.5", result: #""1.5""#),
    Case(type: "int", text: "", result: #""""#),
    Case(type: "decimal", text: "'1'", result: #""'1'""#),
    Case(type: "double", text: "[1]", result: #""[1]""#),
    Case(
      type: "double", text: "1e400", result: #""1e400""#,
      note: " (it is too large for a double)"),
    Case(
      type: "int", text: "1e40", result: #""1e40""#,
      note: " (it is too large: an int is from -9223372036854775808 to 9223372036854775807)"),
    Case(
      type: "duration", text: "99999999999h", result: #""99999999999h""#,
      note: " (it is too large: a duration is at most 292 years, or 2562047h)"),
    Case(
      type: "duration", text: "soon", result: #""soon""#,
      note: " (a duration needs a unit: 200ms, 5s, 1m30s, 2h)"),
    Case(
      type: "timestamp", text: "2024-02-30", result: #""2024-02-30""#,
      note: " (a timestamp needs a date, a time and a zone: 2026-01-31T12:00:00Z)"),
    Case(type: "list(int)", text: "[1", result: #""[1""#),
    Case(type: "map(int)", text: "{a: 1, a: 2}", result: #""{a: 1, a: 2}""#),
  ]

  @Test func `an input that is not given has its default`() throws {
    let inputs =
      "a: {type: int, default: 1}, b: {type: int, default: 2}, c: {type: any, default: ~}"

    #expect(try Self.values(inputs, [("b", "5")]) == ["int 1", "int 5", "null null"])
  }

  @Test func `every missing input is named`() throws {
    let values = try Self.values(
      "a: {type: int}, b: {type: string}, c: {type: list(any)}", [("b", "x")])

    #expect(
      values == [
        "the input 'a' is missing, expected int [F1402]",
        "the input 'c' is missing, expected list(any value) [F1402]",
      ])
  }

  @Test func `all problems of inputs are told at once`() throws {
    let values = try Self.values(
      "amount: {type: int}, name: {type: string}, count: {type: int}, other: {type: bool}",
      [("amuont", "1"), ("count", "many"), ("zzz", "1")])

    #expect(
      values == [
        "the scenario has no input 'amuont'; did you mean 'amount'? [F1401]",
        #"the input 'count': expected int, got "many" [F1403]"#,
        "the scenario has no input 'zzz' [F1401] (inputs: amount, name, count, other)",
        "the input 'name' is missing, expected string [F1402]",
        "the input 'other' is missing, expected bool [F1402]",
      ])
  }

  @Test func `values are converted like texts`() throws {
    let plan = try ScenarioText.plan(
      "flow: 1\nsteps: []\ninputs: {a: {type: decimal}, b: {type: list(double), default: []}}")

    #expect(try plan.inputValues(["a": .int(3)]).map(\.description) == ["3", "[]"])
    #expect(throws: ScenarioError.self) { try plan.inputValues(["a": .string("3")]) }
    #expect(throws: ScenarioError.self) { try plan.inputValues([:]) }
  }

  @Test func `a default must be a value`() throws {
    let problems = try ScenarioText.problems(
      "flow: 1\nsteps: []\ninputs: {b: {type: int}, a: {type: int, default: \"${{ inputs.b }}\"}}")

    #expect(
      problems == ["3:50-67: the default of 'a' must be a value, not an expression [F1104]"])
  }
}
