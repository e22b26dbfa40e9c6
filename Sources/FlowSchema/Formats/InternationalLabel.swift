/// The letters that a label of a host name may have: RFC 5892 and RFC 5893.
enum InternationalLabel {
  /// True for letters that form a label.
  static func isValid(_ letters: [Unicode.Scalar]) -> Bool {
    guard let first = letters.first, first != "-", letters.last != "-",
      !HostName.hasDoubleHyphen(letters), !isMark(first)
    else { return false }
    return letters.indices.allSatisfy { isAllowed(letters, $0) }
      // The digits of the two sets of Arabic are not mixed (appendices A.8 and A.9).
      && !(letters.contains { 0x660...0x669 ~= $0.value }
        && letters.contains { 0x6F0...0x6F9 ~= $0.value })
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
  }

  private static func isAllowed(_ letters: [Unicode.Scalar], _ index: Int) -> Bool {
    let before = index > 0 ? letters[index - 1] : nil
    let after = index + 1 < letters.count ? letters[index + 1] : nil
    switch letters[index].value {
    // Appendices A.1 to A.7.
    case 0x200C: return before.map(isVirama) ?? false || joins(letters, index)
    case 0x200D: return before.map(isVirama) ?? false
    case 0xB7: return before == "l" && after == "l"
    case 0x375: return after.map { Script.greek.contains($0) } ?? false
    case 0x5F3, 0x5F4: return before.map { Script.hebrew.contains($0) } ?? false
    case 0x30FB: return letters.contains { Script.japanese.contains($0) }
    default: return isValid(letters[index])
    }
  }

  private static func isVirama(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass.rawValue == 9
  }

  /// True between letters that join each other, as those of Arabic do.
  private static func joins(_ letters: [Unicode.Scalar], _ index: Int) -> Bool {
    func joins(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
      scalars.first { $0.properties.generalCategory != .nonspacingMark }
        .map { Script.joining.contains($0) && $0.properties.generalCategory == .otherLetter }
        ?? false
    }
    return joins(letters[..<index].reversed()) && joins(letters[(index + 1)...])
  }

  // Section 2.6.
  private static let exceptions: Set<UInt32> = [0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007]
  private static let disallowed: Set<UInt32> = [
    0x640, 0x7FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B,
  ]

  /// The derived property PVALID, section 3.
  private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
    if exceptions.contains(scalar.value) { return true }
    if disallowed.contains(scalar.value) { return false }
    let properties = scalar.properties
    if scalar.isASCII {
      return scalar == "-" || 0x30...0x39 ~= scalar.value || 0x61...0x7A ~= scalar.value
    }
    if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint {
      return false
    }
    switch scalar.value {
    // Old Hangul, and marks for symbols and music.
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB, 0x20D0...0x20FF, 0x1D100...0x1D24F:
      return false
    default: break
    }
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }
}

/// Blocks of letters, as far as the rules of labels ask for their scripts.
enum Script {
  case greek
  case hebrew
  /// Hiragana, Katakana and Han.
  case japanese
  /// Arabic, Syriac, Mandaic, N'Ko and other scripts of joining letters.
  case joining

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    switch self {
    case .greek:
      return 0x370...0x3FF ~= value && ![0x374, 0x37E, 0x385, 0x387].contains(value)
        || 0x1F00...0x1FFE ~= value
    case .hebrew: return 0x591...0x5F4 ~= value || 0xFB1D...0xFB4F ~= value
    case .japanese:
      return 0x3041...0x309F ~= value && !(0x3099...0x309C ~= value)
        || 0x30A1...0x30FF ~= value && value != 0x30FB && value != 0x30FC
        || 0x31F0...0x31FF ~= value || 0xFF66...0xFF9D ~= value && value != 0xFF70
        || [0x3005, 0x3007].contains(value) || 0x3021...0x3029 ~= value
        || 0x3400...0x4DBF ~= value || 0x4E00...0x9FFF ~= value || 0xF900...0xFAD9 ~= value
        || 0x20000...0x323AF ~= value
    case .joining:
      return 0x620...0x77F ~= value || 0x7CA...0x7EA ~= value || 0x840...0x858 ~= value
        || 0x860...0x86A ~= value || 0x8A0...0x8C7 ~= value || 0x1820...0x18AA ~= value
    }
  }
}

/// The direction of a letter in a label, RFC 5893.
enum Direction {
  case left
  case right
  case europeanDigit
  case arabicDigit
  case mark
  case neutral

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39, 0x6F0...0x6F9: self = .europeanDigit
    case 0x660...0x669: self = .arabicDigit
    // The joiners have no direction.
    case 0x200C, 0x200D: self = .mark
    case _ where scalar.properties.generalCategory == .nonspacingMark: self = .mark
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      self = .right
    case 0x2D: self = .neutral
    default: self = .left
    }
  }

  var isRightToLeft: Bool { self == .right || self == .arabicDigit }

  /// True if a label of a name with letters from right to left follows the six rules of section 2.
  static func allows(_ letters: [Unicode.Scalar]) -> Bool {
    let directions = letters.map(Direction.init)
    guard let first = directions.first,
      let last = directions.last(where: { $0 != .mark })
    else { return false }
    switch first {
    case .right:
      return !directions.contains(.left) && last != .neutral
        && !(directions.contains(.europeanDigit) && directions.contains(.arabicDigit))
    case .left:
      return !directions.contains(where: \.isRightToLeft) && last != .neutral
    default: return false
    }
  }
}
