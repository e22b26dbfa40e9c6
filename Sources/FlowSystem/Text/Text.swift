extension String {
  /// Returns true if all scalars are equal, as in CEL and the transcript's bytes.
  ///
  /// The operator `==` would treat canonical equivalents as equal, such as `é` and `e` with a
  /// combining accent.
  package func isIdentical(to other: String) -> Bool {
    // The cheap comparisons first. Of ASCII, of which both counts are known, they are all: its equivalents have more bytes.
    utf8.count == other.utf8.count && self == other
      && (utf8.count == utf16.count || utf8.elementsEqual(other.utf8))
  }

  /// The string with escapes for characters that would break a line or a terminal.
  ///
  /// They are quotes, backslashes, control characters, the separators of Unicode, the marks that
  /// change the direction of text and hide its meaning, and characters that look like a blank or
  /// like nothing.
  package var escaped: String {
    let isPlain = utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }
    return isPlain ? self : escaped(isQuoted: true)
  }

  /// The string with the escapes for characters that would break a line or a terminal, for use
  /// without quotes.
  package var onOneLine: String {
    // The usual case, because the properties of a scalar take long to find.
    utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? self : escaped(isQuoted: false)
  }

  private func escaped(isQuoted: Bool) -> String {
    replacingScalars { scalar in
      switch scalar {
      case "\"" where isQuoted: "\\\""
      case "\\" where isQuoted: "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default:
        scalar.breaksText || (isQuoted && scalar.isMistakable)
          ? "\\u{" + String(scalar.value, radix: 16) + "}" : nil
      }
    }
  }

  /// Returns the string with replacements for some scalars, except for those with nil.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let text = replacement(scalar) {
        result += text
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension BidirectionalCollection {
  /// Returns the elements without those at both ends that meet a condition.
  package func trimming(while isDropped: (Element) -> Bool) -> SubSequence {
    let rest = drop(while: isDropped)
    return rest.lastIndex { !isDropped($0) }.map { rest[...$0] } ?? rest
  }
}

extension String {
  /// The text without the blanks and the line ends around it.
  package var withoutBlanksAround: String {
    String(unicodeScalars.trimming(while: \.properties.isWhitespace))
  }
}

extension String {
  /// The number of unicode scalars.
  ///
  /// Counting them in their view takes several times as long.
  package var scalarCount: Int {
    var count = 0
    for byte in utf8 where byte & 0xC0 != 0x80 { count &+= 1 }
    return count
  }
}

extension ArraySlice<UInt8> {
  /// The number of unicode scalars in these bytes of UTF-8, including an incomplete one at the end.
  package var scalarCount: Int {
    var count = 0
    for byte in self where byte & 0xC0 != 0x80 { count &+= 1 }
    return count
  }
}

extension Unicode.Scalar {
  /// True if the scalar ends a line, drives a terminal, or changes the direction of the text around
  /// it.
  package var breaksText: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }

  /// True for a character that looks like a blank or like nothing, such as a no-break space or a byte
  /// order mark.
  ///
  /// Those that join letters and emoji belong to the writing, and the wide space of Chinese and
  /// Japanese can be seen.
  fileprivate var isMistakable: Bool {
    switch properties.generalCategory {
    case .spaceSeparator: value != 0x20 && value != 0x3000
    case .format: value == 0xFEFF || value == 0x200B || value == 0x2060
    default: false
    }
  }

  /// Returns its number in a given count of hexadecimal digits.
  package func hexadecimalDigits(_ count: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}

/// Properties of a byte as an ASCII character.
extension UInt8 {
  /// True for a digit.
  @inlinable package var isDigit: Bool { 0x30...0x39 ~= self }

  /// True for a letter.
  @inlinable package var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }

  /// True for a letter, a digit or `_`.
  @inlinable package var isWordCharacter: Bool { isLetter || isDigit || self == 0x5F }

  /// The value of a hexadecimal digit of either case, or nil for any other byte.
  @inlinable package var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
