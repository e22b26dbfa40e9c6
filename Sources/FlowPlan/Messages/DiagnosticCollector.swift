public import FlowCore
package import FlowRedaction
package import FlowSystem

/// A problem of a scenario before it runs, with its stable code.
///
/// The folders `Messages` of this module and of the module of scenarios declare all of them.
package struct Problem {
  package var code: DiagnosticCode
  package let message: String
  /// The ways to fix the problem, and the place of the other party.
  package var notes: [String]
  /// Possible meanings of a name, the likeliest first.
  package let near: [String]
  package var severity: Diagnostic.Severity
  /// Replacements of the text at the place that the message does not offer.
  private var replacements: [String] = []
  /// The text whose insertion before the place is a fix, or nil.
  private var insertion: String?
  /// The wrong value beside the expected one, or nil.
  private var difference: DiagnosticFacts.Difference?

  package init(
    _ code: DiagnosticCode, _ message: String, notes: [String] = [], near: [String] = [],
    severity: Diagnostic.Severity = .error
  ) {
    self.code = code
    self.message = message
    self.notes = notes
    self.near = near
    self.severity = severity
  }

  /// The problem at a place, with an offer of the near names.
  package func diagnostic(at span: SourceSpan?) -> Diagnostic {
    var diagnostic = Diagnostic(
      code, message + Suggestion.ending(near), at: span, severity: severity, notes: notes,
      fixes: near + replacements)
    diagnostic.facts.differences = difference.map { [$0] } ?? []
    if let insertion, let span {
      let start = SourceSpan(file: span.file, start: span.start, end: span.start)
      diagnostic.facts.edits = [SourceEdit(.repair, start, insertion)]
    }
    return diagnostic
  }

  /// Returns the problem with a replacement of the text at its place, if there is one.
  package func replacing(with text: String?) -> Problem {
    var copy = self
    copy.replacements += text.map { [$0] } ?? []
    return copy
  }

  /// Returns the problem of a value with another type, as data.
  package func comparing(_ expected: ValueType, _ actual: String) -> Problem {
    var copy = self
    copy.difference = .init(path: "", expected: "\(expected)", got: actual)
    return copy
  }

  /// Returns the problem with a fix that inserts a text before its place.
  package func inserting(_ text: String?) -> Problem {
    var copy = self
    copy.insertion = text
    return copy
  }
}

/// Collects the problems of one file while it is read.
package final class DiagnosticCollector {
  /// The problems of a file before which others offer no names: looking at all names for each is quadratic.
  package static let mostOffers = 100

  package let file: String
  private let codes: [DiagnosticCode: DiagnosticCode]
  package private(set) var all: [Diagnostic] = []
  /// The names of secret fields, by their written values.
  package private(set) var secrets: [String: String] = [:]
  /// The names of the file's secret inputs.
  package private(set) var secretInputs: Set<String> = []

  /// Creates an empty collector.
  ///
  /// `codes` replaces the codes of problems that have another code in files other than scenarios.
  package init(file: String, codes: [DiagnosticCode: DiagnosticCode] = [:]) {
    self.file = file
    self.codes = codes
  }

  package var hasErrors: Bool { all.contains { $0.severity == .error } }

  package func add(_ problem: Problem, at span: Span?, showsLine: Bool = true) {
    add(problem, in: span.map { SourceSpan($0, file: file) }, showsLine: showsLine)
  }

  /// Adds a problem at a place of this file, or of another one that belongs to it.
  package func add(_ problem: Problem, in place: SourceSpan?, showsLine: Bool = true) {
    var problem = problem
    problem.code = codes[problem.code] ?? problem.code
    var diagnostic = problem.diagnostic(at: place)
    diagnostic.showsLine = showsLine
    all.append(diagnostic)
  }

  /// Adds a problem, and returns nil in place of the rejected value.
  package func reject<Made>(_ problem: Problem, at span: Span?) -> Made? {
    add(problem, at: span)
    return nil
  }

  /// Remembers a text of a secret field, because a problem may be in the same line.
  package func keep(secretText text: String, of field: String) { secrets[text] = field }

  /// Remembers the name of a secret input of the file.
  package func keep(secretInput name: String) { secretInputs.insert(name) }

  /// Forgets the errors that were found after the first `count` problems.
  package func dropErrors(since count: Int) {
    let kept = all[count...].filter { $0.severity != .error }
    all.replaceSubrange(count..., with: kept)
  }

  /// Gives a note to the problems of some codes that were found after the first `count`.
  package func note(_ note: String, codes: Set<DiagnosticCode>, since count: Int) {
    for index in count..<all.count where codes.contains(all[index].code) {
      all[index] = all[index].noting([note])
    }
  }

  package func note(_ note: String, code: DiagnosticCode, at span: Span) {
    let place = SourceSpan(span, file: file)
    let index = all.lastIndex { $0.code == code && $0.span == place }
    if let index { all[index] = all[index].noting([note]) }
  }

  /// Throws the collected errors, in file order, if there are any.
  ///
  /// Warnings are left out then: an error may be the reason that something is unused.
  package func throwIfAny() throws(ScenarioError) {
    let errors = all.filter { $0.severity == .error }
    if !errors.isEmpty { throw ScenarioError(diagnostics: errors.sorted(), secrets: secrets) }
  }
}

extension SourceSpan {
  package init(_ span: Span, file: String) {
    self.init(file: file, start: span.start, end: span.end)
  }
}

/// A value, or an element of one, with the wrong type.
package struct Misfit: Error {
  /// The place in the value, empty for the whole value.
  package var path = FieldPath()
  package let expected: ValueType
  /// The actual content, in the wording of messages.
  package let actual: String
  package var near: [String] = []
  /// The place of the element, or nil if the value itself has another type.
  package var span: Span?
  /// The limits of the type, if the value exceeds them.
  package var limitNote: String?

  package init(
    path: FieldPath = FieldPath(), expected: ValueType, actual: String, near: [String] = [],
    span: Span? = nil
  ) {
    (self.path, self.span) = (path, span)
    (self.expected, self.actual, self.near) = (expected, actual, near)
  }

  /// Returns the misfit with the limits of the type, for a value that may exceed them.
  package func noting(_ limitNote: String?) -> Misfit {
    var copy = self
    copy.limitNote = limitNote
    return copy
  }
}

/// A scenario or project file that cannot be used: all its problems in file order, never none.
public struct ScenarioError: Error, Sendable, Hashable {
  /// The problems.
  public let diagnostics: [Diagnostic]
  /// The names of secret fields, by their written values.
  ///
  /// No quoted line may show one.
  private let secrets: [String: String]

  package init(diagnostics: [Diagnostic], secrets: [String: String] = [:]) {
    self.diagnostics = diagnostics
    self.secrets = secrets
  }

  /// Hides the written values of secret fields, so that the problems can be shown with their lines.
  package func hideSecrets(by redactor: Redactor) {
    // In an order of their own, so that the same text gets the same placeholders.
    for (text, field) in secrets.sorted(by: { $0.key < $1.key }) {
      // A string that is too short is not hidden anywhere.
      try? redactor.add(text, named: field)
    }
  }

  package func noting(_ notes: [String]) -> ScenarioError {
    ScenarioError(diagnostics: diagnostics.map { $0.noting(notes) }, secrets: secrets)
  }

  /// Returns the error with the errors of the included files.
  package func joined(with others: [ScenarioError]) -> ScenarioError {
    others.reduce(self) { whole, other in
      ScenarioError(
        diagnostics: whole.diagnostics + other.diagnostics,
        secrets: whole.secrets.merging(other.secrets) { first, _ in first })
    }
  }
}
