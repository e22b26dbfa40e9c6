private import FlowCore
internal import Subprocess

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension SubprocessStreams {
  /// Starts a process and returns its number.
  ///
  /// - Throws: `.notFound` or `.startFailed`.
  static func start(
    _ command: Command
  ) throws(ProcessError) -> (Int32, SubprocessStreams) {
    do throws(StartError) {
      let process = try start(command, in: .init(path: command.directory, folder: command.folder))
      let streams = SubprocessStreams(
        process, input: command.input ?? [], keepsInput: command.terminal != nil)
      return (process.pid, streams)
    } catch {
      if error.isMissing { throw whatIsMissing(command) }
      throw .startFailed(command.arguments[0], reason: error.reason)
    }
  }

  private static func start(
    _ command: Command, in place: Subprocess.Place
  ) throws(StartError) -> Subprocess {
    if command.foreground != nil {
      return try Subprocess(
        inForeground: command.program, arguments: command.arguments,
        environment: command.environment, in: place)
    }
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
      return .notFound(program, ShellHints.advice(onMissing: command))
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

  /// The writer of the echo of text that is typed now.
  ///
  /// Both ends of a terminal have the same settings (termios(3)).
  var echo: ExpectedEcho.Writer {
    var settings = termios()
    guard let input, unsafe tcgetattr(input, &settings) == 0 else { return .terminal }
    if settings.c_lflag & tcflag_t(ECHO) != 0 { return .terminal }
    return settings.c_lflag & tcflag_t(ICANON) != 0 ? .none : .program
  }
}
