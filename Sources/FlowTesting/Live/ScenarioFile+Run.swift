public import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario
internal import FlowTranscript

extension ScenarioFile {
  /// Runs the scenario on components, and reports what is wrong as `replay` does.
  ///
  ///     let run = try await scenario.run(with: [.instance(balance)], inputs: ["amount": 30])
  ///     #expect(run.calls.map(\.name) == ["balance.load", "balance.subtract"])
  ///
  /// - Parameters:
  ///   - registry: The types of components that the scenario opens by itself; none unless given.
  ///   - components: What the test brings along, in place of what the scenario would open.
  ///   - inputs: The scenario's inputs by name; the others have their defaults.
  ///   - options: Time, seed, date and secrets.
  /// - Returns: What the run did, also when it failed.
  /// - Throws: `ScenarioFailure` with all problems when no test of Swift Testing runs, as in XCTest.
  @discardableResult public func run(
    _ registry: Registry? = nil, with components: [TestComponent] = [],
    inputs: [String: any FieldValue] = [:], options: LiveOptions = LiveOptions()
  ) async throws(ScenarioFailure) -> ScenarioRun {
    let run = await attempt(registry, with: components, inputs: inputs, options: options)
    try Reporter.report(run.problems)
    return run
  }

  /// Runs the scenario on components and reports nothing: for tests of what must fail.
  public func attempt(
    _ registry: Registry? = nil, with components: [TestComponent] = [],
    inputs: [String: any FieldValue] = [:], options: LiveOptions = LiveOptions()
  ) async -> ScenarioRun {
    let redactor = Redactor()
    do {
      try hidePatterns(by: redactor)
      let plan = try plan(try TestComponent.registry(registry, replacing: components))
      let strangers = TestComponent.problems(components, in: plan)
      guard strangers.isEmpty else { return ScenarioRun(failing: strangers, of: self, redactor) }
      let problems = plan.problems(
        ofSecrets: options.secrets.mapValues { [$0] }, beside: inputs.keys)
      guard problems.isEmpty else { return ScenarioRun(failing: problems, of: self, redactor) }
      let inputs = try plan.inputValues(inputs.mapValues(\.encoded), secrets: options.secrets)
      return await attempt(ObservedRun(of: plan, options, redactor: redactor), inputs, components)
    } catch let error as ScenarioError {
      error.hideSecrets(by: redactor)
      return ScenarioRun(failing: error.diagnostics, of: self, redactor)
    } catch {
      return ScenarioRun(
        failing: [Diagnostic("registry", "\(error)", at: nil)], of: self, redactor)
    }
  }

  private func attempt(
    _ live: ObservedRun, _ inputs: [Value], _ components: [TestComponent]
  ) async -> ScenarioRun {
    let log = CallLog()
    // A stand-in keeps its calls from run to run.
    let earlier = components.map(\.unscripted.count)
    let report = await live.run(inputs: inputs, [log])
    var diagnostics = report.diagnostics
    // A step may go on after an error, or try again, and hide that the answer was not scripted.
    if diagnostics.isEmpty {
      diagnostics = zip(components, earlier).flatMap { $0.unscripted.dropFirst($1) }
    }
    return ScenarioRun(
      problems: ScenarioProblem.all(diagnostics, of: path, live.redactor),
      outputs: Dictionary(report.outputs.map { ($0.name, $0.value) }) { first, _ in first },
      calls: log.calls, reports: log.reports, transcript: live.recorded.bytes)
  }
}

extension ScenarioRun {
  /// A run that could not begin.
  fileprivate init(
    failing diagnostics: [Diagnostic], of scenario: ScenarioFile, _ redactor: Redactor
  ) {
    self.init(
      problems: ScenarioProblem.all(diagnostics, of: scenario.path, redactor), outputs: [:],
      calls: [], reports: [], transcript: [])
  }
}
