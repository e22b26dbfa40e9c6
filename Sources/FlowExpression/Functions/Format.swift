internal import FlowCore

/// `string.format(list)`, after the strings extension's "Format".
enum Format {
  static func format(
    _ frame: inout Frame, _ text: String, _ arguments: [Value]
  ) throws(EvaluationError) -> String {
    try frame.charge(text.utf8.count / 16)
    var rest = Substring(text).unicodeScalars
    var result = String.UnicodeScalarView()
    var used = 0
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        result.append(scalar)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        result.append("%")
        continue
      }
      let clause = try Clause(&rest)
      guard used < arguments.count else { throw .formatCount(arguments.count) }
      try frame.charge(50 + clause.precision)
      try frame.charge(sizeOf: arguments[used])
      result.append(contentsOf: try clause.text(arguments[used]).unicodeScalars)
      used += 1
    }
    return String(result)
  }

  /// `%.3f`: the letter and the digits behind the point.
  private struct Clause {
    private let letter: Unicode.Scalar
    let precision: Int
    private var name: String { "%\(letter)" }

    init(_ rest: inout Substring.UnicodeScalarView) throws(EvaluationError) {
      var precision = 6
      var digits = ""
      if rest.first == "." {
        rest.removeFirst()
        while let digit = rest.first, ("0"..."9").contains(digit) {
          digits.unicodeScalars.append(digit)
          rest.removeFirst()
        }
        guard let number = Int(digits), number <= Limits.formatPrecision else {
          throw .formatClause("%." + digits)
        }
        precision = number
      }
      guard let letter = rest.popFirst() else { throw .formatClause("%") }
      guard "sdfexXob".unicodeScalars.contains(letter),
        digits.isEmpty || letter == "f" || letter == "e"
      else { throw .formatClause("%" + String(letter)) }
      self.letter = letter
      self.precision = precision
    }

    func text(_ value: Value) throws(EvaluationError) -> String {
      let value = letter == "s" ? value : value.calculable
      return switch letter {
      case "s": try FormatText.text(value)
      case "d": try whole(value)
      case "f": try real(value) { $0.fixed(precision) }
      case "e": try real(value) { $0.scientific(precision) }
      case "x": try hexadecimal(value, uppercase: false)
      case "X": try hexadecimal(value, uppercase: true)
      case "o": try integer(value, radix: 8)
      default: try integer(value, radix: 2)
      }
    }

    private func whole(_ value: Value) throws(EvaluationError) -> String {
      switch value {
      case .int, .uint, .double, .decimal: try FormatText.text(value)
      default: throw .formatArgument(name, value)
      }
    }

    private func real(_ value: Value, _ text: (Digits) -> String) throws(EvaluationError) -> String
    {
      if case .double(let number) = value { return NumberText.name(number) ?? text(Digits(number)) }
      guard let number = DecimalMath.widened(value) else { throw .formatArgument(name, value) }
      return text(Digits(number))
    }

    private func integer(
      _ value: Value, radix: Int, uppercase: Bool = false
    ) throws(EvaluationError) -> String {
      switch value {
      case .int(let number): String(number, radix: radix, uppercase: uppercase)
      case .uint(let number): String(number, radix: radix, uppercase: uppercase)
      case .bool(let holds) where radix == 2: holds ? "1" : "0"
      default: throw .formatArgument(name, value)
      }
    }

    private func hexadecimal(_ value: Value, uppercase: Bool) throws(EvaluationError) -> String {
      let bytes: [UInt8]
      switch value {
      case .string(let text): bytes = Array(text.utf8)
      case .bytes(let content): bytes = content.content
      default: return try integer(value, radix: 16, uppercase: uppercase)
      }
      return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: uppercase) }
        .joined()
    }
  }
}

/// The text of a value for the clause `%s`.
private enum FormatText {
  static func text(_ value: Value) throws(EvaluationError) -> String {
    switch value {
    case .string(let text): return text
    case .null, .bool, .int, .uint, .decimal, .number, .timestamp, .duration, .type:
      return value.description
    case .double(let number): return NumberText.shortest(number)
    case .bytes(let bytes): return repaired(bytes.content)
    case .list(let values):
      var texts: [String] = []
      for value in values { texts.append(try text(value)) }
      return "[" + texts.joined(separator: ", ") + "]"
    case .map(let map): return try text(map.entries.map { ($0.key, $0.value) })
    case .record(let record):
      return try text(zip(record.type.fields, record.values).map { (.string($0.name), $1) })
    case .optional: throw .formatArgument("%s", value)
    }
  }

  private static func text(_ entries: [(Value, Value)]) throws(EvaluationError) -> String {
    var texts: [(key: String, value: String)] = []
    for (key, value) in entries { texts.append((try text(key), try text(value))) }
    texts.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return "{" + texts.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
  }

  /// The text of bytes.
  ///
  /// Each run of bytes that are not UTF-8 becomes one replacement character.
  private static func repaired(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars
    where scalar != "\u{FFFD}" || result.last != "\u{FFFD}" {
      result.append(scalar)
    }
    return String(result)
  }
}

/// All decimal digits of a number, for rounding half to even at any of them.
private struct Digits {
  private let isNegative: Bool
  /// The digits from the most significant one on, none for zero.
  private var digits: [UInt8]
  /// The number of digits after the point, more than all digits for `0.05`.
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
