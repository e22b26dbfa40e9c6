/// Writes a pattern of RE2 (github.com/google/re2/wiki/Syntax) as PCRE2 has it.
///
/// PCRE2 has more than RE2 and reads some of it otherwise, so nothing is handed on unread. The rules are those
/// of RE2's `parse.cc`; what is written is meant for PCRE2's options `MULTILINE` and `DOTALL`.
struct PatternTranslator {
  /// How often a part of a pattern may be repeated by counts, those around it multiplied.
  private static let mostRepetitions = 1_000

  private struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotTakesNewlines = false
    var isUngreedy = false
  }

  /// What a repetition would repeat: the pieces from the first to the last.
  private struct Atom {
    let first: Int
    let last: Int
    /// The greatest product of the counts in it.
    var repetitions = 1
    var needsGroup = false
  }

  private struct Group {
    let first: Int
    let flags: Flags
    /// What `repetitions` was before the group.
    let repetitions: Int
  }

  private var reader: PatternReader
  private var pieces: [String] = []
  private var flags = Flags()
  private var groups: [Group] = []
  private var atom: Atom?
  private var repetitions = 1
  /// Where the repetition begins that ended just now; nil after everything else.
  private var repetitionStart: Int?

  /// The pattern as PCRE2 has it.
  static func translated(_ pattern: String) throws(PatternProblem) -> String {
    var translator = PatternTranslator(reader: PatternReader(pattern))
    while translator.reader.next != nil { try translator.translatePart() }
    if !translator.groups.isEmpty { throw .missingParenthesis }
    return translator.pieces.joined()
  }

  private mutating func translatePart() throws(PatternProblem) {
    let repeated = repetitionStart
    repetitionStart = nil
    switch reader.next {
    case "(": try beginGroup()
    case ")": try endGroup()
    case "|": alternative()
    case "^": assertion(flags.isMultiline ? "^" : "\\A", length: 1)
    case "$": assertion(flags.isMultiline ? "$" : "\\z", length: 1)
    case ".": take(1, as: flags.dotTakesNewlines ? "." : "\\N")
    case "[": push(try PatternClass.translated(&reader, ignoringCase: flags.ignoresCase))
    case "\\": try translateEscape()
    default:
      if let repetition = PatternRepetition(&reader) {
        try apply(repetition, after: repeated)
      } else if let scalar = reader.take() {
        push(scalar.patternText)
      }
    }
  }

  // MARK: - Atoms

  private mutating func push(_ text: String, needsGroup: Bool = false) {
    pieces.append(text)
    atom = Atom(first: pieces.count - 1, last: pieces.count - 1, needsGroup: needsGroup)
  }

  private mutating func take(_ length: Int, as text: String) {
    for _ in 0..<length { _ = reader.take() }
    push(text)
  }

  /// PCRE2 does not repeat assertions by themselves.
  private mutating func assertion(_ text: String, length: Int) {
    take(length, as: text)
    atom?.needsGroup = true
  }

  private mutating func alternative() {
    take(1, as: "|")
    atom = nil
  }

  private mutating func translateEscape() throws(PatternProblem) {
    switch reader.peek(1) {
    case "b": assertion("\\b", length: 2)
    case "B": assertion("\\B", length: 2)
    case "A": assertion("\\A", length: 2)
    case "z": assertion("\\z", length: 2)
    case "Q": quotation()
    default:
      if let set = PatternClass.set(&reader) {
        push("[" + set.text(ignoringCase: flags.ignoresCase) + "]")
      } else if let property = try PatternProperty(&reader) {
        let parts = property.parts(ignoringCase: flags.ignoresCase)
        push(parts.count == 1 ? parts[0] : "[" + parts.joined() + "]")
      } else {
        push(try PatternEscape.character(&reader).patternText)
      }
    }
  }

  /// What is between `\Q` and `\E`, or the end, is taken literally.
  private mutating func quotation() {
    _ = reader.take("\\Q")
    while !reader.take("\\E"), let scalar = reader.take() { push(scalar.patternText) }
  }

  // MARK: - Repetitions

  private mutating func apply(
    _ repetition: PatternRepetition, after earlier: Int?
  ) throws(PatternProblem) {
    if let earlier {
      if repetition.text == "+" { throw .possessive }
      throw .repeatedRepetition(reader.text(from: earlier))
    }
    guard var atom else {
      throw repetition.followsParenthesis ? .verb : .nothingToRepeat(repetition.text)
    }
    guard repetition.isInOrder else { throw .reversed(repetition.text) }
    atom.repetitions *= repetition.factor
    guard atom.repetitions <= Self.mostRepetitions else {
      throw .manyRepetitions(repetition.text, Self.mostRepetitions)
    }
    write(repetition, of: atom)
    atom.needsGroup = true
    self.atom = atom
    repetitions = max(repetitions, atom.repetitions)
    repetitionStart = repetition.start
  }

  private mutating func write(_ repetition: PatternRepetition, of atom: Atom) {
    if atom.needsGroup {
      pieces[atom.first] = "(?:" + pieces[atom.first]
      pieces[atom.last] += ")"
    }
    pieces[atom.last] += repetition.count
    if repetition.isLazy != flags.isUngreedy { pieces[atom.last] += "?" }
  }

  // MARK: - Groups

  private mutating func beginGroup() throws(PatternProblem) {
    _ = reader.take("(")
    guard reader.take("?") else { return open(with: flags) }
    if reader.take("P<") || reader.next == "<" && reader.peek(1) != "=" && reader.peek(1) != "!" {
      _ = reader.take("<")
      return try beginNamedGroup()
    }
    let changed = try flagsOfGroup()
    if reader.take(":") { return open(with: changed) }
    guard reader.take(")") else { throw .group }
    if changed.ignoresCase != flags.ignoresCase {
      pieces.append(changed.ignoresCase ? "(?i)" : "(?-i)")
    }
    flags = changed
  }

  private mutating func beginNamedGroup() throws(PatternProblem) {
    guard let name = reader.take(through: ">"), !name.isEmpty,
      name.unicodeScalars.allSatisfy(\.isPartOfGroupName)
    else { throw .groupName }
    open(with: flags)
  }

  private mutating func open(with changed: Flags) {
    groups.append(Group(first: pieces.count, flags: flags, repetitions: repetitions))
    let isSame = changed.ignoresCase == flags.ignoresCase
    pieces.append(isSame ? "(?:" : changed.ignoresCase ? "(?i:" : "(?-i:")
    (flags, atom, repetitions) = (changed, nil, 1)
  }

  private mutating func endGroup() throws(PatternProblem) {
    guard let group = groups.popLast() else { throw .unexpectedParenthesis }
    take(1, as: ")")
    atom = Atom(first: group.first, last: pieces.count - 1, repetitions: repetitions)
    (flags, repetitions) = (group.flags, max(repetitions, group.repetitions))
  }

  /// What the letters before `:` or `)` make of the flags.
  private mutating func flagsOfGroup() throws(PatternProblem) -> Flags {
    if let next = reader.next, "=!<".unicodeScalars.contains(next) { throw .lookaround }
    var (changed, value, hasFlags) = (flags, true, true)
    while let letter = reader.next, letter != ":", letter != ")" {
      switch letter {
      case "i": changed.ignoresCase = value
      case "m": changed.isMultiline = value
      case "s": changed.dotTakesNewlines = value
      case "U": changed.isUngreedy = value
      case "-" where value: value = false
      default: throw .group
      }
      hasFlags = letter != "-"
      _ = reader.take()
    }
    guard hasFlags else { throw .group }
    return changed
  }
}

