import FlowCore
import FlowExpression
import Testing

/// The variables read by an expression.
struct ReferenceTests {
  @Test(arguments: [
    Sample("steps.page.end && inputs.count > 1", "steps.page 0..<10, inputs.count 18..<30"),
    Sample(
      "steps.page.items.all(i, i.price < inputs.amount)", "steps.page 0..<10, inputs.amount 34..<47"
    ),
    Sample("has(steps.page)", "steps.page 0..<15 guarded"),
    Sample("steps.?page.end", "steps.page 0..<11 guarded"),
    Sample("has(steps.page.first)", "steps.page 4..<14"),
    Sample(
      "has(steps.page) ? steps.page.end : false",
      "steps.page 0..<15 guarded, steps.page 18..<28 guarded"),
    Sample(
      "has(steps.page) ? false : steps.page.end", "steps.page 0..<15 guarded, steps.page 26..<36"),
    Sample(
      "!has(steps.page) ? false : steps.page.end",
      "steps.page 1..<16 guarded, steps.page 27..<37 guarded"),
    Sample(
      "has(steps.page) && steps.page.end", "steps.page 0..<15 guarded, steps.page 19..<29 guarded"),
    Sample(
      "steps.page.end && has(steps.page)", "steps.page 0..<10 guarded, steps.page 18..<33 guarded"),
    Sample(
      "!has(steps.page) || steps.page.end", "steps.page 1..<16 guarded, steps.page 20..<30 guarded"),
    Sample("has(steps.page) || steps.page.end", "steps.page 0..<15 guarded, steps.page 19..<29"),
    Sample(
      "has(steps.page) && inputs.count > 1 ? steps.page.end : true",
      "steps.page 0..<15 guarded, inputs.count 19..<31, steps.page 38..<48 guarded"),
    Sample(
      "has(steps.item) ? steps.page.end : true", "steps.item 0..<15 guarded, steps.page 18..<28"),
    Sample(
      "steps.?page.hasValue() ? steps.page.end : true",
      "steps.page 0..<11 guarded, steps.page 25..<35 guarded"),
    Sample("1 + 2", ""),
  ])
  func `each use of a variable is told, and whether it is guarded`(_ sample: Sample) throws {
    let references = try Expression(sample.expression, in: Fixture.environment).references

    let texts = references.map { "\($0.name) \($0.span)\($0.isGuarded ? " guarded" : "")" }
    #expect(texts.joined(separator: ", ") == sample.expected)
  }

  @Test(arguments: [
    Sample("inputs.count > 1 ? steps.page.end : false", "(inputs.count > 1)"),
    Sample("inputs.count>1 ? false : steps.page.end", "not (inputs.count > 1)"),
    Sample(
      "inputs.count > 1 && any ? steps.page.end : false",
      "((inputs.count > 1) && any), (inputs.count > 1), any"),
    Sample("any || steps.page.end", "not any"),
    Sample("any ? (inputs.count == 1 ? steps.page.end : any) : any", "any, (inputs.count == 1)"),
    Sample("steps.page.end", ""),
  ])
  func `the conditions of a use are told in one way of writing`(_ sample: Sample) throws {
    let references = try Expression(sample.expression, in: Fixture.environment).references

    let conditions = try #require(references.first { $0.name == "steps.page" }).conditions
    #expect(
      conditions.map { ($0.holds ? "" : "not ") + $0.text }.joined(separator: ", ")
        == sample.expected)
  }

  @Test func `the conditions of large expressions are left out`() throws {
    let row = (0..<32).map { _ in "inputs.count > 1" }.joined(separator: " && ")
    let text = (0..<32).map { _ in "(\(row))" }.joined(separator: " || ")

    let references = try Expression(text, in: Fixture.environment).references

    #expect(references.count == 1_024)
    #expect(references.last?.conditions == [])
  }

  @Test(arguments: [
    Sample("steps.page.end == false", "steps.page.end: true"),
    Sample(
      "inputs.amount - 12.50 == inputs.amount", "inputs.amount - 12.50: 87.00, inputs.amount: 99.50"
    ),
    Sample("steps.page.end && inputs.count > 5", "steps.page.end: true, inputs.count: 3"),
    Sample("!(inputs.count > 1 || steps.page.end)", "inputs.count: 3, steps.page.end: true"),
    Sample("steps.item.title.startsWith('x')", "steps.item.title: \"Barn\""),
    Sample("inputs.names.all(n, n == 'a')", "inputs.names: [\"a\", \"b\"]"),
    Sample("'é' == steps.item.title", "steps.item.title: \"Barn\""),
    Sample(
      "steps.skipped.end", "steps.skipped.end: 'steps.skipped' has no value: its step did not run"),
    Sample("inputs.count in [1, 2]", "inputs.count: 3"),
    Sample("has(steps.skipped) && true", "has(steps.skipped): false"),
    Sample("inputs.names[0] == 'b'", "inputs.names[0]: \"a\""),
    Sample("any.n > 1.0 ? any.n < 0.0 : true", "any.n: 2.0, any.n: 2.0"), Sample("1 == 2", ""),
    Sample(
      "inputs.names[inputs.count] == 'b'",
      "inputs.names[inputs.count]: inputs.names[inputs.count]: no element 3; the list has 2 elements"
    ),
  ])
  func `the operands of an assertion are told with their values`(_ sample: Sample) throws {
    let operands = try Expression(sample.expression, in: Fixture.environment).operands(
      Fixture.activation)

    let texts = operands.map { operand in
      switch operand.result {
      case .success(let value): "\(operand.text): \(value)"
      case .failure(let error): "\(operand.text): \(error)"
      }
    }
    #expect(texts.joined(separator: ", ") == sample.expected)
  }

  private static let constants: [(String, Value?)] = [
    ("1 + 2", .int(3)), ("[1, 2].map(x, x * 2)", .list([.int(2), .int(4)])), ("1 / 0", nil),
    ("inputs.count", nil), ("'a'.matches('a')", .bool(true)), ("true || any", nil),
  ]

  @Test(arguments: constants)
  func `an expression without variables is a constant`(_ text: String, _ expected: Value?) throws {
    #expect(try Expression(text, in: Fixture.environment).constant == expected)
  }
}
