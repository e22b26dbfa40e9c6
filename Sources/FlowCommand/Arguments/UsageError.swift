internal import FlowCore
internal import FlowSystem

/// An invalid command line.
enum UsageError: Error, Sendable, Equatable {
  /// A command, or its subcommand as in `new plugin`.
  case unknownCommand(String, of: String? = nil, known: [String])
  case unknownOption(String, known: [String])
  case missingValue(option: String, placeholder: String)
  case unwantedValue(option: String)
  case missingOperand(String)
  /// Fewer recordings than the two needed for a comparison.
  case tooFewRecordings
  case missingOption(String, purpose: String)
  /// The suggestion `near` is the probably intended option, spelled correctly.
  case unwantedOperand(String, near: [String] = [])
  case malformed(option: String, value: String, expected: String)
  /// A word of a command that a scenario would read as an expression.
  case expressionInCommand(String)
  /// The value of a setting from an option or from the environment.
  case malformedSetting(String, value: String, expected: String, near: [String])
  case repeated(option: String)
  case samePath(option: String, path: String)
  case samePlace(option: String, other: String, path: String)
  case conflict(option: String, with: String)
  case needs(option: String, other: String)
  /// An option for a person in front of a terminal.
  case needsTerminal(option: String)
  /// An option for a scenario on standard input.
  case needsStandardInput(option: String)
  /// An option for an import to a file, and for one into a folder.
  case needsFile(option: String)
  case needsFolder(option: String)
  case unknownCode(String)
  case unknownShell(String, known: String)
  /// Unexpected calls are allowed in a run without components.
  case unanswered
  case expression(option: String, problems: [String], hint: String)
  case noScenario(in: [String])
  /// A run of the last failures without any failure.
  case nothingFailed
  /// A name not usable for a plugin in Swift, and the reason.
  case pluginName(String, problem: String)
  /// An empty path, such as an unset variable of the shell.
  case emptyPath
  /// A path in another project than the first path.
  case otherProject(String)
  /// A selection by these options that leaves out all scenarios found.
  case nothingSelected(from: Int, [String])
  /// An environment without the part of the suite or the name of the run.
  case shard(String)
  case secret(String)
  /// A component named by `--live` and missing in all scenarios.
  case unknownComponent(String, option: String = "live", known: [String])
  /// A secret unknown to the scenario.
  ///
  /// The suggestions are its missing secrets.
  case unknownSecret(String, near: [String])
  /// A secret with its value on the command line.
  case visibleSecret(String)
  /// A header with a secret on the command line.
  case secretHeader(String)
  /// An address with a password, which would be kept in printed text.
  case visiblePassword(option: String)
  /// A call of a journal that cannot be recorded as done, and the reason.
  case doneCall(String, problem: String, near: [String] = [])
  /// A step of a journal that cannot stand for another one, and the reason.
  case renamedStep(String, problem: String, near: [String] = [])
  /// An invalid address of a journal in a database, and the reason.
  case journalAddress(String)
  /// An invalid address of a database.
  case databaseAddress
  /// A curl command in place of the file with it.
  case commandInPlaceOfFile
  /// A scenario on standard input, to be recorded without a path.
  case recordWithoutPath
  /// A scenario on standard input, to be run with a journal.
  case journalWithoutFile

