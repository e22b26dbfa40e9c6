/// Finds needles in a text: in time proportional to the text, and to the length of a secret where the text
/// keeps beginning one.
struct NeedleTable: Sendable {
  private var needles: [Needle] = []
  /// The needles by their first four bytes.
  private var indices: [UInt32: [Int]] = [:]
  /// Whether a needle begins with two bytes; tells almost every place of a text apart.
  private var begins: [Bool] = []

  /// Whether there is nothing to find.
  var isEmpty: Bool { needles.isEmpty }

  mutating func add(_ more: [Needle]) {
    if begins.isEmpty { begins = Array(repeating: false, count: 1 << 16) }
    for needle in more where needle.bytes.count >= Needle.shortest {
      indices[Self.key(needle.bytes, 0), default: []].append(needles.count)
      begins[Self.pair(needle.bytes, 0)] = true
      needles.append(needle)
    }
  }

  /// A needle in a text.
  struct Match {
    let needle: Needle
    let range: Range<Int>
    /// Whether the text was cut in the needle, and says so by an ellipsis.
    let isCut: Bool

    /// For base 64, where the group of four digits begins that the secret begins in; may be before the text.
    var group: Int? {
      needle.phase.map { range.lowerBound - Base64Text.firstDigit(ofPhase: $0) }
    }

    /// Whether it can be among the bytes of a text in base 64: in its groups and its alphabet, and whole.
    func isInText(
      ofGroup other: Int, _ alphabet: Base64Text.Alphabet?, _ text: [UInt8]
    ) -> Bool {
      guard let group, !isCut, (group - other) % 4 == 0 else { return false }
      guard let alphabet else { return true }
      return text[range].allSatisfy { Base64Text.alphabet($0) ?? alphabet == alphabet }
    }
  }

  /// The longest needle that begins at a place.
  func match(in text: [UInt8], at start: Int, withBase64: Bool) -> Match? {
    guard start + Needle.shortest <= text.count, begins[Self.pair(text, start)],
      let candidates = indices[Self.key(text, start)]
    else { return nil }
    var longest: Match?
    for needle in candidates.lazy.map({ needles[$0] }) where withBase64 || needle.phase == nil {
      guard let match = Self.match(needle, text, start),
        match.range.count > (longest?.range.count ?? 0)
      else { continue }
      longest = match
    }
    return longest
  }

  /// What messages end a text with that they cut off.
  static let ellipsis = Array("…".utf8)

  private static func match(_ needle: Needle, _ text: [UInt8], _ start: Int) -> Match? {
    var count = 0
    while count < needle.bytes.count, start + count < text.count,
      text[start + count] == needle.bytes[count]
    {
      count += 1
    }
    var end = start + count
    if count == needle.bytes.count {
      return Match(needle: needle, range: start..<end, isCut: false)
    }
    // A dash or a quotation mark of the secret begins with bytes of the ellipsis.
    while end > start, end < text.count, 0x80..<0xC0 ~= text[end] { end -= 1 }
    // A long value is shortened for a message, and the beginning of a secret says most of it.
    guard end - start >= Needle.shortest, text[end...].starts(with: ellipsis) else { return nil }
    return Match(needle: needle, range: start..<end, isCut: true)
  }

  private static func pair(_ text: [UInt8], _ start: Int) -> Int {
    Int(text[start]) << 8 | Int(text[start + 1])
  }

  private static func key(_ text: [UInt8], _ start: Int) -> UInt32 {
    UInt32(pair(text, start)) << 16 | UInt32(pair(text, start + 2))
  }
}
