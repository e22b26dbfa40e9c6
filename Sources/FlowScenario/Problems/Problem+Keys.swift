internal import FlowCore

// What is said about a file and its keys.

extension Problem {
  static func unreadable(_ reason: String) -> Problem {
    Problem(code: .unreadableScenario, message: reason)
  }

  /// What an expression in the line of a mistake of YAML has to do with it.
  enum ExpressionQuotes {
    /// No quotes are around it.
    case missing
    /// This quote is around it and inside of it, too.
    case inside(Character)
  }

  static func yaml(_ message: String, _ quotes: ExpressionQuotes?) -> Problem {
    let note: String? =
      switch quotes {
      case .missing: "write quotes around an expression inside of { } or [ ], or with ': ' in it"
      case .inside("'"): "the ' inside of the expression ends the text; write \" inside of '...'"
      case .inside: "the \" inside of the expression ends the text; write ' inside of \"...\""
      case nil: nil
      }
    return Problem(code: .malformedYAML, message: message, notes: note.map { [$0] } ?? [])
  }

  static func version(_ version: String?) -> Problem {
    let found = version.map { "unknown format version '\($0)', expected 1" }
    return Problem(
      code: .missingVersion, message: found ?? "missing 'flow: 1', the version of the format")
  }

  static func versionKind(_ actual: String) -> Problem {
    Problem(code: .missingVersion, message: "'flow' must be the number 1, not \(actual)")
  }

  static func unknownKey(_ key: String, owner: String, near: [String]) -> Problem {
    Problem(code: .unknownKey, message: "unknown key '\(key)' in \(owner)", near: near)
  }

  static func missingKey(_ key: String, owner: String) -> Problem {
    Problem(code: .missingKey, message: "\(owner) has no '\(key)'")
  }

  static func wrongKind(
    owner: String, expected: String, actual: String, keyWithoutColon key: String? = nil
  ) -> Problem {
    Problem(
      code: .malformedValue, message: "\(owner) must be \(expected), not \(actual)",
      notes: key.map { ["a ':' is missing after '\($0)'"] } ?? [])
  }

  /// What stands beside `with` and is a field of what `with` gives.
  static func belongsUnderWith(_ field: String) -> String { "'\(field)' belongs under 'with'" }

  static func empty(_ owner: String) -> Problem {
    Problem(code: .malformedValue, message: "\(owner) has nothing in it")
  }

  static func negative(_ duration: String, owner: String) -> Problem {
    Problem(code: .malformedValue, message: "\(owner) must be zero or more, not \(duration)")
  }

  static let tag = Problem(code: .unexpectedTag, message: "tags are not allowed here")
}
