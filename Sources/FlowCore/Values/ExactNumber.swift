/// A decimal number of any length, by its digits.
///
/// It compares and divides what no `Decimal` holds. The work is linear in the digits.
package struct ExactNumber: Sendable, Hashable {
  /// True for a number below zero.
  package let isNegative: Bool
  /// The digits 0 to 9 without zeros at both ends, so none for zero.
  package let digits: [UInt8]
  /// The power of ten of the last digit, 0 for zero.
  ///
  /// It ends at ± 2⁴⁰, far beyond the numbers that a computation would not take for zero.
  package let exponent: Int

  /// Reads a number of JSON, or the description of a number.
  ///
  /// - Precondition: The text is such a number.
  package init(_ text: String) {
    let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let mantissa = parts.first ?? ""
    var digits = mantissa.utf8.compactMap { $0.isDecimalDigit ? $0 - UInt8(ascii: "0") : nil }
    let fraction = mantissa.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.count
    var exponent = parts.count > 1 ? Self.exponent(parts[1]) : 0
    if mantissa.utf8.contains(UInt8(ascii: ".")) { exponent -= fraction }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = self.digits.isEmpty ? 0 : exponent
    isNegative = !self.digits.isEmpty && text.utf8.first == UInt8(ascii: "-")
  }

  private static func exponent(_ text: Substring) -> Int {
    let limit = 1 << 40
    return Int(text).map { min(max($0, -limit), limit) } ?? (text.first == "-" ? -limit : limit)
  }

  /// The order of two numbers: -1, 0 or 1.
  package static func compare(_ left: ExactNumber, _ right: ExactNumber) -> Int {
    if left.sign != right.sign { return left.sign < right.sign ? -1 : 1 }
    if left.digits.isEmpty { return 0 }
    let order = left.compareMagnitude(to: right)
    return left.isNegative ? -order : order
  }

  /// The order of a number with more digits than a decimal and a number that is no double.
  ///
  /// Nil for other values.
  package static func order(of left: Value, _ right: Value) -> Int? {
    switch (left, right) {
    case (.number(let number), let other), (let other, .number(let number)):
      guard number.isLong || other.isLong, let a = ExactNumber(left), let b = ExactNumber(right)
      else { return nil }
      return compare(a, b)
    default: return nil
    }
  }

  /// The digits of a number, or nil for a double and for other values.
  private init?(_ value: Value) {
    switch value {
    case .int, .uint, .decimal, .number: self.init(value.description)
    default: return nil
    }
  }

  /// -1, 0 or 1.
  package var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func compareMagnitude(to other: ExactNumber) -> Int {
    let (place, otherPlace) = (digits.count + exponent, other.digits.count + other.exponent)
    if place != otherPlace { return place < otherPlace ? -1 : 1 }
    // Zeros at the end are left out, so the longer of two is greater if one starts with the other.
    if digits == other.digits { return 0 }
    return digits.lexicographicallyPrecedes(other.digits) ? -1 : 1
  }

  /// True if dividing by a number that is not zero leaves no rest.
  package func isMultiple(of divisor: ExactNumber) -> Bool {
    if digits.isEmpty || divisor.digits.isEmpty { return digits.isEmpty }
    let shift = exponent - divisor.exponent
    // The last digit is not zero, so it is no multiple of a higher power of ten.
    if shift < 0 { return false }
    // What the shift, a power of ten, divides of the divisor need not divide the digits.
    var rest = divisor.digits
    for factor in [2, 5] as [UInt8] {
      for _ in 0..<shift {
        guard let quotient = Self.quotient(rest, by: factor) else { break }
        rest = quotient
      }
    }
    return Self.isMultiple(digits, of: rest)
  }

  /// The quotient of a whole number, or nil if there is a rest.
  private static func quotient(_ digits: [UInt8], by divisor: UInt8) -> [UInt8]? {
    var rest: UInt8 = 0
    let quotient = digits.map { digit in
      let part = rest * 10 + digit
      rest = part % divisor
      return part / divisor
    }
    return rest == 0 ? Array(quotient.drop { $0 == 0 }) : nil
  }

  private static func isMultiple(_ digits: [UInt8], of divisor: [UInt8]) -> Bool {
    // Ten times a rest below 10³⁷ fits 128 bits.
    if divisor.count <= 37 {
      let divisor = divisor.reduce(UInt128(0)) { $0 * 10 + UInt128($1) }
      return digits.reduce(UInt128(0)) { ($0 * 10 + UInt128($1)) % divisor } == 0
    }
    var rest: [UInt8] = []
    for digit in digits {
      if !rest.isEmpty || digit != 0 { rest.append(digit) }
      while isAtLeast(rest, divisor) { rest = difference(rest, divisor) }
    }
    return rest.isEmpty
  }

  private static func isAtLeast(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count ? !left.lexicographicallyPrecedes(right) : left.count > right.count
  }

  /// The difference of two whole numbers, the first of which is not the smaller one.
  private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var result = left
    var borrow: UInt8 = 0
    for offset in 1...left.count {
      let taken = borrow + (offset <= right.count ? right[right.count - offset] : 0)
      let index = left.count - offset
      borrow = left[index] < taken ? 1 : 0
      result[index] = left[index] + 10 * borrow - taken
    }
    return Array(result.drop { $0 == 0 })
  }
}

extension Value {
  fileprivate var isLong: Bool {
    if case .number(let number) = self { number.isLong } else { false }
  }
}

extension UInt8 {
  fileprivate var isDecimalDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
