import FlowCore
import FlowPlan
import TestKit
import Testing

/// Values written in a scenario, checked against their types.
@Suite struct LiteralTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let type: String
    let text: String
    /// The value as messages print it, or the problem.
    let result: String
    var note = ""
    var testDescription: String { "\(type) \(text)" }
  }

  private static func literal(_ sample: Case) throws -> String {
    let text = "flow: 1\nsteps: []\ninputs:\n  x:\n    type: \(sample.type)\n    default: "
    do {
      let value = try ScenarioText.plan(text + sample.text).inputs[0].defaultValue
      return value.map { "\($0.kindName) \($0)" } ?? "none"
    } catch let error as ScenarioError {
      return error.diagnostics.map(\.line).joined(separator: "\n")
    }
  }

  @Test(arguments: accepted) func `a literal is read as its type says`(_ sample: Case) throws {
    #expect(try Self.literal(sample) == sample.result)
  }

  @Test(arguments: refused) func `a literal of another type is refused`(_ sample: Case) throws {
    let end = 14 + sample.text.unicodeScalars.count
    #expect(
      try Self.literal(sample)
        == "6:14-\(end): the default of 'x': expected \(sample.result) [F1206]\(sample.note)")
  }

  static let accepted: [Case] = [
    Case(type: "bool", text: "true", result: "bool true"),
    Case(type: "int", text: "-9223372036854775808", result: "int -9223372036854775808"),
    Case(type: "int", text: "0x10", result: "int 16"),
    Case(type: "decimal", text: "12.50", result: "decimal 12.50"),
    Case(type: "decimal", text: "12", result: "decimal 12"),
    Case(type: "decimal", text: "1e3", result: "decimal 1000"),
    Case(
      type: "decimal", text: "18446744073709551616", result: "decimal 18446744073709551616"),
    Case(type: "double", text: "12", result: "double 12.0"),
    Case(type: "double", text: "0.1", result: "double 0.1"),
    Case(type: "double", text: ".inf", result: "double inf"),
    Case(
      type: "double", text: "18446744073709551616", result: "double 1.8446744073709552e+19"),
    Case(
      type: "double", text: "10000000000000000000000000000000000000000", result: "double 1e+40"),
    Case(type: "string", text: "yes", result: #"string "yes""#),
    Case(type: "string", text: "'12'", result: #"string "12""#),
    Case(type: "string", text: "''", result: #"string """#),
    Case(type: "bytes", text: "héllo", result: "bytes 6 bytes"),
    Case(
      type: "timestamp", text: "2026-01-31T08:00:00+01:00", result: "timestamp 2026-01-31T07:00:00Z"
    ),
    Case(type: "duration", text: "1m30s", result: "duration 90s"),
    Case(type: "list(decimal)", text: "[1, 0.10]", result: "list [1, 0.10]"),
    Case(type: "list(double)", text: "[1]", result: "list [1.0]"),
    Case(type: "list(any)", text: "[1, a, null]", result: #"list [1, "a", null]"#),
    Case(type: "map(duration)", text: "{a: 1s, 2: 2s}", result: #"map {a: 1s, "2": 2s}"#),
    Case(type: "any", text: "0.10", result: "decimal 0.10"),
    Case(type: "any", text: "null", result: "null null"),
    Case(type: "any", text: "{a: [1]}", result: "map {a: [1]}"),
  ]

  private static let intNote =
    " (it is too large: an int is from -9223372036854775808 to 9223372036854775807)"
  private static let decimalNote =
    " (a decimal has at most 38 digits, before and after the point together)"

  static let refused: [Case] = [
    Case(type: "bool", text: "yes", result: #"bool, got the string "yes""#),
    Case(type: "bool", text: "1", result: "bool, got the number 1"),
    Case(type: "int", text: "1.0", result: "int, got the number 1.0"),
    Case(type: "int", text: "'1'", result: #"int, got the string "1""#),
    Case(
      type: "int", text: "9223372036854775808", result: "int, got the number 9223372036854775808",
      note: intNote),
    Case(type: "int", text: "-1e40", result: "int, got the number -1e40", note: intNote),
    Case(
      type: "list(int)", text: "9223372036854775808",
      result: "list(int), got the number 9223372036854775808"),
    Case(type: "int", text: "null", result: "int, got nothing"),
    Case(type: "decimal", text: ".inf", result: "decimal, got the number .inf"),
    Case(type: "decimal", text: "true", result: "decimal, got the bool true"),
    Case(
      type: "decimal", text: "1000000000000000000000000000000000000000.5",
      result: "decimal, got the number 1000000000000000000000000000000000000000.5",
      note: decimalNote),
    Case(
      type: "decimal", text: "1e-50", result: "decimal, got the number 1e-50", note: decimalNote),
    Case(
      type: "double", text: "1e999", result: "double, got the number 1e999",
      note: " (it is too large for a double)"),
    Case(
      type: "double", text: "-1" + String(repeating: "0", count: 400),
      result: "double, got the number -1" + String(repeating: "0", count: 400),
      note: " (it is too large for a double)"),
    Case(type: "double", text: "'1.5'", result: #"double, got the string "1.5""#),
    Case(
      type: "string", text: "12", result: "string, got the number 12",
      note: " (write it in quotes: \"12\")"),
    Case(
      type: "string", text: "true", result: "string, got the bool true",
      note: " (write it in quotes: \"true\")"),
    Case(type: "string", text: "~", result: "string, got nothing"),
    Case(type: "string", text: "[a]", result: "string, got a list"),
    Case(
      type: "string", text: "10000000000000000000000000000000000000000",
      result: "string, got the number 10000000000000000000000000000000000000000"),
    Case(type: "bytes", text: "12", result: "bytes, got the number 12"),
    Case(
      type: "timestamp", text: "2026-13-01T00:00:00Z",
      result: #"timestamp, got the string "2026-13-01T00:00:00Z""#,
      note: " (a timestamp needs a date, a time and a zone: 2026-01-31T12:00:00Z)"),
    Case(type: "duration", text: "12", result: "duration, got the number 12; did you mean '12s'?"),
    Case(
      type: "duration", text: "1 s", result: #"duration, got the string "1 s"; did you mean '1s'?"#),
    Case(
      type: "duration", text: "99999999999h", result: #"duration, got the string "99999999999h""#,
      note: " (it is too large: a duration is at most 292 years, or 2562047h)"),
    Case(type: "list(int)", text: "1", result: "list(int), got the number 1"),
    Case(type: "list(int)", text: "{a: 1}", result: "list(int), got a mapping"),
    Case(type: "map(int)", text: "[1]", result: "map(int), got a list"),
  ]

  @Test func `a tag is refused by its name`() throws {
    let problems = try ScenarioText.problems("flow: 1\nname: !!str 12\nsteps: []")

    #expect(problems == ["2:1-5: the YAML tag '!!str' is not allowed here [F1105]"])
  }

  @Test func `a problem inside a collection names its place`() throws {
    let problems = try ScenarioText.problems(
      """
      flow: 1
      steps: []
      inputs:
        x: {type: list(map(int)), default: [{a: 1}, {a: 1, b: c, d: e}, 2]}
      """)

    #expect(
      problems == [
        #"4:57-58: the default of 'x[1].b': expected int, got the string "c" [F1206]"#,
        #"4:63-64: the default of 'x[1].d': expected int, got the string "e" [F1206]"#,
        "4:67-68: the default of 'x[2]': expected map(int), got the number 2 [F1206]",
      ])
  }

  // MARK: - The types that only components have

  struct FieldCase: Sendable, CustomTestStringConvertible {
    let text: String
    let result: String
    var testDescription: String { text }
  }

  @Test(arguments: fields) func `a field takes a literal of its type`(_ sample: FieldCase) throws {
    let text = ScenarioText.head + "steps:\n- uses: s.take\n  with: {" + sample.text + "}"
    var result: String
    do {
      guard case .call(let call) = try ScenarioText.plan(text).steps[0].action,
        case .record(let record)? = call.input.constant
      else { return #expect(Bool(false), "the input is no constant") }
      let name = String(sample.text.prefix { $0 != ":" })
      result = record[name].map { "\($0.kindName) \($0)" } ?? "none"
    } catch let error as ScenarioError {
      result = error.diagnostics.map(\.line).joined(separator: "\n")
    }

    #expect(result == sample.result)
  }

  static let fields: [FieldCase] = [
    FieldCase(text: "color: green", result: #"string "green""#),
    FieldCase(
      text: "color: blue",
      result: #"5:17-21: 'color': expected 'red' or 'green', got the string "blue" [F1206]"#),
    FieldCase(text: "count: 7", result: "uint 7"),
    FieldCase(text: "count: 18446744073709551615", result: "uint 18446744073709551615"),
    FieldCase(
      text: "count: 18446744073709551616",
      result: "5:17-37: 'count': expected uint, got the number 18446744073709551616 [F1206]"),
    FieldCase(
      text: "count: -1", result: "5:17-19: 'count': expected uint, got the number -1 [F1206]"),
    FieldCase(text: "size: null", result: "null null"),
    FieldCase(text: "size: {width: 2}", result: #"record {width: 2, unit: "m"}"#),
    FieldCase(
      text: "size: {unit: cm}",
      result: "5:16-17: 'size' needs the field 'width', int [F1205] (width: How wide.)"),
    FieldCase(
      text: "size: big",
      result: #"5:16-19: 'size': expected optional(record), got the string "big" [F1206]"#),
    FieldCase(text: "sizes: [{width: 1, unit: km}]", result: #"list [{width: 1, unit: "km"}]"#),
    FieldCase(
      text: "sizes: [{width: 1}, {widht: 1}]",
      result: "5:31-36: 'sizes[1]' has no field 'widht'; did you mean 'width'? [F1204]"),
    FieldCase(text: "note: abc", result: "bytes 3 bytes"),
    FieldCase(text: "note: ~", result: "null null"),
    FieldCase(
      text: "note: 12",
      result: "5:16-18: 'note': expected optional(bytes), got the number 12 [F1206]"),
    FieldCase(text: "weight: 0.1", result: "double 0.1"),
    FieldCase(text: "weight: .inf", result: "double inf"),
  ]
}
