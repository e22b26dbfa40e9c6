import FlowCore
import FlowExpression
import Testing

/// An expression and its result, as text.
struct Sample: CustomTestStringConvertible {
  let expression: String
  let expected: String

  var testDescription: String { expression }

  init(_ expression: String, _ expected: String) {
    self.expression = expression
    self.expected = expected
  }

  /// The kind and the value, or the error and its place.
  ///
  /// `int 3`, `error 2..<7: division by zero`, or a line `2..<7 message` for each problem.
  var outcome: String {
    do {
      let value = try Expression(expression, in: Fixture.environment).evaluate(Fixture.activation)
      return "\(value.kindName) \(value)"
    } catch let error as EvaluationError {
      return "error \(error.span.map { "\($0)" } ?? "nowhere"): \(error)"
    } catch let errors as ExpressionErrors {
      return errors.problems.map { "\($0.span) \($0)" }.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }
}

/// The variables of the samples.
enum Fixture {
  static let item = RecordType([
    field("title", .string), field("price", .decimal), field("note", .optional(.string)),
    field("kind", .enumeration(["barn", "house"])), field("data", .dynamic),
  ])

  static let page = RecordType([
    field("items", .list(.record(item))), field("end", .bool),
    field("first", .optional(.record(item))),
  ])

  static let barn = RecordValue(
    item,
    [
      .string("Barn"), .decimal(Decimal(significand: 1_250, scale: 2)), .null, .string("barn"),
      .null,
    ])

  private static let variables: [(name: String, type: ValueType, value: Value?)] = [
    (
      "steps.page", .record(page),
      .record(RecordValue(page, [.list([.record(barn)]), .bool(true), .null]))
    ),
    ("steps.item", .record(item), .record(barn)),
    ("steps.skipped", .record(page), nil),
    ("inputs.amount", .decimal, .decimal(Decimal(significand: 9_950, scale: 2))),
    ("inputs.count", .int, .int(3)),
    ("inputs.names", .list(.string), .list([.string("a"), .string("b")])),
    ("inputs.table", .map(.int), .map(ValueMap([("x", .int(1)), ("y", .int(2))]))),
    ("any", .dynamic, .map(ValueMap([("n", .double(2)), ("r", .record(barn))]))),
  ]

  static let environment: Environment = {
    var environment = Environment()
    for (index, variable) in variables.enumerated() {
      environment.declare(
        variable.name, type: variable.type, slot: Slot(level: 0, index: index))
    }
    return environment
  }()

  static let activation = Activation(levels: [variables.map(\.value)])

  static func field(_ name: String, _ type: ValueType) -> RecordType.Field {
    RecordType.Field(name: name, type: type, summary: "", defaultValue: nil)
  }
}
