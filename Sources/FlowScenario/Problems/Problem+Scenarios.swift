internal import FlowCore

// What is said about scenarios that others include.

extension Problem {
  static func unreadableScenario(_ error: FileError, from file: String) -> Problem {
    let note = "the path is looked up in the folder of '\(file)'"
    return Problem(
      code: .unreadableInclusion, message: "\(error)", notes: error.kind == .missing ? [note] : [])
  }

  static func includesItself(_ path: String) -> Problem {
    Problem(code: .endlessInclusion, message: "'\(path)' includes itself, and would never end")
  }

  static func nestedTooDeep(limit: Int) -> Problem {
    Problem(
      code: .endlessInclusion, message: "scenarios include each other over more than \(limit) files"
    )
  }

  static func tooManyFiles(limit: Int) -> Problem {
    Problem(code: .endlessInclusion, message: "a scenario includes more than \(limit) files")
  }

  /// Where a file is included, for its own problems.
  static func includedNote(_ place: SourceSpan) -> String { "included from \(place)" }

  /// Where another scenario declares what it takes or answers; `noun` says which.
  static func declarationNote(_ noun: String, of plan: Plan, at place: Place?) -> String {
    guard let place else { return "'\(plan.path)' declares no \(noun)" }
    return "the \(noun) of '\(plan.path)' are declared in \(place.span(in: plan.file))"
  }
}
