internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// The messages about a file, its keys, its inputs and its secrets.
extension Problem {
  static func unreadable(_ reason: String) -> Self { Self(.unreadableScenario, reason) }

  /// Creates the problem of an unreadable scenario.
  static func unreadable(_ error: FileError) -> Self {
    let isFolder = error.kind == .notAFile && FileSystem.isDirectory(error.path)
    return Self(
      .unreadableScenario, "\(error)",
      notes: isFolder ? ["'flow test' and 'flow check' accept folders"] : [])
  }

  /// A file that holds something else than its reader can make sense of, such as `a scenario`.
  static func stranger(_ stranger: Stranger, insteadOf noun: String) -> Self {
    Self(.malformedYAML, stranger.sentence(insteadOf: noun))
  }

  static let transcriptGiven = Self(
    .malformedYAML,
    "this is a transcript or a journal, not a scenario; run it with 'flow replay' or 'flow resume'")

  static let projectFileGiven = Self(.missingKey, "this is a project file, not a scenario")

  /// The relation of a line to a mistake of YAML in it.
  enum LineHint: Equatable {
    /// An expression has no quotes around it.
    case expressionWithoutQuotes
    /// This quote is around an expression and inside of it, too.
    case quoteInExpression(Character)
    /// A quote that ends a quoted scalar in the middle of a word.
    case quoteInWord(Character)
    /// A condition starting with `!`, which YAML takes for a tag, with the intended condition.
    case negation(String)
  }

  static func yaml(_ message: String, _ hint: LineHint? = nil, conflictLine: Int? = nil) -> Self {
    let note: String? =
      switch hint {
      case .expressionWithoutQuotes:
        "quote an expression that is inside { } or [ ], or contains ': '"
      case .quoteInExpression("'"): "the ' inside the expression ends the text; use \" inside '...'"
      case .quoteInExpression: "the \" inside the expression ends the text; use ' inside \"...\""
      case .quoteInWord("'"): "the ' before it ends the text; a ' inside of '...' is written ''"
      case .quoteInWord: "the \" before it ends the text; a \" inside of \"...\" is written \\\""
      case .negation(let meant): "in YAML, '!' starts a tag; write the condition as \(meant)"
      case nil: nil
      }
    let conflict = conflictLine.map { "line \($0) is a merge conflict marker" }
    return Self(.malformedYAML, message, notes: [note, conflict].compactMap(\.self))
  }

  static func version(_ version: String?) -> Self {
    let found = version.map { "unknown format version '\($0)', expected 1" }
    return Self(.missingVersion, found ?? "missing 'flow: 1', the version of the format")
  }

  static func versionKind(_ actual: String) -> Self {
    Self(.missingVersion, "'flow' must be the number 1, not \(actual)")
  }
  /// Creates the problem of an unknown key.
  ///
  /// `known` are the existing keys, or empty if they are too many to list.
  static func unknownKey(
    _ key: String, owner: String, near: [String], among known: [String]
  ) -> Self {
    let notes = near.isEmpty && !known.isEmpty ? [list(known, "keys")] : []
    return Self(.unknownKey, "unknown key '\(key)' in \(owner)", notes: notes, near: near)
  }
  static func missingKey(_ key: String, owner: String) -> Self {
    Self(.missingKey, "\(owner) has no '\(key)'")
  }

  /// Creates the problem of a live rule that names components, but not the scenarios to test with
  /// them.
  static func noTests(owner: String) -> Self {
    Self(.missingKey, "\(owner) has neither 'scenario' nor 'tag'")
  }

  static func wrongKind(
    owner: String, expected: String, actual: String, keyWithoutColon key: String? = nil
  ) -> Self {
    Self(
      .malformedValue, "\(owner) must be \(expected), not \(actual)",
      notes: key.map { ["a ':' is missing after '\($0)'"] } ?? [])
  }

  /// Creates the problem of a field beside `with` that belongs under it.
  static func belongsUnderWith(_ field: String) -> String { "'\(field)' belongs under 'with'" }
  /// Creates the problem of a setting passed to an operation of the component.
  static func isSetting(_ field: String, of component: String) -> String {
    "'\(field)' is a setting; write it under 'with' of the component '\(component)'"
  }
  static func empty(_ owner: String) -> Self { Self(.malformedValue, "\(owner) is empty") }
  static func negative(_ duration: String, owner: String) -> Self {
    Self(.malformedValue, "\(owner) must be zero or more, not \(duration)")
  }
  static func tag(_ tag: String, on node: Node) -> Self {
    let isExpression = node.kind == .scalar && Interpolation.contains(node.text)
    return Self(
      .unexpectedTag, "the YAML tag '\(tag)' is not allowed here",
      notes: isExpression ? ["write a '!' that means 'not' inside the braces"] : [])
  }

  // MARK: - The project file

  static func word(_ word: String, owner: String, among words: [String]) -> Self {
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return Self(
      .malformedProjectValue, "\(owner) must be \(list), not '\(word)'",
      near: Suggestion.nearest(to: word, among: words))
  }

