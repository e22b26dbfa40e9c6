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
      switch letter {
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
      if case .double(let number) = value {
        return NumberText.name(number) ?? text(Digits(number))
      }
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
enum FormatText {
  static func text(_ value: Value) throws(EvaluationError) -> String {
    switch value {
    case .string(let text): return text
    case .null, .bool, .int, .uint, .decimal, .timestamp, .duration, .type: return value.description
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

  /// The text of bytes; each run of bytes that are not UTF-8 becomes one replacement character.
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
