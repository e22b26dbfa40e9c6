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

  /// The digest of bytes that come one part after another.
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
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
