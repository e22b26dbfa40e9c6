internal import FlowSystem

/// Translates a pattern of ECMA-262, with the flag `u`, to one of RE2 that finds the same texts.
///
/// Groups capture nothing, since a schema only asks for matches. Of the older syntax without the
/// flag, literal braces and brackets and escaped signs are accepted, because schemas have them.
struct PatternTranslator {
  /// A pattern for RE2.
  struct Translation {
    var text = ""
    /// Lookaheads at the start of the pattern.
    var conditions: [(text: String, isNegative: Bool)] = []
    /// The first construct without counterpart.
    var unsupported: String?
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var unsupported: String?
  private var conditions: [(text: String, isNegative: Bool)] = []

  // More than what schemas have, less than what takes the stack.
  private static let greatestDepth = 50
  // RE2 repeats nothing more often, so longer repetitions are cut into several.
  private static let greatestRepetition = 1_000
  private static let greatestCount = 100_000

  init(_ source: String) { scalars = Array(source.unicodeScalars) }

  /// Returns the translation, which has the first unsupported construct.
  ///
  /// - Throws: `PatternProblem.syntax` for a pattern that is wrong in ECMA-262.
  mutating func translate() throws(PatternProblem) -> Translation {
    let start = try leadingConditions()
    let text = start + (try disjunction())
    if position < scalars.count { throw .syntax("there is no group to close", ")") }
    if !conditions.isEmpty, hasAlternatives {
      // `^(?=a)b|c`: the lookahead belongs to the first alternative alone.
      unsupported = unsupported ?? "a lookahead in one of several alternatives"
    }
    return Translation(text: text, conditions: conditions, unsupported: unsupported)
  }

  /// True for alternatives outside of groups.
  private var hasAlternatives = false

  /// Reads `^` and the lookaheads behind it, which are checked apart from the rest.
  private mutating func leadingConditions() throws(PatternProblem) -> String {
    guard take("^") else { return "" }
    while starts("(?=") || starts("(?!") {
      let isNegative = starts("(?!")
      position += 3
      depth += 1
      let text = try disjunction()
      depth -= 1
      guard take(")") else { throw .syntax("the group is not closed", "(?") }
      conditions.append(("^(?:" + text + ")", isNegative))
    }
    hasAlternatives = false
    return "^"
  }

  // MARK: - Alternatives and groups

  private mutating func disjunction() throws(PatternProblem) -> String {
    guard depth <= Self.greatestDepth else {
      throw .unsupported("more than \(Self.greatestDepth) groups inside each other")
    }
    var text = try alternative()
    while take("|") {
      if depth == 0 { hasAlternatives = true }
      text += "|" + (try alternative())
    }
    return text
  }

  private mutating func alternative() throws(PatternProblem) -> String {
    var text = ""
    while let next, next != "|", next != ")" { text += try term() }
    return text
  }

  private mutating func term() throws(PatternProblem) -> String {
    guard let scalar = next else { return "" }
    switch scalar {
    case "^", "$":
      position += 1
      if let next, "*+?".unicodeScalars.contains(next) {
        throw .syntax("nothing to repeat", String(next))
      }
      return String(scalar)
    case "*", "+", "?": throw .syntax("nothing to repeat", String(scalar))
    case "(":
      let group = try group()
      return try group.isAtom ? quantified(group.text) : group.text
    case "\\" where starts("\\b") || starts("\\B"):
      position += 2
      return "\\" + String(scalars[position - 1])
    default: return try quantified(atom())
    }
  }

  private mutating func group() throws(PatternProblem) -> (text: String, isAtom: Bool) {
    position += 1
    var (start, isAtom) = ("(?:", true)
    if take("?") {
      if take("<"), !starts("="), !starts("!") {
        _ = try groupName()
      } else if starts("=") || starts("!") {
        let isBehind = scalars[position - 1] == "<"
        note(unsupported: isBehind ? "a lookbehind" : "a lookahead inside of the pattern")
        position += 1
        isAtom = false
      } else if let flags = try flags() {
        start = "(?" + flags + ":"
      }
    }
    depth += 1
    let text = try disjunction()
    depth -= 1
    guard take(")") else { throw .syntax("the group is not closed", "(") }
    return (start + text + ")", isAtom)
  }

  /// Reads the name of a group up to `>`.
  private mutating func groupName() throws(PatternProblem) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = next, scalar != ">" {
      let isPart = scalar == "$" || scalar == "_" || scalar.properties.isIDContinue
      guard isPart, !name.isEmpty || scalar.properties.isIDStart || !scalar.properties.isIDContinue
      else { break }
      name.append(scalar)
      position += 1
    }
    guard take(">"), !name.isEmpty else { throw .syntax("a group has no name", "(?<") }
    return String(name)
  }

  /// Reads `i-s:` behind `(?`, or returns nil for `:`.
  private mutating func flags() throws(PatternProblem) -> String? {
    if take(":") { return nil }
    var flags = ""
    while let scalar = next, "ims-".unicodeScalars.contains(scalar) {
      flags.unicodeScalars.append(scalar)
      position += 1
    }
    let isValid =
      flags.filter { $0 == "-" }.count <= 1 && Set(flags).count == flags.count && flags != "-"
    guard !flags.isEmpty, isValid, take(":") else {
      throw .syntax("unknown kind of group", "(?" + (next.map { String($0) } ?? ""))
    }
    // The sets of `.` are written out.
    if flags.contains("s") { note(unsupported: "the flag s") }
    return flags
  }

  // MARK: - Repetitions

