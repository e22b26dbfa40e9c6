internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// The description of a component's service, as its declaration names it.
struct DeclaredContract {
  private let declaration: Scenario.ComponentDeclaration
  private let diagnostics: DiagnosticCollector
  private let findsWarnings: Bool

  // A description may have a problem in each of its lines.
  private static let mostReasons = 9

  init(
    _ declaration: Scenario.ComponentDeclaration, _ diagnostics: DiagnosticCollector,
    findsWarnings: Bool
  ) {
    self.declaration = declaration
    self.diagnostics = diagnostics
    self.findsWarnings = findsWarnings
  }

  /// Returns the rules for the component's calls, or nil without a description, or after a problem.
  func rules(
    of plugin: RegisteredPlugin, _ settings: Template, _ known: ContractCache,
    _ library: ScenarioLibrary
  ) -> (any CallContract)? {
    if plugin.contractReader == nil { return nil }
    do {
      let contract = try known.contract(
        of: plugin, settings.known, in: diagnostics.file.folder, reading: library.document)
      guard let (rules, isNew) = contract else { return nil }
      // Once, since nobody repairs a description because of one of its many scenarios.
      if findsWarnings, isNew, !rules.warnings.isEmpty {
        diagnostics.add(
          .doubtfulDescription(rules.file, rules.warnings),
          at: declaration.place(of: "'contract'"))
      }
      return rules
    } catch {
      // A description has many problems at once, one on each line.
      let lines = ((error as? ComponentError)?.message ?? "\(error)").split(separator: "\n")
      let first = String(lines.first ?? "")
      var problem = Problem.refusedSettings(first, of: declaration.name)
      problem.notes = lines.dropFirst().prefix(Self.mostReasons).map(String.init)
      return diagnostics.reject(problem, at: declaration.place(of: first))
    }
  }
}

extension Scenario.ComponentDeclaration {
  /// The place of a problem with its settings: the setting that its text starts with, or else all
  /// of them.
  func place(of reason: String) -> Span {
    let named = settings?.entries.first { reason.hasPrefix("'\($0.key.text)'") }
    return named?.value.span ?? settings?.span ?? span
  }
}
