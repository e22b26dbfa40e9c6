/// An option of a command.
struct Option: Sendable {
  enum Value: Sendable {
    case none
    /// A value follows, or stands behind `=`.
    case required(String)
    /// A value may stand behind `=`, or follow when it ends in the suffix; without one it never follows.
    case optional(String, suffix: String?)
  }

  let name: String
  let value: Value
  let summary: String
  /// A letter that stands for the name, without its dash.
  let letter: String?

  init(_ name: String, _ value: Value, _ summary: String, letter: String? = nil) {
    self.name = name
    self.value = value
    self.summary = summary
    self.letter = letter
  }

  /// Whether an argument, without what is behind `=`, is this option.
  func isWritten(_ argument: Substring) -> Bool {
    argument == "--\(name)" || letter.map { argument == "-\($0)" } ?? false
  }

  /// How help shows it: `--input NAME=VALUE`, `--record[=PATH]`, `-o, --output PATH`.
  var usage: String {
    let start = letter.map { "-\($0), " } ?? ""
    return switch value {
    case .none: "\(start)--\(name)"
    case .required(let placeholder): "\(start)--\(name) \(placeholder)"
    case .optional(let placeholder, _): "\(start)--\(name)[=\(placeholder)]"
    }
  }

  static let secret = Option(
    "secret", .required("NAME[=@FILE]"),
    "Gives a secret: a file's content, or that of the variable NAME; several times.")

  /// Which scenario a transcript or a journal is of.
  static func scenario(named file: String) -> Option {
    Option(
      "scenario", .required("PATH"), "The scenario; unless given, the one that the \(file) names.")
  }

  static let quietSteps = Option("quiet", .none, "Prints no line for a step that passed.")

  static let virtualTime = Option(
    "virtual-time", .none, "Lets time pass only when nothing is left to do: waiting takes no time.")
}

/// What a command takes, for parsing and for help.
struct CommandSyntax: Sendable {
  enum Operands: Sendable {
    case none
    case one(String)
    case upToOne(String)
    case oneOrTwo(String, String)
    case many(String)
    case any(String)

    var usage: String {
      switch self {
      case .none: ""
      case .one(let name): " \(name)"
      case .upToOne(let name): " [\(name)]"
      case .oneOrTwo(let first, let second): " \(first) [\(second)]"
      case .many(let name): " \(name)..."
      case .any(let name): " [\(name)]..."
      }
    }
  }

  let name: String
  let summary: String
  let operands: Operands
  let options: [Option]
  /// What help says below the options; whole lines.
  let details: String

  static let help = Option("help", .none, "Prints this help.")

  var allOptions: [Option] { options + [Self.help] }
}

/// The text of `flow --help` and `flow help COMMAND`.
enum HelpText {
  static func overview(of commands: [CommandSyntax]) -> String {
    var text = """
      flow runs YAML scenarios against components, records them, and replays the recordings.

      usage: flow COMMAND [ARGUMENTS]


      """
    text += columns(commands.map { ($0.name, $0.summary) })
    text += columns([("--version", "Prints the version."), ("--help", "Prints this help.")])
    return text + """

      exit codes: 0 passed, 1 a scenario failed, 64 bad command line, 65 bad scenario or transcript,
      70 a fault of flow itself, 73 a file cannot be written, 130 interrupted
      'flow help COMMAND' explains a command.

      """
  }

  static func of(_ syntax: CommandSyntax) -> String {
    var text = "\(syntax.summary)\n\n"
    text += "usage: flow \(syntax.name)\(syntax.operands.usage)"
    text += syntax.options.isEmpty ? "\n" : " [OPTIONS]\n"
    text += "\n" + columns(syntax.allOptions.map { ($0.usage, $0.summary) })
    return syntax.details.isEmpty ? text : text + "\n" + syntax.details + "\n"
  }

  static func columns(_ rows: [(String, String)]) -> String {
    let width = max(18, rows.map(\.0.count).max() ?? 0)
    return rows.map { first, second in
      let padding = String(repeating: " ", count: width - first.count)
      return "  \(first)\(padding)  \(second)\n"
    }.joined()
  }
}
