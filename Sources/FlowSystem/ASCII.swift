/// What a byte is as a character of ASCII.
extension UInt8 {
  /// Whether it is a digit.
  @inlinable package var isDigit: Bool { 0x30...0x39 ~= self }

  /// Whether it is a letter.
  @inlinable package var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }

  /// Whether it is a letter, a digit or `_`.
  @inlinable package var isWordCharacter: Bool { isLetter || isDigit || self == 0x5F }

  /// What it is worth as a hexadecimal digit, of either case; nil when it is none.
  @inlinable package var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
