import FlowCore
import Subprocess

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The inputs of `run`.
struct CommandInput: Sendable, Hashable {
  var argv: [String]
  // Absent instead of false, as in the transcripts of programs without a shell, recorded before
  // this field existed.
  var shell: Bool?
  var stdin: String?
  var env: [String: String?]
  var directory: String
  var limit: Int
  var to: String?
  var errorsTo: String?
  var grace: Duration
  // Absent, as above.
  var terminal: Bool?
  var columns: Int?
  var rows: Int?
  var clock: String?
  var foreground: Bool?

  static let record = Record(
    CommandInput.init(
      argv:shell:stdin:env:directory:limit:to:errorsTo:grace:terminal:columns:rows:clock:
      foreground:),
    Field(
      "argv", \.argv, argvSummary, examples: [["echo", "hello"]], hint: argvHint),
    Field("shell", \.shell, shellSummary, hint: shellHint),
    Field("stdin", \.stdin, "The standard input. Empty if absent."),
    Field("env", \.env, "Environment variables to set. Null removes a variable.", default: [:]),
    Field("directory", \.directory, "The working directory.", default: "."),
    Field(
      "limit", \.limit, "The maximum number of bytes returned of each output.", default: 1 << 20),
    Field("to", \.to, "A file for the complete standard output."),
    Field("stderr_to", \.errorsTo, errorsToSummary),
    Field(
      "grace", \.grace, "The time from SIGTERM to SIGKILL when the program is stopped.",
      default: .seconds(2)),
    Field("terminal", \.terminal, terminalSummary),
    Field("columns", \.columns, columnsSummary), Field("rows", \.rows, rowsSummary),
    Field("clock", \.clock, clockSummary),
    Field(
      "foreground", \.foreground,
      "Gives the program the streams of flow itself, where flow lends them: under 'flow tape'. 'stdout' and 'stderr' are empty then."
    ))

  static let errorsToSummary =
    "A file for the complete standard error. If it is that of 'to', 'stdout' has both outputs."
  static let terminalSummary = "Gives the program a terminal as its three streams."
  static let columnsSummary = "The width of the terminal in characters, 80 if absent."
  static let rowsSummary = "The height of the terminal in characters, 24 if absent."
  static let clockSummary =
    "'recorded' gives the program the date of the recording in a replay, by libfaketime."
  static let argvSummary = "The program and its arguments. With 'shell', a single command line."
  static let argvHint = "write each word as one element, as in argv: [ls, -l]; \(shellHint)"
  static let shellSummary = "Runs 'argv', a single command line, with /bin/sh."
  static let shellHint =
    "write a command line as argv: [\"ls | wc -l\"] and shell: true"
}

extension CommandInput {
  /// The input with the variables for its clock.
  func onClock(in context: Context) throws(ProcessError) -> CommandInput {
    guard let clock else { return self }
    var copy = self
    copy.env.merge(try RecordedClock(clock, in: context, env).variables) { $1 }
    return copy
  }
}

/// The inputs of `start`: a name and the inputs of `run`.
struct StartInput: Sendable, Hashable {
  var name: String
  var command: CommandInput

  static let record = Record(
    StartInput.init(
      name:argv:shell:stdin:env:directory:limit:to:errorsTo:grace:terminal:columns:rows:clock:),
    Field("name", \.name, "A name for the program in other operations."),
    Field(
      "argv", \.command.argv, CommandInput.argvSummary, examples: [["echo", "hello"]],
      hint: CommandInput.argvHint),
    Field("shell", \.command.shell, CommandInput.shellSummary, hint: CommandInput.shellHint),
    Field("stdin", \.command.stdin, "The standard input. Empty if absent."),
    Field(
      "env", \.command.env, "Environment variables to set. Null removes a variable.", default: [:]),
    Field("directory", \.command.directory, "The working directory.", default: "."),
    Field(
      "limit", \.command.limit, "The maximum number of bytes returned of each output.",
      default: 1 << 20),
    Field("to", \.command.to, "A file for the complete standard output."),
    Field("stderr_to", \.command.errorsTo, CommandInput.errorsToSummary),
    Field(
      "grace", \.command.grace, "The time from SIGTERM to SIGKILL when the program is stopped.",
      default: .seconds(2)),
    Field("terminal", \.command.terminal, CommandInput.terminalSummary),
    Field("columns", \.command.columns, CommandInput.columnsSummary),
    Field("rows", \.command.rows, CommandInput.rowsSummary),
    Field("clock", \.command.clock, CommandInput.clockSummary))

