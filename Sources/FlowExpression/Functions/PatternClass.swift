/// A class in brackets, as PCRE2 writes it.
///
/// The rules are those of `ParseCharClass` in RE2's `parse.cc`.
struct PatternClass {
  private var reader: PatternReader
  private let ignoresCase: Bool
  private var text = "["

  /// Reads a class, from its bracket on.
  static func translated(
    _ reader: inout PatternReader, ignoringCase: Bool
  ) throws(PatternProblem) -> String {
    var scanner = PatternClass(reader: reader, ignoresCase: ignoringCase)
    try scanner.scan()
    reader = scanner.reader
    return scanner.text
  }

  private init(reader: PatternReader, ignoresCase: Bool) {
    self.reader = reader
    self.ignoresCase = ignoresCase
  }

  private mutating func scan() throws(PatternProblem) {
    _ = reader.take("[")
    if reader.take("^") { text += "^" }
    // A bracket that comes first stands for itself.
    repeat { try scanPart() } while reader.next != "]" && reader.next != nil
    guard reader.take("]") else { throw .missingBracket }
    text += "]"
  }

  private mutating func scanPart() throws(PatternProblem) {
    if let set = try posixSet() ?? Self.set(&reader) {
      text += set.text(ignoringCase: ignoresCase)
    } else if let property = try PatternProperty(&reader) {
      text += property.parts(ignoringCase: ignoresCase).joined()
    } else {
      try scanRange()
    }
  }

  /// `\d` and its like; nil for everything else.
  static func set(_ reader: inout PatternReader) -> PatternSet? {
    guard reader.next == "\\", let set = reader.peek(1).flatMap(PatternSet.init(escape:)) else {
      return nil
    }
    _ = (reader.take(), reader.take())
    return set
  }

  /// `[:alpha:]`; nil for everything else, also where the end is missing.
  private mutating func posixSet() throws(PatternProblem) -> PatternSet? {
    let start = reader.position
    guard let name = reader.take(from: "[:", through: ":]") else { return nil }
    guard let set = PatternSet(posix: name) else { throw .set(reader.text(from: start)) }
    return set
  }

  private mutating func scanRange() throws(PatternProblem) {
    let start = reader.position
    let first = try character()
    text += first.patternText
    guard reader.next == "-", let end = reader.peek(1), end != "]" else { return }
    _ = reader.take()
    let last = try character()
    guard first <= last else { throw .reversed(reader.text(from: start)) }
    text += "-" + last.patternText
  }

  private mutating func character() throws(PatternProblem) -> Unicode.Scalar {
    if reader.next == "\\" { return try PatternEscape.character(&reader) }
    guard let scalar = reader.take() else { throw .missingBracket }
    return scalar
  }
}

extension Unicode.Scalar {
  /// The character for itself, whatever it means to PCRE2.
  var patternText: String {
    let isPlain = isWordCharacter || value >= 0xA0
    return isPlain ? String(self) : "\\x{" + String(value, radix: 16) + "}"
  }
}
