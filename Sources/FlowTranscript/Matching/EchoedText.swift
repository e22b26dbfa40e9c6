/// Pieces of recorded strings, and the pieces in their places today.
///
/// A server repeats what it was asked: an id in a path, a port in a URL. Its recorded response has the recorded
/// piece, and today's response has today's. Pieces are whole words (letters, digits and `_`) with
/// everything between them, so the 1 that is now a 2 explains no 11. A short piece counts only behind
/// the text that it followed when it was learnt, since short ones match by chance.
struct EchoedText {
  /// A recorded piece and its replacement.
  private struct Piece: Hashable {
    let recorded: [UInt8]
    let now: [UInt8]
    /// The word and the separators before the piece, or nil for a long piece.
    let context: [UInt8]?
  }

  /// The most pieces to remember.
  private static let most = 1_000
  /// The longest piece to remember, in bytes.
  private static let longest = 4_096
  /// The shortest piece that counts without its context, in bytes.
  static let shortest = 8

  /// True if short pieces count only behind the text that they followed.
  private let needsContext: Bool
  /// The pieces by their first word, the longest first.
  private var pieces: [ArraySlice<UInt8>: [Piece]] = [:]
  private var count = 0

  /// Creates no pieces.
  ///
  /// Without a need for their contexts, short pieces count as any whole words. That is for the answer to the call that asked them.
  init(needsContext: Bool = true) { self.needsContext = needsContext }

  /// True if nothing was learnt.
  var isEmpty: Bool { count == 0 }

  /// Notes the different pieces of two strings, and returns them.
  ///
  /// A piece of at least `shortest` bytes counts without its context.
  @discardableResult mutating func learn(
    _ recorded: String, _ now: String, shortest: Int = Self.shortest
  ) -> [(recorded: String, now: String)] {
    let (old, new) = (Array(recorded.utf8), Array(now.utf8))
    guard old != new, let middle = Self.middle(old, new) else { return [] }
    var pieces = [middle]
    let words = zip(Self.words(old[middle.0]), Self.words(new[middle.1]))
    if Self.words(old[middle.0]).count == Self.words(new[middle.1]).count {
      pieces += words.filter { old[$0] != new[$1] && ($0, $1) != middle }
    }
    for piece in pieces { add(piece, old, new, shortest) }
    return pieces.map { range, other in
      (String(decoding: old[range], as: UTF8.self), String(decoding: new[other], as: UTF8.self))
    }
  }

  /// Notes a whole string that differs, which counts wherever it is a part of a longer one.
  mutating func learn(whole recorded: String, _ now: String) {
    let (old, new) = (Array(recorded.utf8), Array(now.utf8))
    guard old != new, old.count >= Self.shortest else { return }
    add((old.indices, new.indices), old, new, Self.shortest)
  }

  private mutating func add(
    _ piece: (Range<Int>, Range<Int>), _ old: [UInt8], _ new: [UInt8], _ shortest: Int
  ) {
    let (range, other) = piece
    let isLong = range.count >= shortest || !needsContext
    // A short one at the beginning has nothing to be recognised by.
    guard !range.isEmpty, isLong || range.lowerBound > 0, range.count <= Self.longest,
      other.count <= Self.longest, count < Self.most
    else { return }
    let piece = Piece(
      recorded: Array(old[range]), now: Array(new[other]),
      context: isLong ? nil : Array(Self.context(of: range.lowerBound, in: old)))
    let first = Self.firstWord(of: piece.recorded[...])
    guard pieces[first]?.contains(piece) != true else { return }
    pieces[first, default: []].append(piece)
    pieces[first]?.sort { $0.recorded.count > $1.recorded.count }
    count += 1
  }

  /// Returns true if a string of today is the recorded one with today's pieces in place of some recorded ones.
  func explains(_ recorded: String, _ now: String) -> Bool {
    if isEmpty { return false }
    let (old, new) = (Array(recorded.utf8), Array(now.utf8))
    var (place, other) = (0, 0)
    while place < old.count {
      if let piece = piece(at: place, old, other, new) {
        (place, other) = (place + piece.recorded.count, other + piece.now.count)
      } else if other < new.count, old[place] == new[other] {
        (place, other) = (place + 1, other + 1)
      } else {
        return false
      }
    }
    return other == new.count
  }

