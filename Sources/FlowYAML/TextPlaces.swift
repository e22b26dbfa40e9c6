internal import FlowSystem

/// The places of a scalar's characters in its file, if they are not simply consecutive in one line.
///
/// The text differs from its source: line breaks are folded, indentation is left out, and escapes
/// represent characters. So both are walked in parallel. A part that does not match has no place.
struct TextPlaces: Sendable {
  /// Consecutive characters of one line, up to the next stretch.
  private struct Stretch {
    let offset: Int32
    let line: Int32
    let column: Int32
  }

  private var stretches: [Stretch] = []
  /// The number of leading characters with a place.
  private var count = 0

  /// Finds the places of a text.
  ///
  /// - Parameters:
  ///   - text: The scalar's text.
  ///   - source: The source, from the scalar's first character to its last one.
  ///   - start: The position at which the source starts.
  ///   - isBlock: True for a block scalar after `|` or `>`.
  init(of text: ArraySlice<UInt8>, in source: [UInt8], from start: Position, isBlock: Bool) {
    var walk = SourceWalk(
      text: Array(String(decoding: text, as: UTF8.self).unicodeScalars),
      source: Array(String(decoding: source, as: UTF8.self).unicodeScalars), at: start)
    walk.skipProperties()
    if isBlock { walk.block { add($0, at: $1) } } else { walk.flow { add($0, at: $1) } }
    count = walk.matched
  }

  /// Returns the place of a character, by its number of unicode scalars from the start, or nil if
  /// unknown.
  func position(at offset: Int) -> Position? {
    guard 0..<count ~= offset else { return nil }
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let stretch = stretches[low - 1]
    return Position(
      line: Int(stretch.line), column: Int(stretch.column) + offset - Int(stretch.offset))
  }

  private mutating func add(_ offset: Int, at place: Position) {
    if let last = stretches.last, Int(last.line) == place.line,
      offset - Int(last.offset) == place.column - Int(last.column)
    {
      return
    }
    stretches.append(
      Stretch(
        offset: Int32(clamping: offset), line: Int32(clamping: place.line),
        column: Int32(clamping: place.column)))
  }
}

/// A parallel walk through a scalar's text and its source.
private struct SourceWalk {
  typealias Add = (_ offset: Int, Position) -> Void

  private let text: [Unicode.Scalar]
  private let source: [Unicode.Scalar]
  /// The length of the matched part of the text.
  private(set) var matched = 0
  private var index = 0
  /// The end of the blanks examined last.
  private var blanksEnd = 0
  private var place: Position

  init(text: [Unicode.Scalar], source: [Unicode.Scalar], at start: Position) {
    (self.text, self.source) = (text, source)
    place = start
  }

  private var next: Unicode.Scalar? { index < source.count ? source[index] : nil }

  private mutating func advance() {
    guard let scalar = next else { return }
    index += 1
    let isPair = scalar == "\r" && next == "\n"
    place =
      scalar.isBreak && !isPair
      ? Position(line: place.line + 1, column: 1)
      : Position(line: place.line, column: place.column + (isPair ? 0 : 1))
  }

  private mutating func advance(while condition: (Unicode.Scalar) -> Bool) {
    while let scalar = next, condition(scalar) { advance() }
  }

  /// Passes an anchor and a tag.
  mutating func skipProperties() {
    while next == "&" || next == "!" {
      advance { !$0.isBlank && !$0.isBreak }
      advance { $0.isBlank || $0.isBreak }
    }
  }

  // MARK: - Behind | and >

  /// Matches line by line: each line of the file is a part of the text, without its indentation.
  mutating func block(_ add: Add) {
    advance { !$0.isBreak }
    advanceOverBreak()
    let depth = indentation
    while matched < text.count, next != nil {
      let start = index
      advance(while: { !$0.isBreak })
      let content = source[start..<index].dropFirst(depth)
      let isBlank = content.allSatisfy(\.isBlank)
      if let found = self.start(of: content) {
        matched = found
        if !isBlank { add(matched, Position(line: place.line, column: depth + 1)) }
        matched += content.count
      } else if !isBlank {
        return
      }
      advanceOverBreak()
    }
  }

  /// The indentation of the lines: the difference in blanks between source and text in the first
  /// line with content.
  private var indentation: Int {
    let lines = source[index...].split(omittingEmptySubsequences: false, whereSeparator: \.isBreak)
    guard let line = lines.first(where: { !$0.allSatisfy(\.isBlank) }) else { return 0 }
    let own = text.drop { $0.isBreak }.prefix { $0 == " " }.count
    return max(0, line.prefix { $0 == " " }.count - own)
  }

  /// Returns the index in the text at which a line continues, or nil.
  ///
  /// It is after line breaks, or after the blank that replaced one.
  private func start(of line: ArraySlice<Unicode.Scalar>) -> Int? {
    if line.isEmpty { return matched }
    let start = text[matched...].firstIndex { !$0.isBreak } ?? text.count
    if text[start...].starts(with: line) { return start }
    guard start < text.count, text[start] == " ", text[(start + 1)...].starts(with: line) else {
      return nil
    }
    return start + 1
  }

  private mutating func advanceOverBreak() {
    if next == "\r" { advance() }
    if let scalar = next, scalar.isBreak, scalar != "\r" { advance() }
  }

  // MARK: - In quotes and without

  /// Matches character by character.
  mutating func flow(_ add: Add) {
    let quote = next == "'" || next == "\"" ? next : nil
    if quote != nil { advance() }
    while matched < text.count, let scalar = next {
      if isAtFold() {
        passFold()
      } else if quote == "\"", scalar == "\\", isAtEscapedBreak {
        advance()
        advance { $0.isBlank || $0.isBreak }
      } else {
        let length = self.length(of: scalar, in: quote)
        guard length > 1 || scalar == text[matched] else { return }
        add(matched, place)
        for _ in 0..<length { advance() }
        matched += 1
      }
    }
  }

  /// Returns the length of a character in the source.
  private func length(of scalar: Unicode.Scalar, in quote: Unicode.Scalar?) -> Int {
    switch (quote, scalar) {
    case ("'", "'"): return 2
    case ("\"", "\\"):
      let digits: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]
      let escape = index + 1 < source.count ? source[index + 1] : " "
      let isHighHalf =
        escape == "u"
        && source[min(index + 2, source.count)...].first.map { "dD".unicodeScalars.contains($0) }
          == true
        && source[min(index + 6, source.count)...].starts(with: "\\u".unicodeScalars)
      // JSON writes a character beyond 16 bits as two escapes.
      return isHighHalf && text[matched].value > 0xFFFF ? 12 : 2 + (digits[escape] ?? 0)
    default: return 1
    }
  }

  /// Finds out whether only blanks are left in the line.
  private mutating func isAtFold() -> Bool {
    guard let scalar = next, scalar.isBlank || scalar.isBreak, index >= blanksEnd else {
      return false
    }
    // Once for all consecutive blanks.
    blanksEnd = source[index...].firstIndex { !$0.isBlank } ?? source.count
    return blanksEnd < source.count && source[blanksEnd].isBreak
  }

  private var isAtEscapedBreak: Bool {
    index + 1 < source.count && source[index + 1].isBreak
  }

  private mutating func passFold() {
    advance { $0.isBlank || $0.isBreak }
    while matched < text.count, text[matched].isBlank || text[matched].isBreak { matched += 1 }
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }

  /// True if it ends a line, as in `Span`.
  fileprivate var isBreak: Bool {
    switch self {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}
