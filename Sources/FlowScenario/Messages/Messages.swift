internal import FlowCore

/// The messages about a file, its keys, its inputs and its secrets.
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

  // MARK: - The project file

  static func word(_ word: String, owner: String, among words: [String]) -> Problem {
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return Problem(
      code: .malformedProjectValue, message: "\(owner) must be \(list), not '\(word)'",
      near: Suggestion.nearest(to: word, among: words))
  }

  static func pattern(_ message: String) -> Problem {
    Problem(code: .malformedPattern, message: message)
  }

  static func missingPath(_ path: String) -> Problem {
    Problem(code: .missingProjectPath, message: "'\(path)' is neither a file nor a folder")
  }

  static func secondProjectFile(_ path: String) -> Problem {
    Problem(
      code: .secondProjectFile,
      message: "'\(path)' stands beside 'flow.yaml', and a project has one file; remove one")
  }

  // MARK: - Included scenarios

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
  static func declarationNote(_ noun: String, of path: String, at place: SourceSpan?) -> String {
    guard let place else { return "'\(path)' declares no \(noun)" }
    return "the \(noun) of '\(path)' are declared in \(place)"
  }

  // MARK: - Inputs, and what is unused

  static func unknownInput(_ name: String, among known: [String]) -> Problem {
    unknown(.unknownInput, "the scenario has no input '\(name)'", name, among: known)
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

  // MARK: - Secrets

  static func missingSecret(_ name: String) -> Problem {
    Problem(
      code: .missingInput, message: "the secret input '\(name)' is missing",
      notes: [SecretError.advice(name)])
  }

  static func shortSecret(_ name: String) -> Problem {
    Problem(code: .secretTooShort, message: "\(SecretError.tooShort(name))")
  }

  static func redactedInput(_ name: String) -> Problem {
    Problem(
      code: .hiddenInput,
      message:
        "the input '\(name)' is not known any more: a part of it was hidden when it was recorded")
  }

  static func secretType(_ name: String, _ type: ValueType) -> Problem {
    Problem(
      code: .unsuitableSecretInput,
      message: "the secret input '\(name)' must be of type string, not \(type)")
  }

  static func secretDefault(_ name: String) -> Problem {
    Problem(
      code: .unsuitableSecretInput,
      message: "the secret input '\(name)' has a default, which anyone can read",
      notes: [SecretError.advice(name)])
  }
}
