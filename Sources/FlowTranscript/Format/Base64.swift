/// Base 64 (RFC 4648, section 4), with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let isPadding = place > group.count
        let index = Int(bits >> UInt32(18 - 6 * place) & 63)
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[index])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for another alphabet, wrong padding or bits left over.
  static func decode(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: letters.count, by: 4) {
      let group = letters[start..<start + 4]
      let padding = group.reversed().prefix { $0 == UInt8(ascii: "=") }.count
      guard padding <= 2, padding == 0 || start + 4 == letters.count,
        let bits = bits(of: group.dropLast(padding))
      else { return nil }
      let all = bits << UInt32(6 * padding)
      bytes += (0..<(3 - padding)).map { UInt8(truncatingIfNeeded: all >> UInt32(16 - 8 * $0)) }
      guard all & (1 << UInt32(8 * padding) - 1) == 0 else { return nil }
    }
    return bytes
  }

  private static func bits(of letters: ArraySlice<UInt8>) -> UInt32? {
    var bits: UInt32 = 0
    for letter in letters {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      bits = bits << 6 | UInt32(value)
    }
    return bits
  }
}
