import FlowCore

/// The recognised formats of pictures.
enum PictureFormat: String, CaseIterable, FieldValue {
  /// Portable Network Graphics, ISO/IEC 15948.
  case png
  /// JPEG, ITU-T T.81, in any of its processes.
  case jpeg
  /// Graphics Interchange Format, versions 87a and 89a.
  case gif
  /// WebP, RFC 9649: lossy, lossless or extended.
  case webp
}

/// The format and size in the first bytes of a picture.
struct PictureHeader: Sendable, Hashable {
  let format: PictureFormat
  /// Pixels, at least 1.
  let width: Int
  /// Pixels, at least 1.
  let height: Int

  /// Recognises a picture by its signature, not by its file name, and reads its size.
  ///
  /// - Throws: `.unknown` for other bytes, `.broken` for a cut or impossible header.
  init(reading bytes: [UInt8]) throws(PictureHeaderError) {
    guard let format = Self.format(bytes) else { throw .unknown }
    guard let size = Self.size(format, bytes), size.width > 0, size.height > 0 else {
      throw .broken(format)
    }
    self.format = format
    (width, height) = size
  }

  private static func format(_ bytes: [UInt8]) -> PictureFormat? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return .gif }
    if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return .webp }
    return nil
  }

  private static func size(_ format: PictureFormat, _ bytes: [UInt8]) -> Size? {
    switch format {
    case .png: pngSize(bytes)
    case .jpeg: jpegSize(bytes)
    case .gif: gifSize(bytes)
    case .webp: webpSize(bytes)
    }
  }
}

/// The reason why bytes are not a picture.
enum PictureHeaderError: Error, Sendable, Hashable {
  /// They start like none of the formats.
  case unknown
  /// They start like this format, and its header is cut off or impossible.
  case broken(PictureFormat)
}

// The place of the size in each format. Every function returns nil for bytes that end too soon or
// that the format does not allow.
extension PictureHeader {
  private typealias Size = (width: Int, height: Int)

  /// PNG (ISO/IEC 15948, 11.2.2): the first chunk is IHDR, with 13 bytes and a checksum after them.
  private static func pngSize(_ bytes: [UInt8]) -> Size? {
    guard bytes.bigEndian(4, at: 8) == 13, bytes.has("IHDR", at: 12), bytes.count >= 33,
      let width = bytes.bigEndian(4, at: 16), let height = bytes.bigEndian(4, at: 20),
      width <= Int32.max, height <= Int32.max
    else { return nil }
    return (width, height)
  }

  /// GIF (GIF89a, section 18): the logical screen descriptor, 7 bytes behind the signature.
  private static func gifSize(_ bytes: [UInt8]) -> Size? {
    guard bytes.count >= 13, let width = bytes.littleEndian(2, at: 6),
      let height = bytes.littleEndian(2, at: 8)
    else { return nil }
    return (width, height)
  }

  /// JPEG (ITU-T T.81, annex B): the frame header is in one of the segments before the first scan.
  private static func jpegSize(_ bytes: [UInt8]) -> Size? {
    var offset = 2
    while let marker = jpegMarker(bytes, &offset) {
      // TEM and the restart markers stand alone.
      if marker == 0x01 || 0xD0...0xD7 ~= marker { continue }
      guard let length = bytes.bigEndian(2, at: offset), length >= 2 else { return nil }
      if isJPEGFrame(marker) { return jpegFrameSize(bytes, at: offset, length: length) }
      // A scan, the end, or a second start before any frame: no size follows.
      if 0xD8...0xDA ~= marker { return nil }
      offset += length
    }
    return nil
  }

  /// Moves past the next marker.
  ///
  /// Any number of FF may precede its code.
  private static func jpegMarker(_ bytes: [UInt8], _ offset: inout Int) -> UInt8? {
    guard bytes.byte(at: offset) == 0xFF else { return nil }
    while bytes.byte(at: offset) == 0xFF { offset += 1 }
    defer { offset += 1 }
    return bytes.byte(at: offset)
  }

