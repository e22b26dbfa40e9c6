/// What the first bytes of a picture say of it.
struct PictureHeader: Sendable, Hashable {
  let format: PictureFormat
  /// Pixels, at least 1.
  let width: Int
  /// Pixels, at least 1.
  let height: Int

  /// Recognises a picture by its signature, whatever its file is called, and reads its size.
  ///
  /// - Throws: `.unknown` for other bytes; `.broken` when the header is cut off or impossible.
  init(reading bytes: [UInt8]) throws(PictureHeaderError) {
    let reader = ByteReader(bytes)
    guard let format = Self.format(reader) else { throw .unknown }
    guard let size = Self.size(format, reader), size.width > 0, size.height > 0 else {
      throw .broken(format)
    }
    self.format = format
    (width, height) = size
  }

  private static func format(_ reader: ByteReader) -> PictureFormat? {
    if reader.has(pngSignature, at: 0) { return .png }
    if reader.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
    if reader.has("GIF87a", at: 0) || reader.has("GIF89a", at: 0) { return .gif }
    if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) { return .webp }
    return nil
  }

  private static func size(
    _ format: PictureFormat, _ reader: ByteReader
  ) -> (width: Int, height: Int)? {
    switch format {
    case .png: pngSize(reader)
    case .jpeg: jpegSize(reader)
    case .gif: gifSize(reader)
    case .webp: webpSize(reader)
    }
  }
}

/// Why bytes are no picture.
enum PictureHeaderError: Error, Sendable, Hashable {
  /// They start like none of the formats.
  case unknown
  /// They start like this format, and its header is cut off or impossible.
  case broken(PictureFormat)
}
