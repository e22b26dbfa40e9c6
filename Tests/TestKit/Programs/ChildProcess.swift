private import FlowProcess
private import Foundation
private import Synchronization

/// A program in a separate process, which is killed with this object.
///
/// It replaces Foundation's `Process`, which now and then reads beyond a list of open descriptors
/// and crashes all tests: https://github.com/swiftlang/swift-corelibs-foundation/pull/5472.
package final class ChildProcess: Sendable {
  /// The end of a process.
  package struct Ending: Sendable {
    /// The exit code, without a meaning after a signal.
    package var code: Int32
    /// The signal that ended it, or 0.
    package var signal: Int32
    package var output: String
    package var errors: String
  }

  private let process: flow_process
  private let ended = Mutex<Ending?>(nil)

  /// Starts a program with the variables of the tests and some more.
  ///
  /// `CI` is not passed on, so that a program does the same on every machine.
  ///
  /// With an input the program finds its end when this process ends, however that happens.
  package init(
    _ program: String, _ arguments: [String], in folder: String = ".",
    environment: [String: String] = [:], hasInput: Bool = false
  ) throws {
    let variables = ProcessInfo.processInfo.environment.filter { $0.key != "CI" }
      .merging(environment) { $1 }
      .map { "\($0.key)=\($0.value)" }
    var process = flow_process()
    let problem = unsafe Self.withPointers([program] + arguments) { arguments in
      unsafe Self.withPointers(variables) { variables in
        unsafe flow_process_start(
          program, arguments, variables, folder, -1, hasInput, false, &process)
      }
    }
    guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EIO) }
    self.process = process
  }

  deinit {
    send(SIGKILL)
    _ = ending()
    for descriptor in [process.output, process.errors] { flow_close(descriptor) }
    if process.input >= 0 { flow_close(process.input) }
  }

  package var isRunning: Bool {
    ended.withLock { $0 == nil && !Self.isReadable([process.exit], within: 0) }
  }

  /// Waits until it ends, or a descriptor has something to read.
  func wait(orFor descriptor: Int32) {
    if isRunning { _ = Self.isReadable([descriptor, process.exit], within: -1) }
  }

  /// Waits until it ends, or milliseconds have passed.
  func wait(atMost milliseconds: Int32) {
    if isRunning { _ = Self.isReadable([process.exit], within: milliseconds) }
  }

  package var processID: Int32 { process.pid }

  /// Lets everything else on the machine go first, so that it can be looked at before it is done.
  package func giveWay() {
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process.pid), 19)
  }

  /// Sends a signal, of which SIGKILL ends it without a chance to finish anything.
  package func send(_ signal: Int32) {
    ended.withLock { if $0 == nil { kill(process.pid, signal) } }
  }

  /// The first line of the output without its end.
  package func firstLine() -> String {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n"), let byte = next(1, of: process.output) { line += byte }
    return String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The output until the program closes it, whether it goes on or not.
  package func outputUntilClosed() -> String {
    var output: [UInt8] = []
    while let bytes = next(4096, of: process.output) { output += bytes }
    return String(decoding: output, as: UTF8.self)
  }

  /// Waits for the end, on one thread at a time.
  package func ending() -> Ending {
    if let ending = ended.withLock({ $0 }) { return ending }
    let (output, errors) = restOfPipes()
    var (code, signal): (Int32, Int32) = (0, 0)
    return ended.withLock { ended in
      // Closed before the process is reaped, since the tests of processes look for open
      // descriptors.
      flow_close(process.exit)
      _ = unsafe flow_process_reap(process.pid, &code, &signal)
      let ending = Ending(code: code, signal: signal, output: output, errors: errors)
      ended = ending
      return ending
    }
  }

  /// The output of the program until its end.
  private func restOfPipes() -> (output: String, errors: String) {
    var (output, errors) = ([UInt8](), [UInt8]())
    var ends: Set<Int32> = []
    let pipes = [process.output, process.errors]
    while true {
      let open = pipes.filter { !ends.contains($0) }
      _ = Self.isReadable(open.isEmpty ? [process.exit] : open + [process.exit], within: -1)
      // Asked before the pipes are read, so that the reading includes all output of an ended
      // program.
      let hasEnded = !isRunning
      for pipe in open {
        guard let bytes = available(in: pipe) else { ends.insert(pipe); continue }
        if pipe == process.output { output += bytes } else { errors += bytes }
      }
      if hasEnded { break }
    }
    return (String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self))
  }

  /// The bytes that are in a pipe now, or nil at its end.
  private func available(in pipe: Int32) -> [UInt8]? {
    var all: [UInt8] = []
    while true {
      var part = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe flow_read(pipe, &part, part.count)
      if count > 0 { all += part.prefix(count); continue }
      return all.isEmpty && count != -1 ? nil : all
    }
  }

  /// The next bytes of a pipe, after a wait for them, or nil at its end.
  private func next(_ count: Int, of pipe: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let count = unsafe flow_read(pipe, &bytes, bytes.count)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count != -1 { return nil }
      _ = Self.isReadable([pipe], within: -1)
    }
  }

  private static func isReadable(_ descriptors: [Int32], within milliseconds: Int32) -> Bool {
    var list = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return unsafe poll(&list, nfds_t(list.count), milliseconds) > 0
  }

  /// C strings with NULL behind them.
  private static func withPointers(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return EINVAL }
      return unsafe body(UnsafePointer(base))
    }
  }
}
