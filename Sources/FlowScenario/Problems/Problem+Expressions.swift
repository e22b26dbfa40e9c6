internal import FlowCore

// What is said about expressions and the values that they may read.

extension Problem {
  static func expression(
    code: DiagnosticCode, message: String, near: [String], notes: [String]
  ) -> Problem {
    Problem(code: code, message: message, notes: notes, near: near)
  }

  /// The fields that there are, where none of them is near the one that is not.
  static func fieldsNote(_ record: RecordType) -> String {
    list(record.fields.map(\.name), "fields")
  }

  static let functionsNote = "'flow explain F1303' lists all functions"

  static func expressionType(owner: String, expected: String, actual: String) -> Problem {
    Problem(
      code: .wrongExpressionType,
      message: "\(owner): expected \(expected), the expression gives \(actual)")
  }

  static func notAnExpression(owner: String, isMapping: Bool, near: [String]) -> Problem {
    Problem(
      code: .missingExpression, message: "\(owner) must be an expression, '${{ ... }}'",
      notes: isMapping ? ["YAML takes ': ' for a mapping; write quotes around the whole"] : [],
      near: near)
  }

  /// Braces of another language around something that this scenario knows.
  static func otherBraces(_ written: String, meant: String) -> Problem {
    Problem(
      code: .textLikeExpression,
      message: "'\(written)' is only text here; an expression is '\(meant)'",
      severity: .warning)
  }

  static let unterminatedExpression = Problem(code: .openExpression, message: "'${{' without '}}'")

  /// Why a step may have ended without an answer.
  enum Absence { case condition, failure, finally }

  static func mayHaveNoValue(_ name: String, _ absence: Absence) -> Problem {
    let isStep = name.hasPrefix("steps.")
    let note =
      switch absence {
      case .condition where !isStep:
        "it is set under an 'if'; use it under the same condition, or set it before"
      case .failure where !isStep:
        "it is set where a step may fail, with 'continue-on-error'; set it before"
      case .condition:
        "its step runs under an 'if'; use it under the same condition, or where has(\(name)) holds"
      case .failure:
        "its step may fail, with 'continue-on-error'; use it where has(\(name)) holds"
      case .finally: "'finally' runs after a failure too; use it where has(\(name)) holds"
      }
    return Problem(code: .skippedStep, message: "'\(name)' may have no value here", notes: [note])
  }

  static func noAnswer(_ name: String, error: String) -> Problem {
    Problem(
      code: .answerOfFailure,
      message: "'\(name)' has no value: the step expects the error '\(error)'")
  }

  static func laterStep(_ id: String, line: Int) -> Problem {
    Problem(code: .laterStep, message: "the step '\(id)' comes later, in line \(line)")
  }

  static func ownAnswer(_ id: String) -> Problem {
    Problem(code: .laterStep, message: "the step '\(id)' cannot read its own answer")
  }

  static func otherBlock(_ id: String, line: Int) -> Problem {
    Problem(
      code: .stepInsideLoop,
      message: "the step '\(id)' of line \(line) is inside of a loop and not known outside of it",
      notes: ["let the loop name the value in its 'outputs'"])
  }

  static func otherBranch(_ id: String, line: Int, branch: String) -> Problem {
    Problem(
      code: .unawaitedBranch,
      message: "the step '\(id)' of line \(line) is in a branch that runs at the same time",
      notes: ["let this branch wait for it: needs: [\(branch)]"])
  }

  static func setInParallel(_ name: String) -> Problem {
    Problem(
      code: .sharedVariable,
      message: "'\(name)' is shared by steps that run at the same time and cannot be set here",
      notes: ["let the loop name the value in its 'outputs', or read the answers of the branch"])
  }
}
