/// Walks over the lines of a text without copying them.
struct LineCursor {
  /// The longest line that a transcript may have, in bytes.
  static let longest = 16 << 20

  private let bytes: [UInt8]
  private var position = 0

  /// The number of the line that was given last, from 1.
  private(set) var number = 0
  /// Whether that line ended with a newline.
  private(set) var isTerminated = true

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let end = bytes[position...].firstIndex(of: 0x0A)
    let line = bytes[position..<(end ?? bytes.count)]
    isTerminated = end != nil
    position = (end ?? bytes.count) + 1
    number += 1
    return line
  }
}
