internal import FlowCore

/// The encoders extension: base64 as in RFC 4648, section 4.
enum Encoders {
  static let all: [Function] =
    Function.typed("base64.encode", isMember: false, encode)
    + Function.typed("base64.decode", isMember: false, decode)

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func encode(
    _ frame: inout Frame, _ bytes: Bytes
  ) throws(EvaluationError) -> String {
    try frame.charge(bytes.content.count / 16)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.content.count, by: 3) {
      let group = bytes.content[start..<min(start + 3, bytes.content.count)]
      var bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(24 - group.count * 8)
      for place in 0..<4 {
        let letter = alphabet[Int(bits >> UInt32(18 - place * 6)) & 63]
        text.append(place <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Padding may be left out.
  private static func decode(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> Bytes {
    try frame.charge(text.utf8.count / 16)
    var letters = Array(text.utf8)
    if letters.count % 4 == 0 {
      for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
    }
    guard letters.count % 4 != 1 else { throw .invalidBase64 }
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for letter in letters {
      guard let code = code(letter) else { throw .invalidBase64 }
      (bits, count) = (bits << 6 | UInt32(code), count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return Bytes(bytes)
  }

  private static func code(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
