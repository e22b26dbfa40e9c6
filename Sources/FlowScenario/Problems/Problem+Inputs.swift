internal import FlowCore

// What is said about inputs, and about what nobody uses.

extension Problem {
  static func unknownInput(_ name: String, near: [String]) -> Problem {
    Problem(code: .unknownInput, message: "the scenario has no input '\(name)'", near: near)
  }

  static func missingInput(_ name: String, type: ValueType) -> Problem {
    Problem(code: .missingInput, message: "the input '\(name)' is missing, expected \(type)")
  }

  static func inputValue(_ name: String, _ misfit: Misfit) -> Problem {
    let path = misfit.path.inside(.field(name))
    return Problem(
      code: .malformedInput,
      message: "the input '\(path)': expected \(misfit.expected), got \(misfit.actual)",
      near: misfit.near)
  }

  static func unusedID(_ id: String) -> Problem { unused(.unusedID, "id", id) }

  static func unusedInput(_ name: String) -> Problem { unused(.unusedInput, "input", name) }

  static func unusedComponent(_ name: String) -> Problem {
    unused(.unusedComponent, "component", name)
  }

  private static func unused(_ code: DiagnosticCode, _ noun: String, _ name: String) -> Problem {
    Problem(
      code: code, message: "the \(noun) '\(name)' is never used", severity: .warning)
  }
}
