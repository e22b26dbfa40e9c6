/// A number that keeps its text, because no other kind of value would print it again.
///
/// It has more digits than a decimal, an exponent, or it is a zero with a minus sign. It is passed on
/// and printed as it was written, and compared exactly. A component or an expression that computes
/// uses its `value`.
///
///     let number = WrittenNumber("1E5")!
///     print(number, number.value)   // 1E5 100000
public struct WrittenNumber: Sendable {
  /// The number by the grammar of JSON (RFC 8259, section 6).
  public let text: String

  /// Reads a number of JSON, and the other decimal forms of the YAML 1.2 core schema.
  ///
  /// The sign `+`, leading zeros and a point without digits on both sides are lost: JSON has none
  /// of them. Nil for another text, and for a number that is too large for a double.
  public init?(_ text: String) {
    var reader = WrittenNumberReader(text)
    guard let number = reader.number(), Double(number)?.isFinite == true else { return nil }
    self.text = number
  }

  /// Wraps a number of JSON that a double can hold.
  package init(json text: String) { self.text = text }

  /// The number to compute with: an `int` or a `decimal` if it has one, and otherwise the nearest
  /// `double`.
  public var value: Value {
    if let number = Int(text) { return .int(number) }
    if let number = Decimal(text) { return .decimal(number) }
    return .double(Double(text) ?? .nan)
  }

  /// True if it has more digits than an `int` and a `decimal`.
  public var isLong: Bool {
    if case .double = value { true } else { false }
  }
}

extension WrittenNumber: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension Value {
  /// Reads a number of JSON that is not too large for a double.
  ///
  /// It becomes an `int` or a `decimal` if that prints the same text, and otherwise keeps the text.
  package init(jsonNumber text: String) {
    if let number = Int(text), number != 0 || text.utf8.first != UInt8(ascii: "-") {
      self = .int(number)
    } else if let number = Decimal(printedAs: text) {
      self = .decimal(number)
    } else {
      self = .number(WrittenNumber(json: text))
    }
  }

  /// The value with numbers to compute with: the `value` of each number that keeps its text.
  public var calculable: Value {
    switch self {
    case .number(let number): number.value
    case .list(let values): .list(values.map(\.calculable))
    case .map(let map): .map(map.calculable)
    case .record(let record): .record(RecordValue(record.type, record.values.map(\.calculable)))
    case .optional(let value?): .optional(value.calculable)
    default: self
    }
  }

  /// True if it is or contains a number that keeps its text.
  package var hasWrittenNumbers: Bool {
    switch self {
    case .number: true
    case .list(let values): values.contains(where: \.hasWrittenNumbers)
    case .map(let map):
      map.entries.contains { $0.key.hasWrittenNumbers || $0.value.hasWrittenNumbers }
    case .record(let record): record.values.contains(where: \.hasWrittenNumbers)
    case .optional(let value?): value.hasWrittenNumbers
    default: false
    }
  }
}

extension ValueMap {
  fileprivate var calculable: ValueMap {
    var map = ValueMap()
    for entry in entries { map[entry.key] = entry.value.calculable }
    return map
  }
}

/// Reads a decimal number of YAML and writes it as JSON.
private struct WrittenNumberReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  /// The number, or nil if the text is none.
  mutating func number() -> String? {
    let sign = takeSign() == UInt8(ascii: "-") ? "-" : ""
    let whole = digits()
    let hasPoint = take(".")
    let fraction = hasPoint ? digits() : ""
    guard !whole.isEmpty || !fraction.isEmpty, let exponent = exponent(), rest.isEmpty else {
      return nil
    }
    let significant = whole.drop { $0 == "0" }
    return sign + (significant.isEmpty ? "0" : significant)
      + (fraction.isEmpty ? "" : "." + fraction) + exponent
  }

  /// The exponent with its mark, empty without one, or nil if its digits are missing.
  private mutating func exponent() -> String? {
    guard let mark = rest.first, take("e") || take("E") else { return "" }
    let sign = takeSign()
    let digits = digits()
    if digits.isEmpty { return nil }
    return String(decoding: [mark] + (sign.map { [$0] } ?? []), as: UTF8.self) + digits
  }

  private mutating func takeSign() -> UInt8? {
    guard let sign = rest.first, take("-") || take("+") else { return nil }
    return sign
  }

  private mutating func digits() -> String {
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(digits.count)
    return String(Substring(digits))
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
