/// An exact decimal number: a significand of up to 38 digits and a scale.
///
/// The significand has 128 bits, so some numbers of 39 digits fit as well.
/// The value is `significand / 10^scale`. The scale is kept, so `12.50` prints as `12.50`, and is
/// ignored by comparison, so `12.5 == 12.50`. Arithmetic is exact or throws; it never rounds.
///
///     let rest = try Decimal("100.00")! - Decimal("12.50")!
///     print(rest)   // 87.50
public struct Decimal: Sendable {
  /// The greatest number of digits after the point.
  public static let maximumScale = 38

  // Two words instead of one Int128, whose 16-byte alignment would make every Value 32 bytes.
  private let high: Int64
  private let low: UInt64

  /// The number of digits after the point, 0 to 38.
  public let scale: UInt8

  /// The number without its point: 1250 for `12.50`.
  public var significand: Int128 { Int128(high) << 64 | Int128(low) }

  /// The number `significand / 10^scale`.
  ///
  /// - Precondition: `scale` is 0 to 38.
  public init(significand: Int128, scale: Int) {
    precondition(0...Self.maximumScale ~= scale, "scale \(scale) is not in 0...38")
    high = Int64(truncatingIfNeeded: significand >> 64)
    low = UInt64(truncatingIfNeeded: significand)
    self.scale = UInt8(scale)
  }

  /// A whole number, with scale 0.
  public init(_ integer: Int) {
    self.init(significand: Int128(integer), scale: 0)
  }

  /// Zero, with scale 0.
  public static let zero = Decimal(0)
}

/// The reason why exact arithmetic has no result.
public enum DecimalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The result has more than 38 digits.
  case overflow
  /// The divisor is zero.
  case divisionByZero
  /// The quotient has no finite decimal expansion of at most 38 digits.
  case inexact

  /// A phrase for a message, as in `decimal overflow`.
  public var description: String {
    switch self {
    case .overflow: "decimal overflow"
    case .divisionByZero: "division by zero"
    case .inexact:
      "the quotient of the decimals has more than 38 digits; for a rounded result, write double(a) / double(b)"
    }
  }
}

// MARK: - Text

extension Decimal: CustomStringConvertible {
  /// Reads `[+-]digits[.digits][e[+-]digits]`, the decimal forms of the YAML 1.2 core schema.
  ///
  /// Nil when the text has another form, or needs a longer significand or a greater scale.
  public init?(_ text: String) {
    var reader = DecimalReader()
    for byte in text.utf8 {
      guard reader.take(byte) else { return nil }
    }
    guard let decimal = reader.finish() else { return nil }
    self = decimal
  }

  /// Reads a number of JSON that is the description of a decimal, or returns nil.
  init?(printedAs text: String) {
    var reader = DecimalReader()
    for byte in text.utf8 {
      guard reader.take(byte) else { return nil }
    }
    guard let decimal = reader.finishPrinted() else { return nil }
    self = decimal
  }

  /// The digits with `scale` of them after the point: `-0.05`, `87.50`, `100`.
  public var description: String {
    // At most 39 digits, with a zero before the point 40, a point and a sign. Up to 15 bytes need
    // no allocation.
    let isShort = scale <= 12 && -999_999_999_999...999_999_999_999 ~= significand
    return unsafe String(unsafeUninitializedCapacity: isShort ? 15 : 42) { unsafe write(to: $0) }
  }

  /// Writes the text and says how long it is.
  private func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var (rest, count) = (significand.magnitude, 0)
    // Amounts of everyday size take the fast way.
    var small = UInt64(exactly: rest)
    // From the last digit on.
    repeat {
      if count == scale, scale > 0 { unsafe buffer[count] = UInt8(ascii: ".") }
      let digit: UInt8
      if let number = small {
        digit = UInt8(truncatingIfNeeded: number % 10)
        small = number / 10
      } else {
        digit = UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
        small = UInt64(exactly: rest)
      }
      unsafe buffer[count >= scale && scale > 0 ? count + 1 : count] = UInt8(ascii: "0") + digit
      count += 1
    } while small != 0 || count <= scale
    if scale > 0 { count += 1 }
    if significand < 0 {
      unsafe buffer[count] = UInt8(ascii: "-")
      count += 1
    }
    for index in 0..<count / 2 { unsafe buffer.swapAt(index, count - 1 - index) }
    return count
  }
}

// MARK: - Comparison

extension Decimal: Hashable, Comparable {
  /// Compares by value: `12.5 == 12.50`.
  public static func == (left: Decimal, right: Decimal) -> Bool {
    if left.scale == right.scale { return left.high == right.high && left.low == right.low }
    return compare(left, right) == 0
  }

