private import CZlib
internal import FlowSystem

/// Compression of text in a page, for a browser to inflate on demand.
enum Deflate {
  /// Returns the text in zlib's format, in base 64.
  ///
  /// Nil if the system has no zlib.
  static func text(_ bytes: [UInt8]) -> String? {
    // What `compressBound` of zlib's manual allows for, generously.
    let capacity = bytes.count + bytes.count / 1_000 + 64
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      unsafe bytes.withUnsafeBufferPointer { source in
        count = unsafe flow_zlib_compress(
          buffer.baseAddress, capacity, source.baseAddress, source.count)
      }
    }
    return compressed.isEmpty ? nil : Base64.encode(compressed)
  }

  /// Returns the inflated bytes.
  ///
  /// Nil for another format, for more than `limit` bytes, and if the system has no zlib.
  static func inflated(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
    var count = 0
    let inflated = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      unsafe bytes.withUnsafeBufferPointer { source in
        count = unsafe flow_zlib_expand(buffer.baseAddress, limit, source.baseAddress, source.count)
      }
      initialized = max(0, count)
    }
    return count < 0 ? nil : inflated
  }
}