extension Unicode.Scalar {
  /// Whether the name of a group may hold it (`IsValidCaptureName` of RE2).
  fileprivate var isPartOfGroupName: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber, .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
      true
    default: false
    }
  }
}

/// `*`, `+`, `?` or `{2,5}`, and whether as little as possible is meant.
private struct PatternRepetition {
  let text: String
  let count: String
  /// Whether a question mark follows, which turns greed round.
  let isLazy: Bool
  let start: Int
  /// Whether it comes right after an opening parenthesis.
  let followsParenthesis: Bool
  private var least = 0
  private var most: Int?

  /// Reads a repetition; nil for everything else, such as a literal brace.
  init?(_ reader: inout PatternReader) {
    start = reader.position
    followsParenthesis = reader.peek(-1) == "("
    guard let next = reader.next else { return nil }
    switch next {
    case "*", "+", "?": _ = reader.take()
    case "{":
      guard let bounds = Self.bounds(&reader) else { return nil }
      (least, most) = bounds
    default: return nil
    }
    count = reader.text(from: start)
    isLazy = reader.take("?")
    text = reader.text(from: start)
  }

  var isInOrder: Bool { most.map { least <= $0 } ?? true }
  /// By how much the repetitions of what is in it are multiplied.
  var factor: Int { max(1, most ?? least) }

  /// What is in braces; takes nothing where they are literal.
  private static func bounds(_ reader: inout PatternReader) -> (least: Int, most: Int?)? {
    var rest = reader
    guard rest.take("{"), let least = number(&rest) else { return nil }
    var most: Int? = least
    if rest.take(",") {
      most = nil
      if rest.next != "}" {
        guard let number = number(&rest) else { return nil }
        most = number
      }
    }
    guard rest.take("}") else { return nil }
    reader = rest
    return (least, most)
  }

  /// At most nine digits without a zero in front, as `ParseInteger` of RE2 has it.
  private static func number(_ reader: inout PatternReader) -> Int? {
    let start = reader.position
    var number = 0
    while let digit = reader.next, "0"..."9" ~= digit {
      guard number < 100_000_000, number > 0 || reader.position == start else { return nil }
      number = number * 10 + Int(digit.value - 0x30)
      _ = reader.take()
    }
    return reader.position > start ? number : nil
  }
}
