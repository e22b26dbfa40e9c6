internal import FlowSystem

/// Reads one escape of ECMA-262, behind its backslash.
struct PatternEscape {
  private let scalars: [Unicode.Scalar]
  private(set) var position: Int
  /// A right escape without counterpart in RE2.
  private(set) var unsupported: String?

  // White space and line ends of ECMA-262, sections 12.2 and 12.3, as ranges.
  private static let blanks =
    "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
  private static let others =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
    + "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

  init(_ scalars: [Unicode.Scalar], _ position: Int) {
    self.scalars = scalars
    self.position = position
  }

  mutating func read(isInClass: Bool) throws(PatternProblem) -> PatternCharacters {
    guard position < scalars.count else { throw .syntax("the pattern ends with a backslash", "\\") }
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "d", "D", "w", "W": return PatternCharacters(class: "\\" + String(scalar))
    case "s": return Self.set(Self.blanks, isInClass)
    case "S": return Self.set(Self.others, isInClass)
    case "t": return PatternCharacters("\t")
    case "n": return PatternCharacters("\n")
    case "v": return PatternCharacters("\u{B}")
    case "f": return PatternCharacters("\u{C}")
    case "r": return PatternCharacters("\r")
    case "b" where isInClass: return PatternCharacters("\u{8}")
    case "0" where !(next?.isDigit ?? false): return PatternCharacters("\0")
    case "c": return try control()
    case "x": return PatternCharacters(try hexadecimal(digits: 2, "\\x"))
    case "u": return try unicode()
    case "p", "P": return try property(isNegative: scalar == "P", isInClass)
    default:
      // Without the flag `u`, every sign may be escaped.
      guard scalar.isASCII, !scalar.isLetter, !scalar.isDigit else {
        throw .syntax("unknown escape", "\\" + String(scalar))
      }
      return PatternCharacters(scalar)
    }
  }

  private static func set(_ ranges: String, _ isInClass: Bool) -> PatternCharacters {
    PatternCharacters(class: isInClass ? ranges : "[" + ranges + "]")
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func control() throws(PatternProblem) -> PatternCharacters {
    guard let letter = next, letter.isLetter, let scalar = Unicode.Scalar(letter.value & 0x1F)
    else {
      throw .syntax("unknown escape", "\\c")
    }
    position += 1
    return PatternCharacters(scalar)
  }

  private mutating func hexadecimal(
    digits: Int, _ start: String
  ) throws(PatternProblem) -> Unicode.Scalar {
    guard let value = hexadecimalValue(digits: digits), let scalar = Unicode.Scalar(value) else {
      throw .syntax("unknown escape", start)
    }
    return scalar
  }

  private mutating func hexadecimalValue(digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for offset in 0..<digits {
      guard position + offset < scalars.count,
        let digit = UInt8(exactly: scalars[position + offset].value)?.hexadecimalValue
      else { return nil }
      value = value << 4 | UInt32(digit)
    }
    position += digits
    return value
  }

  private mutating func unicode() throws(PatternProblem) -> PatternCharacters {
    if next == "{" { return try longUnicode() }
    guard let value = hexadecimalValue(digits: 4) else { throw .syntax("unknown escape", "\\u") }
    if let scalar = Unicode.Scalar(value) { return PatternCharacters(scalar) }
    // Two escapes for the halves of one character.
    if value < 0xDC00, position + 1 < scalars.count, scalars[position] == "\\",
      scalars[position + 1] == "u"
    {
      position += 2
      if let low = hexadecimalValue(digits: 4), 0xDC00..<0xE000 ~= low,
        let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
      {
        return PatternCharacters(scalar)
      }
    }
    unsupported = "half of a surrogate pair"
    return PatternCharacters("\u{FFFD}")
  }

  private mutating func longUnicode() throws(PatternProblem) -> PatternCharacters {
    position += 1
    let start = position
    var value: UInt32 = 0
    while let digit = next.flatMap({ UInt8(exactly: $0.value)?.hexadecimalValue }) {
      value = min(value << 4 | UInt32(digit), 0x110000)
      position += 1
    }
    guard position > start, next == "}", value <= 0x10FFFF else {
      throw .syntax("unknown escape", "\\u{")
    }
    position += 1
    if let scalar = Unicode.Scalar(value) { return PatternCharacters(scalar) }
    unsupported = "half of a surrogate pair"
    return PatternCharacters("\u{FFFD}")
  }

  private mutating func property(
    isNegative: Bool, _ isInClass: Bool
  ) throws(PatternProblem) -> PatternCharacters {
    guard next == "{", let end = scalars[position...].firstIndex(of: "}") else {
      throw .syntax("unknown escape", isNegative ? "\\P" : "\\p")
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[(position + 1)..<end])
    position = end + 1
    let name = String(view)
    guard UnicodeProperty.isWellFormed(name) else {
      throw .syntax("unknown property", "\\p{\(name)}")
    }
    guard let text = UnicodeProperty.pattern(name, isNegative: isNegative) else {
      unsupported = "the property \\p{\(name)}"
      return PatternCharacters(class: "\\d")
    }
    return text.hasPrefix("\\x") ? Self.set(text, isInClass) : PatternCharacters(class: text)
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { UInt8(exactly: value)?.isLetter ?? false }
  fileprivate var isDigit: Bool { UInt8(exactly: value)?.isDigit ?? false }
}

/// The properties of `\p{...}` in RE2's names.
enum UnicodeProperty {
  // The long names of general categories, PropertyValueAliases.txt of Unicode.
  private static let categories: [String: String] = [
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M",
    "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
    "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
    "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
    "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
    "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
    "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf",
    "Private_Use": "Co",
  ]
  private static let short: Set<String> = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C",
    "Cc", "Cf", "Co",
  ]

  static func isWellFormed(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: "=") }
  }

  /// Returns the class in RE2's syntax, also for use inside of brackets, or nil if RE2 has none.
  static func pattern(_ name: String, isNegative: Bool) -> String? {
    switch name {
    case "ASCII": return isNegative ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}"
    case "Any": return isNegative ? nil : "\\x{0}-\\x{10ffff}"
    default: break
    }
    let parts = name.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let start = isNegative ? "\\P{" : "\\p{"
    switch (parts.first, parts.count) {
    case ("General_Category", 2), ("gc", 2), (_, 1):
      guard let last = parts.last else { return nil }
      let category = categories[last] ?? last
      return short.contains(category) ? start + category + "}" : nil
    case ("Script", 2), ("sc", 2): return start + parts[1] + "}"
    default: return nil
    }
  }
}
