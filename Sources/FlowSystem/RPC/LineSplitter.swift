/// A line of a client.
package enum ClientLine: Sendable {
  case text([UInt8])
  /// A line over the limit, of which nothing is kept.
  case tooLong

  /// The longest line, in bytes.
  package static let longest = 1 << 20
}

/// The lines in pieces of a stream.
package struct LineSplitter: StreamSplitter {
  private var line: [UInt8] = []
  private var isTooLong = false

  /// Creates a stream at its start.
  package init() {}

  /// Returns the lines that a piece ends, without empty ones.
  package mutating func parts(adding piece: [UInt8]) -> [ClientLine] {
    var lines: [ClientLine] = []
    for part in piece.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0, let ended = end() { lines.append(ended) }
      if line.count + part.element.count > ClientLine.longest {
        (line, isTooLong) = ([], true)
      } else if !isTooLong {
        line += part.element
      }
    }
    return lines
  }

  private mutating func end() -> ClientLine? {
    defer { (line, isTooLong) = ([], false) }
    if isTooLong { return .tooLong }
    let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return isBlank ? nil : .text(line)
  }
}
