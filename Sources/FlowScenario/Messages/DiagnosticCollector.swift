public import FlowCore
package import FlowRedaction
internal import FlowYAML

/// Something that is wrong with a scenario before it runs, with its stable code; the files beside this one have all
/// of them.
struct Problem {
  var code: DiagnosticCode
  let message: String
  /// What to do about it, or where the other party stands.
  var notes: [String]
  /// Names that the one in question may have meant, the likeliest first.
  let near: [String]
  let severity: Diagnostic.Severity

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
    Diagnostic(
      code, message + Suggestion.ending(near), at: span, severity: severity, notes: notes,
      fixes: near)
  }
}

/// Collects the problems of one file while it is read.
final class DiagnosticCollector {
  /// The problems of a file before which others offer no names: looking at all names for each is quadratic.
  static let mostOffers = 100

  let file: String
  private let codes: [DiagnosticCode: DiagnosticCode]
  private(set) var all: [Diagnostic] = []
  /// The fields that are secret, by what is written in them.
  private(set) var secrets: [String: String] = [:]
  /// The names of the file's inputs that are secret.
  private(set) var secretInputs: Set<String> = []

  /// No problems yet; `codes` says which codes have another name in a file that is not a scenario.
  init(file: String, codes: [DiagnosticCode: DiagnosticCode] = [:]) {
    self.file = file
    self.codes = codes
  }

  var hasErrors: Bool { all.contains { $0.severity == .error } }

  func add(_ problem: Problem, at span: Span?, showsLine: Bool = true) {
    var problem = problem
    problem.code = codes[problem.code] ?? problem.code
    var diagnostic = problem.diagnostic(at: span.map { SourceSpan($0, file: file) })
    diagnostic.showsLine = showsLine
    all.append(diagnostic)
  }

  /// Adds a problem and gives nil in place of what cannot be made.
  func reject<Made>(_ problem: Problem, at span: Span?) -> Made? {
    add(problem, at: span)
    return nil
  }

  /// Keeps in mind what is written in a secret field: a problem may stand in the same line.
  func keep(secret node: Node, of field: String) {
    if node.kind == .scalar { keep(secretText: ScalarText(node), of: field) }
    for item in node.items { keep(secret: item, of: field) }
    for entry in node.entries { keep(secret: entry.value, of: field) }
  }

  /// An expression alone is not a secret; text around one is, and a literal inside of it, and the line shows all.
  private func keep(secretText scalar: ScalarText, of field: String) {
    let text = scalar.node.text
    if scalar.onlyExpression != nil, !text.hasQuotes { return }
    secrets[text] = field
    for case .text(let part) in scalar.parts { secrets[part] = field }
  }

  /// Keeps in mind what is written in the declaration of a secret input.
  ///
  /// That is its default, which it must not have, also where the word is misspelt.
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

  /// Throws the errors that were collected, in file order, when there are any.
  ///
  /// Warnings are left out then: what is unused may be so because of an error.
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

/// A value, or an element of one, that does not have its type.
struct Misfit: Error {
  /// Where in the value; empty for all of it.
  var path = FieldPath()
  let expected: ValueType
  /// What stands there, in the words of messages.
  let actual: String
  var near: [String] = []
  /// The place of the element; nil where the value itself has another type.
  var span: Span?
  /// What the type can hold, for a value that is beyond it.
  var limitNote: String?

  /// The same for a value that may be beyond what the type can hold.
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
  /// The fields that are secret, by what is written in them: no line that is quoted may show it.
  private let secrets: [String: String]

  package init(diagnostics: [Diagnostic], secrets: [String: String] = [:]) {
    self.diagnostics = diagnostics
    self.secrets = secrets
  }

  /// Hides what is written where a secret belongs, so that the problems can be shown with their lines.
  package func hideSecrets(by redactor: Redactor) {
    // In an order of their own, so that the same text gets the same placeholders.
    for (text, field) in secrets.sorted(by: { $0.key < $1.key }) {
      // One that is too short is not hidden anywhere.
      try? redactor.add(text, named: field)
    }
  }

  func noting(_ notes: [String]) -> ScenarioError {
    ScenarioError(diagnostics: diagnostics.map { $0.noting(notes) }, secrets: secrets)
  }

  /// The error of a file together with those of the files that it includes.
  func joined(with others: [ScenarioError]) -> ScenarioError {
    others.reduce(self) { whole, other in
      ScenarioError(
        diagnostics: whole.diagnostics + other.diagnostics,
        secrets: whole.secrets.merging(other.secrets) { first, _ in first })
    }
  }
}
