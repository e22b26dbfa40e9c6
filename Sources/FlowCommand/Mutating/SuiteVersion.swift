internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// One of two versions of a suite, whose scenarios judge altered answers.
struct SuiteVersion: Sendable {
  /// A scenario with a recording.
  struct Scenario: Sendable {
    let recording: SuiteRecording
    let mutation: ScenarioMutation
    /// The replay of its unaltered answers, which passed.
    let baseline: ScenarioMutation.Baseline
    /// The digest of everything that its judgement depends on, or nil if that is not known.
    let digest: String?

    var key: String { recording.key }
  }

  /// A scenario that judges nothing, and why.
  struct Problem: Sendable {
    let path: String
    let diagnostics: [Diagnostic]
    let message: String?
  }

  /// The scenarios, in the order of their paths.
  var scenarios: [Scenario] = []
  var problems: [Problem] = []
  /// The paths of the scenarios without a recording.
  var unrecorded: [String] = []

  /// The recordings, in the same order.
  var recordings: [SuiteRecording] { scenarios.map(\.recording) }

  /// Reads and replays the recordings of scenarios, several at once.
  @concurrent init(_ suite: MutatedSuite, of scenarios: [SuiteScenario]) async {
    await Jobs(limit: suite.settings.jobs.value).run(scenarios) { _, scenario in
      await suite.reading(of: scenario)
    } receive: { reading in
      switch reading {
      case .success(let scenario?): self.scenarios.append(scenario)
      case .success(nil): break
      case .failure(let problem): problems.append(problem)
      }
    }
    unrecorded = scenarios.filter { !FileSystem.isOccupied($0.transcript) }.map(\.path)
  }
}

extension SuiteVersion.Problem: Error {
  init(_ path: String, _ diagnostics: [Diagnostic], message: String) {
    (self.path, self.diagnostics, self.message) = (path, diagnostics, message)
  }

  init(_ scenario: SuiteScenario, _ error: any Error, _ flow: CommandContext) {
    path = scenario.path
    switch error {
    case let error as ScenarioError:
      error.hideSecrets(by: flow.redactor)
      (diagnostics, message) = (error.diagnostics, nil)
    case let error as TranscriptError: (diagnostics, message) = ([error.diagnostic], nil)
    default: (diagnostics, message) = ([], "\(error)")
    }
  }
}

extension MutatedSuite {
  /// Reads and replays the recording of a scenario, nil without one.
  fileprivate func reading(
    of scenario: SuiteScenario
  ) async -> Result<SuiteVersion.Scenario?, SuiteVersion.Problem> {
    do {
      guard let mutation = try mutation(of: scenario) else { return .success(nil) }
      let baseline = await mutation.baseline(nil)
      guard baseline.run.passed else {
        return .failure(
          SuiteVersion.Problem(
            scenario.path, baseline.run.diagnostics, message: ScenarioMutation.departure))
      }
      return .success(
        SuiteVersion.Scenario(
          recording: SuiteRecording(key: scenario.key, mutation.plan, mutation.transcript),
          mutation: mutation, baseline: baseline, digest: digest(of: mutation.plan)))
    } catch {
      return .failure(SuiteVersion.Problem(scenario, error, flow))
    }
  }

  /// Reads what is altered of a scenario, or returns nil without a transcript.
  ///
  /// - Throws: `ScenarioError`, `TranscriptError` or a refusal to run it.
  func mutation(of scenario: SuiteScenario) throws -> ScenarioMutation? {
    guard let plan = try permitted(scenario) else { return nil }
    return try mutation(of: scenario, plan)
  }

  /// Returns the plan of a scenario that may run, or nil without a transcript.
  ///
  /// - Throws: `ScenarioError` or a refusal to run it.
  func permitted(_ scenario: SuiteScenario) throws -> Plan? {
    let plan = try scenario.plan.get()
    guard FileSystem.isOccupied(scenario.transcript) else { return nil }
    let names = options.live.names(in: plan)
    let permissions = flow.permissions.adding(project.file)
    try permissions.check(plan, running: names, hidingSecretsBy: flow.redactor)
    flow.note(permissions.notes(on: plan, running: names))
    return plan
  }

  /// Reads the transcript of a scenario.
  func mutation(of scenario: SuiteScenario, _ plan: Plan) throws -> ScenarioMutation {
    let transcript = try TranscriptReader.read(scenario.transcript, allowsPipe: false)
    let inputs = try transcript.header.inputValues(for: plan, file: scenario.transcript)
    return ScenarioMutation(
      flow: flow, plan: plan, transcript: transcript, inputs: inputs, options: options)
  }
}
