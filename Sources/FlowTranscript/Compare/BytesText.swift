internal import FlowCore

/// What there is to say about bytes that nobody can read.
enum BytesText {
  /// What files of some kinds begin with, by their specifications.
  private static let kinds: [(start: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"),
    ([0x47, 0x49, 0x46, 0x38], "GIF"),
    ([0x52, 0x49, 0x46, 0x46], "RIFF"), ([0x25, 0x50, 0x44, 0x46], "PDF"),
    ([0x50, 0x4B, 0x03, 0x04], "ZIP"), ([0x1F, 0x8B], "gzip"),
  ]

  /// `recorded 729 bytes of PNG, now 731 bytes of PNG, first different at byte 16`, counted from 0.
  static func difference(_ recorded: [UInt8], _ now: [UInt8]) -> String {
    let offset = zip(recorded, now).prefix { $0 == $1 }.count
    return "recorded \(size(recorded)), now \(size(now)), first different at byte \(offset)"
  }

  private static func size(_ bytes: [UInt8]) -> String {
    "\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes") of \(kind(bytes))"
  }

  private static func kind(_ bytes: [UInt8]) -> String {
    if let kind = kinds.first(where: { bytes.starts(with: $0.start) }) { return kind.name }
    let isText = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
    return isText ? "text" : "data"
  }
}
