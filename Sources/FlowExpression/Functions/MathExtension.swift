internal import FlowCore

/// The math extension, and its functions on decimals.
enum MathExtension {
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
    case .double(let number):
      .double(number.isNaN ? .nan : number == 0 ? 0 : number < 0 ? -1 : 1)
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

  static func greatest(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
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
