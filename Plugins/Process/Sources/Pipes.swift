private import FlowCore
private import FlowProcess
private import Subprocess

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The descriptors of a process: its three streams or its terminal, and one that becomes readable at
/// its end.
struct Pipes: Sendable {
  // Nil if closed.
  private var exit: Int32?
  private var input: Int32?
  private var output: Int32?
  private var errors: Int32?
  /// The input still to write.
  private var rest: ArraySlice<UInt8>
  /// True if the input is a terminal, which takes more input until it is closed.
  private let isTerminal: Bool

  private static let chunk = 64 << 10

  /// Starts a process and returns its number.
  ///
  /// - Throws: `.notFound` or `.startFailed`.
  static func start(_ command: Command) throws(ProcessError) -> (Int32, Pipes) {
    do throws(StartError) {
      let process = try start(command, in: .init(path: command.directory, folder: command.folder))
      return (process.pid, Pipes(process, command))
    } catch {
      if error.isMissing { throw whatIsMissing(command) }
      throw .startFailed(command.arguments[0], reason: error.reason)
    }
  }

  private static func start(
    _ command: Command, in place: Subprocess.Place
  ) throws(StartError) -> Subprocess {
    guard let terminal = command.terminal else {
      return try Subprocess(
        command.program, arguments: command.arguments, environment: command.environment, in: place,
        hasInput: command.input != nil, joinsOutputs: command.joinsOutputs)
    }
    return try Subprocess(
      command.program, arguments: command.arguments, environment: command.environment, in: place,
      terminal: terminal)
  }

  private static func whatIsMissing(_ command: Command) -> ProcessError {
    let program = command.arguments[0]
    guard isThere(".", command.directory) else {
      return .noDirectory(FileError(.missing, path: "."))
    }
    // A name with a slash was not searched.
    let isPath = command.program.utf8.contains(UInt8(ascii: "/"))
    guard isPath, isThere(command.program, command.directory) else {
      return .notFound(program, ShellWords.advice(onMissing: command))
    }
    let path = fullPath(of: command.program, command.directory)
    return .startFailed(program, reason: MissingInterpreter(ofProgramAt: path).reason)
  }

  private static func isThere(_ program: String, _ directory: String) -> Bool {
    unsafe access(fullPath(of: program, directory), F_OK) == 0
  }

  private static func fullPath(of program: String, _ directory: String) -> String {
    program.utf8.first == UInt8(ascii: "/") ? program : directory + "/" + program
  }

  private init(_ process: Subprocess, _ command: Command) {
    exit = process.exit
    input = process.input
    output = process.output
    errors = process.errors
    rest = (command.input ?? [])[...]
    isTerminal = command.terminal != nil
  }

  /// The descriptors to watch.
  var descriptors: [(ChildState.Source, Int32)] {
    let input = isTerminal && rest.isEmpty ? nil : input
    return [(.exit, exit), (.input, input), (.output, output), (.errors, errors)].compactMap {
      source, descriptor in descriptor.map { (source, $0) }
    }
  }

  /// True if the process has ended.
  var hasEnded: Bool {
    guard let exit else { return true }
    var polled = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// True if any process can still write to one of the outputs.
  var areOpen: Bool { output != nil || errors != nil }

  /// Reads bytes of an output and closes it at its end, or returns nil if none are available now.
  mutating func read(_ source: ChildState.Source) -> [UInt8]? {
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

  /// True if input can be typed: into a terminal with a program that still has it open.
  var takesInput: Bool { isTerminal && input != nil }

  /// The writer of the echo of text that is typed now.
  ///
  /// Both ends of a terminal have the same settings (termios(3)).
  var echo: ExpectedEcho.Writer {
    var settings = termios()
    guard let input, unsafe tcgetattr(input, &settings) == 0 else { return .terminal }
    if settings.c_lflag & tcflag_t(ECHO) != 0 { return .terminal }
    return settings.c_lflag & tcflag_t(ICANON) != 0 ? .none : .program
  }

  /// Adds input for a terminal, and writes as much as it takes now.
  mutating func type(_ bytes: [UInt8]) {
    rest += bytes
    write()
  }

  /// Writes as much input as the process takes.
  ///
  /// Closes a pipe at the end, and any input when the process closes it.
  mutating func write() {
    guard let input else { return }
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBufferPointer {
        unsafe flow_write(input, $0.baseAddress, $0.count)
      }
      if count == -1 { return }
      if count < 0 { return closeInput() }
      rest = rest.dropFirst(count)
    }
    if !isTerminal { close(.input) }
  }

  private mutating func closeInput() {
    rest = []
    close(.input)
  }

  /// Closes one descriptor.
  mutating func close(_ source: ChildState.Source) {
    switch source {
    case .exit: Self.close(&exit)
    case .input: Self.close(&input)
    case .output: Self.close(&output)
    case .errors: Self.close(&errors)
    }
  }

  /// Closes all descriptors.
  mutating func closeAll() {
    for source in [ChildState.Source.exit, .input, .output, .errors] { close(source) }
  }

  private static func close(_ descriptor: inout Int32?) {
    if let descriptor { flow_close(descriptor) }
    descriptor = nil
  }
}
