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
