public import FlowCore
internal import FlowYAML

/// Turns a scenario's text into a plan: reads it, checks it, resolves and compiles it.
public struct ScenarioLoader: Sendable {
  private let registry: Registry
  private let files: ScenarioFiles?

  /// A loader for scenarios over these components; they include files of their own folder.
  public init(registry: Registry) {
    self.registry = registry
    files = nil
  }

  /// A loader for scenarios that include these files, and no others.
  package init(registry: Registry, files: ScenarioFiles) {
    self.registry = registry
    self.files = files
  }

  /// The plan of a scenario.
  ///
  /// The bytes are let go as soon as they are read into a tree, so that the memory for a long scenario
  /// does not hold it twice; who wants to quote its lines keeps or reads them again.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order, and then those of the
  ///   files that it includes.
  public func plan(_ source: consuming ScenarioSource) throws(ScenarioError) -> Plan {
    try plan(source, findsWarnings: false).plan
  }

  /// The plan of a scenario, and what is odd about it though it can run, in file order.
  ///
  /// - Throws: `ScenarioError` with every error of the file, in file order, and then those of the
  ///   files that it includes.
  public func check(
    _ source: consuming ScenarioSource
  ) throws(ScenarioError) -> (plan: Plan, warnings: [Diagnostic]) {
    let (plan, problems) = try plan(source, findsWarnings: true)
    return (plan, problems.diagnostics.sorted())
  }

  /// The same, after the redactor was given what is written in secret fields, so that lines can be quoted.
  package func check(
    _ source: consuming ScenarioSource, hidingSecretsBy redactor: Redactor
  ) throws(ScenarioError) -> [Diagnostic] {
    do throws(ScenarioError) {
      let (plan, problems) = try plan(source, findsWarnings: true)
      plan.hideSecrets(inputs: [], by: redactor)
      let warnings = ScenarioError(
        diagnostics: problems.diagnostics.sorted(), secrets: problems.secrets)
      warnings.hideSecrets(by: redactor)
      return warnings.diagnostics
    } catch {
      error.hideSecrets(by: redactor)
      throw error
    }
  }

  private func plan(
    _ source: consuming ScenarioSource, findsWarnings: Bool
  ) throws(ScenarioError) -> (plan: Plan, problems: DiagnosticCollector) {
    let problems = DiagnosticCollector(file: source.file)
    let library = ScenarioLibrary(registry: registry, main: source.file, files: files)
    let plan: Plan
    do throws(ScenarioError) {
      plan = try library.plan(consume source, problems, findsWarnings: findsWarnings)
    } catch {
      throw error.joined(with: library.errors)
    }
    if let first = library.errors.first {
      throw first.joined(with: Array(library.errors.dropFirst()))
    }
    return (plan, problems)
  }
}
