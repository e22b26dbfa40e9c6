public import FlowCore

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

  /// Hides what is written where a secret belongs, so that the problems can be told with their lines.
  package func hideSecrets(by redactor: Redactor) {
    // In an order of their own, so that the same text gets the same placeholders.
    for (text, field) in secrets.sorted(by: { $0.key < $1.key }) {
      // One that is too short is not hidden anywhere.
      try? redactor.add(text, named: field)
    }
  }

  /// The same error, each of whose problems has these notes as well.
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
