internal import FlowSystem

/// Goes through the text of a pattern, scalar by scalar.
struct PatternReader {
  private let scalars: [Unicode.Scalar]
  private(set) var position = 0
  /// Texts that were searched for and do not follow, so that no text is searched for again.
  private var absent: Set<String> = []

  init(_ text: String) { scalars = Array(text.unicodeScalars) }
  var next: Unicode.Scalar? { peek(0) }

  /// The scalar so many places behind the next one, or before it; nil beyond the ends.
  func peek(_ offset: Int) -> Unicode.Scalar? {
    scalars.indices.contains(position + offset) ? scalars[position + offset] : nil
  }

  mutating func take() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    position += 1
    return scalar
  }

  mutating func take(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  mutating func take(through end: String) -> String? {
    if absent.contains(end) { return nil }
    var rest = self
    while rest.next != nil {
      let contentEnd = rest.position
      if rest.take(end) {
        defer { self = rest }
        return text(position..<contentEnd)
      }
      rest.position += 1
    }
    absent.insert(end)
    return nil
  }

  /// Takes a text between two others, and those; takes nothing when it is not between them.
  mutating func take(from start: String, through end: String) -> String? {
    let first = position
    guard take(start) else { return nil }
    if let content = take(through: end) { return content }
    position = first
    return nil
  }

  func text(from start: Int) -> String { text(start..<position) }

  private func text(_ range: Range<Int>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[range])
    return text
  }
}

/// What a backslash begins where one character is meant, in a class or outside of it.
///
/// The rules are those of `ParseEscape` in RE2's `parse.cc`.
enum PatternEscape {
  static func character(_ reader: inout PatternReader) throws(PatternProblem) -> Unicode.Scalar {
    let start = reader.position
    _ = reader.take("\\")
    guard let mark = reader.take() else { throw .trailingBackslash }
    switch mark {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "a": return "\u{7}"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    case "0"..."7": return try octal(mark, &reader)
    case "8", "9", "k", "g": throw .backReference
    case "x":
      guard let scalar = hexadecimal(&reader) else { throw .character(reader.text(from: start)) }
      return scalar
    default:
      guard mark.isASCII, !mark.isWordCharacter || mark == "_" else {
        throw .escape(reader.text(from: start))
      }
      return mark
    }
  }

  /// Up to three digits; a single one other than zero would be a back reference.
  private static func octal(
    _ first: Unicode.Scalar, _ reader: inout PatternReader
  ) throws(PatternProblem) -> Unicode.Scalar {
    var value = first.value - 0x30
    for place in 1...2 {
      guard let digit = reader.next, "0"..."7" ~= digit else {
        if place == 1, first != "0" { throw .backReference }
        break
      }
      value = value * 8 + digit.value - 0x30
      _ = reader.take()
    }
    // Three octal digits are at most U+01FF, which is always a character.
    return Unicode.Scalar(value) ?? "\0"
  }

  /// Two digits, or any number of them in braces; nil for other texts and for numbers that are not characters.
  private static func hexadecimal(_ reader: inout PatternReader) -> Unicode.Scalar? {
    let isBraced = reader.take("{")
    var (value, count): (UInt32, Int) = (0, 0)
    while isBraced || count < 2, let next = reader.next,
      let digit = UInt8(exactly: next.value)?.hexadecimalValue
    {
      value = value * 16 + UInt32(digit)
      guard value <= 0x10FFFF else { return nil }
      count += 1
      _ = reader.take()
    }
    guard isBraced ? count > 0 && reader.take("}") : count == 2 else { return nil }
    return Unicode.Scalar(value)
  }
}

extension Unicode.Scalar {
  /// Whether `\w` matches it: a letter, digit or underscore of ASCII.
  var isWordCharacter: Bool {
    switch self {
    case "0"..."9", "A"..."Z", "a"..."z", "_": true
    default: false
    }
  }
}
