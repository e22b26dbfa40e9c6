package import FlowCore

/// An exact number: a significand and a power of ten, or the digits of a longer one.
///
/// It has every number of JSON, and every double by its shortest text.
package struct SchemaNumber: Sendable, Hashable {
  private let significand: Int128
  private let exponent: Int
  /// The number if no significand holds its digits.
  private let long: ExactNumber?

  /// The number in a value, or nil for another value and for an infinite number.
  package init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(significand: Int128(number), exponent: 0)
    case .uint(let number): self.init(significand: Int128(number), exponent: 0)
    case .decimal(let number):
      self.init(significand: number.significand, exponent: -Int(number.scale))
    case .number(let number): self.init(ExactNumber(number.text))
    case .double(let number):
      guard number.isFinite, let parts = Self.parts(of: number) else { return nil }
      self.init(significand: parts.0, exponent: parts.1)
    default: return nil
    }
  }

  private init(significand: Int128, exponent: Int) {
    (self.significand, self.exponent, long) = (significand, exponent, nil)
  }

  private init(_ number: ExactNumber) {
    let isShort = number.digits.count <= 38 && abs(number.exponent) <= Self.greatestExponent
    let magnitude = isShort ? number.digits.reduce(Int128(0)) { $0 * 10 + Int128($1) } : 1
    significand = number.isNegative ? -magnitude : number.digits.isEmpty ? 0 : magnitude
    (exponent, long) = isShort ? (number.exponent, nil) : (0, number)
  }

  /// A greater power of ten is counted by digits alone, which takes no time.
  private static let greatestExponent = 1_000

  /// -1, 0 or 1.
  var sign: Int { Int(significand.signum()) }

  /// Reads `-1.25e+308`, the text of a double.
  private static func parts(of number: Double) -> (Int128, Int)? {
    let parts = "\(number)".split(separator: "e")
    guard let mantissa = parts.first.flatMap({ Decimal(String($0)) }) else { return nil }
    let exponent = parts.count > 1 ? Int(parts[1]) : 0
    return exponent.map { (mantissa.significand, $0 - Int(mantissa.scale)) }
  }

  /// The number without trailing zeros, equal for equal numbers.
  var normalized: SchemaNumber {
    if long != nil { return self }
    if significand == 0 { return SchemaNumber(significand: 0, exponent: 0) }
    var (rest, exponent) = (significand, exponent)
    while rest % 10 == 0 { (rest, exponent) = (rest / 10, exponent + 1) }
    return SchemaNumber(significand: rest, exponent: exponent)
  }

  /// True without a fraction, as `1.0` is.
  package var isWhole: Bool {
    if let long { return long.exponent >= 0 }
    return exponent >= 0 || normalized.exponent >= 0
  }

  /// The whole number, or nil if it has a fraction or does not fit.
  package var integer: Int? {
    let number = normalized
    guard long == nil, 0...18 ~= number.exponent else { return nil }
    return Self.scaled(number.significand, by: number.exponent).flatMap { Int(exactly: $0) }
  }

  /// The order of two numbers: -1, 0 or 1.
  static func compare(_ left: SchemaNumber, _ right: SchemaNumber) -> Int {
    if left.long != nil || right.long != nil {
      return ExactNumber.compare(left.exact, right.exact)
    }
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
    if long != nil || divisor.long != nil { return exact.isMultiple(of: divisor.exact) }
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

  private var exact: ExactNumber { long ?? ExactNumber("\(significand)e\(exponent)") }

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
