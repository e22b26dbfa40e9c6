internal import FlowCore

/// The operators, as functions.
enum Operators {
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

  private static func isEqual(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.int(let a), .int(let b)): return a == b
    case (.list, .list), (.map, .map), (.record, .record), (.optional, .optional):
      // A comparison takes at most the size of the smaller side, but which side is smaller is
      // unknown.
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

/// A literal in a comparison with its numbers as the decimals that are written.
struct ExactLiteral {
  let isLeft: Bool
  let value: Value
}

extension Function {
  /// A comparison that reads a literal exactly if the other operand is a decimal, or contains one.
  ///
  /// A value of JSON, known only at run time, is a decimal, and the double nearest to `0.1` is not
  /// the number written there.
  func reading(_ literal: ExactLiteral?) -> Function {
    guard let literal, case .binary(let body) = body else { return self }
    return Function(
      name, signatures,
      .binary { (left, right, frame) throws(EvaluationError) in
        guard try DecimalMath.holdsDecimal(literal.isLeft ? right : left, &frame) else {
          return try body(left, right, &frame)
        }
        return literal.isLeft
          ? try body(literal.value, right, &frame) : try body(left, literal.value, &frame)
      })
  }
}

/// `+ - * / %` on values, with errors where a result leaves its range ("Overflow").
enum Arithmetic {
  static func sum(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): return try int(a.addingReportingOverflow(b))
    case (.uint(let a), .uint(let b)): return try uint(a.addingReportingOverflow(b))
    case (.double(let a), .double(let b)): return .double(a + b)
    case (.string(let a), .string(let b)):
      try frame.charge((a.utf8.count + b.utf8.count) / 32)
      return .string(a + b)
    case (.bytes(let a), .bytes(let b)):
      try frame.charge((a.content.count + b.content.count) / 32)
      return .bytes(Bytes(a.content + b.content))
    case (.list(let a), .list(let b)):
      try frame.charge(a.count + b.count)
      return .list(a + b)
    case (.timestamp(let a), .duration(let b)), (.duration(let b), .timestamp(let a)):
      return try TimeMath.timestamp(a, advancedBy: b)
    case (.duration(let a), .duration(let b)): return try TimeMath.duration(a + b)
    default: return try decimal(left, right) { (a, b) throws(DecimalError) in try a + b }
    }
  }

  static func difference(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): try int(a.subtractingReportingOverflow(b))
    case (.uint(let a), .uint(let b)): try uint(a.subtractingReportingOverflow(b))
    case (.double(let a), .double(let b)): .double(a - b)
    case (.timestamp(let a), .timestamp(let b)): try TimeMath.duration(a.duration(since: b))
    case (.timestamp(let a), .duration(let b)): try TimeMath.timestamp(a, advancedBy: .zero - b)
    case (.duration(let a), .duration(let b)): try TimeMath.duration(a - b)
    default: try decimal(left, right) { (a, b) throws(DecimalError) in try a - b }
    }
  }

  static func product(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): try int(a.multipliedReportingOverflow(by: b))
    case (.uint(let a), .uint(let b)): try uint(a.multipliedReportingOverflow(by: b))
    case (.double(let a), .double(let b)): .double(a * b)
    default: try decimal(left, right) { (a, b) throws(DecimalError) in try a * b }
    }
  }

  static func quotient(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int, .int(0)), (.uint, .uint(0)): throw .divisionByZero
    case (.int(let a), .int(let b)): return try int(a.dividedReportingOverflow(by: b))
    case (.uint(let a), .uint(let b)): return .uint(a / b)
    case (.double(let a), .double(let b)): return .double(a / b)
    default: return try decimal(left, right) { (a, b) throws(DecimalError) in try a / b }
    }
  }

  static func remainder(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int, .int(0)), (.uint, .uint(0)): throw .divisionByZero
    case (.int(let a), .int(let b)): return try int(a.remainderReportingOverflow(dividingBy: b))
    case (.uint(let a), .uint(let b)): return .uint(a % b)
    default:
      return try decimal(left, right) { (a, b) throws(DecimalError) in
        try DecimalMath.remainder(a, b)
      }
    }
  }

  static func negated(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .int(let number): return try int((0 as Int).subtractingReportingOverflow(number))
    case .double(let number): return .double(-number)
    case .decimal(let number):
      do { return .decimal(try number.negated()) } catch { throw EvaluationError(error) }
    default: throw .noOverload
    }
  }

  // MARK: - Results

  private static func int(
    _ result: (partialValue: Int, overflow: Bool)
  ) throws(EvaluationError) -> Value {
    if result.overflow { throw .overflow("int") }
    return .int(result.partialValue)
  }

  private static func uint(
    _ result: (partialValue: UInt, overflow: Bool)
  ) throws(EvaluationError) -> Value {
    if result.overflow { throw .overflow("uint") }
    return .uint(result.partialValue)
  }

  /// Combines two numbers, one a decimal and the other without a binary fraction.
  private static func decimal(
    _ left: Value, _ right: Value,
    _ compute: (Decimal, Decimal) throws(DecimalError) -> Decimal
  ) throws(EvaluationError) -> Value {
    guard DecimalMath.isDecimal(left) || DecimalMath.isDecimal(right),
      let a = DecimalMath.widened(left), let b = DecimalMath.widened(right)
    else { throw .noOverload }
    do { return .decimal(try compute(a, b)) } catch { throw EvaluationError(error) }
  }
}

