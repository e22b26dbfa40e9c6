public import FlowCore
package import FlowRedaction
internal import FlowYAML

/// A problem of a scenario before it runs, with its stable code.
///
/// The files in this folder declare all of them.
struct Problem {
  var code: DiagnosticCode
  let message: String
  /// The ways to fix the problem, and the place of the other party.
  var notes: [String]
  /// Possible meanings of a name, the likeliest first.
  let near: [String]
  let severity: Diagnostic.Severity
  /// Replacements of the text at the place that the message does not offer.
  private var replacements: [String] = []
  /// The text whose insertion before the place is a fix, or nil.
  private var insertion: String?
  /// The wrong value beside the expected one, or nil.
  private var difference: DiagnosticFacts.Difference?

  init(
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
  func diagnostic(at span: SourceSpan?) -> Diagnostic {
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
  func replacing(with text: String?) -> Problem {
    var copy = self
    copy.replacements += text.map { [$0] } ?? []
    return copy
  }

  /// Returns the problem of a value with another type, as data.
  func comparing(_ expected: ValueType, _ actual: String) -> Problem {
    var copy = self
    copy.difference = .init(path: "", expected: "\(expected)", got: actual)
    return copy
  }

  /// Returns the problem with a fix that inserts a text before its place.
  func inserting(_ text: String?) -> Problem {
    var copy = self
    copy.insertion = text
    return copy
  }
}

/// Collects the problems of one file while it is read.
final class DiagnosticCollector {
  /// The problems of a file before which others offer no names: looking at all names for each is quadratic.
  static let mostOffers = 100

  let file: String
  private let codes: [DiagnosticCode: DiagnosticCode]
  private(set) var all: [Diagnostic] = []
  /// The names of secret fields, by their written values.
  private(set) var secrets: [String: String] = [:]
  /// The names of the file's secret inputs.
  private(set) var secretInputs: Set<String> = []

  /// Creates an empty collector.
  ///
  /// `codes` replaces the codes of problems that have another code in files other than scenarios.
  init(file: String, codes: [DiagnosticCode: DiagnosticCode] = [:]) {
    self.file = file
    self.codes = codes
  }

  var hasErrors: Bool { all.contains { $0.severity == .error } }

  func add(_ problem: Problem, at span: Span?, showsLine: Bool = true) {
    add(problem, in: span.map { SourceSpan($0, file: file) }, showsLine: showsLine)
  }

  /// Adds a problem at a place of this file, or of another one that belongs to it.
  func add(_ problem: Problem, in place: SourceSpan?, showsLine: Bool = true) {
    var problem = problem
    problem.code = codes[problem.code] ?? problem.code
    var diagnostic = problem.diagnostic(at: place)
    diagnostic.showsLine = showsLine
    all.append(diagnostic)
  }

  /// Adds a problem, and returns nil in place of the rejected value.
  func reject<Made>(_ problem: Problem, at span: Span?) -> Made? {
    add(problem, at: span)
    return nil
  }

  /// Remembers the content of a secret field, because a problem may be in the same line.
  func keep(secret node: Node, of field: String) {
    if node.kind == .scalar { keep(secretText: ScalarText(node), of: field) }
    for item in node.items { keep(secret: item, of: field) }
    for entry in node.entries { keep(secret: entry.value, of: field) }
  }

  /// Remembers the string of a secret field.
  ///
  /// A lone expression is not a secret, but text around one is, as is a literal inside of it, and
  /// the whole line is quoted.
  private func keep(secretText scalar: ScalarText, of field: String) {
    let text = scalar.node.text
    if scalar.onlyExpression != nil, !text.hasQuotes { return }
    secrets[text] = field
    for case .text(let part) in scalar.parts { secrets[part] = field }
  }

  /// Remembers the strings in the declaration of a secret input.
  ///
  /// They may be its default, which is not allowed, even under a misspelt key.
  func keep(secretInput name: String, _ declaration: Node) {
    secretInputs.insert(name)
    for entry in declaration.entries
    where !["type", "description", "secret"].contains(entry.key.text) {
      keep(secret: entry.value, of: name)
    }
  }

  /// Gives a note to the problems of some codes that were found after the first `count`.
  func note(_ note: String, codes: Set<DiagnosticCode>, since count: Int) {
    for index in count..<all.count where codes.contains(all[index].code) {
      all[index] = all[index].noting([note])
    }
  }

  func note(_ note: String, code: DiagnosticCode, at span: Span) {
    let place = SourceSpan(span, file: file)
    let index = all.lastIndex { $0.code == code && $0.span == place }
    if let index { all[index] = all[index].noting([note]) }
  }

  /// Throws the collected errors, in file order, if there are any.
  ///
  /// Warnings are left out then: an error may be the reason that something is unused.
  func throwIfAny() throws(ScenarioError) {
    let errors = all.filter { $0.severity == .error }
    if !errors.isEmpty { throw ScenarioError(diagnostics: errors.sorted(), secrets: secrets) }
  }
}

extension SourceSpan {
  init(_ span: Span, file: String) {
    self.init(file: file, start: span.start, end: span.end)
  }
}

/// A value, or an element of one, with the wrong type.
struct Misfit: Error {
  /// The place in the value, empty for the whole value.
  var path = FieldPath()
  let expected: ValueType
  /// The actual content, in the wording of messages.
  let actual: String
  var near: [String] = []
  /// The place of the element, or nil if the value itself has another type.
  var span: Span?
  /// The limits of the type, if the value exceeds them.
  var limitNote: String?

  /// Returns the misfit with the limits of the type, for a value that may exceed them.
  func noting(_ limitNote: String?) -> Misfit {
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

  func noting(_ notes: [String]) -> ScenarioError {
    ScenarioError(diagnostics: diagnostics.map { $0.noting(notes) }, secrets: secrets)
  }

  /// Returns the error with the errors of the included files.
  func joined(with others: [ScenarioError]) -> ScenarioError {
    others.reduce(self) { whole, other in
      ScenarioError(
        diagnostics: whole.diagnostics + other.diagnostics,
        secrets: whole.secrets.merging(other.secrets) { first, _ in first })
    }
  }
}