  private init(
    name: String, argv: [String], shell: Bool?, stdin: String?, env: [String: String?],
    directory: String, limit: Int, to: String?, errorsTo: String?, grace: Duration, terminal: Bool?,
    columns: Int?, rows: Int?, clock: String?
  ) {
    self.name = name
    command = CommandInput(
      argv: argv, shell: shell, stdin: stdin, env: env, directory: directory, limit: limit, to: to,
      errorsTo: errorsTo, grace: grace, terminal: terminal, columns: columns, rows: rows,
      clock: clock, foreground: nil)
  }
}

/// A program with everything needed to start it, checked.
struct Command: Sendable {
  /// The program and its arguments, never empty and without zero bytes.
  let arguments: [String]
  /// The path of the program from the directory on, or its name alone if it is searched in the PATH
  /// of flow.
  let program: String
  /// The PATH set for the program, or nil for the PATH of flow.
  let path: String?
  /// True if a shell reads the arguments.
  let isShell: Bool
  /// All variables, as `NAME=VALUE`.
  let environment: [[UInt8]]
  /// A path relative to the folder of this process, or an absolute one.
  let directory: String
  /// The open folder of that path, or nil for the scenario's.
  ///
  /// It cannot be replaced before the program runs in it.
  let folder: OpenFolder?
  let input: [UInt8]?
  /// The number of bytes kept of each output.
  let limit: Int
  /// The file for all of the standard output.
  let file: OutputCopy?
  /// The file for all of the standard error, or nil if it has no separate one.
  let errorFile: OutputCopy?
  /// True if both outputs go to one file, through one pipe that keeps the order of the writes.
  let joinsOutputs: Bool
  /// The time between SIGTERM and SIGKILL.
  let grace: Duration
  /// The size of the program's terminal, or nil without one.
  let terminal: TerminalSize?
  /// The streams of flow that the program has, or nil if it has its own.
  private(set) var foreground: Foreground?
  /// Shows a line of the outputs to a person who watches the run, or nil if nobody does.
  private(set) var show: (@Sendable (String) -> Void)?

  /// Returns the command with its lines shown to the person who watches a run, if somebody does.
  func shown(in context: Context) -> Command {
    var copy = self
    if context.isWatched { copy.show = { context.show($0) } }
    return copy
  }

  /// Returns the command with the streams of flow, if the input asks for them and flow lends them.
  func inForeground(_ input: CommandInput, of context: Context) -> Command {
    guard input.foreground == true, let foreground = context.foreground else { return self }
    var copy = self
    copy.foreground = foreground
    return copy
  }

  private static let greatestLimit = 64 << 20
  private static let mostFolders = 1_000

  /// Creates the command in the scenario's folder, without the variables that contained secrets.
  ///
  /// - Throws: `.invalid`, `.noDirectory` or `.unwritable`.
  init(
    _ command: CommandInput, in folder: Directory, without variables: Set<String> = []
  ) throws(ProcessError) {
    arguments = try Self.arguments(of: command)
    guard 0...Self.greatestLimit ~= command.limit else {
      throw .invalid("'limit' must be from 0 to \(Self.greatestLimit), not \(command.limit)")
    }
    guard command.grace >= .zero else { throw .invalid("'grace' cannot be negative") }
    terminal = try Self.terminal(of: command)
    let changes = terminal == nil ? command.env : Self.onTerminal(command.env)
    environment = try Self.environment(changes, without: variables)
    (directory, self.folder) = try Self.directory(of: command, in: folder)
    isShell = command.shell ?? false
    path = command.env["PATH"] ?? nil
    program = Self.program(arguments[0], path, directory)
    input = command.stdin.map { Array($0.utf8) }
    limit = command.limit
    grace = command.grace
    file = try Self.copy(to: command.to, in: folder)
    let errors = try Self.copy(to: command.errorsTo, in: folder)
    joinsOutputs = file.map { errors?.isSame(as: $0) ?? false } ?? false
    errorFile = joinsOutputs ? nil : errors
  }

