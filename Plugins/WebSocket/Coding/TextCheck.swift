/// A check of text that arrives in parts, which fails at the first byte that no UTF-8 can have.
///
/// The standard library checks whole texts: a part may end within a character.
struct TextCheck {
  /// The number of bytes that the character of the latest part still needs.
  private var missing = 0
  /// The bytes that may come next, narrower behind some first bytes (RFC 3629, section 4).
  private var next: ClosedRange<UInt8> = continuation

  private static let continuation: ClosedRange<UInt8> = 0x80...0xBF

  /// True if no character is incomplete.
  var isComplete: Bool { missing == 0 }

  /// Checks the next bytes, and returns false if they are not UTF-8.
  mutating func accepts(_ bytes: [UInt8]) -> Bool {
    for byte in bytes {
      // The common case of all.
      if missing == 0, byte < 0x80 { continue }
      guard missing == 0 ? begins(byte) : continues(byte) else { return false }
    }
    return true
  }

  private mutating func continues(_ byte: UInt8) -> Bool {
    guard next.contains(byte) else { return false }
    missing -= 1
    next = Self.continuation
    return true
  }

  private mutating func begins(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xDF: (missing, next) = (1, Self.continuation)
    case 0xE0: (missing, next) = (2, 0xA0...0xBF)
    case 0xED: (missing, next) = (2, 0x80...0x9F)
    case 0xE1...0xEF: (missing, next) = (2, Self.continuation)
    case 0xF0: (missing, next) = (3, 0x90...0xBF)
    case 0xF1...0xF3: (missing, next) = (3, Self.continuation)
    case 0xF4: (missing, next) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