  /// Compares by value, across scales.
  public static func < (left: Decimal, right: Decimal) -> Bool {
    compare(left, right) < 0
  }

  /// Hashes the value without its trailing zeros, as `==` ignores them.
  public func hash(into hasher: inout Hasher) {
    let normal = normalized
    hasher.combine(normal.high)
    hasher.combine(normal.low)
    hasher.combine(normal.scale)
  }

  /// The value with the smallest scale: `12.5` for `12.50`.
  public var normalized: Decimal {
    var rest = significand
    var scale = Int(scale)
    while scale > 0, rest % 10 == 0 {
      rest /= 10
      scale -= 1
    }
    return Decimal(significand: rest, scale: scale)
  }

  private static func compare(_ left: Decimal, _ right: Decimal) -> Int {
    let scale = max(left.scale, right.scale)
    let (leftAligned, leftOverflow) = left.aligned(to: scale)
    let (rightAligned, rightOverflow) = right.aligned(to: scale)
    // Only the side with the smaller scale is multiplied, and an overflow means the greater
    // magnitude.
    if leftOverflow { return left.significand < 0 ? -1 : 1 }
    if rightOverflow { return right.significand < 0 ? 1 : -1 }
    return leftAligned < rightAligned ? -1 : leftAligned > rightAligned ? 1 : 0
  }

  fileprivate func aligned(to scale: UInt8) -> (partialValue: Int128, overflow: Bool) {
    var value = significand
    for _ in self.scale..<max(self.scale, scale) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return (value, true) }
      value = product
    }
    return (value, false)
  }
}

// MARK: - Arithmetic

extension Decimal {
  /// The exact sum, with the greater of the two scales, without trailing zeros if it is too long.
  ///
  /// - Throws: `DecimalError.overflow` if the sum has more than 38 digits.
  public static func + (left: Decimal, right: Decimal) throws(DecimalError) -> Decimal {
    if let sum = left.adding(right) { return sum }
    guard let sum = left.normalized.adding(right.normalized) else { throw .overflow }
    return sum
  }

  /// The exact difference, with the scale of a sum.
  ///
  /// - Throws: `DecimalError.overflow` when the difference has more than 38 digits.
  public static func - (left: Decimal, right: Decimal) throws(DecimalError) -> Decimal {
    if let difference = left.subtracting(right) { return difference }
    guard let difference = left.normalized.subtracting(right.normalized) else {
      throw .overflow
    }
    return difference
  }

  /// The exact product, with the sum of the two scales, without trailing zeros if it is too long.
  ///
  /// - Throws: `DecimalError.overflow` if the product has more than 38 digits.
  public static func * (left: Decimal, right: Decimal) throws(DecimalError) -> Decimal {
    var (first, second) = (left.significand, right.significand)
    var scale = Int(left.scale) + Int(right.scale)
    if let product = product(first, second, scale: scale) { return product }
    // A ten of the product is in one factor, or its two is in the one and its five in the other.
    for (a, b) in [(10, 1), (1, 10), (2, 5), (5, 2)] as [(Int128, Int128)] {
      while scale > 0, first % a == 0, second % b == 0 {
        (first, second, scale) = (first / a, second / b, scale - 1)
      }
    }
    guard let product = product(first, second, scale: scale) else { throw .overflow }
    return product
  }

  /// The number with the other sign.
  ///
  /// - Throws: `DecimalError.overflow` for the one significand without a counterpart, `Int128.min`.
  public func negated() throws(DecimalError) -> Decimal {
    let (value, overflow) = Int128(0).subtractingReportingOverflow(significand)
    if overflow { throw .overflow }
    return Decimal(significand: value, scale: Int(scale))
  }

  /// Ten to the power of 0 to 38.
  static func powerOfTen(_ exponent: Int) -> Int128 {
    var power: Int128 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  private func adding(_ other: Decimal) -> Decimal? {
    let scale = max(scale, other.scale)
    let (first, second) = (aligned(to: scale), other.aligned(to: scale))
    let (sum, overflow) = first.partialValue.addingReportingOverflow(second.partialValue)
    if first.overflow || second.overflow || overflow { return nil }
    return Decimal(significand: sum, scale: Int(scale))
  }

  private func subtracting(_ other: Decimal) -> Decimal? {
    // Not the sum with the negated number, because `Int128.min` has none.
    let scale = max(scale, other.scale)
    let (first, second) = (aligned(to: scale), other.aligned(to: scale))
    let (rest, overflow) = first.partialValue.subtractingReportingOverflow(second.partialValue)
    if first.overflow || second.overflow || overflow { return nil }
    return Decimal(significand: rest, scale: Int(scale))
  }

  private static func product(_ first: Int128, _ second: Int128, scale: Int) -> Decimal? {
    let (value, overflow) = first.multipliedReportingOverflow(by: second)
    guard !overflow, scale <= maximumScale else { return nil }
    return Decimal(significand: value, scale: scale)
  }
}

// MARK: - Conversion

extension Decimal {
  /// The number as an integer, or nil if it has a fraction or does not fit 64 bits.
  public var integer: Int? {
    let normal = normalized
    return normal.scale == 0 ? Int(exactly: normal.significand) : nil
  }

