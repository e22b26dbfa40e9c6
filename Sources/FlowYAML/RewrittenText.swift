/// A text with its surrogate pairs in the form that libyaml reads, which knows where all of it stood.
struct RewrittenText {
  let bytes: [UInt8]
  /// How many characters stand before the end of each pair that was replaced; ascending.
  private let ends: [Int]
  private static let loss = 2

  /// Replaces these pairs of a text, which come in the order of the text.
  init(_ original: [UInt8], replacing pairs: [SurrogatePair]) {
    guard !pairs.isEmpty else {
      (bytes, ends) = (original, [])
      return
    }
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    bytes.reserveCapacity(original.count)
    var (copied, characters) = (0, 0)
    for pair in pairs {
      let part = original[copied..<pair.offset]
      bytes += part
      bytes += pair.yamlEscape.utf8
      characters += Self.characters(in: part, isStart: copied == 0) + pair.yamlEscape.utf8.count
      ends.append(characters)
      copied = pair.offset + SurrogatePair.length
    }
    (self.bytes, self.ends) = (bytes + original[copied...], ends)
  }

  /// The place in the original text of a mark in this one that has `index` characters before it.
  func original(_ mark: Mark, index: Int) -> Mark {
    guard !ends.isEmpty else { return mark }
    let pairsOnLine = pairs(endingBy: index) - pairs(endingBy: index - mark.column + 1)
    return Mark(line: mark.line, column: mark.column + Self.loss * pairsOnLine)
  }

  /// The place in the original text of a mark in this one that has `offset` bytes before it.
  func original(_ mark: Mark, offset: Int) -> Mark {
    guard !ends.isEmpty else { return mark }
    return original(mark, index: Self.characters(in: bytes[..<offset], isStart: true))
  }

  /// How many of the replaced pairs end within the first `index` characters.
  func pairs(endingBy index: Int) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number of characters as libyaml counts them: a byte order mark is none.
  private static func characters(in bytes: ArraySlice<UInt8>, isStart: Bool) -> Int {
    let hasMark = isStart && bytes.starts(with: [0xEF, 0xBB, 0xBF])
    return bytes.count { $0 & 0xC0 != 0x80 } - (hasMark ? 1 : 0)
  }
}

/// Two `\u` escapes that stand for one character beyond U+FFFF, as JSON writes it.
///
/// JSON has no other escape for such a character (RFC 8259, section 7). YAML reads each of the two by
/// itself, and libyaml refuses half a pair, though YAML 1.2 means to read all of JSON.
struct SurrogatePair {
  /// The bytes of its twelve characters, such as `\ud83d\ude00`.
  static let length = 12
  /// Where its first backslash stands in the text, in bytes.
  let offset: Int
  /// The character's code point, from U+10000.
  let value: UInt32

  /// Finds what are pairs if they stand in double quotes, in the order of the text.
  ///
  /// A text in UTF-16 has none: JSON is UTF-8 (RFC 8259, section 8.1).
  static func find(in bytes: [UInt8]) -> [SurrogatePair] {
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { return [] }
    var pairs: [SurrogatePair] = []
    var offset = 0
    while let backslash = bytes[offset...].firstIndex(of: UInt8(ascii: "\\")) {
      if let pair = SurrogatePair(at: backslash, in: bytes) {
        pairs.append(pair)
        offset = backslash + length
      } else if backslash + 1 < bytes.count, bytes[backslash + 1] == UInt8(ascii: "\\") {
        // An escaped backslash begins no other escape.
        offset = backslash + 2
      } else {
        offset = backslash + 1
      }
    }
    return pairs
  }

  private init?(at offset: Int, in bytes: [UInt8]) {
    guard let high = Self.escapedUnit(at: offset, in: bytes), 0xD800...0xDBFF ~= high,
      let low = Self.escapedUnit(at: offset + 6, in: bytes), 0xDC00...0xDFFF ~= low
    else { return nil }
    self.offset = offset
    value = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  /// The number of an escape like `\ud83d` at an offset; nil when there is none.
  private static func escapedUnit(at offset: Int, in bytes: [UInt8]) -> UInt32? {
    guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[(offset + 2)..<(offset + 6)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 + UInt32(digit)
    }
    return unit
  }

  /// The same character as YAML escapes it, such as `\U0001F600`; two bytes shorter.
  var yamlEscape: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}
