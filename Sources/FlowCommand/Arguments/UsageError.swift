internal import FlowCore
internal import FlowSystem

/// A command line that says nothing we understand.
enum UsageError: Error, Sendable, Equatable {
  case unknownCommand(String, near: [String])
  case unknownOption(String, near: [String])
  case missingValue(option: String, placeholder: String)
  case unwantedValue(option: String)
  case missingOperand(String)
  /// `near` is the option that the operand was probably meant for, as it must be written.
  case unwantedOperand(String, near: [String] = [])
  case malformed(option: String, value: String, expected: String)
  /// The value of something that options and the environment can set.
  case malformedSetting(String, value: String, expected: String, near: [String])
  case repeated(option: String)
  case conflict(option: String, with: String)
  case unknownCode(String)
  /// Unexpected calls are allowed in a run that has no components.
  case unanswered
  /// A malformed condition, or one without a value.
  case expression(option: String, problems: [String], hint: String)
  case noScenario(in: [String])
  /// Only what failed last is to run, and nothing did.
  case nothingFailed
  /// A path that is an empty text, such as a variable of the shell that is not set.
  case emptyPath
  /// A path belongs to another project than the first one.
  case otherProject(String)
  /// All of the scenarios that were found are left out by these options.
  case nothingSelected(from: Int, [String])
  case emptyShard(String, of: Int)
  /// A secret that cannot be had.
  case secret(String)
  /// A secret that the scenario does not take, and those that it takes and are missing.
  case unknownSecret(String, near: [String])
  /// A secret whose value is an argument.
  case visibleSecret(String)

  var message: String {
    switch self {
    case .unknownCommand(let name, let near): "unknown command '\(name)'" + offer(near)
    case .unknownOption(let name, let near): "unknown option '\(name)'" + offer(near)
    case .missingValue(let option, let placeholder): "'--\(option)' needs a value, \(placeholder)"
    case .unwantedValue(let option): "'--\(option)' takes no value"
    case .missingOperand(let name): "\(name) is missing"
    case .unwantedOperand(let text, let near): "unexpected argument '\(text)'" + offer(near)
    case .malformed(let option, let value, let expected):
      "'--\(option)': expected \(expected), got '\(value)'"
    case .malformedSetting(let owner, let value, let expected, let near):
      "'\(owner)': expected \(expected), got '\(value)'" + offer(near)
    case .repeated(let option): "'--\(option)' is given twice"
    case .conflict(let option, let other):
      "'--\(option)' cannot be combined with '--\(other)'"
    case .unanswered:
      "'--allow unexpected' needs 'flow test --live': a call that is not recorded has no answer"
    case .unknownCode(let code): "no diagnostic has the code '\(code)'"
    case .expression(let option, let problems, let hint):
      "'--\(option)': " + problems.joined(separator: "; ") + " (\(hint))"
    case .otherProject(let path):
      "'\(path.onOneLine)' belongs to another project, with a flow.yaml of its own; test it by itself"
    case .nothingFailed: "no scenario is selected: none has failed when it ran last"
    case .emptyPath: "a path is empty"
    case .noScenario(let paths):
      "no scenario was found in " + paths.map { "'\($0)'" }.joined(separator: ", ")
    case .nothingSelected(let count, let reasons):
      "no scenario is selected: none of \(count) is left by "
        + reasons.joined(separator: " and ")
    case .secret(let message): "'--secret': \(message)"
    case .unknownSecret(let name, let near):
      "'--secret \(name)': the scenario has no secret input '\(name)'" + offer(near)
    case .visibleSecret(let name):
      "'--secret \(name)': anyone can see a value on the command line; write "
        + "'--secret \(name)=@FILE', or '--secret \(name)' for the variable '\(name)'"
    case .emptyShard(let shard, let count):
      "no scenario is selected: the shard \(shard) of \(count) is empty"
    }
  }

  private func offer(_ names: [String]) -> String {
    Suggestion.phrase(names).map { "; \($0)" } ?? ""
  }
}

extension [String] {
  /// The texts as a choice: `text, json or sarif`.
  var alternatives: String {
    guard let last, count > 1 else { return joined() }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