  /// Returns a recorded string with today's pieces in place of all known ones.
  ///
  /// The pieces of `others` come first. A replaced piece is not replaced again.
  func translated(_ recorded: String, after others: EchoedText = EchoedText()) -> String {
    if isEmpty, others.isEmpty { return recorded }
    let old = Array(recorded.utf8)
    var (result, place) = ([UInt8](), 0)
    while place < old.count {
      if let piece = others.piece(at: place, old) ?? piece(at: place, old) {
        result += piece.now
        place += piece.recorded.count
      } else {
        result.append(old[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The piece that is in the recorded string at one place, and replaced in the other at another.
  private func piece(
    at place: Int, _ old: [UInt8], _ other: Int, _ new: [UInt8]
  ) -> Piece? {
    piece(at: place, old) { piece in
      new[other...].starts(with: piece.now) && Self.ends(other + piece.now.count, in: new)
    }
  }

  /// The longest piece at a place of a recorded string for which a condition holds.
  private func piece(
    at place: Int, _ old: [UInt8], where holds: (Piece) -> Bool = { _ in true }
  ) -> Piece? {
    guard Self.ends(place, in: old), let known = pieces[Self.firstWord(of: old[place...])] else {
      return nil
    }
    return known.first { piece in
      old[place...].starts(with: piece.recorded)
        && Self.ends(place + piece.recorded.count, in: old)
        && (piece.context.map { Self.context(of: place, in: old) == $0[...] } ?? true)
        && holds(piece)
    }
  }

  // MARK: - Words

  /// Returns the whole words of a text.
  static func words(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    return words(bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  /// Returns true if no word goes on over an offset.
  private static func ends(_ offset: Int, in text: [UInt8]) -> Bool {
    offset == 0 || offset >= text.count || !isOfWord(text[offset - 1]) || !isOfWord(text[offset])
  }

  /// The word at the start, or the byte there if it is not of a word.
  private static func firstWord(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let word = text.prefix(while: isOfWord)
    return word.isEmpty ? text.prefix(1) : word
  }

  /// The separators before an offset, and the word before them.
  private static func context(of offset: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
    var begin = offset
    while begin > 0, !isOfWord(text[begin - 1]), offset - begin < shortest { begin -= 1 }
    while begin > 0, isOfWord(text[begin - 1]), offset - begin < 4 * shortest { begin -= 1 }
    return text[begin..<offset]
  }

  private static func words(_ text: ArraySlice<UInt8>) -> [Range<Int>] {
    text.split { !isOfWord($0) }.map { $0.startIndex..<$0.endIndex }
  }

  /// The parts of two strings between their common beginning and their common end, in whole words.
  private static func middle(_ old: [UInt8], _ new: [UInt8]) -> (Range<Int>, Range<Int>)? {
    var begin = zip(old, new).count(upTo: Int.max) { $0.0 == $0.1 }
    let rest = min(old.count, new.count) - begin
    var end = zip(old.reversed(), new.reversed()).count(upTo: rest) { $0.0 == $0.1 }
    while begin > 0, !(ends(begin, in: old) && ends(begin, in: new)) { begin -= 1 }
    while end > 0, !(ends(old.count - end, in: old) && ends(new.count - end, in: new)) { end -= 1 }
    let (range, other) = (begin..<(old.count - end), begin..<(new.count - end))
    return range.isEmpty && other.isEmpty ? nil : (range, other)
  }
}

extension Sequence {
  /// The number of elements at the start, at most `limit`, for which a condition holds.
  fileprivate func count(upTo limit: Int, while holds: (Element) -> Bool) -> Int {
    var count = 0
    for element in self {
      if count == limit || !holds(element) { break }
      count += 1
    }
    return count
  }
}
