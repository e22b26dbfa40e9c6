/// The texts of binary floating-point numbers.
enum NumberText {
  /// The shortest text that reads as the number, without a fraction of zero: `1`, `0.1`, `1e+23`.
  static func shortest(_ number: Double) -> String {
    if let name = name(number) { return name }
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The name of a number that has no digits.
  static func name(_ number: Double) -> String? {
    if number.isNaN { return "NaN" }
    return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : nil
  }
}
