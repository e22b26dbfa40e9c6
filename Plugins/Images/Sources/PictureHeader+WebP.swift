extension PictureHeader {
  /// WebP (RFC 9649, section 2): the first chunk tells which of three forms the file has.
  static func webpSize(_ reader: ByteReader) -> (width: Int, height: Int)? {
    guard let length = reader.littleEndian(4, at: 16) else { return nil }
    if reader.has("VP8 ", at: 12), length >= 10 { return lossySize(reader) }
    if reader.has("VP8L", at: 12), length >= 5 { return losslessSize(reader) }
    if reader.has("VP8X", at: 12), length >= 10 { return extendedSize(reader) }
    return nil
  }

  /// A VP8 key frame (RFC 6386, section 9.1): a frame tag, a start code, two numbers of 14 bits.
  private static func lossySize(_ reader: ByteReader) -> (width: Int, height: Int)? {
    guard let tag = reader[20], tag & 1 == 0, reader.has([0x9D, 0x01, 0x2A], at: 23),
      let width = reader.littleEndian(2, at: 26), let height = reader.littleEndian(2, at: 28)
    else { return nil }
    // The two highest bits of each are a scale for display.
    return (width & 0x3FFF, height & 0x3FFF)
  }

  /// A lossless stream (RFC 9649, section 3.4): its signature, then both sizes less one, 14 bits each.
  private static func losslessSize(_ reader: ByteReader) -> (width: Int, height: Int)? {
    guard reader[20] == 0x2F, let bits = reader.littleEndian(4, at: 21) else { return nil }
    // Three bits of version follow behind alpha; only version 0 exists.
    guard bits >> 29 == 0 else { return nil }
    return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
  }

  /// An extended header (RFC 9649, section 2.7): flags, then both sizes less one, 24 bits each.
  private static func extendedSize(_ reader: ByteReader) -> (width: Int, height: Int)? {
    guard let width = reader.littleEndian(3, at: 24), let height = reader.littleEndian(3, at: 27)
    else { return nil }
    // The specification bounds the product, which cannot overflow here: 48 bits.
    let pixels = (width + 1) * (height + 1)
    return pixels <= UInt32.max ? (width + 1, height + 1) : nil
  }
}