  private mutating func quantified(_ atom: String) throws(PatternProblem) -> String {
    guard let scalar = next else { return atom }
    let text: String
    switch scalar {
    case "*", "+", "?":
      position += 1
      text = atom + String(scalar)
    case "{":
      guard let counts = try counts() else { return atom }
      text = try repeated(atom, counts.least, counts.most)
    default: return atom
    }
    // The shortest match is a match as well.
    _ = take("?")
    if let next, "*+?".unicodeScalars.contains(next) {
      throw .syntax("nothing to repeat", String(next))
    }
    return text
  }

  /// Reads `{2}`, `{2,}` or `{2,5}`, or returns nil for a literal brace.
  private mutating func counts() throws(PatternProblem) -> (least: Int, most: Int?)? {
    let start = position
    position += 1
    guard let least = number() else {
      position = start
      return nil
    }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}") else {
      position = start
      return nil
    }
    if let most, most < least {
      throw .syntax("the repetition ends below its start", "{\(least),\(most)}")
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let digit = next.flatMap({ $0.isASCII ? Int(String($0)) : nil }) {
      value = min((value ?? 0) * 10 + digit, Self.greatestCount + 1)
      position += 1
    }
    return value
  }

  private mutating func repeated(
    _ atom: String, _ least: Int, _ most: Int?
  ) throws(PatternProblem) -> String {
    guard max(least, most ?? 0) > Self.greatestRepetition else {
      return atom + (most == least ? "{\(least)}" : "{\(least),\(most.map { "\($0)" } ?? "")}")
    }
    guard max(least, most ?? 0) <= Self.greatestCount else {
      note(unsupported: "a repetition of more than \(Self.greatestCount) times")
      return atom
    }
    let step = Self.greatestRepetition
    var text =
      String(repeating: atom + "{\(step)}", count: least / step) + atom + "{\(least % step)}"
    guard let most else { return "(?:" + text + atom + "*)" }
    let others = most - least
    text +=
      String(repeating: atom + "{0,\(step)}", count: others / step) + atom + "{0,\(others % step)}"
    return "(?:" + text + ")"
  }

  // MARK: - Atoms

  private mutating func atom() throws(PatternProblem) -> String {
    guard let scalar = next else { return "" }
    position += 1
    switch scalar {
    // Without the flag `s`, no end of a line.
    case ".": return "[^\\n\\r\\x{2028}\\x{2029}]"
    case "[": return try characterClass()
    case "\\":
      if let digit = next, "123456789".unicodeScalars.contains(digit) {
        position += 1
        note(unsupported: "the backreference \\\(digit)")
        return "(?:)"
      }
      if take("k") { return try namedReference() }
      return try escape(isInClass: false).text
    default: return Self.literal(scalar)
    }
  }

  private mutating func namedReference() throws(PatternProblem) -> String {
    guard take("<") else { throw .syntax("unknown escape", "\\k") }
    let name = try groupName()
    note(unsupported: "the backreference \\k<\(name)>")
    return "(?:)"
  }

  /// Reads an escape behind its backslash.
  private mutating func escape(isInClass: Bool) throws(PatternProblem) -> PatternCharacters {
    var reader = PatternEscape(scalars, position)
    let characters = try reader.read(isInClass: isInClass)
    position = reader.position
    if let construct = reader.unsupported { note(unsupported: construct) }
    return characters
  }

  private mutating func characterClass() throws(PatternProblem) -> String {
    let isNegative = take("^")
    var text = ""
    while let scalar = next, scalar != "]" {
      position += 1
      let first = try classAtom(scalar)
      guard starts("-"), position + 1 < scalars.count, scalars[position + 1] != "]",
        let low = first.scalar
      else {
        text += first.text
        continue
      }
      position += 2
      let second = try classAtom(scalars[position - 1])
      guard let high = second.scalar else {
        text += first.text + "\\-" + second.text
        continue
      }
      guard low <= high else { throw .syntax("the range ends below its start", "\(low)-\(high)") }
      text += first.text + "-" + second.text
    }
    guard take("]") else { throw .syntax("the class is not closed", "[") }
    // An empty class matches nothing, and its opposite everything.
    if text.isEmpty { return isNegative ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]" }
    return "[" + (isNegative ? "^" : "") + text + "]"
  }

  private mutating func classAtom(_ scalar: Unicode.Scalar) throws(PatternProblem)
    -> PatternCharacters
  {
    if scalar == "\\" { return try escape(isInClass: true) }
    return PatternCharacters(scalar)
  }

  static func literal(_ scalar: Unicode.Scalar) -> String {
    "\\.+*?()|[]{}^$-/".unicodeScalars.contains(scalar) ? "\\" + String(scalar) : String(scalar)
  }

  // MARK: - Reading

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private func starts(_ text: String) -> Bool {
    scalars[position...].starts(with: text.unicodeScalars)
  }

  private mutating func note(unsupported construct: String) {
    if unsupported == nil { unsupported = construct }
  }
}

/// One character of a pattern, or a class of them, in RE2's syntax.
struct PatternCharacters {
  let text: String
  /// The character, or nil for a class.
  let scalar: Unicode.Scalar?

  init(_ scalar: Unicode.Scalar) {
    text =
      scalar.value < 0x20 || scalar.value == 0x7F
      ? "\\x{" + String(scalar.value, radix: 16) + "}" : PatternTranslator.literal(scalar)
    self.scalar = scalar
  }

  init(class text: String) {
    self.text = text
    scalar = nil
  }
}

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
