import FlowCore
private import FlowProcess
import Subprocess

/// The pipes of a server's program, with the bytes that are on their way.
struct ProgramPipes: Sendable {
  private var streams: SubprocessStreams
  private var lines = LineBuffer(limit: longestLine)
  /// The last lines of the standard error.
  private(set) var errorTail = LineTail()

  private static let longestLine = 64 << 20

  init(_ process: Subprocess) { streams = SubprocessStreams(process, keepsInput: true) }

  /// The descriptors to watch, the input only while something waits for it.
  var descriptors: [SubprocessStreams.Watched] { streams.descriptors }

  /// True while the program can send messages.
  var isOutputOpen: Bool { streams.isOutputOpen }

  /// True if bytes wait for the program to read.
  var isWaiting: Bool { streams.waitingCount > 0 }

  /// True if more waits than a program that reads would leave.
  var isFull: Bool { streams.waitingCount > 1 << 20 }

  /// Writes a line, as much as the program takes now.
  mutating func send(_ line: [UInt8]) {
    flow_block_broken_pipes()
    streams.send(line)
  }

  /// Writes waiting bytes, and gives up if the program has closed its input.
  mutating func write() {
    flow_block_broken_pipes()
    streams.write()
  }

  /// Reads whole lines of the standard output, and closes it at its end.
  ///
  /// - Throws: `MCPError` for a line that is too long.
  mutating func readLines() throws(MCPError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for _ in 0..<SubprocessStreams.chunks {
      guard let bytes = streams.read(.output) else { break }
      found += try lines.append(bytes)
      if bytes.count < SubprocessStreams.chunk { break }
    }
    if !isOutputOpen, let last = lines.rest() { found.append(last) }
    return found
  }

  /// Reads the standard error, and closes it at its end.
  mutating func readErrors() {
    for _ in 0..<SubprocessStreams.chunks {
      guard let bytes = streams.read(.errors) else { return }
      errorTail.append(bytes)
    }
  }

  /// Closes one descriptor.
  mutating func close(_ source: SubprocessStreams.Source) { streams.close(source) }

  /// Closes all descriptors.
  mutating func closeAll() { streams.closeAll() }
}

/// Splits a stream into lines.
struct LineBuffer: Sendable {
  private var line: [UInt8] = []
  private let limit: Int

  private static let newline = UInt8(ascii: "\n")

  init(limit: Int) { self.limit = limit }

  /// Adds bytes, and returns the lines that they end, without empty ones.
  ///
  /// - Throws: `MCPError` for a line above the limit.
  mutating func append(_ bytes: [UInt8]) throws(MCPError) -> [[UInt8]] {
    var (found, rest) = ([[UInt8]](), bytes[...])
    while let end = rest.firstIndex(of: Self.newline) {
      line += rest[..<end]
      if !line.isEmpty { found.append(line) }
      line = []
      rest = rest[(end + 1)...]
    }
    line += rest
    if line.count > limit {
      throw .malformed("the server wrote a line of more than \(limit >> 20) MiB")
    }
    return found
  }

  /// Takes the line without an end.
  mutating func rest() -> [UInt8]? {
    defer { line = [] }
    return line.isEmpty ? nil : line
  }
}

/// The last lines of a stream.
struct LineTail: Sendable {
  private var bytes: [UInt8] = []

  private static let size = 8 << 10
  private static let count = 5

  /// Adds bytes, and forgets the oldest.
  mutating func append(_ more: [UInt8]) {
    bytes += more.suffix(Self.size)
    if bytes.count > 2 * Self.size { bytes = bytes.suffix(Self.size) }
  }

  /// The last lines, quoted.
  var lines: [String] {
    bytes.split(separator: UInt8(ascii: "\n")).suffix(Self.count).map { ServerText.quoted($0) }
  }

  /// `; its last lines: 'Traceback', 'KeyError'`, or an empty string without any.
  var phrase: String {
    let lines = lines
    return lines.isEmpty ? "" : "; its last lines: " + lines.joined(separator: ", ")
  }
}
