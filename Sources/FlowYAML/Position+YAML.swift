internal import FlowSystem

// Lines end at LF, CR or CRLF, and, because libyaml follows YAML 1.1 there, at U+0085, U+2028 and
// U+2029. A byte order mark takes no column. A tab takes one.
extension Position {
  /// Finds the place of a byte, for errors of which libyaml knows no more than the offset.
  ///
  /// The bytes before it are well-formed, because they have been read.
  init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    let before = unsafe bytes.prefix(offset)
    let isLittleEndian = unsafe before.starts(with: [0xFF, 0xFE])
    if unsafe isLittleEndian || before.starts(with: [0xFE, 0xFF]) {
      let units = unsafe stride(from: 0, to: before.count - 1, by: 2).map { index in
        let (first, second) = unsafe (UInt16(before[index]), UInt16(before[index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
      }
      self.init(after: String(decoding: units, as: UTF16.self))
    } else {
      self.init(after: unsafe String(decoding: before, as: UTF8.self))
    }
  }

  /// The end of the last line with content, in a UTF-8 text with only blanks from a place's line
  /// on.
  ///
  /// Nil for other texts.
  init?(lastOf bytes: UnsafeBufferPointer<UInt8>, before place: Position) {
    let text = unsafe Array(bytes)
    // UTF-16 starts with a byte that does not occur in UTF-8.
    if text.first ?? 0 >= 0xFE { return nil }
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // libyaml puts the end of a text without a line break at the start of the line after it.
    let isBehind = place.line == lines.count + 1 && place.column == 1
    guard isBehind || lines.indices.contains(place.line - 1),
      lines.dropFirst(place.line - 1).allSatisfy({ $0.allSatisfy(isBlank) }),
      let index = lines.lastIndex(where: { !$0.allSatisfy(isBlank) }),
      let end = lines[index].lastIndex(where: { !isBlank($0) })
    else { return nil }
    self.init(line: index + 1, column: lines[index][...end].scalarCount + 1)
  }

  /// Finds the place just after a text, with lines as libyaml counts them.
  private init(after text: String) {
    var line = 1
    var column = 1
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars.dropFirst(text.unicodeScalars.first == "\u{FEFF}" ? 1 : 0) {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        line += 1
        column = 1
      default: column += 1
      }
      previous = scalar
    }
    self.init(line: line, column: column)
  }
}
