internal import FlowCore

/// All decimal digits of a number, for rounding half to even at any of them.
struct Digits {
  private let isNegative: Bool
  /// From the most significant one on; none for zero.
  private var digits: [UInt8]
  /// How many of the digits are behind the point; more than there are for `0.05`.
  private var scale: Int

  init(_ number: Decimal) {
    isNegative = number.significand < 0
    digits = Self.digits(number.significand.magnitude)
    scale = Int(number.scale)
  }

  /// - Precondition: the number is finite.
  init(_ number: Double) {
    precondition(number.isFinite, "\(number) has no digits")
    isNegative = number.sign == .minus
    // number = significand * 2^exponent, and 2^-n = 5^n / 10^n
    let exponent = number == 0 ? 0 : Int(number.exponent) - 52
    let significand = UInt64(
      (number.magnitude * Double(sign: .plus, exponent: -exponent / 2, significand: 1)
        * Double(sign: .plus, exponent: -exponent + exponent / 2, significand: 1)))
    digits = Self.digits(UInt128(significand))
    scale = max(0, -exponent)
    let (base, step) = exponent < 0 ? (5, 13) : (2, 30)
    let (whole, rest) = abs(exponent).quotientAndRemainder(dividingBy: step)
    for _ in 0..<whole { multiply(by: Self.power(base, step)) }
    multiply(by: Self.power(base, rest))
  }

  /// `-123.500` with `precision` digits behind the point.
  func fixed(_ precision: Int) -> String {
    let rounded = rounded(dropping: scale - precision)
    let padding = max(0, precision - rounded.scale)
    var all = rounded.digits + Array(repeating: 0, count: padding)
    all = Array(repeating: 0, count: max(0, precision + 1 - all.count)) + all
    let point = all.count - precision
    let fraction = precision > 0 ? "." + Self.text(all[point...]) : ""
    return (isNegative ? "-" : "") + Self.text(all[..<point]) + fraction
  }

  /// `-1.235000e+02` with `precision` digits behind the point.
  func scientific(_ precision: Int) -> String {
    var rounded = rounded(dropping: digits.count - precision - 1)
    let exponent = rounded.digits.isEmpty ? 0 : rounded.digits.count - 1 - rounded.scale
    rounded.digits += Array(repeating: 0, count: max(0, precision + 1 - rounded.digits.count))
    let fraction = precision > 0 ? "." + Self.text(rounded.digits[1...precision]) : ""
    let power = (abs(exponent) < 10 ? "0" : "") + String(abs(exponent))
    return (isNegative ? "-" : "") + Self.text(rounded.digits[..<1]) + fraction
      + (exponent < 0 ? "e-" : "e+") + power
  }

  // MARK: - Rounding

  /// The number without its last digits, rounded half to even.
  private func rounded(dropping count: Int) -> Digits {
    guard count > 0 else { return self }
    var result = self
    result.scale -= count
    guard count <= digits.count else {
      result.digits = []
      return result
    }
    let dropped = digits[(digits.count - count)...]
    result.digits.removeLast(count)
    let isTie = dropped.first == 5 && dropped.dropFirst().allSatisfy { $0 == 0 }
    let isOdd = (result.digits.last ?? 0) % 2 == 1
    if isTie ? isOdd : dropped.first ?? 0 >= 5 { result.increment() }
    return result
  }

  private mutating func increment() {
    for index in digits.indices.reversed() {
      if digits[index] < 9 {
        digits[index] += 1
        return
      }
      digits[index] = 0
    }
    digits.insert(1, at: 0)
  }

  private mutating func multiply(by factor: Int) {
    var carry = 0
    for index in digits.indices.reversed() {
      let product = Int(digits[index]) * factor + carry
      digits[index] = UInt8(product % 10)
      carry = product / 10
    }
    digits = Self.digits(UInt128(carry)) + digits
  }

  private static func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * base }
  }

  private static func digits(_ number: UInt128) -> [UInt8] {
    number == 0 ? [] : String(number).utf8.map { $0 - UInt8(ascii: "0") }
  }

  private static func text(_ digits: ArraySlice<UInt8>) -> String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }
}
