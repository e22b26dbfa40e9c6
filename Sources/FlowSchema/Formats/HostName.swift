internal import FlowSystem

/// Names of hosts: RFC 1123, section 2.1, and internationalized ones of RFC 5890.
enum HostName {
  /// True for a name of letters, digits and hyphens.
  ///
  /// - Throws: `LibraryError` for a label in Punycode, which is decoded and checked by libidn2.
  static func isHostName(_ text: String) throws(LibraryError) -> Bool {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return try isName(text.split(separator: ".", omittingEmptySubsequences: false))
  }

  /// True for a name that may have other letters.
  ///
  /// - Throws: `LibraryError` for a name that has some.
  static func isInternational(_ text: String) throws(LibraryError) -> Bool {
    // The other full stops of RFC 3490, section 3.1.
    let stops: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    let labels = text.unicodeScalars.split(omittingEmptySubsequences: false) { stops.contains($0) }
    return try isName(labels.map { Substring($0) })
  }

  private static func isName(_ labels: [Substring]) throws(LibraryError) -> Bool {
    var letters: [String.UnicodeScalarView] = []
    var length = labels.count - 1
    for label in labels {
      guard let label = try decoded(label) else { return false }
      letters.append(label.letters.unicodeScalars)
      length += label.length
    }
    // One letter from right to left binds all labels (RFC 5893, section 1.4).
    return length <= 253
      && (!letters.joined().contains(where: isRightToLeft) || letters.allSatisfy(hasDirection))
  }

  /// Returns the label's letters and its length in ASCII, or nil for a label that is no part of a name.
  private static func decoded(
    _ label: Substring
  ) throws(LibraryError) -> (letters: String, length: Int)? {
    guard label.utf8.allSatisfy({ $0 < 0x80 }) else {
      return try InternationalLabel(letters: String(label)).map { ($0.letters, $0.encodedLength) }
    }
    let (text, hyphen) = (label.lowercased(), UInt8(ascii: "-"))
    let bytes = Array(text.utf8)
    guard 1...63 ~= bytes.count, bytes.first != hyphen, bytes.last != hyphen,
      bytes.allSatisfy({ $0.isLetter || $0.isDigit || $0 == hyphen })
    else { return nil }
    if text.hasPrefix("xn--") {
      return try InternationalLabel(encoded: text).map { ($0.letters, $0.encodedLength) }
    }
    return bytes.dropFirst(2).starts(with: [hyphen, hyphen]) ? nil : (text, bytes.count)
  }

  // MARK: - Directions, as far as libidn2 does not check them

  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x6F0...0x6F9: false
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      scalar.properties.generalCategory != .nonspacingMark
    default: false
    }
  }

  /// True for a label that starts with a letter and does not mix digits of Arabic with others (RFC 5893,
  /// section 2).
  private static func hasDirection(_ letters: String.UnicodeScalarView) -> Bool {
    func isArabic(_ scalar: Unicode.Scalar) -> Bool { 0x660...0x669 ~= scalar.value }
    func isEuropean(_ scalar: Unicode.Scalar) -> Bool {
      0x30...0x39 ~= scalar.value || 0x6F0...0x6F9 ~= scalar.value
    }
    guard let first = letters.first, !isArabic(first), !isEuropean(first) else { return false }
    return !(letters.contains(where: isArabic) && letters.contains(where: isEuropean))
  }
}
