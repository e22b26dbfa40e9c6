internal import FlowCore

/// What expressions need of decimals beyond exact arithmetic.
enum DecimalMath {
  /// How a fraction is rounded away.
  enum Rounding {
    case down, up, towardZero, halfAwayFromZero, halfToEven
  }

  static func isDecimal(_ value: Value) -> Bool {
    if case .decimal = value { return true }
    return false
  }

  /// A decimal, or a whole number as one; nil for everything else.
  static func widened(_ value: Value) -> Decimal? {
    switch value {
    case .decimal(let number): number
    case .int(let number): Decimal(number)
    case .uint(let number): Decimal(significand: Int128(number), scale: 0)
    default: nil
    }
  }

  /// What is left of `left` after taking away `right` as often as it fits; it has the sign of `left`.
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
    let carry = carry(quotient, rest, divisor, rounding)
    return Decimal(significand: quotient + carry, scale: scale)
  }

  private static func carry(
    _ quotient: Int128, _ rest: Int128, _ divisor: Int128, _ rounding: Rounding
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
