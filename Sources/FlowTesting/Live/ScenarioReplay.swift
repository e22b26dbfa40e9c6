public import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension ScenarioFile {
  /// Replays the scenario on its transcript, strictly and in virtual time.
  ///
  ///     try await scenario.replay(registry, live: ["cart"])
  ///
  /// Only the named components, and those with `live: true` in the scenario, are opened and called.
  /// The transcript serves all others, and the calls, answers and events of the live ones are
  /// compared with it. In a test of Swift Testing every problem becomes an issue at its line of the
  /// scenario.
  ///
  /// - Parameters:
  ///   - registry: The components' types, for reading the recorded values.
  ///   - names: The names of the called components in the scenario, none by default.
  ///   - components: The test's own components, such as stand-ins, called in place of the scenario's.
  ///   - options: Secrets, the date and the hosts of the called components. The seed is the recorded one.
  /// - Throws: `ScenarioFailure` with all problems outside of Swift Testing, as in XCTest.
  public func replay(
    _ registry: Registry, live names: [String] = [], with components: [TestComponent] = [],
    options: LiveOptions = LiveOptions()
  ) async throws(ScenarioFailure) {
    try Reporter.report(
      await problemsOfReplay(registry, live: names, with: components, options: options))
  }

  /// Replays the scenario with a test's own objects in the place of some components.
  ///
  ///     try await scenario.replay(registry, live: ["cart": cart])
  ///     #expect(await cart.total == 3)
  ///
  /// As `replay(_:live:)`; the scenario's settings for them are checked and not used.
  public func replay(
    _ registry: Registry, live components: KeyValuePairs<String, any Component>
  ) async throws(ScenarioFailure) {
    try Reporter.report(await problemsOfReplay(registry, live: components))
  }

  /// The problems of a replay of the scenario, in the order of the run.
  ///
  /// Empty if it passes.
  ///
  /// For tests of failures: it reports nothing itself. A scenario that does not load, a missing or
  /// broken transcript and an unknown name are problems, too.
  public func problemsOfReplay(
    _ registry: Registry, live names: [String] = [], with components: [TestComponent] = [],
    options: LiveOptions = LiveOptions()
  ) async -> [ScenarioProblem] {
    let redactor = Redactor()
    let diagnostics = await diagnosticsOfReplay(
      registry, live: names, with: components, options, redactor)
    return ScenarioProblem.all(diagnostics, of: path, redactor)
  }

  /// The problems of a replay with a test's own objects, otherwise as above.
  public func problemsOfReplay(
    _ registry: Registry, live components: KeyValuePairs<String, any Component>
  ) async -> [ScenarioProblem] {
    var objects: [TestComponent] = []
    for (name, object) in components { objects.append(.instance(object, as: name)) }
    return await problemsOfReplay(registry, with: objects)
  }

  private func diagnosticsOfReplay(
    _ registry: Registry, live names: [String], with components: [TestComponent],
    _ options: LiveOptions, _ redactor: Redactor
  ) async -> [Diagnostic] {
    do {
      try hidePatterns(by: redactor)
      let registry = try TestComponent.registry(registry, replacing: components)
      let plan = try plan(registry.limited(to: options.network))
      let strangers =
        plan.problems(ofLive: names) + TestComponent.problems(components, in: plan)
        + plan.problems(ofSecrets: options.secrets.mapValues { [$0] }, beside: [])
      guard strangers.isEmpty else { return strangers }
      guard FileSystem.isOccupied(transcript) else { return [.missingTranscript(of: name)] }
      let recorded = try TranscriptReader.read(transcript, allowsPipe: false)
      let inputs = try recorded.header.inputValues(for: plan, file: transcript)
      var live = Replay.Live()
      live.names = plan.liveNames.union(names).union(
        components.flatMap { $0.names(in: plan) })
      live.secret = { options.secrets[$0] }
      live.date = options.date
      if !live.names.isEmpty {
        let again = Redactor()
        try hidePatterns(by: again)
        let report = await Replay(recorded, of: plan).run(inputs: inputs, redactor: again)
        live.isSameScenario = report.asksTheSame
      }
      let places = PlaceLog()
      let report = await Replay(recorded, of: plan, live: live).checkingSources
        .run(inputs: inputs, sinks: [places], redactor: redactor)
      let diagnostics = report.diagnostics(at: places, in: plan.file)
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

  /// Hides matches of the patterns in the project's `flow.yaml`, as in the recorded transcripts.
  func hidePatterns(by redactor: Redactor) throws(ScenarioError) {
    guard let file = try ProjectFile.path(around: path) else { return }
    redactor.use(try ProjectFile(reading: file).patterns)
  }

  func plan(_ registry: Registry) throws(ScenarioError) -> Plan {
    try ScenarioLoader(registry: registry).plan(try ScenarioSource(reading: path))
  }
}

extension Plan {
  /// The problems of unknown names of live components.
  fileprivate func problems(ofLive names: [String]) -> [Diagnostic] {
    let known = componentNames
    return names.filter { !known.contains($0) }.map { .unknownComponent($0, among: known) }
  }
}

extension Replay.Report {
  /// The problems, each difference at the step of its call.
  func diagnostics(at places: PlaceLog, in file: String) -> [Diagnostic] {
    guard let difference else { return diagnostics }
    let failure = explainsFailure ? run.diagnostics.first : nil
    let consequence = failure.map { ["then the run failed: \($0.message)"] } ?? []
    let departures = difference.calls.map { call in
      let step = Address(path: call.address.path, iterations: call.address.iterations)
      return Diagnostic(
        .otherLiveRun, call.sentence,
        at: places.place(of: "\(step)")?.span(in: file),
        notes: call.fields.flatMap(\.noteLines) + consequence + [call].volatileAdvice)
    }
    if departures.isEmpty { return diagnostics }
    if explainsFailure { return departures }
    return differsFirst ? departures + run.diagnostics : run.diagnostics + departures
  }
}

extension TranscriptDifference.Call {
  fileprivate var sentence: String {
    switch kind {
    case .added: "'\(address)' is not in the transcript"
    case .removed: "'\(address)' was recorded but is no longer called"
    case .changed: "'\(address)' differs from the transcript"
    }
  }
}

extension Diagnostic {
  /// A scenario without a transcript must not pass.
  fileprivate static func missingTranscript(of name: String) -> Diagnostic {
    Diagnostic(
      .unreadableTranscript, "'\(name)' has no transcript", at: nil,
      notes: ["record it with 'flow run --record', or with 'flow test'"])
  }

  static func unexpected(_ error: any Error) -> Diagnostic {
    Diagnostic("unexpected", "\(error)", at: nil)
  }
}
