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

/// Reads the escapes of a text.
struct EscapeReader {
  private let bytes: [UInt8]
  private let quotes: Quotes

  /// The meaning of an escape.
  enum Decoded {
    case byte(UInt8)
    case scalar(Unicode.Scalar)

    func append(to bytes: inout [UInt8]) {
      switch self {
      case .byte(let byte): bytes.append(byte)
      case .scalar(let scalar):
        if scalar.isASCII {
          bytes.append(UInt8(scalar.value))
        } else {
          bytes += String(scalar).utf8
        }
      }
    }
  }

  /// An escape that was cut off decodes to nothing, since the text effectively ends before it.
  typealias Escape = (decoded: Decoded?, length: Int)

  init(_ bytes: [UInt8], quotes: Quotes) {
    self.bytes = bytes
    self.quotes = quotes
  }

  /// True if two bytes may be the first ones of an escape.
  static func mayBegin(_ first: UInt8, _ second: UInt8, quotes: Quotes) -> Bool {
    switch first {
    // What was cut off.
    case UInt8(ascii: "%") where second == Ellipsis.bytes[0]: true
    case UInt8(ascii: "\\") where second == Ellipsis.bytes[0]: true
    case UInt8(ascii: "&") where second == Ellipsis.bytes[0]: true
    case UInt8(ascii: "%"): second.hexadecimalValue != nil || second | 0x20 == UInt8(ascii: "u")
    case UInt8(ascii: "\\"): 0x20..<0x7F ~= second
    case UInt8(ascii: "&"): second == UInt8(ascii: "#") || second.isLetter
    case UInt8(ascii: "'"):
      quotes.contains(.single) && (second == first || "\"\\".utf8.contains(second))
    case UInt8(ascii: "\""): quotes.contains(.double) && second == first
    default: false
    }
  }

  /// Returns the escape at a place, or nil.
  func escape(at start: Int) -> Escape? {
    switch bytes[start] {
    case UInt8(ascii: "%"): percent(at: start) ?? cutOff(at: start)
    case UInt8(ascii: "\\"): backslash(at: start) ?? cutOff(at: start)
    case UInt8(ascii: "&"): reference(at: start) ?? cutOff(at: start)
    case UInt8(ascii: "'"):
      quotes.contains(.single) ? singleQuotes(at: start) ?? cutQuotes(at: start) : nil
    case UInt8(ascii: "\""): quotes.contains(.double) ? doubled(at: start) : nil
    default: nil
    }
  }

  /// `%2F` (RFC 3986, section 2.1), and `%u00fc` of JavaScript's `escape`.
  private func percent(at start: Int) -> Escape? {
    if let byte = number(start + 1, digits: 2) {
      return (.byte(UInt8(truncatingIfNeeded: byte)), 3)
    }
    return byte(start + 1).map { $0 | 0x20 } == UInt8(ascii: "u") ? unit(at: start) : nil
  }

  /// Reads escapes in strings of JSON, Swift, Python and C, and in unquoted words of shells.
  private func backslash(at start: Int) -> Escape? {
    guard let next = byte(start + 1) else { return nil }
    switch next {
    case UInt8(ascii: "n"): return (.byte(0x0A), 2)
    case UInt8(ascii: "r"): return (.byte(0x0D), 2)
    case UInt8(ascii: "t"): return (.byte(0x09), 2)
    case UInt8(ascii: "b"): return (.byte(0x08), 2)
    case UInt8(ascii: "f"): return (.byte(0x0C), 2)
    case UInt8(ascii: "u"): return unit(at: start) ?? braced(at: start)
    case UInt8(ascii: "U"): return scalar(number(start + 2, digits: 8), 10)
    case UInt8(ascii: "x"):
      return number(start + 2, digits: 2).map { (.byte(UInt8(truncatingIfNeeded: $0)), 4) }
    case UInt8(ascii: "0")...UInt8(ascii: "3"): return octal(at: start)
    case 0x20..<0x7F where !next.isLetter && !next.isDigit: return (.byte(next), 2)
    default: return nil
    }
  }

