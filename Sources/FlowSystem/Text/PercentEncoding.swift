/// Percent-encoding (RFC 3986, section 2.1) on the bytes of UTF-8, by the characters that stay as they are.
///
///     PercentEncoding.component.encode("a b".utf8)  // "a%20b"
public struct PercentEncoding: Sendable {
  /// The unreserved characters of section 2.3, as for names and values of queries and forms.
  public static let component = PercentEncoding(keeping: "")
  /// The characters of a segment of a path (section 3.3), without `/`.
  public static let segment = PercentEncoding(keeping: "!$&'()*+,;=:@")
  /// Unreserved characters and slashes, as for the path of a file.
  public static let path = PercentEncoding(keeping: "/")

  private let kept: [Bool]
  private let keepsEscapes: Bool

  /// Creates an encoding that keeps unreserved characters, some others of ASCII, and on demand the
  /// escapes in a text.
  public init(keeping others: String, keepsEscapes: Bool = false) {
    let others = Set(others.utf8).union("-._~".utf8)
    kept = (0...UInt8.max).map { $0.isLetter || $0.isDigit || others.contains($0) }
    self.keepsEscapes = keepsEscapes
  }

  /// Returns the encoded bytes.
  public func encode(_ bytes: some Sequence<UInt8>) -> String {
    var (result, rest) = ([UInt8](), Array(bytes)[...])
    result.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      let isEscape = keepsEscapes && byte == Self.percent && Self.value(of: rest) != nil
      if kept[Int(byte)] || isEscape {
        result.append(byte)
      } else {
        result += [Self.percent, Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: - Decoding

  /// Returns the decoded text, or nil for a `%` without two hexadecimal digits and for bytes that are not
  /// UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    bytes(decoding: text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Decodes a name or value of a form or query, in which `+` is a space.
  public static func decodeForm(_ text: some StringProtocol) -> String? {
    let spaced = text.utf8.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return bytes(decoding: spaced).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Returns the decoded bytes.
  ///
  /// A `%` without two hexadecimal digits is kept if `isLenient`, and otherwise the result is nil.
  public static func bytes(
    decoding text: some Sequence<UInt8>, isLenient: Bool = false
  ) -> [UInt8]? {
    var (bytes, rest) = ([UInt8](), Array(text)[...])
    bytes.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      if byte == percent, let value = value(of: rest) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if byte != percent || isLenient {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    return bytes
  }

  private static let percent = UInt8(ascii: "%")
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns the value of the two hexadecimal digits at the start of some bytes.
  private static func value(of bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes.count >= 2, let high = bytes[bytes.startIndex].hexadecimalValue,
      let low = bytes[bytes.startIndex + 1].hexadecimalValue
    else { return nil }
    return high << 4 | low
  }
}

extension String {
  /// The text with its percent-encoded bytes decoded, or nil for a bad escape or bad UTF-8.
  package var percentDecoded: String? { PercentEncoding.decode(self) }
}
