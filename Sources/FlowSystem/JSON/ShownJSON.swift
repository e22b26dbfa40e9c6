extension String {
  /// The JSON document with escapes for characters that end a line, drive a terminal or change the
  /// direction of text.
  ///
  /// ASCII characters remain: a writer of JSON has escaped them, and its own line ends are among
  /// them.
  package var shownJSON: String {
    var text = self
    return text.withUTF8 { utf8 in
      guard let first = unsafe utf8.firstIndex(where: \.maybeBeginsBreak),
        let place = unsafe utf8.firstBreak(from: first)
      else { return nil }
      return unsafe utf8.escapingBreaks(from: place)
    } ?? self
  }
}

extension UInt8 {
  /// True for the first byte of each character that breaks text, and of many others.
  fileprivate var maybeBeginsBreak: Bool { self == 0xC2 || self == 0xD8 || self == 0xE2 }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first character beyond ASCII that breaks text, or nil.
  fileprivate func firstBreak(from start: Int) -> Int? {
    var index = start
    while index < count {
      if unsafe breakingScalar(at: index) != nil { return index }
      index += 1
    }
    return nil
  }

  /// Returns the character beyond ASCII at an index if it breaks text by
  /// `Unicode.Scalar.breaksText`, or nil.
  private func breakingScalar(at index: Int) -> (value: Int, length: Int)? {
    guard unsafe self[index].maybeBeginsBreak, index + 1 < count else { return nil }
    let (first, second) = unsafe (self[index], Int(self[index + 1]))
    switch first {
    case 0xC2: return 0x80...0x9F ~= second ? (second, 2) : nil
    case 0xD8: return second == 0x9C ? (0x61C, 2) : nil
    default:
      guard index + 2 < count else { return nil }
      let value = unsafe 0x2000 | (second & 0x3F) << 6 | Int(self[index + 2]) & 0x3F
      switch value {
      case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return (value, 3)
      default: return nil
      }
    }
  }

  /// Returns the text with a JSON escape for each such character.
  fileprivate func escapingBreaks(from start: Int) -> String {
    var (text, index) = (TextBuffer(capacity: count + 16), start)
    unsafe text.append(bytes: Array(self[..<start]))
    while index < count {
      if let (value, length) = unsafe breakingScalar(at: index) {
        let digits = String(value, radix: 16)
        text.append(text: "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
        index += length
      } else {
        unsafe text.append(self[index])
        index += 1
      }
    }
    return text.text
  }
}
