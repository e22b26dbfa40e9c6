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

  /// Whether a digit also joins texts: it is none of the 62 that both alphabets share.
  static func isJoiner(_ byte: UInt8) -> Bool { worth[Int(byte)] == 62 || worth[Int(byte)] == 63 }

  /// The digits around a place of which one is known to be a digit, in one alphabet.
  static func run(
    around place: Range<Int>, in text: [UInt8], within bounds: Range<Int>
  ) -> Range<Int> {
    let wide = run(around: place, in: text, within: bounds) { isDigit($0) }
    let isStandard = text[wide].contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    let isURL = text[wide].contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    guard isStandard, isURL else { return wide }
    // Both cannot be: what is foreign to the digits of the place itself ends them.
    let usesURL = text[place].contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let foreign = Array((usesURL ? "+/" : "-_").utf8)
    return run(around: place, in: text, within: wide) { !foreign.contains($0) }
  }

  private static func run(
    around place: Range<Int>, in text: [UInt8], within bounds: Range<Int>,
    _ belongs: (UInt8) -> Bool
  ) -> Range<Int> {
    var (start, end) = (place.lowerBound, place.upperBound)
    while start > bounds.lowerBound, belongs(text[start - 1]) { start -= 1 }
    while end < bounds.upperBound, belongs(text[end]) { end += 1 }
    return start..<end
  }
}
