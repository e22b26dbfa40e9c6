internal import FlowSystem

/// The notation of a scalar.
enum ScalarStyle {
  case plain, quoted
  /// Behind `|` or `>`.
  case block
}

/// The meaning of a scalar by the core schema of YAML 1.2 (chapter 10.3 of the specification).
public enum Scalar: Sendable, Hashable {
  /// An empty scalar, `~`, `null`, `Null` or `NULL`.
  case null
  /// `true` or `false`, in lower case, capitalised or in upper case.
  case bool(Bool)
  /// A decimal integer, or one written `0o17` or `0xF`.
  case int(Int64)
  /// An integer beyond the range of `Int64`.
  ///
  /// The node's text has its digits.
  case bigInt
  /// A decimal number with a point or an exponent, `.inf` or `.nan`.
  ///
  /// The nearest `Double`, so infinite where the written number is too large. The node's text keeps
  /// every digit.
  case float(Double)
  /// Anything else.
  ///
  /// The node's text is the value.
  case string

  /// Resolves a plain scalar by the expressions of chapter 10.3.2 of the YAML 1.2 specification.
  init(plain text: ArraySlice<UInt8>) {
    // Most plain scalars are words, and their first character shows that they are strings.
    switch text.first {
    case nil: self = .null
    case .some(UInt8(ascii: "~")), .some(UInt8(ascii: "n")), .some(UInt8(ascii: "N")),
      .some(UInt8(ascii: "t")), .some(UInt8(ascii: "T")),
      .some(UInt8(ascii: "f")), .some(UInt8(ascii: "F")):
      self = Scalar.word(spelling: text)
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), .some(UInt8(ascii: "-")),
      .some(UInt8(ascii: "+")), .some(UInt8(ascii: ".")):
      self = Scalar.integer(spelling: text) ?? Scalar.float(spelling: text) ?? .string
    default: self = .string
    }
  }

  private static func word(spelling text: ArraySlice<UInt8>) -> Scalar {
    // The longest word is "false". A longer text need not be copied to be compared.
    guard text.count <= 5 else { return .string }
    switch String(decoding: text, as: UTF8.self) {
    case "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return .string
    }
  }

  /// `[-+]? [0-9]+`, `0o [0-7]+` and `0x [0-9a-fA-F]+`.
  ///
  /// The last two take no sign.
  private static func integer(spelling text: ArraySlice<UInt8>) -> Scalar? {
    if text.starts(with: "0o".utf8) { return integer(digits: text.dropFirst(2), radix: 8) }
    if text.starts(with: "0x".utf8) { return integer(digits: text.dropFirst(2), radix: 16) }
    let isNegative = text.first == UInt8(ascii: "-")
    let isSigned = isNegative || text.first == UInt8(ascii: "+")
    let digits = isSigned ? text.dropFirst() : text
    return integer(digits: digits, radix: 10, isNegative: isNegative)
  }

  private static func integer(
    digits: ArraySlice<UInt8>, radix: Int64, isNegative: Bool = false
  ) -> Scalar? {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    var isTooLarge = false
    for byte in digits {
      guard let digit = byte.hexadecimalValue.map(Int64.init), digit < radix else { return nil }
      // Counting downwards for negative numbers reaches Int64.min, which has no positive twin.
      let (product, productOverflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, sumOverflow) = product.addingReportingOverflow(isNegative ? -digit : digit)
      isTooLarge = isTooLarge || productOverflow || sumOverflow
      value = sum
    }
    return isTooLarge ? .bigInt : .int(value)
  }

  /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`, `[-+]? \.inf`, `\.nan`.
  static func float(spelling text: ArraySlice<UInt8>) -> Scalar? {
    var rest = text
    let sign = rest.popSign()
    let whole = rest.popDigits()
    let fraction = rest.pop(".") ? rest.popDigits() : 0
    guard whole + fraction > 0 else {
      return special(sign: sign, name: sign == nil ? text : text.dropFirst())
    }
    if rest.pop("e") || rest.pop("E") {
      _ = rest.popSign()
      guard rest.popDigits() > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    return Double(String(decoding: text, as: UTF8.self)).map(Scalar.float)
  }

  private static func special(sign: UInt8?, name: ArraySlice<UInt8>) -> Scalar? {
    guard name.count == 4 else { return nil }
    switch String(decoding: name, as: UTF8.self) {
    case ".inf", ".Inf", ".INF": return .float(sign == UInt8(ascii: "-") ? -.infinity : .infinity)
    case ".nan", ".NaN", ".NAN": return sign == nil ? .float(.nan) : nil
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func popSign() -> UInt8? {
    if pop("-") { return UInt8(ascii: "-") }
    if pop("+") { return UInt8(ascii: "+") }
    return nil
  }

  fileprivate mutating func popDigits() -> Int {
    let rest = drop { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    let digits = count - rest.count
    self = rest
    return digits
  }

  fileprivate mutating func pop(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    removeFirst()
    return true
  }
}
