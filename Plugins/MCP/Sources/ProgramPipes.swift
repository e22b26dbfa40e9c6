import FlowCore
private import FlowProcess
import Subprocess

/// The pipes of a server's program, with the bytes that are on their way.
struct ProgramPipes: Sendable {
  /// A source of events from a program.
  enum Source: Sendable, CaseIterable { case exit, input, output, errors }

  let pid: Int32
  private var exit: Int32?
  private var input: Int32?
  private var output: Int32?
  private var errors: Int32?
  /// Lines that the program has not read yet.
  private var waiting: [UInt8] = []
  private var lines = LineBuffer(limit: longestLine)
  /// The last lines of the standard error.
  private(set) var errorTail = LineTail()

  private static let longestLine = 64 << 20
  private static let chunk = 64 << 10
  // At least as many as fit into a pipe.
  private static let chunks = 16

  init(_ process: Subprocess) {
    pid = process.pid
    exit = process.exit
    input = process.input
    output = process.output
    errors = process.errors
  }

  /// The descriptors to watch, the input only while something waits for it.
  var descriptors: [(source: Source, descriptor: Int32)] {
    [(.exit, exit), (.input, waiting.isEmpty ? nil : input), (.output, output), (.errors, errors)]
      .compactMap { source, descriptor in descriptor.map { (source, $0) } }
  }

  /// True while the program can send messages.
  var isOutputOpen: Bool { output != nil }

  /// True if bytes wait for the program to read.
  var isWaiting: Bool { !waiting.isEmpty }

  /// True if more waits than a program that reads would leave.
  var isFull: Bool { waiting.count > 1 << 20 }

  /// Writes a line, as much as the program takes now.
  mutating func send(_ line: [UInt8]) {
    waiting += line
    if waiting.count == line.count { write() }
  }

  /// Writes waiting bytes, and gives up if the program has closed its input.
  mutating func write() {
    guard let input else {
      waiting = []
      return
    }
    flow_block_broken_pipes()
    while !waiting.isEmpty {
      let count = unsafe waiting.withUnsafeBufferPointer {
        unsafe flow_write(input, $0.baseAddress, $0.count)
      }
      if count == -1 { return }
      if count < 0 {
        waiting = []
        return close(.input)
      }
      waiting.removeFirst(count)
    }
  }

  /// Reads whole lines of the standard output, and closes it at its end.
  ///
  /// - Throws: `MCPError` for a line that is too long.
  mutating func readLines() throws(MCPError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for _ in 0..<Self.chunks {
      guard let bytes = read(output, closing: .output) else { break }
      found += try lines.append(bytes)
      if bytes.count < Self.chunk { break }
    }
    if output == nil, let last = lines.rest() { found.append(last) }
    return found
  }

  /// Reads the standard error, and closes it at its end.
  mutating func readErrors() {
    for _ in 0..<Self.chunks {
      guard let bytes = read(errors, closing: .errors) else { return }
      errorTail.append(bytes)
    }
  }

  private mutating func read(_ descriptor: Int32?, closing source: Source) -> [UInt8]? {
    guard let descriptor else { return nil }
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, initialized in
      count = unsafe flow_read(descriptor, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    if count > 0 { return bytes }
    if count != -1 { close(source) }
    return nil
  }

  /// Closes one descriptor.
  mutating func close(_ source: Source) {
    switch source {
    case .exit: Self.close(&exit)
    case .input:
      waiting = []
      Self.close(&input)
    case .output: Self.close(&output)
    case .errors: Self.close(&errors)
    }
  }

  private static func close(_ descriptor: inout Int32?) {
    if let descriptor { flow_close(descriptor) }
    descriptor = nil
  }
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
