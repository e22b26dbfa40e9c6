internal import FlowSystem

/// The evidence about a mistake's cause in the lines above it.
///
/// libyaml notices a missing ':', or a line in the wrong column, only where its grammar breaks. The
/// lines often show what the author meant. This is advice: it decides nothing.
struct Layout {
  fileprivate struct Line {
    let number: Int
    /// The columns of the '-' at its start, from 0.
    let dashes: [Int]
    /// The column of the content after them, from 0.
    let start: Int
    let content: ArraySlice<UInt8>
  }

  struct Alignment {
    let key: String?
    /// The better column, from 1.
    let column: Int
    /// The key in that column of a line above, or nil for a '-'.
    let like: String?
    let line: Int
  }

  private static let farthest = 1_000
  private let line: Line
  private let above: [Line]
  private let column: Int

  /// Splits a text in UTF-8 into its lines up to a mark.
  ///
  /// Nil if the mark does not fit them.
  init?(_ bytes: some Collection<UInt8>, at mark: Position) {
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: mark.line, omittingEmptySubsequences: false)
    guard lines.indices.contains(mark.line - 1) else { return nil }
    let nearest = max(1, mark.line - Self.farthest)...mark.line
    var found = nearest.compactMap { Line(Array(lines[$0 - 1]), number: $0) }
    guard let line = found.popLast(), line.number == mark.line else { return nil }
    self.line = line
    above = found.reversed()
    column = mark.column - 1
  }

  /// The key above the mistake, a ':' in another line, that probably lacks its own, and where it stands.
  ///
  /// `- uses a.b` and `  with: {}` below it are one text up to the second ':'.
  var keyWithoutColon: (key: String, span: Span)? {
    guard let previous = above.first, previous.start == line.start, line.dashes.isEmpty,
      previous.key == nil, let word = previous.firstWord,
      !previous.dashes.isEmpty || above.dropFirst().first?.hasOnlyKey == true
    else { return nil }
    let start = Position(line: previous.number, column: previous.start + 1)
    return (
      word,
      Span(start: start, end: Position(line: start.line, column: start.column + word.utf8.count))
    )
  }

  /// True if the mistake is at the start of its line, or at the ':' of the key there.
  var isAtStart: Bool {
    column == (line.dashes.first ?? line.start)
      || line.dashes.isEmpty && column == line.start + (line.key?.utf8.count ?? 0)
  }

  /// The probable column for the line of the mistake, or nil without evidence in a line above.
  var alignment: Alignment? {
    guard isAtStart else { return nil }
    let isItem = !line.dashes.isEmpty
    let actual = line.dashes.first ?? line.start
    let places = openPlaces.filter { ($0.key == nil) == isItem }
    let nearest = places.min { left, right in
      (abs(left.column - actual), right.column) < (abs(right.column - actual), left.column)
    }
    guard let nearest, nearest.column != actual, isItem || line.key != nil else { return nil }
    return Alignment(
      key: isItem ? nil : line.key, column: nearest.column + 1, like: nearest.key,
      line: nearest.line)
  }

  /// The columns, from 0, of the keys and '-' of the collections around the mistake.
  private var openPlaces: [(column: Int, key: String?, line: Int)] {
    var places: [(column: Int, key: String?, line: Int)] = []
    var bound = Int.max
    for line in above where (line.dashes.first ?? line.start) < bound {
      places += line.dashes.filter { $0 < bound }.map { ($0, nil, line.number) }
      if let key = line.key, line.start < bound { places.append((line.start, key, line.number)) }
      bound = line.dashes.first ?? line.start
    }
    return places
  }
}

extension Layout.Line {
  private static let dash = UInt8(ascii: "-")
  private static let blank = UInt8(ascii: " ")

  /// Takes a line apart.
  ///
  /// Nil for a blank line or a comment.
  init?(_ bytes: [UInt8], number: Int) {
    var dashes: [Int] = []
    var start = bytes.prefix { $0 == Self.blank }.count
    while start < bytes.count, bytes[start] == Self.dash,
      start + 1 == bytes.count || bytes[start + 1] == Self.blank
    {
      dashes.append(start)
      start += 1
      start += bytes[start...].prefix { $0 == Self.blank }.count
    }
    let content = bytes[start...]
    if dashes.isEmpty, content.first ?? UInt8(ascii: "#") == UInt8(ascii: "#") { return nil }
    self = Layout.Line(number: number, dashes: dashes, start: start, content: content)
  }

  /// The word before the first ':' if that makes it a key, or nil.
  var key: String? {
    guard let word = firstWord else { return nil }
    let rest = content.dropFirst(word.utf8.count)
    guard rest.first == UInt8(ascii: ":"), rest.dropFirst().first ?? Self.blank == Self.blank else {
      return nil
    }
    return word
  }

  /// The letters, digits, '_' and '-' at the start, or nil without any.
  var firstWord: String? {
    let word = content.prefix { $0.isWordCharacter || $0 == Self.dash }
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }

  /// True if the value of its key starts in a line below.
  var hasOnlyKey: Bool { key.map { content.dropFirst($0.utf8.count + 1).isEmpty } ?? false }
}
