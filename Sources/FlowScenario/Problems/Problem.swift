internal import FlowCore
internal import FlowYAML

/// Something that is wrong with a scenario before it runs, with its stable code; the files beside this one have all
/// of them.
struct Problem {
  /// The stable code.
  var code: DiagnosticCode
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

/// Collects the problems of one file while it is read.
final class Problems {
  let file: String
  private let codes: [DiagnosticCode: DiagnosticCode]
  private(set) var diagnostics: [Diagnostic] = []
  /// The fields that are secret, by what is written in them.
  private(set) var secrets: [String: String] = [:]
  /// The names of the file's inputs that are secret.
  private(set) var secretInputs: Set<String> = []

  /// No problems yet; `codes` says which codes have another name in a file that is no scenario.
  init(file: String, codes: [DiagnosticCode: DiagnosticCode] = [:]) {
    self.file = file
    self.codes = codes
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  func add(_ problem: Problem, at span: Span?) {
    var problem = problem
    problem.code = codes[problem.code] ?? problem.code
    diagnostics.append(problem.diagnostic(at: span.map { SourceSpan($0, file: file) }))
  }

  /// Keeps in mind what is written in a secret field: a problem may stand in the same line.
  func keep(secret node: Node, of field: String) {
    if node.kind == .scalar { keep(secretText: node.text, of: field) }
    for item in node.items { keep(secret: item, of: field) }
    for entry in node.entries { keep(secret: entry.value, of: field) }
  }

  /// An expression alone is no secret; text around one is, and a literal inside of it, and the line shows all.
  private func keep(secretText text: String, of field: String) {
    let parts = Interpolation.parts(of: text)
    if Interpolation.onlyExpression(parts) != nil, !text.hasQuotes { return }
    secrets[text] = field
    for case .text(let part) in parts { secrets[part] = field }
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
    for index in count..<diagnostics.count where codes.contains(diagnostics[index].code) {
      diagnostics[index] = diagnostics[index].noting([note])
    }
  }

  /// Gives a note to the problem of a code at a place.
  func note(_ note: String, code: DiagnosticCode, at span: Span) {
    let place = SourceSpan(span, file: file)
    let index = diagnostics.lastIndex { $0.code == code && $0.span == place }
    if let index { diagnostics[index] = diagnostics[index].noting([note]) }
  }

  /// Throws the errors that were collected, in file order, when there are any.
  ///
  /// Warnings are left out then: what is unused may be so because of an error.
  func throwIfAny() throws(ScenarioError) {
    let errors = diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw ScenarioError(diagnostics: errors.sorted(), secrets: secrets) }
  }
}

extension SourceSpan {
  init(_ span: Span, file: String) {
    self.init(
      file: file, start: Position(line: span.start.line, column: span.start.column),
      end: Position(line: span.end.line, column: span.end.column))
  }
}
