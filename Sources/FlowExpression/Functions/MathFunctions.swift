internal import FlowCore

/// The math extension, and its functions on decimals.
enum MathFunctions {
  static let all =
    [
      rounding("math.ceil", .up) { $0.rounded(.up) },
      rounding("math.floor", .down) { $0.rounded(.down) },
      rounding("math.round", .halfAwayFromZero) { $0.rounded(.toNearestOrAwayFromZero) },
      rounding("math.trunc", .towardZero) { $0.rounded(.towardZero) },
      Function("math.abs", numeric, .unary(absolute)),
      Function("math.sign", numeric, .unary(sign)),
      Function("math.sqrt", roots, .unary(squareRoot)),
      test("math.isNaN") { $0.isNaN },
      test("math.isInf") { $0.isInfinite },
      test("math.isFinite") { $0.isFinite },
    ] + BitFunctions.all

  private static let numeric = [.int, .uint, .double, .decimal].map { Signature([$0], $0) }
  private static let roots = [.double, .int, .uint].map { Signature([$0], .double) }

  private static func rounding(
    _ name: String, _ rounding: DecimalMath.Rounding,
    _ round: @escaping @Sendable (Double) -> Double
  ) -> Function {
    Function(
      name, [Signature([.double], .double), Signature([.decimal], .decimal)],
      .unary { (value, _) throws(EvaluationError) in
        switch value {
        case .double(let number): .double(round(number))
        case .decimal(let number): .decimal(DecimalMath.rounded(number, to: 0, rounding))
        default: throw .noOverload
        }
      })
  }

  private static func test(
    _ name: String, _ holds: @escaping @Sendable (Double) -> Bool
  ) -> Function {
    Function(
      name, [Signature([.double], .bool)],
      .unary { (value, _) throws(EvaluationError) in
        guard case .double(let number) = value else { throw .noOverload }
        return .bool(holds(number))
      })
  }

  private static func absolute(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch value {
    case .uint: value
    case .double(let number): .double(number.magnitude)
    case .int(let number): number < 0 ? try Arithmetic.negated(value) : value
    case .decimal(let number): number.significand < 0 ? try Arithmetic.negated(value) : value
    default: throw .noOverload
    }
  }

  private static func sign(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .int(let number): .int(number.signum())
    case .uint(let number): .uint(number == 0 ? 0 : 1)
    case .double(let number): .double(number.isNaN ? .nan : number == 0 ? 0 : number < 0 ? -1 : 1)
    case .decimal(let number): .decimal(Decimal(Int(number.significand.signum())))
    default: throw .noOverload
    }
  }

  private static func squareRoot(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch value {
    case .double(let number): .double(number.squareRoot())
    case .int(let number): .double(Double(number).squareRoot())
    case .uint(let number): .double(Double(number).squareRoot())
    default: throw .noOverload
    }
  }

  // MARK: - Extremes

  static func greatest(_ values: [Value], _ frame: inout Frame) throws(EvaluationError) -> Value {
    try extreme(values, &frame, .greater)
  }

  static func least(_ values: [Value], _ frame: inout Frame) throws(EvaluationError) -> Value {
    try extreme(values, &frame, .less)
  }

  private static func extreme(
    _ values: [Value], _ frame: inout Frame, _ wanted: Ordering.Result
  ) throws(EvaluationError) -> Value {
    var candidates = values
    if values.count == 1, case .list(let elements) = values[0] { candidates = elements }
    try frame.charge(candidates.count)
    guard var best = candidates.first else { throw .emptyList }
    for candidate in candidates {
      guard NumericValue(candidate) != nil else { throw .noOverload }
      if Ordering.compare(candidate, best) == wanted { best = candidate }
    }
    return best
  }
}

/// The functions of the math extension on bits.
private enum BitFunctions {
  static let all = [
    pair("math.bitAnd") { $0 & $1 },
    pair("math.bitOr") { $0 | $1 },
    pair("math.bitXor") { $0 ^ $1 },
    Function("math.bitNot", [Signature([.int], .int), Signature([.uint], .uint)], .unary(not)),
    shift("math.bitShiftLeft") { $0 << $1 },
    // Vacant bits are filled with zeros, also for negative numbers.
    shift("math.bitShiftRight") { $0 >> $1 },
  ]

  private static func pair(
    _ name: String, _ combine: @escaping @Sendable (UInt, UInt) -> UInt
  ) -> Function {
    Function(
      name, [Signature([.int, .int], .int), Signature([.uint, .uint], .uint)],
      .binary { (left, right, _) throws(EvaluationError) in
        switch (left, right) {
        case (.int(let a), .int(let b)):
          .int(Int(bitPattern: combine(UInt(bitPattern: a), UInt(bitPattern: b))))
        case (.uint(let a), .uint(let b)): .uint(combine(a, b))
        default: throw .noOverload
        }
      })
  }

  private static func shift(
    _ name: String, _ shifted: @escaping @Sendable (UInt, Int) -> UInt
  ) -> Function {
    Function(
      name, [Signature([.int, .int], .int), Signature([.uint, .int], .uint)],
      .binary { (number, count, _) throws(EvaluationError) in
        guard case .int(let count) = count else { throw .noOverload }
        if count < 0 { throw .negativeShift }
        // The smart shift of Swift answers with zero for 64 and more.
        switch number {
        case .int(let number):
          return .int(Int(bitPattern: shifted(UInt(bitPattern: number), count)))
        case .uint(let number): return .uint(shifted(number, count))
        default: throw .noOverload
        }
      })
  }

  private static func not(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .int(let number): .int(~number)
    case .uint(let number): .uint(~number)
    default: throw .noOverload
    }
  }
}
