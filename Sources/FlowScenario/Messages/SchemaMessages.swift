internal import FlowCore
internal import FlowPlan
internal import FlowSchema
internal import FlowSystem

/// The messages about schemas in expectations and expressions.
extension Problem {
  static func unreadableSchema(_ error: FileError, from file: String, near: [String]) -> Self {
    let note: String? =
      switch error.kind {
      case .missing where near.isEmpty: "the path is relative to the folder of '\(file)'"
      case .forbidden where error.reason.isEmpty && !error.path.hasPrefix("/"):
        "to use schemas of other folders, put a 'flow.yaml' in a folder that contains both"
      default: nil
      }
    return Self(.unreadableSchema, "\(error)", notes: note.map { [$0] } ?? [], near: near)
  }

  static func remoteSchema(_ text: String) -> Self {
    Self(
      .unreadableSchema, "'\(text)' is not a file of the project, and schemas are never fetched",
      notes: ["a field with this text is expected by a condition: schema: ${{ it == '\(text)' }}"])
  }

  static func noSchemaPath(_ text: String) -> Self {
    Self(
      .unreadableSchema,
      "'\(text.onOneLine)' is not the path of a schema; it ends in .json, .yaml or .yml")
  }

  static func malformedSchemaFile(_ message: String, _ use: SourceSpan) -> Self {
    Self(.malformedYAML, message, notes: [usedNote(use)])
  }

  static func malformedSchema(
    _ message: String, _ failure: SchemaFailure?, _ use: SourceSpan
  ) -> Self {
    switch failure {
    case nil: return Self(.malformedSchema, message, notes: [usedNote(use)])
    case .unreadable(let error, let near)?:
      // No fix: the place is that of the keyword, not of the path.
      return Self(
        .unreadableSchema, "\(error)" + Suggestion.ending(near), notes: [usedNote(use)])
    case .remote(let text)?:
      return Self(
        .unreadableSchema, "'\(text)' is not a file of the project, and schemas are never fetched",
        notes: [usedNote(use)])
    }
  }

  static func unknownSchemaPart(_ message: String) -> Self { Self(.malformedSchema, message) }

  static func unknownKeyword(_ message: String) -> Self {
    Self(.unknownSchemaKeyword, message, severity: .warning)
  }

  static func tooManySchemas(_ limit: Int) -> String {
    "a scenario uses more than \(limit) files with schemas"
  }

  private static func usedNote(_ use: SourceSpan) -> String { "the schema is used in \(use)" }

  // MARK: - Runs

  static func furtherViolations(_ count: Int) -> String {
    "it has \(count) further \(count == 1 ? "violation" : "violations")"
  }

  /// A violation without the value, as an operand of an assertion.
  static func violation(_ violation: Violation, at path: String) -> String {
    (path.isEmpty ? "" : path + ": ") + "expected \(violation.expectation)"
  }
}

/// A reason that the target of a `$ref` was not read.
enum SchemaFailure {
  case unreadable(FileError, near: [String])
  /// It is outside of the project.
  case remote(String)
}
