internal import FlowCore
internal import FlowDatabase
internal import FlowRedaction

/// The commands to run after a problem.
struct VerdictAdvice {
  /// The command that repeats the run.
  let again: String
  /// The command that records the present behaviour, or an empty string.
  let acceptance: String
  /// The command that records for the first time or in place of a broken transcript, or an empty
  /// string.
  var recording = ""

  private static let mostCommands = 5
  private static let format = " --format json"

  /// The options of every command with a verdict.
  static let options = [
    Option(
      "details", .required("PATH"),
      "With '--format json': writes the complete result to a file, or to standard output if PATH is '-'."
    )
  ]

  /// The option of a command without other formats.
  static let formatOption = Option(
    "format", .required("FORMAT"), "Prints text (the default) or json.",
    completion: .words(["text", "json"]))

  /// Returns the command to run after a problem is mended, or to mend it.
  func next(after problem: Diagnostic) -> String {
    let file = problem.span?.file ?? ""
    let isFile = !file.isEmpty && file != StandardInput.name
    switch problem.code.name.prefix(3) {
    case "F10", "F11", "F12", "F13", "F15":
      return isFile ? Self.printingJSON("flow check \(file.shellPath)") : again
    case "F30" where !acceptance.isEmpty: return Self.printingJSON(acceptance)
    case "F31" where !recording.isEmpty: return Self.printingJSON(recording)
    default: return Self.printingJSON(again)
    }
  }

  /// Returns a command whose result is read by a program.
  static func printingJSON(_ command: String) -> String {
    let name = command.split(separator: " ").dropFirst().first
    let hasVerdict = Command.all.contains { $0.hasVerdict && $0.syntax.name == name ?? "" }
    return hasVerdict && !command.contains(" --format") ? command + format : command
  }

  /// Returns the first different commands.
  static func first(of commands: [String]) -> [String] {
    var first: [String] = []
    for command in commands where !command.isEmpty && !first.contains(command) {
      if first.count < mostCommands { first.append(command) }
    }
    return first
  }

  /// Returns the command with the arguments as given, or an empty string if it would show a secret.
  static func again(_ arguments: [String], _ redactor: Redactor) -> String {
    let command = (["flow"] + arguments.map(\.shellWord)).joined(separator: " ")
    let shown = AddressPasswords(in: arguments).removed(from: redactor.redacted(command))
    return shown == command && !command.contains("\n") ? command : ""
  }
}

extension Command {
  /// True for a command with a verdict, printed by `--format json`.
  var hasVerdict: Bool {
    ["check", "run", "test", "resume", "replay", "diff", "mutate", "explore"]
      .contains(syntax.name)
  }
}

extension ParsedArguments {
  /// True if a program reads the verdict.
  var wantsVerdict: Bool { values("format") == ["json"] }
}
