import FlowCore
import FlowPlan
import FlowScenario
import TestKit
import Testing

@Suite struct ValueTypeTextTests {
  @Test(arguments: [
    ("any", ValueType.dynamic), ("bool", .bool), ("bytes", .bytes), ("decimal", .decimal),
    ("double", .double), ("duration", .duration), ("int", .int), ("string", .string),
    ("timestamp", .timestamp), ("list(int)", .list(.int)), ("map(any)", .map(.dynamic)),
    ("map(list(map(string)))", .map(.list(.map(.string)))),
  ]) func `a type is read from its name`(_ text: String, _ type: ValueType) {
    #expect(ValueType(scenarioText: text) == type)
  }

  @Test(arguments: [
    "", "Int", "list", "list()", "list(int", "list(int))", "list (int)", "list( int )",
    "map(string, int)", "optional(int)", "uint", "record", "list(uint)",
    String(repeating: "list(", count: 60) + "int" + String(repeating: ")", count: 60),
  ]) func `another text is no type`(_ text: String) {
    #expect(ValueType(scenarioText: text) == nil)
  }

  @Test(arguments: [
    ("list", "; did you mean 'list(any)'?"), ("mpa", "; did you mean 'map(any)'?"),
    ("anny", "; did you mean 'any'?"), ("integer", "; did you mean 'int'?"),
    ("Number", "; did you mean 'decimal'?"), ("money", ""),
    ("Decimal", "; did you mean 'decimal'?"),
  ]) func `an unknown type offers one that can be written`(_ name: String, _ offer: String) throws {
    let problems = try ScenarioText.problems("flow: 1\nsteps: []\ninputs: {a: {type: \(name)}}")

    let types =
      "types: any, bool, bytes, decimal, double, duration, int, list(TYPE), map(TYPE), string, timestamp"
    #expect(
      problems == ["3:20-\(20 + name.count): unknown type '\(name)'\(offer) [F1208] (\(types))"])
  }
}
