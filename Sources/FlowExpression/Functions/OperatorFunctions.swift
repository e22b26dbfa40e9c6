internal import FlowCore

/// The operators, as functions.
enum OperatorFunctions {
  static let not = Function(
    "!", [Signature([.bool], .bool)],
    .unary { (value, _) throws(EvaluationError) in
      guard case .bool(let holds) = value else { throw .noOverload }
      return .bool(!holds)
    })

  static let negate = Function(
    "-", [.int, .double, .decimal].map { Signature([$0], $0) },
    .unary { (value, _) throws(EvaluationError) in try Arithmetic.negated(value) })

  // The checker compares the types of the sides itself: they may be any, as long as they are alike.
  static let equal = Function(
    "==", [],
    .binary { (left, right, frame) throws(EvaluationError) in
      .bool(try isEqual(left, right, &frame))
    })

  static let unequal = Function(
    "!=", [],
    .binary { (left, right, frame) throws(EvaluationError) in
      .bool(try !isEqual(left, right, &frame))
    })

  static let isIn = Function("in", [], .binary(contains))

  static let arithmetic: [BinaryOperator: Function] = [
    .add: Function("+", sums, .binary(Arithmetic.sum)),
    .subtract: Function("-", differences, .binary(Arithmetic.difference)),
    .multiply: Function("*", numbers, .binary(Arithmetic.product)),
    .divide: Function("/", numbers, .binary(Arithmetic.quotient)),
    .remainder: Function("%", wholeNumbers, .binary(Arithmetic.remainder)),
    .less: relation("<") { $0 == .less },
    .lessOrEqual: relation("<=") { $0 == .less || $0 == .equal },
    .greater: relation(">") { $0 == .greater },
    .greaterOrEqual: relation(">=") { $0 == .greater || $0 == .equal },
  ]

  // MARK: - Signatures

  private static let mixed: [Signature] = [
    Signature([.decimal, .decimal], .decimal), Signature([.decimal, .int], .decimal),
    Signature([.int, .decimal], .decimal), Signature([.decimal, .uint], .decimal),
    Signature([.uint, .decimal], .decimal),
  ]

  private static let wholeNumbers =
    [Signature([.int, .int], .int), Signature([.uint, .uint], .uint)] + mixed

  private static let numbers = wholeNumbers + [Signature([.double, .double], .double)]

  private static let sums =
    numbers + [
      Signature([.string, .string], .string), Signature([.bytes, .bytes], .bytes),
      Signature(
        [.list(.parameter(0)), .list(.parameter(0))], .list(.parameter(0)), typeParameterCount: 1),
      Signature([.timestamp, .duration], .timestamp),
      Signature([.duration, .timestamp], .timestamp), Signature([.duration, .duration], .duration),
    ]

  private static let differences =
    numbers + [
      Signature([.timestamp, .timestamp], .duration),
      Signature([.timestamp, .duration], .timestamp), Signature([.duration, .duration], .duration),
    ]

  private static let ordered: [Signature] =
    [.int, .string, .double, .decimal, .bool, .uint, .bytes, .timestamp, .duration].map {
      Signature([$0, $0], .bool)
    }
    + [.int, .uint, .double].flatMap {
      [Signature([.decimal, $0], .bool), Signature([$0, .decimal], .bool)]
    }

  private static func relation(
    _ name: String, _ holds: @escaping @Sendable (Ordering.Result) -> Bool
  ) -> Function {
    Function(
      name, ordered,
      .binary { (left, right, _) throws(EvaluationError) in
        guard let order = Ordering.compare(left, right) else { throw .noOverload }
        return .bool(holds(order))
      })
  }

  // MARK: - Equality

  static func isEqual(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.int(let a), .int(let b)): return a == b
    case (.list, .list), (.map, .map), (.record, .record), (.optional, .optional):
      // Comparing takes no longer than the smaller side is large, but which one is that?
      try frame.charge(sizeOf: left)
      return left == right
    default: return left == right
    }
  }

  private static func contains(
    _ element: Value, _ collection: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch collection {
    case .list(let values):
      try frame.charge(values.count)
      for value in values where try isEqual(element, value, &frame) { return .bool(true) }
      return .bool(false)
    case .map(let map): return .bool(MapKey.isPossible(element) && map[element] != nil)
    case .record(let record):
      guard case .string(let name) = element else { throw .noOverload }
      return .bool(record.type.index(of: name) != nil)
    default: throw .noOverload
    }
  }
}
