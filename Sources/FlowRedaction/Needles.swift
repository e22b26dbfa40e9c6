internal import FlowSystem

/// One form of a secret to search for, as bytes.
///
/// Encoded forms are found by decoding the text: there are many ways to encode a text and one to
/// read it.
struct Needle: Sendable {
  /// The bytes, at least four.
  let bytes: [UInt8]
  /// The replacement for it.
  let placeholder: Placeholder

  /// The fewest bytes of a secret, because shorter ones occur in every text by chance.
  static let shortest = 4
  /// The shortest line that is searched for on its own, of a secret with several lines.
  private static let shortestLine = 8
  /// The most layers of escapes in the secret itself, which are removed with those added around it.
  private static let ownLayers = 3

  /// Returns all forms that a secret may have in a text without escapes.
  static func all(for secret: String, named name: String) -> [Needle] {
    let values = [Array(secret.utf8)] + parts(of: secret)
    var known: Set<[UInt8]> = []
    return (values + values.compactMap(misread)).flatMap { value in
      UnescapedText.stages(of: value, quotes: Quotes(in: value), most: ownLayers)
    }.filter { known.insert($0).inserted }.map { Needle(bytes: $0, placeholder: .secret(name)) }
  }

  /// Returns UTF-8 misread as Latin-1, as by a server that echoes the request's headers, or nil for
  /// ASCII.
  private static func misread(_ value: [UInt8]) -> [UInt8]? {
    guard value.contains(where: { $0 >= 0x80 }) else { return nil }
    return value.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
  }

  /// Returns the parts of a secret after trimming it and splitting it into lines, except for the
  /// secret itself.
  ///
  /// A file often ends in a blank line that is not part of the secret, and its users remove that
  /// line.
  static func parts(of secret: String) -> [[UInt8]] {
    let lines = secret.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
    var parts = [Array(secret.withoutBlanksAround.utf8)]
    for line in lines {
      for part in [String(line), String(line).withoutBlanksAround]
      where part.utf8.count >= shortestLine && !part.withoutBlanksAround.isEmpty {
        parts.append(Array(part.utf8))
      }
    }
    var known: Set = [Array(secret.utf8)]
    return parts.filter { !$0.isEmpty && known.insert($0).inserted }
  }
}

/// Finds needles in a text, in time proportional to the text.
///
/// A text that repeats the start of a secret multiplies the time by the length of the secret.
struct NeedleTable: Sendable {
  private var needles: [Needle] = []
  /// The needles by their first four bytes.
  private var indices: [UInt32: [Int]] = [:]
  /// The possible first two bytes of needles, which exclude almost every place of a text.
  private var beginnings: [UInt8] = []
  /// The fewest bytes of a needle, unused without needles.
  private(set) var shortest = Int.max
  /// The quotation marks in the needles.
  private(set) var quotes: Quotes = []
  /// The bytes of texts that may contain a needle, encoded or not.
  private(set) var isText: [Bool] = (0..<256).map { 0x20..<0x7F ~= $0 || [9, 10, 13].contains($0) }

  private static let (needle, escape, ellipsis): (UInt8, UInt8, UInt8) = (1, 2, 4)

  /// True if there are no needles.
  var isEmpty: Bool { needles.isEmpty }

  mutating func add(_ more: [Needle]) {
    let more = more.filter { $0.bytes.count >= Needle.shortest }
    let known = quotes
    for needle in more { quotes.formUnion(Quotes(in: needle.bytes)) }
    if beginnings.isEmpty || quotes != known { noteEscapes() }
    for needle in more {
      shortest = min(shortest, needle.bytes.count)
      for byte in needle.bytes { isText[Int(byte)] = true }
      indices[Self.key(needle.bytes, 0), default: []].append(needles.count)
      needles.append(needle)
      for first in Self.alike(needle.bytes[0]) {
        for second in Self.alike(needle.bytes[1]) {
          beginnings[Self.pair(first, second)] |= Self.needle
        }
      }
    }
  }

  private mutating func noteEscapes() {
    if beginnings.isEmpty { beginnings = [UInt8](repeating: 0, count: 1 << 16) }
    beginnings[Self.pair(Ellipsis.bytes[0], Ellipsis.bytes[1])] |= Self.ellipsis
    for mark in #"%\&'""#.utf8 {
      for next in UInt8.min...UInt8.max where EscapeReader.mayBegin(mark, next, quotes: quotes) {
        beginnings[Self.pair(mark, next)] |= Self.escape
      }
    }
  }

  /// A needle in a text.
  struct Match {
    let needle: Needle
    let range: Range<Int>
  }

  /// Finds the needles in a text, the longest at each place.
  ///
  /// Returns true for possible escapes, and for a text that was cut off.
  func search(
    _ text: [UInt8], found: (Match) -> Void
  ) -> (hasEscapes: Bool, isCut: Bool) {
    var (hasEscapes, isCut) = (false, false)
    if needles.isEmpty || text.count < 2 { return (false, false) }
    for place in 0..<text.count - 1 {
      let beginning = beginnings[Self.pair(text[place], text[place + 1])]
      if beginning == 0 { continue }
      if beginning & Self.escape != 0 { hasEscapes = true }
      if beginning & Self.ellipsis != 0 { isCut = true }
      if beginning & Self.needle != 0, let match = match(in: text, at: place) { found(match) }
    }
    return (hasEscapes, isCut)
  }

  /// Returns the longest needle at a place.
  func match(in text: [UInt8], at start: Int) -> Match? {
    guard start + Needle.shortest <= text.count, let candidates = indices[Self.key(text, start)]
    else { return nil }
    var longest: Match?
    for needle in candidates.lazy.map({ needles[$0] }) {
      let count = Self.matching(needle.bytes, text, start)
      if count <= longest?.range.count ?? 0 { continue }
      longest = Match(needle: needle, range: start..<start + count)
    }
    return longest
  }

  /// Returns the number of bytes that match a needle, or its start where the text was cut off, or
  /// 0.
  private static func matching(_ needle: [UInt8], _ text: [UInt8], _ start: Int) -> Int {
    var count = 0
    while count < needle.count, start + count < text.count,
      folded(text[start + count]) == folded(needle[count])
    {
      count += 1
    }
    if count == needle.count { return count }
    // A dash or a quotation mark of the secret starts with the same bytes as the ellipsis.
    while count > 0, start + count < text.count, 0x80..<0xC0 ~= text[start + count] { count -= 1 }
    guard count >= Needle.shortest, text[(start + count)...].starts(with: Ellipsis.bytes) else {
      return 0
    }
    return count
  }

  /// Returns a blank for `+`.
  ///
  /// Forms and queries replace one by the other, and their readers do the reverse, even if it was
  /// not intended.
  private static func folded(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
  }

  private static func alike(_ byte: UInt8) -> [UInt8] {
    folded(byte) == UInt8(ascii: " ") ? Array(" +".utf8) : [byte]
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

  private static func key(_ text: [UInt8], _ start: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(folded(text[start + $1])) }
  }
}
