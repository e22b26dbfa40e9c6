/// Numbers in untrusted bytes; nil where there are no bytes.
struct ByteReader: Sendable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// How many bytes there are.
  var count: Int { bytes.count }

  /// The byte at an offset from 0.
  subscript(offset: Int) -> UInt8? {
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  /// Whether exactly these bytes stand at an offset.
  func has(_ expected: [UInt8], at offset: Int) -> Bool {
    slice(expected.count, at: offset).map { $0.elementsEqual(expected) } ?? false
  }

  /// Whether the ASCII characters of a text stand at an offset.
  func has(_ expected: StaticString, at offset: Int) -> Bool {
    has(Array("\(expected)".utf8), at: offset)
  }

  /// An unsigned number of up to 7 bytes, the most significant one first.
  func bigEndian(_ width: Int, at offset: Int) -> Int? {
    slice(width, at: offset)?.reduce(0) { $0 << 8 | Int($1) }
  }

  /// An unsigned number of up to 7 bytes, the least significant one first.
  func littleEndian(_ width: Int, at offset: Int) -> Int? {
    slice(width, at: offset)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func slice(_ width: Int, at offset: Int) -> ArraySlice<UInt8>? {
    // Subtracted, not added: an offset near the greatest number must not overflow.
    guard offset >= 0, width <= bytes.count, offset <= bytes.count - width else { return nil }
    return bytes[offset..<offset + width]
  }
}
