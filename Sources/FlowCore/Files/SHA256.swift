private import CNettle

/// The SHA-256 digest of bytes (FIPS 180-4), by Nettle.
public struct SHA256: Sendable, Hashable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// The digest of `content`.
  public init(_ content: [UInt8]) {
    var context = sha256_ctx()
    unsafe nettle_sha256_init(&context)
    unsafe content.withUnsafeBufferPointer { buffer in
      unsafe nettle_sha256_update(&context, buffer.count, buffer.baseAddress)
    }
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      unsafe flow_sha256_digest(&context, buffer.baseAddress)
      count = 32
    }
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
