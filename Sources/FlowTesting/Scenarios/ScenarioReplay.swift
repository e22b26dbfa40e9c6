public import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension ScenarioFile {
  /// Replays the scenario on its transcript, strictly and in virtual time; no component is opened.
  ///
  /// In a test of Swift Testing every problem becomes an issue at its line of the scenario.
  ///
  /// - Parameter registry: The components' types, which say how the recorded values are read.
  /// - Throws: `ScenarioFailure` with all problems when no test of Swift Testing runs, as in XCTest.
  public func replay(_ registry: Registry) async throws(ScenarioFailure) {
    try Reporter.report(await problemsOfReplay(registry))
  }

  /// What is wrong when the scenario is replayed, in the order of the run; nothing when it passes.
  ///
  /// For tests of what must fail; it reports nothing by itself. A scenario that does not load and a
  /// transcript that is missing or broken are problems too.
  public func problemsOfReplay(_ registry: Registry) async -> [ScenarioProblem] {
    let redactor = Redactor()
    return ScenarioProblem.all(await diagnosticsOfReplay(registry, redactor), of: path, redactor)
  }

  private func diagnosticsOfReplay(
    _ registry: Registry, _ redactor: Redactor
  ) async -> [Diagnostic] {
    do {
      try hidePatterns(by: redactor)
      let plan = try plan(registry)
      guard FileSystem.exists(transcript) else { return [.missingTranscript(of: name)] }
      let recorded = try TranscriptReader.read(transcript, allowsPipe: false)
      let inputs = try recorded.header.inputValues(for: plan, file: transcript)
      let report = await Replay(recorded, of: plan).run(inputs: inputs, redactor: redactor)
      let diagnostics = report.diagnostics
      // What has changed since is said once, with the first problem.
      return diagnostics.prefix(1).map { $0.noting(recorded.header.changes(in: plan)) }
        + diagnostics.dropFirst()
    } catch let error as ScenarioError {
      error.hideSecrets(by: redactor)
      return error.diagnostics
    } catch let error as TranscriptError {
      return [error.diagnostic]
    } catch {
      return [.unexpected(error)]
    }
  }

  /// Hides what the patterns of the project's `flow.yaml` match: transcripts are recorded without it.
  func hidePatterns(by redactor: Redactor) throws(ScenarioError) {
    guard let file = try ProjectFile.path(around: path) else { return }
    redactor.use(try ProjectFile(reading: file).patterns)
  }

  func plan(_ registry: Registry) throws(ScenarioError) -> Plan {
    try ScenarioLoader(registry: registry).plan(try ScenarioSource(reading: path))
  }
}

extension Diagnostic {
  /// A scenario that nothing can be replayed of: the test must not pass.
  fileprivate static func missingTranscript(of name: String) -> Diagnostic {
    Diagnostic(
      .unreadableTranscript, "'\(name)' has no transcript", at: nil,
      notes: ["record it with 'flow run --record', or with 'flow test'"])
  }

  static func unexpected(_ error: any Error) -> Diagnostic {
    Diagnostic("unexpected", "\(error)", at: nil)
  }
}