  /// Returns the size of the terminal, or nil without one.
  private static func terminal(
    of command: CommandInput
  ) throws(ProcessError) -> TerminalSize? {
    guard command.terminal ?? false else {
      if command.foreground == true,
        command.to != nil || command.errorsTo != nil || command.stdin != nil
      {
        throw .invalid("a program in the foreground has no 'stdin', 'to' and 'stderr_to'")
      }
      guard command.columns == nil, command.rows == nil else {
        throw .invalid("'columns' and 'rows' need 'terminal: true'")
      }
      return nil
    }
    guard command.foreground != true else {
      throw .invalid("a program has either 'terminal' or 'foreground'")
    }
    guard command.stdin == nil else {
      throw .invalid("a program with a terminal has no 'stdin'; use 'start' and 'type'")
    }
    guard command.errorsTo == nil else {
      throw .invalid(
        "a program with a terminal writes errors to its output; give 'to' alone")
    }
    let (columns, rows) = (command.columns ?? 80, command.rows ?? 24)
    guard 1...1_000 ~= columns, 1...1_000 ~= rows else {
      throw .invalid("'columns' and 'rows' must be from 1 to 1000")
    }
    return TerminalSize(columns: UInt16(columns), rows: UInt16(rows))
  }

  /// Returns changes of variables for the new terminal instead of the one that `flow` may have.
  private static func onTerminal(_ changes: [String: String?]) -> [String: String?] {
    let terminal: [String: String?] = ["TERM": "xterm-256color", "COLUMNS": nil, "LINES": nil]
    return changes.merging(terminal) { given, _ in given }
  }

  private static func environment(
    _ changes: [String: String?], without variables: Set<String>
  ) throws(ProcessError) -> [[UInt8]] {
    do throws(EnvironmentError) {
      return try Environment.inherited.without(variables).adding(changes)
    } catch {
      throw .invalid("\(error)")
    }
  }

  /// Returns the path of a program as `execvp(3)` would find it with this PATH.
  ///
  /// An empty string if it is in none of the folders, so that starting it fails as well.
  private static func program(_ name: String, _ path: String?, _ directory: String) -> String {
    let slash = UInt8(ascii: "/")
    guard let path, !name.utf8.contains(slash) else { return name }
    let folders = path.split(separator: ":", omittingEmptySubsequences: false)
    for folder in folders.prefix(mostFolders) {
      let file = (folder.isEmpty ? "." : folder) + "/" + name
      let place = file.utf8.first == slash ? file : directory + "/" + file
      if unsafe access(place, X_OK) == 0 { return file }
    }
    return ""
  }

  private static func copy(
    to path: String?, in folder: Directory
  ) throws(ProcessError) -> OutputCopy? {
    guard let path else { return nil }
    do { return try OutputCopy(path, in: folder) } catch { throw .unwritable(error) }
  }

  private static func directory(
    of command: CommandInput, in folder: Directory
  ) throws(ProcessError) -> (String, OpenFolder?) {
    // This path cannot lead out of the folder, and looking it up costs as much as a fiftieth of a
    // short program.
    if command.directory == "." { return (folder.path, nil) }
    do {
      return (
        try folder.subdirectory(command.directory).path, try folder.openFolder(command.directory)
      )
    } catch {
      throw .noDirectory(error)
    }
  }

  private static func arguments(of command: CommandInput) throws(ProcessError) -> [String] {
    let argv = command.argv
    guard argv.first?.isEmpty == false else { throw .invalid("'argv' has no program") }
    let isShell = command.shell ?? false
    guard !isShell || argv.count == 1 else {
      throw .invalid(
        "with 'shell: true', 'argv' is one command line, not \(argv.count) words; "
          + "give it values in 'env'")
    }
    let arguments = isShell ? ["/bin/sh", "-c"] + argv : argv
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw .invalid("an argument contains a zero byte")
    }
    return arguments
  }
}
