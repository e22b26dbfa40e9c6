import FlowCore
import FlowExpression
import Testing

/// Records of components: fields, absent fields, and variables that were never set.
struct RecordTests {
  @Test(arguments: [
    Sample("steps.item.title", "string \"Barn\""),
    Sample("steps.page.items[0].price", "decimal 12.50"),
    Sample("steps.item['title']", "string \"Barn\""),
    Sample("steps.item[dyn('title')]", "string \"Barn\""), Sample("any.r.title", "string \"Barn\""),
    Sample(
      "any.r.nope", "error 6..<10: any.r.nope: no such field; it has title, price, note, kind, data"
    ),
    Sample("steps.item.note == null", "bool true"), Sample("has(steps.item.note)", "bool false"),
    Sample("has(steps.item.title)", "bool true"), Sample("has(steps.item.data)", "bool true"),
    Sample("steps.item.?note.orValue('none')", "string \"none\""),
    Sample("steps.item.note.size()", "error 0..<22: 'size' is not defined for (null)"),
    Sample(
      "steps.page.first.title", "error 17..<22: steps.page.first.title: no such field; it is null"),
    Sample("steps.page.?first.title.hasValue()", "bool false"),
    Sample("steps.page.first == null || steps.page.first.title == 'x'", "bool true"),
    Sample("steps.item == steps.page.items[0]", "bool true"),
    Sample("'title' in steps.item", "bool true"), Sample("steps.item.kind == 'barn'", "bool true"),
    Sample("steps.item.kind.size()", "int 4"),
    Sample("inputs.table.x + inputs.table['y']", "int 3"),
    Sample("inputs.table.z", "error 13..<14: inputs.table.z: no such field; it has x, y"),
    Sample("type(steps.item)", "type record"),
    Sample("type(steps.item.merge(steps.page))", "type record"),
    Sample("steps.item.merge(steps.page).end", "bool true"),
    Sample("steps.page.merge(steps.item).price", "decimal 12.50"),
    Sample("steps.item.merge({'title': 'x'}).title", "string \"x\""),
    Sample("{'title': 'x', 'n': 1}.merge(steps.item).n", "int 1"),
    Sample("has(steps.item.merge(steps.item).note)", "bool false"),
    Sample("any.r.merge({'n': 1}).n", "int 1"),
  ])
  func `a field is selected by its name`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("steps.skipped.end", "error 0..<13: 'steps.skipped' has no value: its step did not run"),
    Sample("has(steps.skipped)", "bool false"), Sample("has(steps.page)", "bool true"),
    Sample(
      "has(steps.skipped.end)", "error 4..<17: 'steps.skipped' has no value: its step did not run"),
    Sample("steps.?skipped.end.orValue(false)", "bool false"),
    Sample("steps.?page.end.orValue(false)", "bool true"),
    Sample("steps.skipped.end || true", "bool true"),
    Sample("has(steps.skipped) ? steps.skipped.end : false", "bool false"),
  ])
  func `a variable that was never set is no value`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test func `a value of another record type or a map is read by name`() throws {
    let expression = try Expression("steps.item.title", in: Fixture.environment)
    let other = RecordType([Fixture.field("extra", .int), Fixture.field("title", .string)])
    var activation = Fixture.activation

    activation[Slot(level: 0, index: 1)] = .record(RecordValue(other, [.int(1), .string("other")]))
    #expect(try expression.evaluate(activation) == .string("other"))
    activation[Slot(level: 0, index: 1)] = .map(ValueMap([("title", .string("map"))]))
    #expect(try expression.evaluate(activation) == .string("map"))
  }

  @Test func `a slot beyond the activation was never set`() throws {
    let expression = try Expression("steps.item.title", in: Fixture.environment)

    let error = #expect(throws: EvaluationError.self) { try expression.evaluate(Activation()) }

    #expect(error?.code == .unset)
  }

  @Test func `a name can be given back what it stood for`() throws {
    var environment = Environment()
    environment.declare("x", type: .int, slot: Slot(level: 0, index: 0))
    let before = environment["x"]
    environment.declare("x", type: .string, slot: Slot(level: 1, index: 0))
    #expect(try Expression("x", in: environment).type == .string)

    environment["x"] = before

    #expect(try Expression("x", in: environment).type == .int)
    environment["x"] = nil
    #expect(throws: ExpressionErrors.self) { try Expression("x", in: environment) }
  }

  private static let types: [(ExpressionType, ValueType?)] = [
    (.list(.int), .list(.int)), (.map(.string, .bool), .map(.bool)), (.map(.int, .bool), nil),
    (.optional(.int), nil), (.nullable(.int), .optional(.int)), (.dyn, .dynamic), (.type, nil),
    (.record(Fixture.item), .record(Fixture.item)), (.list(.type), nil),
    (.null, .optional(.dynamic)),
  ]

  @Test(arguments: types)
  func `a type is that of a field when a field can hold it`(
    _ type: ExpressionType, _ expected: ValueType?
  ) {
    #expect(type.valueType == expected)
  }
}
