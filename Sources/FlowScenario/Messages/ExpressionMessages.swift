internal import FlowCore
internal import FlowPlan

/// The messages about expressions and the values that they read.
extension Problem {
  /// A note with the existing fields, if none of them is near the unknown one.
  static func fieldsNote(_ record: RecordType) -> String {
    list(record.fields.map(\.name), "fields")
  }
  static let functionsNote =
    "'flow explain F1303' lists all functions, and Docs/expressions.md explains them"
  static func expressionType(owner: String, expected: String, actual: String) -> Self {
    let isNumber = ["int", "uint", "double", "decimal"].contains(actual)
    return Self(
      .wrongExpressionType, "\(owner): expected \(expected), the expression returns \(actual)",
      notes: isNumber && expected == "string" ? ["string(...) converts it to a string"] : [])
  }

  static func notAnExpression(owner: String, notes: [String], near: [String] = []) -> Self {
    Self(
      .missingExpression, "\(owner) must be an expression, '${{ ... }}'", notes: notes, near: near)
  }
  static let mappingNote = "YAML reads ': ' as a mapping; quote the whole value"
  static let bracesNote = "write the braces around the whole expression"
  static let doubledQuoteNote =
    "in an expression, write a quote inside a string as \\', not twice"

  /// Creates the problem of braces of another language around a known name.
  static func otherBraces(_ written: String, meant: String) -> Self {
    Self(
      .textLikeExpression,
      "'\(written)' is plain text here; as an expression, write '\(meant)'",
      severity: .warning)
  }

  /// Creates the warning about a value that becomes part of executed code.
  static func valueInCode(_ field: String) -> Self {
    Self(
      .valueInCode, "a value inserted into '\(field)' can change the code that runs",
      notes: ["pass it separately, as in 'parameters' of the plugin sql"],
      severity: .warning)
  }

  /// Creates the problem of an expression in a place without expressions.
  static func uselessExpression(_ owner: String) -> Self {
    Self(
      .uselessExpression, "\(owner) is not evaluated; '${{' is plain text here", severity: .warning)
  }

  /// Creates the problem of an expression without its end.
  ///
  /// An apparent end may be inside of a string literal, and without quotes YAML may have ended the
  /// scalar before it.
  static func unterminatedExpression(in text: String, isPlain: Bool) -> Self {
    var notes: [String] = []
    if text.contains("}}") {
      notes = ["a quote or a '{' before the '}}' is not closed"]
    } else if isPlain {
      notes = ["without quotes, the text ends at ' #', which starts a comment"]
    }
    return Self(.openExpression, "'${{' is not closed by '}}'", notes: notes)
  }

  /// A reason that a step may have ended without an answer.
  enum Absence { case condition, failure, finally }

  static func mayHaveNoValue(_ name: String, _ absence: Absence) -> Self {
    let isStep = name.hasPrefix("steps.")
    let note =
      switch absence {
      case .condition where !isStep:
        "it is set under an 'if'; use it under the same condition, or set it before"
      case .failure where !isStep:
        "it is set inside a step that may fail, with 'continue-on-error'; set it before"
      case .finally where !isStep:
        "'finally' also runs after a failure; check a later step with has(steps.ID) first, or set it to a constant before all other steps"
      case .condition:
        "its step runs under an 'if'; use it under the same condition, or check it with has(\(name)) first"
      case .failure: "its step may fail, with 'continue-on-error'; check it with has(\(name)) first"
      case .finally: "'finally' also runs after a failure; check it with has(\(name)) first"
      }
    return Self(.skippedStep, "'\(name)' may have no value here", notes: [note])
  }

  static func noAnswer(_ name: String, error: String) -> Self {
    Self(
      .answerOfFailure, "'\(name)' has no value: the step expects the error '\(error)'",
      notes: ["the error is '\(name).error'"])
  }

  /// Creates the problem of the error of a step that has none where later steps run.
  static func noError(_ name: String) -> Self {
    let step = name.dropFirst("steps.".count).prefix { $0 != "." }
    return Self(
      .answerOfFailure,
      "'\(name)' has no value here: the steps after '\(step)' run only if it passes",
      notes: ["to go on after an error, write 'continue-on-error: true', or read it in 'finally'"])
  }
  static func laterStep(_ id: String, line: Int) -> Self {
    Self(.laterStep, "the step '\(id)' comes later, on line \(line)")
  }
  /// Creates the problem of a step read in settings, which are evaluated before any step runs.
  static func stepInSettings(_ id: String) -> Self {
    Self(
      .laterStep, "the settings of a component cannot read the step '\(id)', which runs later",
      notes: [settingsNote])
  }
  static let settingsNote =
    "settings can read only inputs; pass the value to each step under 'with', or move the steps that need it to "
    + "another scenario with an input for it"
  static func ownAnswer(_ id: String) -> Self {
    Self(.laterStep, "the step '\(id)' cannot read its own answer")
  }

  static func otherBlock(_ id: String, line: Int) -> Self {
    Self(
      .stepInsideLoop,
      "the step '\(id)' on line \(line) is inside a loop and cannot be read outside it",
      notes: ["list the value in the 'outputs' of the loop"])
  }

  static func otherBranch(_ id: String, line: Int, branch: String) -> Self {
    Self(
      .unawaitedBranch,
      "the step '\(id)' on line \(line) is in a branch that runs at the same time",
      notes: ["make this branch wait for it: needs: [\(branch)]"])
  }

  static func setInParallel(_ name: String) -> Self {
    Self(
      .sharedVariable,
      "'\(name)' is shared by steps that run at the same time and cannot be set here",
      notes: ["list the value in the 'outputs' of the loop, or read the answers of the branch"])
  }
}
