/// A number of any kind, compared by its value as CEL compares across numeric kinds.
public enum NumericValue: Sendable {
  /// A whole number of either 64-bit kind.
  case integer(Int128)
  /// A binary floating-point number.
  case double(Double)
  /// An exact decimal number.
  case decimal(Decimal)

  /// The number in a value, or nil for other values.
  ///
  /// One with more digits than a decimal is the nearest double.
  public init?(_ value: Value) {
    switch value {
    case .int(let number): self = .integer(Int128(number))
    case .uint(let number): self = .integer(Int128(number))
    case .double(let number): self = .double(number)
    case .decimal(let number): self = .decimal(number)
    case .number(let number): self.init(number.value)
    default: return nil
    }
  }

  /// The order of two numbers: -1, 0 or 1, or nil if either is NaN.
  public static func compare(_ left: NumericValue, _ right: NumericValue) -> Int? {
    switch (left, right) {
    case (.double(let a), .double(let b)): a.isNaN || b.isNaN ? nil : order(a, b)
    case (.double(let a), .integer(let b)): compare(a, b)
    case (.double(let a), .decimal(let b)): compare(a, b)
    case (_, .double): compare(right, left).map { -$0 }
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.integer(let a), .decimal(let b)): order(Decimal(significand: a, scale: 0), b)
    case (.decimal(let a), .integer(let b)): order(a, Decimal(significand: b, scale: 0))
    case (.decimal(let a), .decimal(let b)): order(a, b)
    }
  }

  /// The order of two numbers, also of those with more digits than a decimal.
  ///
  /// Next to a double such a number is rounded, like a whole number: a double cannot have its
  /// digits. Nil if either is NaN or no number.
  package static func compare(_ left: Value, _ right: Value) -> Int? {
    if let order = ExactNumber.order(of: left, right) { return order }
    guard let a = NumericValue(left), let b = NumericValue(right) else { return nil }
    return compare(a, b)
  }

  private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }

  private static func compare(_ double: Double, _ integer: Int128) -> Int? {
    // The official CEL cases round the integer: 2^63 - 1 is not less than 2^63 as a double.
    double.isNaN ? nil : order(double, Double(integer))
  }

  // By the exact value of the double: 0.1 as a double is not the decimal 0.1.
  private static func compare(_ double: Double, _ decimal: Decimal) -> Int? {
    if double.isNaN { return nil }
    let nearest = decimal.double
    // Rounding keeps the order, so only a decimal that rounds to this very double needs more.
    guard double == nearest else { return double < nearest ? -1 : 1 }
    if double == 0 { return 0 }
    let order = compareMagnitudes(double.magnitude, decimal)
    return double < 0 ? -order : order
  }

  /// Compares two magnitudes that agree to the double's last bit.
  ///
  /// With `double = whole / 2^shift` and `decimal = significand / 10^scale`, it compares
  /// `whole * 10^scale` with `significand * 2^shift`. Both stay below 2^256: a decimal is at least
  /// 10^-38, so `shift` is at most 179, and then the significand is small.
  private static func compareMagnitudes(_ double: Double, _ decimal: Decimal) -> Int {
    let shift = max(0, double.significandWidth - Int(double.exponent))
    let whole = UInt128(double * Double(sign: .plus, exponent: shift, significand: 1))
    let left = whole.multipliedFullWidth(by: Decimal.powerOfTen(Int(decimal.scale)).magnitude)
    let significand = decimal.significand.magnitude
    let right =
      shift < 128
      ? (high: significand >> (128 - shift), low: significand << shift)
      : (high: significand << (shift - 128), low: 0)
    return order(left.high, right.high) != 0
      ? order(left.high, right.high) : order(left.low, right.low)
  }
}

extension NumericValue: Hashable {
  /// Equality by value across kinds.
  ///
  /// NaN is unequal to everything.
  public static func == (left: NumericValue, right: NumericValue) -> Bool {
    compare(left, right) == 0
  }

  /// Hashes the nearest double, on which equal numbers of all kinds agree.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let number): hasher.combine(Double(number))
    case .double(let number): hasher.combine(number)
    case .decimal(let number): hasher.combine(number.double)
    }
  }
}
