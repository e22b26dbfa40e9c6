public import FlowCore
public import FlowPlan
package import FlowRedaction
internal import FlowSystem
internal import FlowYAML

/// Turns a scenario's text into a plan: reads it, checks it, resolves and compiles it.
public struct ScenarioLoader: Sendable {
  private let known: LoaderKnowledge
  private let files: ScenarioFiles?

  /// Creates a loader for scenarios with these components.
  ///
  /// The scenarios include files of their project, or of their own folder if there is no
  /// `flow.yaml`.
  public init(registry: Registry) {
    known = LoaderKnowledge(plugins: KnownPlugins(registry))
    files = nil
  }

  /// A loader for scenarios that include these files, and no others.
  package init(registry: Registry, files: ScenarioFiles) {
    known = LoaderKnowledge(plugins: KnownPlugins(registry))
    self.files = files
  }

  /// Returns the plan of a scenario.
  ///
  /// The bytes are released as soon as they are read into a tree, so that a long scenario is not in
  /// memory twice. To quote its lines, keep the bytes or read them again.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order, and then those of the
  ///   files that it includes.
  public func plan(_ source: consuming ScenarioSource) throws(ScenarioError) -> Plan {
    try plan(source, findsWarnings: false).plan
  }

  /// Returns the plan of a scenario and its warnings, in file order.
  ///
  /// The redactor receives the content of secret fields, so that lines can be quoted.
  ///
  /// - Throws: `ScenarioError` with every error of the file, in file order, and then those of the
  ///   files that it includes.
  package func check(
    _ source: consuming ScenarioSource, hidingSecretsBy redactor: Redactor
  ) throws(ScenarioError) -> (plan: Plan, warnings: [Diagnostic]) {
    do throws(ScenarioError) {
      let (plan, diagnostics) = try plan(source, findsWarnings: true)
      plan.hideSecrets(inputs: [], by: redactor)
      let warnings = ScenarioError(
        diagnostics: diagnostics.all.sorted(), secrets: diagnostics.secrets)
      warnings.hideSecrets(by: redactor)
      return (plan, warnings.diagnostics)
    } catch {
      error.hideSecrets(by: redactor)
      throw error
    }
  }

  /// Returns everything that tools can know about a scenario, whatever is wrong with it.
  ///
  /// The problems are those of `check`. The redactor receives the content of secret fields.
  package func analyze(
    _ source: consuming ScenarioSource, hidingSecretsBy redactor: Redactor
  ) -> ScenarioAnalysis {
    let library = library(for: source.file, makesIndexes: true)
    let main = library.path
    do throws(ScenarioError) {
      let (plan, diagnostics) = try plan(source, in: library, findsWarnings: true)
      plan.hideSecrets(inputs: [], by: redactor)
      let found = ScenarioError(diagnostics: diagnostics.all.sorted(), secrets: diagnostics.secrets)
      found.hideSecrets(by: redactor)
      return ScenarioAnalysis(
        plan: plan, diagnostics: found.diagnostics, root: library.root, main: main,
        indexes: library.indexes)
    } catch {
      error.hideSecrets(by: redactor)
      return ScenarioAnalysis(
        plan: nil, diagnostics: error.diagnostics, root: library.root, main: main,
        indexes: library.indexes)
    }
  }

  private func plan(
    _ source: consuming ScenarioSource, findsWarnings: Bool
  ) throws(ScenarioError) -> (plan: Plan, diagnostics: DiagnosticCollector) {
    let library = library(for: source.file)
    return try plan(source, in: library, findsWarnings: findsWarnings)
  }

  private func plan(
    _ source: consuming ScenarioSource, in library: ScenarioLibrary, findsWarnings: Bool
  ) throws(ScenarioError) -> (plan: Plan, diagnostics: DiagnosticCollector) {
    let diagnostics = DiagnosticCollector(file: source.file)
    let plan: Plan
    do throws(ScenarioError) {
      plan = try self.plan(consume source, library, diagnostics, findsWarnings: findsWarnings)
    } catch {
      throw error.joined(with: library.errors)
    }
    if let first = library.errors.first {
      throw first.joined(with: Array(library.errors.dropFirst()))
    }
    return (plan, diagnostics)
  }

  /// Returns the files that a scenario includes, those of its schemas, and those of descriptions of
  /// services, as far as they were read.
  ///
  /// A description that the loader has read for another scenario is not read again.
  ///
  /// Only the ones with mistakes if there are any.
  package func files(of source: consuming ScenarioSource) -> [String] {
    let library = library(for: source.file)
    let diagnostics = DiagnosticCollector(file: source.file)
    var files: [String] = []
    do throws(ScenarioError) {
      let plan = try plan(consume source, library, diagnostics, findsWarnings: false)
      files = plan.allScenarios.map(\.file)
    } catch {
      files = error.joined(with: library.errors).diagnostics.compactMap(\.span?.file)
    }
    return files + library.schemas.readFiles + library.readDocuments.sorted()
  }

  private func library(for file: String, makesIndexes: Bool = false) -> ScenarioLibrary {
    ScenarioLibrary(main: file, files: files, makesIndexes: makesIndexes) {
      (source, library, diagnostics) throws(ScenarioError) in
      try self.plan(source, library, diagnostics, findsWarnings: false)
    }
  }

  private func plan(
    _ source: consuming ScenarioSource, _ library: ScenarioLibrary,
    _ diagnostics: DiagnosticCollector, findsWarnings: Bool
  ) throws(ScenarioError) -> Plan {
    let (root, digest) = try Self.read(consume source, diagnostics)
    library.keep(root)
    let scenario = Scenario(reading: root, diagnostics)
    // Now and not while the steps are planned: nested steps of nested files would exhaust the stack.
    for file in WrittenSubscenario.files(in: scenario.allSteps) {
      _ = library.include(file.text, at: file.span)
    }
    var planner = Planner(
      scenario, knowing: known, library: library, diagnostics: diagnostics,
      findsWarnings: findsWarnings)
    return try planner.plan(scenario, digest: digest)
  }

  // A separate function, so that the bytes are released before the tree is planned.
  /// The tree of a scenario's text, and the digest of its bytes.
  private static func read(
    _ source: consuming ScenarioSource, _ diagnostics: DiagnosticCollector
  ) throws(ScenarioError) -> (root: Node, digest: String) {
    let start = Position(line: 1, column: 1)
    if source.isTranscript {
      diagnostics.add(.transcriptGiven, at: Span(start: start, end: start))
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    if diagnostics.rejectStranger(source.bytes, insteadOf: "a scenario") {
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    let root: Node
    do {
      root = try Node(parsing: source.bytes, as: Format(ofFile: source.file))
    } catch {
      let (hint, conflict) = (source.hint(on: error), source.conflictLine)
      diagnostics.add(.yaml(error.message, hint, conflictLine: conflict), at: error.span)
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    if ProjectFile.isOne(source.file), root["steps"] == nil {
      diagnostics.add(.projectFileGiven, at: root.span)
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    return (root, "sha256:" + SHA256(source.bytes).hexadecimal)
  }
}
