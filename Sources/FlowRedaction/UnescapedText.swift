internal import FlowSystem

/// A text without one layer of escapes that knows the original place of each byte.
///
/// Escapes of all kinds are removed in one pass, since the two layers of a text that was escaped
/// twice may be of different kinds.
struct UnescapedText {
  /// An escape and the result of decoding it, both in bytes.
  struct Escape {
    /// The place of the decoded bytes.
    let inner: Range<Int>
    /// The place of the escape in the original text.
    let outer: Range<Int>
    /// True if one of an odd number of quotation marks starts or ends a quotation.
    let hasSingleQuote: Bool
  }

  let bytes: [UInt8]
  /// The escapes in order, at least one.
  let escapes: [Escape]
  /// The text with escapes.
  private let source: [UInt8]

  /// Removes a layer of escapes from a text, or returns nil if it has none.
  ///
  /// Of doubled quotes only `quotes` count as escapes: in most texts two quotes are an empty
  /// string.
  init?(_ text: [UInt8], quotes: Quotes) {
    let reader = EscapeReader(text, quotes: quotes)
    var (bytes, escapes): ([UInt8], [Escape]) = ([], [])
    var (position, copied) = (0, 0)
    while position < text.count {
      guard let (decoded, length) = reader.escape(at: position) else {
        position += 1
        continue
      }
      bytes += text[copied..<position]
      let start = bytes.count
      decoded?.append(to: &bytes)
      let outer = position..<position + length
      escapes.append(
        Escape(
          inner: start..<bytes.count, outer: outer,
          hasSingleQuote: Self.hasSingleQuote(text[outer])))
      position += length
      copied = position
    }
    if escapes.isEmpty { return nil }
    source = text
    self.bytes = bytes + text[copied...]
    self.escapes = escapes
  }

  /// Returns a range in the text with escapes.
  ///
  /// It includes the whole of each escape, except a quotation mark around the range that was taken
  /// for a part of an escape.
  func original(_ range: Range<Int>) -> Range<Int> {
    if range.isEmpty { return range }
    let start = outer(range.lowerBound).lowerBound
    // The rest of an escape that was cut off after it.
    if let next = escape(before: range.upperBound), next.inner.isEmpty,
      next.inner.lowerBound == range.upperBound
    {
      return start..<next.outer.upperBound
    }
    return withoutQuotes(start..<outer(range.upperBound - 1).upperBound, of: range)
  }

  private func withoutQuotes(_ whole: Range<Int>, of range: Range<Int>) -> Range<Int> {
    let begins = hasSingleQuote(at: range.lowerBound)
    let ends = hasSingleQuote(at: range.upperBound - 1)
    guard begins || ends else { return whole }
    let before = whole.lowerBound > 0 ? source[whole.lowerBound - 1] : 0
    let behind = whole.upperBound < source.count ? source[whole.upperBound] : 0
    let (first, last) = (source[whole.lowerBound], source[whole.upperBound - 1])
    let isOpened = begins && (ends ? first == last : first == behind)
    let isClosed = ends && (begins ? first == last : last == before)
    return whole.lowerBound + (isOpened ? 1 : 0)..<whole.upperBound - (isClosed ? 1 : 0)
  }

  private func hasSingleQuote(at place: Int) -> Bool {
    guard let escape = escape(before: place), escape.inner.contains(place) else { return false }
    return escape.hasSingleQuote
  }

  private static func hasSingleQuote(_ escape: ArraySlice<UInt8>) -> Bool {
    guard let first = escape.first, "'\"".utf8.contains(first), escape.count % 2 == 1 else {
      return false
    }
    return escape.allSatisfy { $0 == first }
  }

  /// Returns the place of one byte in the text with escapes.
  private func outer(_ place: Int) -> Range<Int> {
    guard let escape = escape(before: place) else { return place..<place + 1 }
    if escape.inner.contains(place) { return escape.outer }
    let start = escape.outer.upperBound + place - escape.inner.upperBound
    return start..<start + 1
  }

  /// Returns the last escape that starts at a place or earlier.
  private func escape(before place: Int) -> Escape? {
    var (low, high) = (0, escapes.count)
    while low < high {
      let middle = (low + high) / 2
      if escapes[middle].inner.lowerBound <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? escapes[low - 1] : nil
  }

  /// A text without any escapes, and on the way to it without some of them.
  static func stages(of text: [UInt8], quotes: Quotes, most: Int) -> [[UInt8]] {
    var stages = [text]
    while stages.count <= most,
      let next = UnescapedText(stages[stages.count - 1], quotes: quotes)
    {
      stages.append(next.bytes)
    }
    return stages
  }
}

/// The quotation marks that count as escapes when doubled.
struct Quotes: OptionSet, Sendable {
  let rawValue: UInt8

  static let single = Quotes(rawValue: 1)
  static let double = Quotes(rawValue: 2)

  /// Finds the quotation marks in a text.
  init(in text: [UInt8]) {
    self = []
    if text.contains(UInt8(ascii: "'")) { insert(.single) }
    if text.contains(UInt8(ascii: "\"")) { insert(.double) }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}
