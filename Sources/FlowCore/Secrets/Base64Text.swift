/// Base 64 (RFC 4648, sections 4 and 5) as it stands somewhere in a text.
enum Base64Text {
  static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  static let url = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// What each byte is worth as a digit of either alphabet; 255 for one that is none.
  private static let worth: [UInt8] = {
    var worth = [UInt8](repeating: 255, count: 256)
    for (value, digit) in standard.enumerated() { worth[Int(digit)] = UInt8(value) }
    for (value, digit) in url.enumerated() { worth[Int(digit)] = UInt8(value) }
    return worth
  }()

  static func isDigit(_ byte: UInt8) -> Bool { worth[Int(byte)] != 255 }

  /// The first digit of a group that says nothing of the bytes before a place, 0 to 2, in its first group.
  static func firstDigit(ofPhase phase: Int) -> Int { (phase * 8 + 5) / 6 }

  /// The bytes as digits from 0 to 63; the last one is filled with zeros.
  static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        digits.append(UInt8(bits >> UInt32(count) & 63))
      }
      bits &= (1 << UInt32(count)) - 1
    }
    if count > 0 { digits.append(UInt8(bits << UInt32(6 - count) & 63)) }
    return digits
  }

  /// The bytes in the standard alphabet without padding.
  static func encoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    digits(of: bytes).map { standard[Int($0)] }
  }

  /// The whole bytes that digits of either alphabet say.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for digit in text {
      bits = bits << 6 | UInt32(worth[Int(digit)])
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(bits >> UInt32(count) & 255))
      bits &= (1 << UInt32(count)) - 1
    }
    return bytes
  }

  /// An alphabet of which a digit is, where the two differ; such digits also join texts.
  enum Alphabet {
    case standard
    case url
  }

  /// The alphabet that a byte tells; nil for a digit of both, and for none.
  static func alphabet(_ byte: UInt8) -> Alphabet? {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "/"): .standard
    case UInt8(ascii: "-"), UInt8(ascii: "_"): .url
    default: nil
    }
  }
}
