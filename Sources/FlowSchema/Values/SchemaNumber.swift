internal import FlowCore

/// An exact number: a significand and a power of ten.
///
/// It has every decimal, and every double by its shortest text.
struct SchemaNumber: Sendable {
  let significand: Int128
  let exponent: Int

  /// The number in a value, or nil for another value and for an infinite number.
  init?(_ value: Value) {
    switch value {
    case .int(let number): (significand, exponent) = (Int128(number), 0)
    case .uint(let number): (significand, exponent) = (Int128(number), 0)
    case .decimal(let number): (significand, exponent) = (number.significand, -Int(number.scale))
    case .double(let number):
      guard number.isFinite, let parts = Self.parts(of: number) else { return nil }
      (significand, exponent) = parts
    default: return nil
    }
  }

  private init(significand: Int128, exponent: Int) {
    (self.significand, self.exponent) = (significand, exponent)
  }

  /// Reads `-1.25e+308`, the text of a double.
  private static func parts(of number: Double) -> (Int128, Int)? {
    let parts = "\(number)".split(separator: "e")
    guard let mantissa = parts.first.flatMap({ Decimal(String($0)) }) else { return nil }
    let exponent = parts.count > 1 ? Int(parts[1]) : 0
    return exponent.map { (mantissa.significand, $0 - Int(mantissa.scale)) }
  }

  /// The number without trailing zeros, equal for equal numbers.
  var normalized: SchemaNumber {
    if significand == 0 { return SchemaNumber(significand: 0, exponent: 0) }
    var (rest, exponent) = (significand, exponent)
    while rest % 10 == 0 { (rest, exponent) = (rest / 10, exponent + 1) }
    return SchemaNumber(significand: rest, exponent: exponent)
  }

  /// True without a fraction, as `1.0` is.
  var isWhole: Bool { exponent >= 0 || normalized.exponent >= 0 }

  /// The whole number, or nil if it has a fraction or does not fit.
  var integer: Int? {
    let number = normalized
    guard 0...18 ~= number.exponent else { return nil }
    return Self.scaled(number.significand, by: number.exponent).flatMap { Int(exactly: $0) }
  }

  /// The order of two numbers: -1, 0 or 1.
  static func compare(_ left: SchemaNumber, _ right: SchemaNumber) -> Int {
    let signs = left.significand.signum() - right.significand.signum()
    if signs != 0 || left.significand == 0 { return Int(signs.signum()) }
    // Only the side with the greater exponent is multiplied, and an overflow means the greater
    // magnitude.
    let isNegative = left.significand < 0
    let difference = left.exponent - right.exponent
    let a = difference > 0 ? scaled(left.significand, by: difference) : left.significand
    let b = difference < 0 ? scaled(right.significand, by: -difference) : right.significand
    guard let a else { return isNegative ? -1 : 1 }
    guard let b else { return isNegative ? 1 : -1 }
    return a < b ? -1 : a > b ? 1 : 0
  }

  /// True if dividing by a number that is not zero leaves no rest.
  func isMultiple(of divisor: SchemaNumber) -> Bool {
    let modulus = divisor.significand.magnitude
    if significand == 0 || modulus == 0 { return significand == 0 }
    let difference = exponent - divisor.exponent
    if difference < 0 {
      // A divisor beyond 128 bits is greater than the number.
      guard let scaled = Self.scaled(divisor.significand, by: -difference) else { return false }
      return significand.magnitude % scaled.magnitude == 0
    }
    var rest = significand.magnitude % modulus
    for _ in 0..<difference where rest != 0 {
      // The rest is less than the modulus, so the quotient fits.
      rest = modulus.dividingFullWidth(rest.multipliedFullWidth(by: 10)).remainder
    }
    return rest == 0
  }

  private static func scaled(_ number: Int128, by power: Int) -> Int128? {
    var number = number
    for _ in 0..<power {
      let (product, overflow) = number.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      number = product
    }
    return number
  }
}
