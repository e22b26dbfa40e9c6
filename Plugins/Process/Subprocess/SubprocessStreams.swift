private import FlowProcess

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The descriptors of a program: its three streams or its terminal, and one that becomes readable at
/// its end, with the input that it has not read yet.
public struct SubprocessStreams: Sendable {
  /// A source of events from a program.
  public enum Source: Sendable, CaseIterable {
    case exit, input, output, errors
  }

  /// A source with its descriptor.
  public typealias Watched = (source: Source, descriptor: Int32)

  /// The most bytes that one `read` returns.
  public static let chunk = 64 << 10
  /// The number of chunks to read in a row, at least as many as fit into a pipe, which is emptied at
  /// once after the end.
  public static let chunks = 16

  // Nil if closed.
  private var exit: Int32?
  /// The writing end of the input, or nil if it is closed.
  public private(set) var input: Int32?
  private var output: Int32?
  private var errors: Int32?
  /// The input still to write.
  private var rest: ArraySlice<UInt8>
  /// True if the input stays open after its last byte, for more of it.
  private let keepsInput: Bool

  /// Takes over the descriptors of a started program, with its whole input or the start of it.
  public init(_ process: Subprocess, input start: [UInt8] = [], keepsInput: Bool) {
    exit = process.exit
    input = process.input
    output = process.output
    errors = process.errors
    rest = start[...]
    self.keepsInput = keepsInput
  }

  /// The descriptors to watch.
  public var descriptors: [Watched] {
    let input = keepsInput && rest.isEmpty ? nil : input
    return [(.exit, exit), (.input, input), (.output, output), (.errors, errors)].compactMap {
      source, descriptor in descriptor.map { (source, $0) }
    }
  }

  /// True if the program has ended.
  public var hasEnded: Bool {
    guard let exit else { return true }
    var polled = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// True if any process can still write to the standard output or the terminal.
  public var isOutputOpen: Bool { output != nil }

  /// True if any process can still write to one of the outputs.
  public var areOutputsOpen: Bool { output != nil || errors != nil }

  /// The number of bytes that the program has not read yet.
  public var waitingCount: Int { rest.count }

  // MARK: - Reading and writing

  /// Reads bytes of an output and closes it at its end, or returns nil if none are available now.
  public mutating func read(_ source: Source) -> [UInt8]? {
    guard let descriptor = source == .output ? output : errors else { return nil }
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, initialized in
      count = unsafe flow_read(descriptor, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    if count > 0 { return bytes }
    if count != -1 { close(source) }
    return nil
  }

  /// Adds input, and writes as much as the program takes now.
  ///
  /// - Precondition: That of `write`.
  public mutating func send(_ bytes: [UInt8]) {
    rest += bytes
    write()
  }

  /// Writes as much input as the program takes.
  ///
  /// Closes the input when the program does, and at its end unless it is kept open.
  ///
  /// - Precondition: The thread blocks SIGPIPE (`flow_block_broken_pipes`), or there is no input or
  ///   it is a terminal.
  public mutating func write() {
    guard let input else {
      rest = []
      return
    }
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBufferPointer {
        unsafe flow_write(input, $0.baseAddress, $0.count)
      }
      if count == -1 { return }
      if count < 0 { return close(.input) }
      rest = rest.dropFirst(count)
    }
    if !keepsInput { close(.input) }
  }

  /// Closes one descriptor.
  public mutating func close(_ source: Source) {
    switch source {
    case .exit: Self.close(&exit)
    case .input:
      rest = []
      Self.close(&input)
    case .output: Self.close(&output)
    case .errors: Self.close(&errors)
    }
  }

  /// Closes all descriptors.
  public mutating func closeAll() {
    for source in Source.allCases { close(source) }
  }

  private static func close(_ descriptor: inout Int32?) {
    if let descriptor { flow_close(descriptor) }
    descriptor = nil
  }

  // MARK: - Waiting

  /// Waits until a source is ready, the waker is used, or a time has come, and returns the indices of
  /// the ready sources.
  ///
  /// Without a waker it waits for ten milliseconds at most.
  public static func ready(
    among watched: [Watched], _ waker: Waker?, until deadline: ContinuousClock.Instant?
  ) -> [Int] {
    var polled = watched.map { source, descriptor in
      pollfd(fd: descriptor, events: Int16(source == .input ? POLLOUT : POLLIN), revents: 0)
    }
    polled.append(pollfd(fd: waker?.reading ?? -1, events: Int16(POLLIN), revents: 0))
    _ = unsafe poll(
      &polled, nfds_t(polled.count), timeout(until: deadline, isWakened: waker != nil))
    if polled[watched.count].revents != 0 { waker?.clear() }
    return watched.indices.filter { polled[$0].revents != 0 }
  }

  /// Returns the milliseconds until a deadline, or -1 to wait forever.
  private static func timeout(
    until deadline: ContinuousClock.Instant?, isWakened: Bool
  ) -> Int32 {
    let limit: Int32 = isWakened ? -1 : 10
    guard let deadline else { return limit }
    let left = max(.zero, deadline - .now)
    // Rounded up, to avoid waking just before the deadline.
    let milliseconds = Int32(min(60_000, left / .milliseconds(1))) + 1
    return isWakened ? milliseconds : min(milliseconds, limit)
  }
}

/// A pipe to end a thread's wait.
public final class Waker: Sendable {
  /// A descriptor made readable by `wake`.
  fileprivate let reading: Int32
  private let writing: Int32

  /// Creates a waker, or nil if the system has no more descriptors.
  public init?() {
    var writing: Int32 = -1
    let reading = unsafe flow_waker_open(&writing)
    if reading < 0 { return nil }
    (self.reading, self.writing) = (reading, writing)
  }

  deinit {
    flow_close(reading)
    flow_close(writing)
  }

  /// Ends the wait, or the next one.
  ///
  /// Called from any thread.
  public func wake() { flow_wake(writing) }

  /// Resets the descriptor after any number of wakes.
  fileprivate func clear() { flow_waker_clear(reading) }
}
