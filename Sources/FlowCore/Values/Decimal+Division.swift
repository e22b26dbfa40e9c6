extension Decimal {
  /// The exact quotient, with the smallest scale that holds it.
  ///
  /// - Throws: `DecimalError.divisionByZero`; `.overflow` when the quotient has more than 38 digits
  ///   before the point; `.inexact` when it has more than 38 digits in all.
  public static func / (left: Decimal, right: Decimal) throws(DecimalError) -> Decimal {
    guard right.significand != 0 else { throw .divisionByZero }
    var quotient = left.significand.magnitude
    var divisor = right.significand.magnitude
    let common = greatestCommonDivisor(quotient, divisor)
    (quotient, divisor) = (quotient / common, divisor / common)
    var scale = Int(left.scale) - Int(right.scale)
    // A two or a five in the divisor makes one more digit; any other factor makes them endless.
    for (factor, missing) in [(10, 1), (2, 5), (5, 2)] as [(UInt128, UInt128)] {
      while divisor % factor == 0 {
        scale += 1
        divisor /= factor
        quotient = try extended(quotient, by: missing, scale: scale)
      }
    }
    guard divisor == 1 else { throw .inexact }
    while scale < 0 {
      scale += 1
      quotient = try extended(quotient, by: 10, scale: scale)
    }
    let isNegative = (left.significand < 0) != (right.significand < 0)
    return try signed(quotient, isNegative, scale: scale)
  }

  private static func extended(
    _ quotient: UInt128, by factor: UInt128, scale: Int
  ) throws(DecimalError) -> UInt128 {
    let (product, overflow) = quotient.multipliedReportingOverflow(by: factor)
    if overflow { throw scale > 0 ? .inexact : .overflow }
    return product
  }

  private static func signed(
    _ magnitude: UInt128, _ isNegative: Bool, scale: Int
  ) throws(DecimalError) -> Decimal {
    let greatest = isNegative ? Int128.min.magnitude : Int128.max.magnitude
    guard magnitude <= greatest, scale <= maximumScale else {
      throw scale > 0 ? .inexact : .overflow
    }
    let bits = isNegative ? 0 &- magnitude : magnitude
    return Decimal(significand: Int128(truncatingIfNeeded: bits), scale: scale).normalized
  }

  private static func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
    var (dividend, divisor) = (left, right)
    while divisor != 0 { (dividend, divisor) = (divisor, dividend % divisor) }
    return dividend
  }
}
