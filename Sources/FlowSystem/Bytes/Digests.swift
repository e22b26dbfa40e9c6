private import CNettle

/// The digests of bytes other than `SHA256`, for what other programs have signed or named by them.
public enum Digest {
  /// Returns the 20 bytes of SHA-1 (FIPS 180-4), by Nettle.
  public static func sha1(_ content: [UInt8]) -> [UInt8] {
    var context = sha1_ctx()
    unsafe nettle_sha1_init(&context)
    unsafe content.withUnsafeBufferPointer { buffer in
      unsafe nettle_sha1_update(&context, buffer.count, buffer.baseAddress)
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: 20) { buffer, count in
      unsafe flow_sha1_digest(&context, buffer.baseAddress)
      count = 20
    }
  }

  /// Returns the 16 bytes of MD5 (RFC 1321), by Nettle.
  package static func md5(_ content: [UInt8]) -> [UInt8] {
    var context = md5_ctx()
    unsafe nettle_md5_init(&context)
    unsafe content.withUnsafeBufferPointer { buffer in
      unsafe nettle_md5_update(&context, buffer.count, buffer.baseAddress)
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      unsafe flow_md5_digest(&context, buffer.baseAddress)
      count = 16
    }
  }

  /// Returns the 32 bytes of HMAC with SHA-256 (RFC 2104).
  package static func hmacSHA256(_ content: [UInt8], key: [UInt8]) -> [UInt8] {
    let blockSize = 64
    var block = key.count > blockSize ? SHA256(key).bytes : key
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    let inner = SHA256(block.map { $0 ^ 0x36 } + content)
    return SHA256(block.map { $0 ^ 0x5C } + inner.bytes).bytes
  }
}
