internal import FlowCore
internal import FlowSystem

/// A picture in a value, shown by a page without running any script in it.
struct Picture {
  let bytes: [UInt8]
  /// The media type.
  let type: String
  /// The extension of its file.
  ///
  /// Nil for a drawing, which as a separate document would run its scripts.
  let ending: String?

  /// Creates the picture of these bytes, or nil for other bytes.
  init?(_ bytes: [UInt8]) {
    guard let kind = Self.kind(of: bytes) else { return nil }
    (self.bytes, type, ending) = (bytes, kind.type, kind.ending)
  }

  /// Returns the type of a picture by its bytes, or nil for other bytes.
  static func kind(of bytes: [UInt8]) -> (type: String, ending: String?)? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]) { return ("image/png", "png") }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return ("image/jpeg", "jpg") }
    if bytes.starts(with: "GIF8".utf8) { return ("image/gif", "gif") }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return ("image/webp", "webp")
    }
    let isDrawing =
      bytes.starts(with: "<svg ".utf8)
      || bytes.starts(with: "<?xml".utf8) && bytes.prefix(400).ranges(of: "<svg ".utf8).count > 0
    return isDrawing ? ("image/svg+xml", nil) : nil
  }

  /// Returns the type of a picture by its text, which can only be a drawing.
  static func kind(of text: String) -> (type: String, ending: String?)? {
    text.utf8.first == UInt8(ascii: "<") ? kind(of: Array(text.utf8.prefix(400))) : nil
  }

  /// Collects the pictures in a value, in their order.
  static func collect(_ value: Value, into pictures: inout [Picture], most: Int) {
    if pictures.count >= most { return }
    switch value {
    case .bytes(let bytes): Picture(bytes.content).map { pictures.append($0) }
    case .string(let text) where text.utf8.first == UInt8(ascii: "<"):
      Picture(Array(text.utf8)).map { pictures.append($0) }
    case .list(let values): for value in values { collect(value, into: &pictures, most: most) }
    case .map(let map):
      for entry in map.entries { collect(entry.value, into: &pictures, most: most) }
    case .record(let record):
      for value in record.values { collect(value, into: &pictures, most: most) }
    case .optional(let value?): collect(value, into: &pictures, most: most)
    default: break
    }
  }
}
