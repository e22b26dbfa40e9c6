import FlowCore
import FlowExpression
import Testing

/// Expressions compiled once for all places where their names mean the same.
struct ExpressionCacheTests {
  @Test func `the same text is compiled once where its names mean the same`() throws {
    let cache = ExpressionCache()
    let first = try cache.expression("a.b + 1", in: Self.environment(["a": (Self.pair, 0)]))
    let other = try cache.expression(
      "a.b + 1", in: Self.environment(["a": (Self.pair, 0), "c": (.int, 1)]))

    #expect(Self.storage(of: first) == Self.storage(of: other))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    /// The meanings of names at two places, by their types and indices.
    let first: [String: (ValueType, Int)]
    let then: [String: (ValueType, Int)]
    var testDescription: String { text }
  }

  @Test(arguments: cases) func `it is compiled anew where a name means something else`(
    _ sample: Case
  ) throws {
    let cache = ExpressionCache()
    for names in [sample.first, sample.then, sample.first] {
      let environment = Self.environment(names)
      let expected = Result { try Expression(sample.text, in: environment) }
      let actual = Result { try cache.expression(sample.text, in: environment) }

      #expect(Self.summary(of: actual) == Self.summary(of: expected))
    }
  }

  static let cases: [Case] = [
    Case(text: "a + a", first: ["a": (.int, 0)], then: ["a": (.string, 0)]),
    Case(text: "a", first: ["a": (.int, 0)], then: ["a": (.int, 1)]),
    Case(text: "a", first: ["a": (.int, 0)], then: [:]),
    // A longer name comes first.
    Case(text: "a.b", first: ["a": (pair, 2)], then: ["a": (pair, 2), "a.b": (.string, 3)]),
    Case(text: "has(a.b)", first: ["a": (pair, 2)], then: ["a": (pair, 2), "a.b": (.string, 4)]),
    Case(text: "a.?b", first: ["a": (pair, 2)], then: ["a": (pair, 2), "a.b": (.string, 4)]),
    // A type's name is one where no variable has it.
    Case(
      text: "type(a) == int", first: ["a": (.int, 0)], then: ["a": (.int, 0), "int": (.string, 3)]),
    Case(
      text: "[1].all(i, i < a)", first: ["a": (.int, 0)], then: ["a": (.int, 1), "i": (.string, 3)]),
  ]

  @Test func `a number is a decimal only where one is expected`() throws {
    let cache = ExpressionCache()
    let types = try [nil, ValueType.decimal, nil].map {
      try cache.expression("12.50", in: Environment(), expecting: $0).type
    }

    #expect(types == [.double, .decimal, .double])
  }

  private static let pair = ValueType.record(
    RecordType([RecordType.Field(name: "b", type: .int, summary: "", defaultValue: nil)]))

  private static func environment(_ names: [String: (ValueType, Int)]) -> Environment {
    var environment = Environment()
    for (name, (type, index)) in names {
      environment.declare(name, type: type, slot: Slot(level: 0, index: index))
    }
    return environment
  }

  /// The type and the value, or the error.
  private static func summary(of result: Result<Expression, any Error>) -> String {
    guard case .record(let type) = pair else { return "" }
    let activation = Activation(levels: [
      [.int(5), .int(6), .record(RecordValue(type, [.int(7)])), .string("text"), nil]
    ])
    return Result {
      let expression = try result.get()
      return "\(expression.type): \(try expression.evaluate(activation))"
    }.text
  }

  /// The storage of its references, which no other expression shares.
  private static func storage(of expression: Expression) -> Int {
    unsafe expression.references.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
  }
}

extension Result where Success == String {
  fileprivate var text: String {
    switch self {
    case .success(let text): text
    case .failure(let error): "\(error)"
    }
  }
}