  static func pattern(_ message: String) -> Self { Self(.malformedPattern, message) }
  static func host(_ error: HostError) -> Self { Self(.malformedProjectValue, "\(error)") }
  static func missingPath(_ path: String) -> Self {
    Self(.missingProjectPath, "'\(path)' is neither a file nor a folder")
  }

  static func unknownLiveComponent(_ name: String, of path: String, among known: [String]) -> Self {
    unknown(
      .unknownLiveComponent, "'\(path)' has no component '\(name)'", name, among: known,
      listedAs: "components")
  }

  static func secondProjectFile(_ path: String) -> Self {
    Self(
      .secondProjectFile,
      "'\(path)' and 'flow.yaml' are in the same folder, but a project has only one file; remove one"
    )
  }

  // MARK: - Included scenarios

  static func unreadableScenario(_ error: FileError, from file: String) -> Self {
    let note: String? =
      switch error.kind {
      case .missing: "the path is relative to the folder of '\(file)'"
      // With a project it is the project's folder.
      case .forbidden where error.reason.isEmpty && !error.path.hasPrefix("/"):
        "to include files of other folders, put a 'flow.yaml' in a folder that contains both"
      default: nil
      }
    return Self(.unreadableInclusion, "\(error)", notes: note.map { [$0] } ?? [])
  }

  static func includesItself(_ path: String) -> Self {
    Self(.endlessInclusion, "'\(path)' includes itself")
  }
  static func nestedTooDeep(limit: Int) -> Self {
    Self(.endlessInclusion, "scenarios include each other more than \(limit) levels deep")
  }
  static func tooManyFiles(limit: Int) -> Self {
    Self(.endlessInclusion, "a scenario includes more than \(limit) files")
  }

  /// A note about the place of the inclusion, for a problem of the included file.
  static func includedNote(_ place: SourceSpan) -> String { "included from \(place)" }

  /// A note about the declaration of an input or output in another scenario.
  ///
  /// `noun` names the kind.
  static func declarationNote(_ noun: String, of path: String, at place: SourceSpan?) -> String {
    guard let place else { return "'\(path)' declares no \(noun)" }
    return "the \(noun) of '\(path)' are declared in \(place)"
  }

  static let loopOutputsNote =
    "outside a loop only its 'outputs' are visible, as lists"

  // MARK: - Inputs, and what is unused

  static func inputOfNone(_ name: String, among known: [String]) -> Self {
    unknown(
      .unknownInput, "none of the scenarios has an input '\(name)'", name, among: known,
      listedAs: "inputs")
  }
  static func unusedID(_ id: String) -> Self { unused(.unusedID, "id", id) }
  static func unusedInput(_ name: String) -> Self { unused(.unusedInput, "input", name) }
  static func unusedComponent(_ name: String) -> Self {
    unused(.unusedComponent, "component", name)
  }

  static func nothingToRun(_ owner: String) -> Self {
    Self(.nothingToRun, "\(owner) is empty, so nothing runs", severity: .warning)
  }

  /// Creates the problem of a component for the requests of programs that a replay does not open.
  static func closedPort(_ name: String) -> Self {
    Self(
      .closedReplay, "'\(name)' is not live, so a replay opens no port for the programs",
      notes: [liveNote(name)], severity: .warning)
  }

  /// Creates the problem of a program with an address whose component a replay does not run.
  static func absentProgram(_ name: String, address other: String) -> Self {
    Self(
      .closedReplay,
      "'\(name)' has the address of '\(other)' and is not live, so a replay runs no program",
      notes: [liveNote(name)], severity: .warning)
  }

  private static func liveNote(_ name: String) -> String {
    "write 'live: true' in the component '\(name)', so that tests run it"
  }

  private static func unused(_ code: DiagnosticCode, _ noun: String, _ name: String) -> Self {
    Self(code, "the \(noun) '\(name)' is never used", severity: .warning)
  }

  // MARK: - Secrets

  static func variable(_ reason: EnvironmentFileError.Reason) -> Self {
    switch reason {
    case .noVariable: Self(.unreadableInputs, "the line is not 'NAME=VALUE'")
    case .openQuote: Self(.unreadableInputs, "the value has no closing quotation mark")
    case .textAfterQuote:
      Self(
        .unreadableInputs, "unexpected text after the closing quotation mark",
        notes: ["a comment starts with ' #'"])
    case .repeated(let name, let line):
      Self(.unreadableInputs, "'\(name)' is already set on line \(line)")
    }
  }
  static func secretInFile(_ name: String) -> Self {
    Self(
      .secretInFile, "the secret input '\(name)' cannot be set in an inputs file",
      notes: [SecretError.advice(name)])
  }
  static func shortSecretField(_ name: String) -> Self {
    Self(
      .secretTooShort,
      "the secret '\(name)' has fewer than 4 bytes, so it is hidden only in its field",
      severity: .warning)
  }

  static func secretType(_ name: String, _ type: ValueType) -> Self {
    Self(.unsuitableSecretInput, "the secret input '\(name)' must be of type string, not \(type)")
  }

  static func secretDefault(_ name: String) -> Self {
    Self(
      .unsuitableSecretInput,
      "the secret input '\(name)' has a default, which anyone can read",
      notes: [SecretError.advice(name)])
  }
}