/// Sums of instants and spans, within the ranges that the definition gives them.
private enum TimeMath {
  static func timestamp(
    _ instant: Timestamp, advancedBy span: Duration
  ) throws(EvaluationError) -> Value {
    guard let sum = instant.advanced(by: span) else { throw .overflow("timestamp") }
    return .timestamp(sum)
  }

  /// A span that 64 bits of nanoseconds hold, about 292 years.
  static func duration(_ span: Duration) throws(EvaluationError) -> Value {
    guard nanoseconds(span) != nil else { throw .overflow("duration") }
    return .duration(span)
  }

  static func nanoseconds(_ span: Duration) -> Int? {
    let (seconds, attoseconds) = span.components
    return Int(exactly: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
  }
}

/// Arithmetic of decimals that expressions need beyond the exact one.
enum DecimalMath {
  enum Rounding {
    case down, up, towardZero, halfAwayFromZero, halfToEven
  }

  static func isDecimal(_ value: Value) -> Bool { if case .decimal = value { true } else { false } }

  /// Returns true if a value is a decimal, or a list or a map that contains one.
  static func holdsDecimal(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    switch value {
    case .decimal, .number: return true
    case .list(let values):
      try frame.charge(values.count)
      for value in values where try holdsDecimal(value, &frame) { return true }
    case .map(let map):
      try frame.charge(map.count)
      for entry in map.entries where try holdsDecimal(entry.value, &frame) { return true }
    default: break
    }
    return false
  }

  /// A decimal, or a whole number as one, or nil.
  static func widened(_ value: Value) -> Decimal? {
    switch value {
    case .decimal(let number): number
    case .int(let number): Decimal(number)
    case .uint(let number): Decimal(significand: Int128(number), scale: 0)
    default: nil
    }
  }

  /// The remainder of a division, with the sign of `left`.
  static func remainder(_ left: Decimal, _ right: Decimal) throws(DecimalError) -> Decimal {
    guard right.significand != 0 else { throw .divisionByZero }
    let scale = max(left.scale, right.scale)
    // A divisor that is too long at this scale is greater than the number, and nothing is taken away.
    guard let divisor = aligned(right, scale)?.magnitude else { return left }
    var rest = left.significand.magnitude % divisor
    // Digit by digit, as the number itself may be too long at this scale.
    for _ in left.scale..<scale {
      rest = divisor.dividingFullWidth(rest.multipliedFullWidth(by: 10)).remainder
    }
    let magnitude = Int128(rest)
    return Decimal(significand: left.significand < 0 ? -magnitude : magnitude, scale: Int(scale))
  }

  /// The number with at most `scale` digits behind the point.
  static func rounded(_ number: Decimal, to scale: Int, _ rounding: Rounding) -> Decimal {
    guard Int(number.scale) > scale else { return number }
    var divisor: Int128 = 1
    for _ in scale..<Int(number.scale) {
      let (product, overflow) = divisor.multipliedReportingOverflow(by: 10)
      // A divisor of 39 digits is greater than any number: all of it is fraction.
      if overflow { return Decimal(significand: 0, scale: scale) }
      divisor = product
    }
    let (quotient, rest) = number.significand.quotientAndRemainder(dividingBy: divisor)
    let carry = carry(quotient, rest: rest, of: divisor, rounding)
    return Decimal(significand: quotient + carry, scale: scale)
  }

  private static func carry(
    _ quotient: Int128, rest: Int128, of divisor: Int128, _ rounding: Rounding
  ) -> Int128 {
    let away: Int128 = rest < 0 ? -1 : 1
    // Compared without doubling, which could overflow.
    let (half, other) = (rest.magnitude, divisor.magnitude - rest.magnitude)
    switch rounding {
    case .towardZero: return 0
    case .down: return rest < 0 ? -1 : 0
    case .up: return rest > 0 ? 1 : 0
    case .halfAwayFromZero: return half >= other ? away : 0
    case .halfToEven:
      if half == other { return quotient % 2 == 0 ? 0 : away }
      return half > other ? away : 0
    }
  }

  private static func aligned(_ number: Decimal, _ scale: UInt8) -> Int128? {
    var value = number.significand
    for _ in number.scale..<scale {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
    }
    return value
  }
}
