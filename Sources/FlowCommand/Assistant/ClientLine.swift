private import Dispatch
internal import FlowSystem

/// A line of a client.
enum ClientLine: Sendable {
  case text([UInt8])
  /// A line over the limit, of which nothing is kept.
  case tooLong

  /// The longest line, in bytes.
  static let longest = 1 << 20

  /// Returns the lines of standard input, read on a separate thread, which may block.
  ///
  /// They end with a process, too, since another one may keep the pipe open.
  static func standardInput(endingWith process: Int32? = nil) -> AsyncStream<ClientLine> {
    let (lines, input) = AsyncStream.makeStream(of: ClientLine.self)
    if let process {
      DispatchQueue(label: "flow.client").async {
        if OtherProcess.waitForEnd(of: process) { input.finish() }
      }
    }
    DispatchQueue(label: "flow.client-lines").async {
      var splitter = LineSplitter()
      while let piece = FileSystem.nextInput() {
        for line in splitter.lines(adding: piece) { input.yield(line) }
      }
      input.finish()
    }
    return lines
  }
}

/// The lines in pieces of a stream.
struct LineSplitter {
  private var line: [UInt8] = []
  private var isTooLong = false

  /// Returns the lines that a piece ends, without empty ones.
  mutating func lines(adding piece: [UInt8]) -> [ClientLine] {
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
