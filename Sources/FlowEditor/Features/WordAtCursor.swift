internal import FlowSystem

/// The word at a place of a text: a name in an expression, or a key or value of the format.
struct WordAtCursor {
  let text: String
  let range: Range<Int>

  /// The word around an offset, or nil on a blank.
  init?(_ bytes: [UInt8], at offset: Int) {
    let isPart = { (byte: UInt8) in byte.isWord || byte >= 0x80 }
    var start = min(offset, bytes.count)
    while start > 0, isPart(bytes[start - 1]) { start -= 1 }
    var end = min(offset, bytes.count)
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    if start == end { return nil }
    range = start..<end
    text = String(decoding: bytes[range], as: UTF8.self)
  }

  /// The word with the parts that join names of the format: `balance.load`, `continue-on-error`.
  init?(wholeScalar bytes: [UInt8], at offset: Int) {
    let isPart = { (byte: UInt8) in
      byte.isWord || byte >= 0x80 || "-./".utf8.contains(byte)
    }
    guard let word = WordAtCursor(bytes, at: offset) else { return nil }
    var (start, end) = (word.range.lowerBound, word.range.upperBound)
    while start > 0, isPart(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    range = start..<end
    text = String(decoding: bytes[range], as: UTF8.self)
  }
}

extension UInt8 {
  /// True for a letter, a digit or an underscore.
  var isWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
