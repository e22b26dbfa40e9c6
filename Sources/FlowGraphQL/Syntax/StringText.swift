/// The texts that string tokens stand for (GraphQL, September 2025, section 2.9.4).
enum StringText {
  /// Returns the text of a string token without its quotes and escapes.
  ///
  /// The token was checked by the lexer.
  static func plain(_ token: ArraySlice<UInt8>) -> String {
    let bytes = Array(token.dropFirst().dropLast())
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        text.append(bytes[index])
        index += 1
        continue
      }
      let letter = bytes[index + 1]
      index += 2
      if letter == UInt8(ascii: "u") {
        text += String(scalar(in: bytes, &index) ?? "\u{FFFD}").utf8
      } else {
        text.append(escapes[letter] ?? letter)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  /// Reads what follows `\u`, a pair of surrogates included, or returns nil for no character.
  static func scalar(in bytes: [UInt8], _ index: inout Int) -> Unicode.Scalar? {
    if index < bytes.count, bytes[index] == UInt8(ascii: "{") {
      guard let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: "}")) else {
        return nil
      }
      let value = hexadecimal(bytes[(index + 1)..<end])
      index = end + 1
      return value.flatMap(Unicode.Scalar.init)
    }
    guard let high = fourDigits(bytes, &index) else { return nil }
    guard 0xD800..<0xDC00 ~= high else { return Unicode.Scalar(high) }
    guard bytes.count >= index + 2, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    index += 2
    guard let low = fourDigits(bytes, &index), 0xDC00..<0xE000 ~= low else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private static func fourDigits(_ bytes: [UInt8], _ index: inout Int) -> UInt32? {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, let value = hexadecimal(digits) else { return nil }
    index += 4
    return value
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Returns the text of a block string token without its quotes, its common indentation and the
  /// blank lines at its ends.
  static func block(_ token: ArraySlice<UInt8>) -> String {
    let raw = String(decoding: token.dropFirst(3).dropLast(3), as: UTF8.self)
      .replacing("\\\"\"\"", with: "\"\"\"").replacing("\r\n", with: "\n").replacing(
        "\r", with: "\n")
    var lines = raw.split(separator: "\n", omittingEmptySubsequences: false)
    let depths = lines.dropFirst().compactMap { line in
      line.utf8.firstIndex { !$0.isBlank }.map { line.utf8.distance(from: line.startIndex, to: $0) }
    }
    if let depth = depths.min(), depth > 0 {
      for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(depth) }
    }
    let isBlank = { (line: Substring) in line.utf8.allSatisfy(\.isBlank) }
    while let last = lines.last, isBlank(last) { lines.removeLast() }
    return lines.drop(while: isBlank).joined(separator: "\n")
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
