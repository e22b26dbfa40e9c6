public import FlowCore
internal import FlowYAML

/// Something that is wrong with a scenario before it runs; `Problem+Message` has all of them.
struct Problem {
  /// The stable code.
  let code: String
  /// What is wrong.
  let message: String
  /// What to do about it, or where the other party stands.
  var notes: [String] = []
  /// Names that the one in question may have meant, the likeliest first.
  var near: [String] = []
  var severity = Diagnostic.Severity.error

  /// The problem at a place, with an offer of the near names.
  func diagnostic(at span: SourceSpan?) -> Diagnostic {
    let offer = Suggestion.phrase(near).map { "; \($0)" } ?? ""
    return Diagnostic(
      code, message + offer, at: span, severity: severity, notes: notes, fixes: near)
  }
}

/// Collects the problems of one scenario file while it is read.
final class Problems {
  let file: String
  private(set) var diagnostics: [Diagnostic] = []

  init(file: String) {
    self.file = file
  }

  var isEmpty: Bool { diagnostics.isEmpty }

  func add(_ problem: Problem, at span: Span?) {
    diagnostics.append(problem.diagnostic(at: span.map { SourceSpan($0, file: file) }))
  }

  /// Gives a note to the problems of some codes that were found after the first `count`.
  func note(_ note: String, codes: Set<String>, since count: Int) {
    for index in count..<diagnostics.count where codes.contains(diagnostics[index].code) {
      diagnostics[index] = diagnostics[index].noting([note])
    }
  }

  /// Throws the errors that were collected, in file order, when there are any.
  ///
  /// Warnings are left out then: what is unused may be so because of an error.
  func throwIfAny() throws(ScenarioError) {
    let errors = diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw ScenarioError(diagnostics: errors.sorted()) }
  }
}

extension SourceSpan {
  init(_ span: Span, file: String) {
    self.init(
      file: file, start: Position(line: span.start.line, column: span.start.column),
      end: Position(line: span.end.line, column: span.end.column))
  }
}

/// A scenario that cannot be run: all its problems in file order, never none.
public struct ScenarioError: Error, Sendable, Hashable {
  /// The problems.
  public let diagnostics: [Diagnostic]
}