  var message: String {
    switch self {
    case .unknownCommand(let name, let owner, let known):
      "unknown command '\(owner.map { "\($0) " } ?? "")\(name)'"
        + Suggestion.ending(for: name, among: known)
    case .unknownOption(let name, let known):
      "unknown option '\(name)'" + Suggestion.ending(for: name, among: known)
    case .missingValue(let option, let placeholder): "'--\(option)' needs a value, \(placeholder)"
    case .unwantedValue(let option): "'--\(option)' takes no value"
    case .missingOperand(let name): "\(name) is missing"
    case .tooFewRecordings: "two recordings are needed"
    case .missingOption(let option, let purpose): "'--\(option)' is missing: \(purpose)"
    case .unwantedOperand(let text, let near):
      "unexpected argument '\(text)'" + Suggestion.ending(near)
    case .expressionInCommand(let word):
      "'\(word)': a scenario reads '${{' as an expression; put the command into a script"
    case .malformed(let option, let value, let expected):
      "'--\(option)': expected \(expected), got '\(value)'"
    case .malformedSetting(let owner, let value, let expected, let near):
      "'\(owner)': expected \(expected), got '\(value)'" + Suggestion.ending(near)
    case .repeated(let option): "'--\(option)' is given twice"
    case .samePath(let option, let path): "'--\(option)' names '\(path.onOneLine)' twice"
    case .samePlace(let option, let other, let path):
      "'--\(option)' and '--\(other)' both name '\(path.onOneLine)'"
    case .conflict(let option, let other): "'--\(option)' cannot be combined with '--\(other)'"
    case .needs(let option, let other): "'--\(option)' needs '--\(other)'"
    case .needsTerminal(let option): "'--\(option)' needs a terminal as standard input"
    case .needsStandardInput(let option):
      "'--\(option)' needs '-', a scenario on standard input"
    case .needsFile(let option): "'--\(option)' needs '--output' with a file, not a folder"
    case .needsFolder(let option): "'--\(option)' needs '--output' with a folder"
    case .unanswered:
      "'--allow unexpected' needs 'flow test --live': a call that is not recorded has no answer"
    case .unknownShell(let name, let known):
      "completions exist for \(known), not for '\(name.onOneLine)'"
    case .unknownCode(let code):
      "no diagnostic has the code '\(code)'; 'flow explain' lists all of them"
    case .expression(let option, let problems, let hint):
      "'--\(option)': " + problems.joined(separator: "; ") + " (\(hint))"
    case .pluginName(let name, let problem):
      "'\(name.onOneLine)' cannot be the name of a plugin: \(problem)"
    case .unknownComponent(let name, let option, let known):
      "'--\(option)': no scenario has a component '\(name.onOneLine)'"
        + Suggestion.ending(for: name, among: known)
    case .secret(let message): "'--secret': \(message)"
    case .unknownSecret(let name, let near):
      "'--secret \(name)': the scenario has no secret input '\(name)'" + Suggestion.ending(near)
    case .visibleSecret(let name):
      "'--secret \(name)': anyone can see a value on the command line; write "
        + "'--secret \(name)=@FILE', or '--secret \(name)' for the variable '\(name)'"
    case .secretHeader(let name):
      "'--header \(name)': anyone can see a value on the command line; use '--secret' for the "
        + "credentials of the description"
    case .visiblePassword(let option):
      "'--\(option)': the address has a password, which anyone could read in the output; leave it "
        + "out, and set PGPASSWORD from a secret of the engine"
    case .doneCall(let call, let problem, let near):
      "'--done \(call.onOneLine)': \(problem)" + Suggestion.ending(near)
    case .renamedStep(let call, let problem, let near):
      "'--as \(call.onOneLine)': \(problem)" + Suggestion.ending(near)
    case .journalAddress(let problem):
      "write a journal in a database as postgres://HOST/DATABASE#NAME: \(problem)"
    case .commandInPlaceOfFile:
      "FILE: write the command to a file, or pass it on standard input: flow import - <file"
    case .recordWithoutPath:
      "'--record' needs a path, as in --record=PATH, for a scenario on standard input"
    case .journalWithoutFile:
      "a run with a journal needs its scenario in a file: 'flow resume' reads it again"
    case .databaseAddress:
      "write a database as postgres://HOST/DATABASE, without '#' and a journal's name"
    case .otherProject(let path):
      "'\(path.onOneLine)' belongs to another project with its own flow.yaml; test it separately"
    case .nothingFailed: "no scenario is selected: none failed in its last run"
    case .emptyPath: "a path is empty"
    case .noScenario(let paths):
      "no scenario was found in " + paths.map { "'\($0)'" }.joined(separator: ", ")
    case .nothingSelected(let count, let reasons):
      "no scenario is selected: none of \(count) matches "
        + reasons.joined(separator: " and ")
    case .shard(let problem): "'--shard auto': \(problem)"
    }
  }
}