  /// The nearest binary floating-point number.
  public var double: Double {
    // `Double.init` reads the text of every decimal, correctly rounded.
    Double(description) ?? .nan
  }

  /// The number with the shortest decimal text of `double`, or nil if it is not finite or too long.
  public init?(_ double: Double) {
    self.init("\(double)")
  }
}

extension Decimal {
  /// The exact quotient, with the smallest possible scale.
  ///
  /// - Throws: `DecimalError.divisionByZero`. `.overflow` if the quotient has more than 38 digits
  ///   before the point. `.inexact` if it has more than 38 digits in all.
  public static func / (left: Decimal, right: Decimal) throws(DecimalError) -> Decimal {
    guard right.significand != 0 else { throw .divisionByZero }
    var quotient = left.significand.magnitude
    var divisor = right.significand.magnitude
    let common = greatestCommonDivisor(quotient, divisor)
    (quotient, divisor) = (quotient / common, divisor / common)
    var scale = Int(left.scale) - Int(right.scale)
    // A two or a five in the divisor adds one digit. Any other factor makes the digits endless.
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

/// Reads a decimal number byte by byte, without allocating.
struct DecimalReader {
  private enum Part { case sign, whole, fraction, exponentSign, exponent }

  private var part = Part.sign
  private var negative = false
  private var digits = 0
  // Always negative or zero: `Int128.min` has no positive counterpart.
  private var significand: Int128 = 0
  private var scale = 0
  private var exponent = 0
  private var exponentNegative = false
  private var exponentDigits = 0

  /// Takes the next byte of the text.
  ///
  /// Returns false if no decimal number continues with it.
  mutating func take(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return takeDigit(Int(byte - UInt8(ascii: "0")))
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return takeSign(byte == UInt8(ascii: "-"))
    case UInt8(ascii: "."): return takePoint()
    case UInt8(ascii: "e"), UInt8(ascii: "E"): return takeExponentMark()
    default: return false
    }
  }

  /// The number, when the text may end here.
  func finish() -> Decimal? {
    guard digits > 0, part != .exponentSign, part != .exponent || exponentDigits > 0 else {
      return nil
    }
    var scale = scale - (exponentNegative ? -exponent : exponent)
    guard negative || significand != .min else { return nil }
    var value = negative ? significand : -significand
    while scale < 0 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
      scale += 1
    }
    while scale > Decimal.maximumScale, value % 10 == 0 {
      value /= 10
      scale -= 1
    }
    return scale <= Decimal.maximumScale ? Decimal(significand: value, scale: scale) : nil
  }

  /// The number, when the text may end here and has neither an exponent, nor more digits after the
  /// point than a scale, nor a minus sign before zero.
  func finishPrinted() -> Decimal? {
    guard digits > 0, part == .whole || part == .fraction, scale <= Decimal.maximumScale,
      negative ? significand != 0 : significand != .min
    else { return nil }
    return Decimal(significand: negative ? significand : -significand, scale: scale)
  }

  private mutating func takeDigit(_ digit: Int) -> Bool {
    if part == .exponentSign { part = .exponent }
    guard part != .exponent else {
      exponent = exponent * 10 + digit
      exponentDigits += 1
      // 38 digits cannot be scaled further than this, and a longer exponent only costs time.
      return exponent <= 100
    }
    if part == .sign { part = .whole }
    if part == .fraction { scale += 1 }
    digits += 1
    let (tenfold, overflow) = significand.multipliedReportingOverflow(by: 10)
    let (difference, overflow2) = tenfold.subtractingReportingOverflow(Int128(digit))
    significand = difference
    return !overflow && !overflow2
  }

  private mutating func takeSign(_ isMinus: Bool) -> Bool {
    switch part {
    case .sign where digits == 0:
      negative = isMinus
      part = .whole
      return true
    case .exponentSign:
      exponentNegative = isMinus
      part = .exponent
      return true
    default: return false
    }
  }

  private mutating func takePoint() -> Bool {
    guard part == .sign || part == .whole else { return false }
    part = .fraction
    return true
  }

  private mutating func takeExponentMark() -> Bool {
    guard digits > 0, part == .whole || part == .fraction else { return false }
    part = .exponentSign
    return true
  }
}
