/// Walks over the lines of a text without copying them.
package struct LineCursor {
  /// The longest line to read, in bytes.
  package static let longest = 16 << 20

  private let bytes: [UInt8]
  private let length: Int
  private var position = 0

  /// The number of the latest line, from 1.
  package private(set) var number = 0
  /// True if the latest line ended with a newline.
  package private(set) var isTerminated = true

  /// Creates a cursor over the lines of the first `length` bytes, or of all.
  package init(_ bytes: [UInt8], length: Int? = nil) {
    self.bytes = bytes
    self.length = length ?? bytes.count
  }

  /// Returns the next line without its newline, or nil at the end.
  package mutating func next() -> ArraySlice<UInt8>? {
    guard position < length else { return nil }
    let newline = bytes[position..<length].firstPlace(of: 0x0A)
    let line = bytes[position..<(newline ?? length)]
    isTerminated = newline != nil
    position = line.endIndex + 1
    number += 1
    return line
  }
}
