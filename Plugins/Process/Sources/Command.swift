import FlowCore
private import FlowProcess

/// The inputs of `run`.
struct CommandInput: Sendable {
  var argv: [String]?
  var shell: String?
  var stdin: String?
  var env: [String: String?]
  var directory: String
  var limit: Int
  var to: String?
  var grace: Duration

  static let record = Record(
    CommandInput.init(argv:shell:stdin:env:directory:limit:to:grace:),
    Field("argv", \.argv, "The program and its arguments; no shell reads them."),
    Field("shell", \.shell, "A command for /bin/sh, in place of 'argv'."),
    Field("stdin", \.stdin, "What it reads from its standard input; nothing when absent."),
    Field("env", \.env, "Variables to set, or with null to remove.", default: [:]),
    Field("directory", \.directory, "The folder it runs in.", default: "."),
    Field("limit", \.limit, "How many bytes of each output are answered.", default: 1 << 20),
    Field("to", \.to, "A file that gets all of its standard output."),
    Field("grace", \.grace, "From SIGTERM to SIGKILL when it is stopped.", default: .seconds(2)))
}

/// The inputs of `start`: those of `run` without `to`.
struct StartInput: Sendable {
  var name: String
  var command: CommandInput

  static let record = Record(
    StartInput.init(name:argv:shell:stdin:env:directory:limit:grace:),
    Field("name", \.name, "What the other operations call it."),
    Field("argv", \.command.argv, "The program and its arguments; no shell reads them."),
    Field("shell", \.command.shell, "A command for /bin/sh, in place of 'argv'."),
    Field("stdin", \.command.stdin, "What it reads from its standard input; nothing when absent."),
    Field("env", \.command.env, "Variables to set, or with null to remove.", default: [:]),
    Field("directory", \.command.directory, "The folder it runs in.", default: "."),
    Field(
      "limit", \.command.limit, "How many bytes of each output are answered.", default: 1 << 20),
    Field(
      "grace", \.command.grace, "From SIGTERM to SIGKILL when it is stopped.",
      default: .seconds(2)))

  private init(
    name: String, argv: [String]?, shell: String?, stdin: String?, env: [String: String?],
    directory: String, limit: Int, grace: Duration
  ) {
    self.name = name
    command = CommandInput(
      argv: argv, shell: shell, stdin: stdin, env: env, directory: directory, limit: limit, to: nil,
      grace: grace)
  }
}

/// A program with everything that it is started with, checked.
struct Command: Sendable {
  /// The program and what follows it; never empty, and without zero bytes.
  let arguments: [String]
  /// All variables, as `NAME=VALUE`.
  let environment: [String]
  /// A full path.
  let directory: String
  let input: [UInt8]?
  /// How many bytes of each output are kept.
  let limit: Int
  /// Where all of its standard output goes.
  let file: OutputFile?
  /// From SIGTERM to SIGKILL.
  let grace: Duration

  private static let greatestLimit = 64 << 20

  /// The command in a folder of the scenario's.
  ///
  /// - Throws: `.invalid`, `.noDirectory` or `.unwritable`.
  init(_ command: CommandInput, in folder: Directory) throws(ProcessError) {
    arguments = try Self.arguments(of: command)
    guard 0...Self.greatestLimit ~= command.limit else {
      throw .invalid("the limit \(command.limit) is not in 0 to \(Self.greatestLimit)")
    }
    guard command.grace >= .zero else { throw .invalid("the grace is negative") }
    environment = try Environment.own.withoutSecrets.adding(command.env)
    do { directory = try folder.subdirectory(command.directory).path } catch {
      throw .noDirectory(error)
    }
    input = command.stdin.map { Array($0.utf8) }
    limit = command.limit
    grace = command.grace
    do { file = try command.to.map { try OutputFile($0, in: folder) } } catch {
      throw .unwritable(error as? FileError ?? FileError(.unreadable, path: command.to ?? ""))
    }
  }

  private static func arguments(of command: CommandInput) throws(ProcessError) -> [String] {
    let arguments: [String]
    switch (command.argv, command.shell) {
    case (let argv?, nil): arguments = argv
    case (nil, let shell?): arguments = ["/bin/sh", "-c", shell]
    default: throw .invalid("give exactly one of 'argv' and 'shell'")
    }
    guard arguments.first?.isEmpty == false else { throw .invalid("'argv' names no program") }
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw .invalid("an argument contains a zero byte")
    }
    return arguments
  }
}

/// The variables that a program gets.
struct Environment: Sendable {
  private let variables: [String: String]

  init(_ variables: [String: String]) {
    self.variables = variables
  }

  /// Those of this process.
  static var own: Environment {
    var variables: [String: String] = [:]
    var entry = unsafe flow_environment()
    while let text = unsafe entry?.pointee {
      let variable = unsafe String(cString: text)
      if let sign = variable.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(variable[..<sign])] = String(variable[sign...].dropFirst())
      }
      unsafe entry = unsafe entry?.successor()
    }
    return Environment(variables)
  }

  /// Without the secrets of runs, which a scenario hands on itself where it wants to.
  var withoutSecrets: Environment {
    Environment(variables.filter { !$0.key.hasPrefix("FLOW_SECRET_") })
  }

  /// All variables as `NAME=VALUE`, sorted by name, after setting these and removing those with nil.
  func adding(_ changes: [String: String?]) throws(ProcessError) -> [String] {
    var variables = variables
    for (name, value) in changes {
      guard !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") }) else {
        throw .invalid("'\(name)' cannot be the name of a variable")
      }
      guard value?.utf8.contains(0) != true else {
        throw .invalid("the variable '\(name)' contains a zero byte")
      }
      variables[name] = value
    }
    return variables.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value }
  }
}
