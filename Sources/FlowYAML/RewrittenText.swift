/// A text with its surrogate pairs in the form that libyaml reads, which knows where all of it stood.
struct RewrittenText {
  /// The text for libyaml.
  let bytes: [UInt8]

  /// How many characters stand before the end of each pair that was replaced; ascending.
  private let ends: [Int]

  /// How many characters each pair has lost.
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
