/// An option of a command.
struct Option: Sendable {
  enum Value: Sendable {
    case none
    /// A value behind `=`, or in the next argument.
    case required(String)
    /// A value behind `=`, or in the next argument if that ends in the suffix.
    ///
    /// Without a suffix the next argument is never the value.
    case optional(String, suffix: String?)

    /// The name of the value in help, or nil for an option without a value.
    var placeholder: String? {
      switch self {
      case .none: nil
      case .required(let text), .optional(let text, _): text
      }
    }

    /// True if the next argument is the value when there is no `=`.
    var follows: Bool {
      if case .required = self { true } else { false }
    }
  }

  let name: String
  let value: Value
  let summary: String
  /// The short form of the name, a letter without its dash.
  let letter: String?
  /// The values that a shell offers.
  ///
  /// Of an option without a value, they are those of the operands, if it gives them another meaning.
  let completion: Completion

  /// Creates an option.
  ///
  /// The completion follows from the placeholder unless given.
  init(
    _ name: String, _ value: Value, _ summary: String, letter: String? = nil,
    completion: Completion? = nil
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.letter = letter
    self.completion = completion ?? value.placeholder.map(Completion.init(for:)) ?? .nothing
  }

  /// Returns true if an argument, without `=` and its value, is this option.
  func isWritten(_ argument: Substring) -> Bool {
    argument == "--\(name)" || letter.map { argument == "-\($0)" } ?? false
  }

  /// The option as printed in help: `--input NAME=VALUE`, `--record[=PATH]`, `-o, --output PATH`.
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
    "Sets a secret from FILE, or from the environment variable NAME. Can be repeated.")

  static let quiet = Option(
    "quiet", .none, "Prints no confirmations, only results and problems.", letter: "q")

  /// Returns the option for the scenario of a transcript or a journal.
  static func scenario(named file: String) -> Option {
    Option(
      "scenario", .required("PATH"), "The scenario. Default: the one named in the \(file).")
  }

  static let virtualTime = Option(
    "virtual-time", .none, "Advances time only when all tasks wait, so waiting takes no time.")
}

/// The words that a shell offers for the value of an option, or for an operand.
enum Completion: Sendable, Hashable {
  case nothing
  case files
  case folders
  case commands
  case plugins
  case codes
  /// The inputs of the scenarios on the command line, each with a `=`.
  case inputs
  /// The tags of the scenarios on the command line, or else of the project.
  case tags
  /// A list of the components of the scenarios on the command line.
  case components
  /// Exactly one of these words.
  case words([String])
  /// A list of these words, separated by commas.
  case list([String])

  /// Creates the completion for a placeholder: files for `[PATH]`, two words for `show|seal`.
  init(for placeholder: String) {
    let text = placeholder.drop { $0 == "[" }
    self =
      switch text.prefix(while: \.isUppercase) {
      case "": .words(text.prefix { $0 != "]" }.split(separator: "|").map(String.init))
      case "COMMAND": .commands
      case "PLUGIN": .plugins
      case "CODE": .codes
      case "FOLDER": .folders
      case "FILE", "JOURNAL", "OTHER", "PATH", "SCENARIO", "TRANSCRIPT": .files
      default: .nothing
      }
  }
}

/// The operands and options of a command, for parsing and for help.
struct CommandSyntax: Sendable {
  enum Operands: Sendable {
    case none
    case one(String)
    case upToOne(String)
    /// A word that can be left out, and an operand that follows some of its values.
    case upToTwo(String, String)
    /// Each of these in their order, and one optional operand.
    case sequence([String], optional: String)
    case many(String)
    case any(String)

    var usage: String {
      switch self {
      case .none: ""
      case .one(let name): " \(name)"
      case .upToOne(let name): " [\(name)]"
      case .upToTwo(let first, let second): " [\(first) [\(second)]]"
      case .sequence(let names, let last): " \(names.joined(separator: " ")) [\(last)]"
      case .many(let name): " \(name)..."
      case .any(let name): " [\(name)]..."
      }
    }

    /// Returns the completion of the operand at an index from 0.
    func completion(at index: Int) -> Completion {
      let names: [String]
      switch self {
      case .none: names = []
      case .one(let name), .upToOne(let name): names = [name]
      case .upToTwo(let first, let second): names = [first, second]
      case .sequence(let first, let last): names = first + [last]
      case .many(let name), .any(let name):
        let parts = name.split(separator: " ").map(String.init)
        return Completion(for: index < parts.count ? parts[index] : parts.last ?? "")
      }
      return index < names.count ? Completion(for: names[index]) : .nothing
    }
  }

  let name: String
  let summary: String
  let operands: Operands
  let options: [Option]
  /// The paragraphs of help below the options.
  let details: String

  static let help = Option("help", .none, "Prints this help.")

  var allOptions: [Option] { options + [Self.help] }

  /// The paragraphs of the details.
  ///
  /// Indented text and columns keep their lines.
  var paragraphs: [(text: String, keepsLines: Bool)] {
    details.split(separator: "\n\n").map { text in
      (String(text), text.hasPrefix("  ") || text.contains("   "))
    }
  }
}

/// The output of `flow --help` and `flow help COMMAND`.
enum HelpText {
  static func overview(of commands: [CommandSyntax]) -> String {
    var text = """
      flow runs YAML scenarios against components, records them, and replays the recordings.

      usage: flow COMMAND [ARGUMENTS]


      """
    text += columns(commands.map { ($0.name, $0.summary) })
    text += columns([("--version", "Prints the version."), ("--help", "Prints this help.")])
    let codes = ExitCode.meanings.map { "\($0.code.rawValue) \($0.meaning)" }
    return text + "\n" + wrapped("exit codes: " + codes.joined(separator: ", ")) + """

      'flow help COMMAND' explains a command.

      """
  }

  /// The greatest width of help, in characters.
  static let width = 100

  /// Returns a text wrapped at `width`, without a final newline.
  ///
  /// All lines except the first are indented.
  static func wrapped(_ text: String, indent: Int = 0, from column: Int = 0) -> String {
    var (result, column) = ("", column)
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !result.isEmpty {
        let fits = column + 1 + word.count <= width
        result += fits ? " " : "\n" + String(repeating: " ", count: indent)
        column = fits ? column + 1 : indent
      }
      result += word
      column += word.count
    }
    return result
  }

  static func of(_ syntax: CommandSyntax) -> String {
    var text = "\(syntax.summary)\n\n"
    text += "usage: flow \(syntax.name)\(syntax.operands.usage)"
    text += syntax.options.isEmpty ? "\n" : " [OPTIONS]\n"
    text += "\n" + columns(syntax.allOptions.map { ($0.usage, $0.summary) }, isWrapped: true)
    return text
      + syntax.paragraphs.map { "\n" + ($0.keepsLines ? $0.text : wrapped($0.text)) + "\n" }
      .joined()
  }

  static func columns(_ rows: [(String, String)], isWrapped: Bool = false) -> String {
    let width = max(18, rows.map(\.0.count).max() ?? 0)
    let indent = width + 4
    return rows.map { first, second in
      let padding = String(repeating: " ", count: width - first.count)
      let text = isWrapped ? wrapped(second, indent: indent, from: indent) : second
      return "  \(first)\(padding)  \(text)\n"
    }.joined()
  }
}
