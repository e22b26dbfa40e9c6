// Where each format keeps the picture's size. Every function answers nil for bytes that end too soon
// or that the format does not allow.

extension PictureHeader {
  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// PNG (ISO/IEC 15948, 11.2.2): the first chunk is IHDR; 13 bytes, and a checksum behind them.
  static func pngSize(_ reader: ByteReader) -> (width: Int, height: Int)? {
    guard reader.bigEndian(4, at: 8) == 13, reader.has("IHDR", at: 12), reader.count >= 33,
      let width = reader.bigEndian(4, at: 16), let height = reader.bigEndian(4, at: 20),
      width <= Int32.max, height <= Int32.max
    else { return nil }
    return (width, height)
  }

  /// GIF (GIF89a, section 18): the logical screen descriptor, 7 bytes behind the signature.
  static func gifSize(_ reader: ByteReader) -> (width: Int, height: Int)? {
    guard reader.count >= 13, let width = reader.littleEndian(2, at: 6),
      let height = reader.littleEndian(2, at: 8)
    else { return nil }
    return (width, height)
  }

  /// JPEG (ITU-T T.81, annex B): the frame header is in one of the segments before the first scan.
  static func jpegSize(_ reader: ByteReader) -> (width: Int, height: Int)? {
    var offset = 2
    while let marker = jpegMarker(reader, &offset) {
      // TEM and the restart markers stand alone.
      if marker == 0x01 || 0xD0...0xD7 ~= marker { continue }
      guard let length = reader.bigEndian(2, at: offset), length >= 2 else { return nil }
      if isJPEGFrame(marker) { return jpegFrameSize(reader, at: offset, length: length) }
      // A scan, the end, or a second start before any frame: there is no size to come.
      if 0xD8...0xDA ~= marker { return nil }
      offset += length
    }
    return nil
  }

  /// Moves behind the next marker; any number of FF may stand before its code.
  private static func jpegMarker(_ reader: ByteReader, _ offset: inout Int) -> UInt8? {
    guard reader[offset] == 0xFF else { return nil }
    while reader[offset] == 0xFF { offset += 1 }
    defer { offset += 1 }
    return reader[offset]
  }

  /// SOF0 to SOF15; the other codes among them are DHT, JPG and DAC.
  private static func isJPEGFrame(_ marker: UInt8) -> Bool {
    0xC0...0xCF ~= marker && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  private static func jpegFrameSize(
    _ reader: ByteReader, at offset: Int, length: Int
  ) -> (width: Int, height: Int)? {
    // Precision, height, width, and three bytes for each component.
    guard let components = reader[offset + 7], length == 8 + 3 * Int(components),
      reader.count >= offset + length, let height = reader.bigEndian(2, at: offset + 3),
      let width = reader.bigEndian(2, at: offset + 5)
    else { return nil }
    return (width, height)
  }
}