  /// SOF0 to SOF15, without the codes DHT, JPG and DAC among them.
  private static func isJPEGFrame(_ marker: UInt8) -> Bool {
    0xC0...0xCF ~= marker && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  private static func jpegFrameSize(
    _ bytes: [UInt8], at offset: Int, length: Int
  ) -> Size? {
    // Precision, height, width, and three bytes for each component.
    guard let components = bytes.byte(at: offset + 7), length == 8 + 3 * Int(components),
      bytes.count >= offset + length, let height = bytes.bigEndian(2, at: offset + 3),
      let width = bytes.bigEndian(2, at: offset + 5)
    else { return nil }
    return (width, height)
  }

  /// WebP (RFC 9649, section 2): the first chunk names one of three forms of the file.
  private static func webpSize(_ bytes: [UInt8]) -> Size? {
    guard let length = bytes.littleEndian(4, at: 16) else { return nil }
    if bytes.has("VP8 ", at: 12), length >= 10 { return lossySize(bytes) }
    if bytes.has("VP8L", at: 12), length >= 5 { return losslessSize(bytes) }
    if bytes.has("VP8X", at: 12), length >= 10 { return extendedSize(bytes) }
    return nil
  }

  /// A VP8 key frame (RFC 6386, section 9.1): a frame tag, a start code, two numbers of 14 bits.
  private static func lossySize(_ bytes: [UInt8]) -> Size? {
    guard let tag = bytes.byte(at: 20), tag & 1 == 0, bytes.littleEndian(3, at: 23) == 0x2A019D,
      let width = bytes.littleEndian(2, at: 26), let height = bytes.littleEndian(2, at: 28)
    else { return nil }
    // The two highest bits of each are a scale for display.
    return (width & 0x3FFF, height & 0x3FFF)
  }

  /// A lossless stream (RFC 9649, section 3.4): its signature, then both sizes less one, 14 bits each.
  private static func losslessSize(_ bytes: [UInt8]) -> Size? {
    guard bytes.byte(at: 20) == 0x2F, let bits = bytes.littleEndian(4, at: 21) else { return nil }
    // Three bits of version follow alpha. Only version 0 exists.
    guard bits >> 29 == 0 else { return nil }
    return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
  }

  /// An extended header (RFC 9649, section 2.7): flags, then both sizes less one, 24 bits each.
  private static func extendedSize(_ bytes: [UInt8]) -> Size? {
    guard let width = bytes.littleEndian(3, at: 24), let height = bytes.littleEndian(3, at: 27)
    else { return nil }
    // The specification bounds the product. It has 48 bits here and cannot overflow.
    let pixels = (width + 1) * (height + 1)
    return pixels <= UInt32.max ? (width + 1, height + 1) : nil
  }
}

// Untrusted bytes: nil beyond their end.
extension [UInt8] {
  fileprivate func byte(at offset: Int) -> UInt8? { slice(1, at: offset)?.first }

  /// True if the ASCII characters of a text are at an offset.
  fileprivate func has(_ expected: String, at offset: Int) -> Bool {
    slice(expected.utf8.count, at: offset)?.elementsEqual(expected.utf8) ?? false
  }

  /// An unsigned number of up to 7 bytes, the most significant one first.
  fileprivate func bigEndian(_ width: Int, at offset: Int) -> Int? {
    slice(width, at: offset)?.reduce(0) { $0 << 8 | Int($1) }
  }

  /// An unsigned number of up to 7 bytes, the least significant one first.
  fileprivate func littleEndian(_ width: Int, at offset: Int) -> Int? {
    slice(width, at: offset)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func slice(_ width: Int, at offset: Int) -> ArraySlice<UInt8>? {
    // Subtracted, not added: an offset near the greatest number must not overflow.
    guard offset >= 0, width <= count, offset <= count - width else { return nil }
    return self[offset..<offset + width]
  }
}