  /// `\303`.
  private func octal(at start: Int) -> Escape? {
    let digits = bytes[(start + 1)...].prefix(3)
    guard digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 }) else { return nil }
    return (.byte(digits.reduce(0) { $0 << 3 | ($1 & 7) }), 4)
  }

  /// `\u00fc`, or two of them for one character.
  private func unit(at start: Int) -> Escape? {
    guard let first = number(start + 2, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (.scalar(scalar), 6) }
    guard 0xD800..<0xDC00 ~= first, byte(start + 6) == bytes[start],
      byte(start + 7) == bytes[start + 1], let second = number(start + 8, digits: 4),
      0xDC00..<0xE000 ~= second
    else { return nil }
    return scalar((first - 0xD800) << 10 + (second - 0xDC00) + 0x10000, 12)
  }

  /// `\u{fc}`.
  private func braced(at start: Int) -> Escape? {
    guard byte(start + 2) == UInt8(ascii: "{") else { return nil }
    let digits = bytes[(start + 3)...].prefix(7).prefix { $0 != UInt8(ascii: "}") }
    // The text may end before the brace.
    guard digits.count <= 6, digits.endIndex < bytes.count else { return nil }
    return scalar(number(start + 3, digits: digits.count), digits.count + 4)
  }

  /// Reads the common character references of HTML and XML.
  private func reference(at start: Int) -> Escape? {
    let rest = bytes[(start + 1)...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[..<end], as: UTF8.self)
    let length = end + 1 - start
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      return scalar(UInt32(name.dropFirst(2), radix: 16), length)
    }
    if name.hasPrefix("#") { return scalar(UInt32(name.dropFirst()), length) }
    return CharacterReferences.scalar(name).map { (.scalar($0), length) }
  }

  /// `''` of YAML and SQL, `'"'"'` and `'\''` of shells.
  private func singleQuotes(at start: Int) -> Escape? {
    let rest = bytes[start...]
    for shell in [#"'"'"'"#, #"'\''"#] where rest.starts(with: shell.utf8) {
      return (.byte(bytes[start]), shell.utf8.count)
    }
    return doubled(at: start)
  }

  /// Two quotation marks for one, and four for two, however often they were doubled.
  private func doubled(at start: Int) -> Escape? {
    let count = bytes[start...].prefix { $0 == bytes[start] }.count
    return count > 1 ? (.byte(bytes[start]), count) : nil
  }

  /// The beginning of an escape before an ellipsis.
  private func cutOff(at start: Int) -> Escape? {
    let rest = bytes[(start + 1)...].prefix(16)
    let part = rest.prefix { $0.isLetter || $0.isDigit || "#{\\%".utf8.contains($0) }
    return bytes[part.endIndex...].starts(with: Ellipsis.bytes) ? (nil, part.endIndex - start) : nil
  }

  private func cutQuotes(at start: Int) -> Escape? {
    let part = bytes[start...].prefix(5).prefix { "'\"\\".utf8.contains($0) }
    guard part.count > 1, bytes[part.endIndex...].starts(with: Ellipsis.bytes),
      [#"'"'"'"#, #"'\''"#].contains(where: { $0.utf8.starts(with: part) })
    else { return nil }
    return (.byte(bytes[start]), part.count)
  }

  private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private func scalar(_ code: UInt32?, _ length: Int) -> Escape? {
    code.flatMap { Unicode.Scalar($0) }.map { (.scalar($0), length) }
  }

  /// The number of some hexadecimal digits, one or more.
  private func number(_ start: Int, digits count: Int) -> UInt32? {
    guard count > 0, start + count <= bytes.count else { return nil }
    var number: UInt32 = 0
    for byte in bytes[start..<start + count] {
      guard let digit = byte.hexadecimalValue else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }
}

/// The named character references of HTML 4.01, section 24.2, and the five of XML.
private enum CharacterReferences {
  private static let general: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// The names of U+00A0 to U+00FF, in order.
  private static let latin: [Substring] = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc \
    Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
    Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute \
    acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
    ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
    """.split(separator: " ")

  private static let scalars = general.merging(
    zip(latin, 0xA0...0xFF).map { (String($0), Unicode.Scalar(UInt8($1))) }
  ) { first, _ in first }

  static func scalar(_ name: String) -> Unicode.Scalar? { scalars[name] }
}
