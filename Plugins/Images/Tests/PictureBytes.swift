/// Headers of pictures, byte by byte, as the specifications have them.
enum PictureBytes {
  static func png(width: UInt32, height: UInt32, chunk: String = "IHDR") -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array(chunk.utf8)
      + bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0] + [1, 2, 3, 4]
  }

  /// 513 × 2 pixels.
  static func gif(_ signature: String) -> [UInt8] {
    Array(signature.utf8) + [1, 2, 2, 0, 0x80, 0, 0]
  }

  /// A start, an application segment, and then `segments`.
  static func jpeg(_ segments: [UInt8]) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2] + segments
  }

  /// A frame header of 3 × 258 pixels with one component.
  static func frame(_ marker: UInt8) -> [UInt8] {
    [0xFF, marker, 0, 11, 8, 1, 2, 0, 3, 1, 1, 0x11, 0]
  }

  /// A file whose first chunk says that it has `length` bytes.
  static func webp(_ form: String, _ length: UInt8, _ content: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [100, 0, 0, 0] + Array("WEBP".utf8) + Array(form.utf8)
      + [length, 0, 0, 0] + content
  }

  /// A lossy frame of 513 × 2 pixels, to be shown at twice the width.
  static let lossy: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A, 1, 0x42, 2, 0xC0]

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
