private import CNettle

/// The SHA-256 digest of bytes (FIPS 180-4), by Nettle.
public struct SHA256: Sendable, Hashable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// The digest of `content`.
  public init(_ content: [UInt8]) {
    var stream = Stream()
    stream.append(content[...])
    self = stream.digest
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the first 8 bytes of the digest as a number, without memory for the others.
  static func beginning(of content: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var context = sha256_ctx()
    unsafe nettle_sha256_init(&context)
    unsafe nettle_sha256_update(&context, content.count, content.baseAddress)
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
      unsafe flow_sha256_digest(&context, digest.baseAddress)
      return unsafe digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
  }

  /// The digest of bytes in several parts.
  public struct Stream: Sendable {
    private var context = sha256_ctx()

    /// No bytes yet.
    public init() {
      unsafe nettle_sha256_init(&context)
    }

    /// Takes the next bytes.
    public mutating func append(_ content: ArraySlice<UInt8>) {
      unsafe content.withUnsafeBufferPointer { buffer in
        unsafe nettle_sha256_update(&context, buffer.count, buffer.baseAddress)
      }
    }

    /// The digest of all bytes so far.
    public var digest: SHA256 {
      // Reading the digest ends a context, so a copy is ended.
      var context = context
      return SHA256(
        bytes: unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
          unsafe flow_sha256_digest(&context, buffer.baseAddress)
          count = 32
        })
    }
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hexadecimal: String { bytes.hexadecimalText() }

  /// Returns true if a string is a digest in the form of `hexadecimal`.
  package static func isHexadecimal(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { $0.isDigit || 0x61...0x66 ~= $0 }
  }
}

extension Sequence<UInt8> {
  /// Two hexadecimal digits for each byte.
  package func hexadecimalText(uppercase: Bool = false) -> String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: uppercase) }.joined()
  }
}

extension [UInt8] {
  /// Creates bytes from pairs of hexadecimal digits, or nil for any other string.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.map(\.hexadecimalValue)
    guard digits.count % 2 == 0 else { return nil }
    self = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      append(high << 4 | low)
    }
  }
}

/// Base 64 (RFC 4648, sections 4 and 5).
package enum Base64 {
  /// The digits of section 4, with `+` and `/`.
  package static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The digits of section 5, with `-` and `_`.
  package static let url = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The value for a byte that is not a digit.
  package static let notADigit: UInt8 = 255
  private static let padding = UInt8(ascii: "=")

  /// The worth of each byte as a digit of either alphabet, from 0 to 63.
  package static let worth: [UInt8] = {
    var worth = [UInt8](repeating: notADigit, count: 256)
    for (value, digit) in standard.enumerated() { worth[Int(digit)] = UInt8(value) }
    for (value, digit) in url.enumerated() { worth[Int(digit)] = UInt8(value) }
    return worth
  }()

  /// Returns the whole bytes encoded by digits of either alphabet.
  private static func bytes(ofDigits text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
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

  /// The text of some bytes in the standard alphabet, with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    let standard = standard
    let count = (bytes.count + 2) / 3 * 4
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      var end = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = bytes.count - start
        let second = rest > 1 ? Int(bytes[start + 1]) : 0
        let bits = Int(bytes[start]) << 16 | second << 8 | (rest > 2 ? Int(bytes[start + 2]) : 0)
        unsafe text[end] = standard[bits >> 18]
        unsafe text[end + 1] = standard[bits >> 12 & 63]
        unsafe text[end + 2] = rest > 1 ? standard[bits >> 6 & 63] : padding
        unsafe text[end + 3] = rest > 2 ? standard[bits & 63] : padding
        end += 4
      }
      return count
    }
  }

  /// The text of some bytes in the alphabet for URLs, without padding.
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    let text = encode(bytes).utf8.filter { $0 != padding }
    return String(
      decoding: text.map { byte in
        byte == standard[62] ? url[62] : byte == standard[63] ? url[63] : byte
      }, as: UTF8.self)
  }

  /// Decodes a string in the alphabet for URLs, with or without padding, or returns nil.
  package static func decodeForURL(_ text: String) -> [UInt8]? {
    let hasStandardDigit = text.utf8.contains { $0 == standard[62] || $0 == standard[63] }
    guard !hasStandardDigit else { return nil }
    return decodeLeniently(text.replacing("-", with: "+").replacing("_", with: "/"))
  }

  /// Decodes a string in the standard alphabet.
  ///
  /// Returns nil for other characters, wrong padding or bits left over.
  package static func decode(_ text: String) -> [UInt8]? {
    guard let bytes = decodeLeniently(text), encode(bytes).utf8.elementsEqual(text.utf8) else {
      return nil
    }
    return bytes
  }

  /// Decodes a string in the standard alphabet, with or without padding, or returns nil.
  package static func decodeLeniently(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)[...]
    if digits.count % 4 == 0 {
      for _ in 0..<2 where digits.last == padding { digits.removeLast() }
    }
    let isStandard = digits.allSatisfy {
      worth[Int($0)] != notADigit && $0 != url[62] && $0 != url[63]
    }
    return isStandard && digits.count % 4 != 1 ? bytes(ofDigits: digits) : nil
  }
}
