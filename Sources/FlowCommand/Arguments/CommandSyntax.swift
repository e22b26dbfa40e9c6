/// An option of a command.
struct Option: Sendable {
  enum Value: Sendable {
    /// The option stands alone.
    case none
    /// A value follows, or stands behind `=`.
    case required(String)
    /// A value may stand behind `=`, or follow when it ends in the suffix.
    case optional(String, suffix: String)
  }

  let name: String
  let value: Value
  let summary: String

  /// How help shows it: `--input NAME=VALUE`, `--record[=PATH]`.
  var usage: String {
    switch value {
    case .none: "--\(name)"
    case .required(let placeholder): "--\(name) \(placeholder)"
    case .optional(let placeholder, _): "--\(name)[=\(placeholder)]"
    }
  }
}

/// What a command takes, for parsing and for help.
struct CommandSyntax: Sendable {
  /// How many operands a command takes.
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

  static let help = Option(name: "help", value: .none, summary: "Prints this help.")

  var allOptions: [Option] { options + [Self.help] }
}
