extension Unicode.Scalar {
  /// The width of the scalar in cells of a terminal: 0 for one joined to the character before it, 2
  /// if wide, else 1.
  ///
  /// Wide are the characters that Unicode's EastAsianWidth.txt calls W or F, and those shown as an
  /// emoji without a selector.
  package var cellWidth: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The vowels and final consonants of Hangul, which are drawn into the first one.
    if 0x1160...0x11FF ~= value { return 0 }
    let isWide = Self.wide.contains { $0.contains(value) } || properties.isEmojiPresentation
    return isWide ? 2 : 1
  }

  /// The blocks of mostly wide characters.
  ///
  /// Unassigned scalars in them count as wide, so that a shortened row is never too wide.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DFF, 0x4E00...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}

extension String {
  /// Returns the string in at most so many cells of a terminal, with an ellipsis if it was cut.
  ///
  /// Only for strings without control characters.
  package func cut(toCells cells: Int) -> String {
    // Each byte is a cell, or a part of at least half a character of two.
    if utf8.count <= cells { return self }
    var (width, shorter) = (0, unicodeScalars.startIndex)
    for index in unicodeScalars.indices {
      let next = width + unicodeScalars[index].cellWidth
      if next > cells { return cells < 1 ? "" : self[..<shorter] + "…" }
      width = next
      // Scalars joined to the last character that fits belong to it.
      if width < cells { shorter = unicodeScalars.index(after: index) }
    }
    return self
  }
}
