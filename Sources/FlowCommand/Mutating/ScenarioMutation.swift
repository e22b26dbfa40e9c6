internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

/// The alteration of the recorded answers of one scenario.
struct ScenarioMutation: Sendable {
  /// The message about a scenario whose recorded answers are not altered.
  static let departure = "the unaltered transcript does not replay, so nothing was altered"

  let flow: CommandContext
  let plan: Plan
  let transcript: Transcript
  let inputs: [Value]
  let options: MutateOptions

  /// The replay of the unaltered answers.
  struct Baseline: Sendable {
    let run: TestRun
    /// The parts compared while live components run, or nil for all.
    let steady: SteadyParts?
    /// What the steps said of their answers.
    let judgements: NotedJudgements
    /// The duration of the run.
    let elapsed: Duration
  }

  /// The names of the live components.
  var live: Set<String> { options.live.names(in: plan) }

  /// The alterations to try.
  var alterations: Alterations {
    var choice = Alterations.Options(limit: options.limit)
    (choice.includesAllFields, choice.sparing) = (options.includesAllFields, live)
    return Alterations(of: transcript, plan, choice)
  }

  /// Replays the unaltered answers.
  @concurrent func baseline(_ tracing: TraceOptions?) async -> Baseline {
    let acceptance = Acceptance(plan: plan, given: options.repeated.text).command
    let judgements = NotedJudgements()
    guard !live.isEmpty else {
      let run = await TestRun.replay(
        transcript, of: plan, inputs: inputs, flow, acceptance: acceptance,
        hiding: options.secrets, tracing: tracing, judgements: judgements)
      return Baseline(run: run, steady: nil, judgements: judgements, elapsed: .zero)
    }
    // As in a test: what follows from the answers of live components is not compared.
    let recorded = await TestRun.replay(
      transcript, of: plan, inputs: inputs, flow, acceptance: "")
    let isSame = recorded.asksTheSame
    let start = ContinuousClock.now
    let run = await TestRun.replay(
      transcript, of: plan, inputs: inputs, flow, acceptance: acceptance, live: live,
      isSameScenario: isSame, hiding: options.secrets, tracing: tracing)
    return Baseline(
      run: run, steady: isSame ? run.steady : nil, judgements: judgements,
      elapsed: start.duration(to: .now))
  }

  /// Tries the alterations, several at once.
  @concurrent func results(
    _ alterations: Alterations, _ baseline: Baseline, _ jobs: Jobs
  ) async -> MutationReport {
    let clock = ContinuousClock()
    let start = clock.now
    if let note = unaskedNote(on: alterations) {
      flow.note([flow.redactor.redacted("\(plan.file): \(note)")])
    }
    let trial = trial(baseline)
    guard live.isEmpty else { return await trials(of: alterations, trial, baseline, jobs) }
    let verdicts = await trial.verdicts(of: alterations.first, jobs)
    return report(on: alterations, verdicts.map(\.notice), elapsed: start.duration(to: clock.now))
  }

  /// Tries alterations of the answers without live components, one after the other.
  @concurrent func verdicts(
    of alterations: [Alteration], _ baseline: Baseline
  ) async -> [MutationVerdict] {
    await trial(baseline).verdicts(of: alterations, Jobs(limit: 1))
  }

  /// Replays the scenario on another recording.
  @concurrent func replay(on transcript: Transcript) async -> TestRun {
    await TestRun.replay(
      transcript, of: plan, inputs: inputs, flow, acceptance: nil, hiding: options.secrets)
  }

  private func trial(_ baseline: Baseline) -> MutationTrial {
    MutationTrial(
      transcript: transcript, plan: plan, inputs: inputs, live: live, steady: baseline.steady,
      answers: live.isEmpty ? AnswerTrials(transcript, plan, baseline.judgements) : nil,
      secrets: options.secrets, flow: flow,
      redactor: { [redactor = flow.redactor] in Redactor(patternsOf: redactor) })
  }

  /// Returns the report of alterations with these notices, one for each.
  func report(
    on alterations: Alterations, _ notices: [MutationReport.Notice], elapsed: Duration
  ) -> MutationReport {
    MutationReport(
      results: zip(alterations.first, notices).map { MutationReport.Result($0, $1) },
      count: alterations.count, elapsed: elapsed, listsAll: options.listsAll)
  }

  /// Adds the lines that would notice what nothing has noticed.
  func propose(_ report: inout MutationReport) {
    report.propose(for: plan, transcript) { file in
      // A file that has just been removed gets no proposals.
      file == plan.file && flow.input != nil ? flow.input : try? ScenarioSource(reading: file)
    }
  }
}

extension ScenarioReport {
  /// Adds the results of alterations.
  mutating func add(_ report: MutationReport) {
    mutation = report
    details.append("mutation score \(report.score.text) %")
  }

  /// Fails because fewer alterations than a percentage were noticed.
  mutating func judge(_ report: MutationReport, _ least: Decimal) {
    verdict = .failed
    findings.diagnostics = report.warningsAtSteps
    findings.notes.append(MutationReport.shortfall(of: report.score, least))
  }
}

extension MutationReport {
  /// Returns the sentence about a score below a percentage.
  static func shortfall(of score: MutationScore, _ least: Decimal) -> String {
    "\(score.text) % of the alterations were noticed, fewer than \(least) %"
  }
}

/// The trials of the alterations of one transcript.
struct MutationTrial: Sendable {
  let transcript: Transcript
  let plan: Plan
  let inputs: [Value]
  /// The names of the live components.
  let live: Set<String>
  /// The parts compared while live components run, or nil for all.
  let steady: SteadyParts?
  /// The trials that need no replay, or nil while components are live.
  let answers: AnswerTrials?
  let secrets: GivenSecrets
  /// The command, whose state live runs start from.
  let flow: CommandContext
  /// Creates the redactor of one run with the project's patterns, as for the recorded inputs.
  ///
  /// A secret found by the run is an altered value, so only this run hides it.
  let redactor: @Sendable () -> Redactor

  /// Returns the verdicts in the order of the alterations, several of which are tried at once.
  func verdicts(of alterations: [Alteration], _ jobs: Jobs) async -> [MutationVerdict] {
    var verdicts: [MutationVerdict] = []
    // A task for each would cost more than most replays without live components.
    await jobs.run(alterations.chunks(of: 64)) { _, chunk in
      var verdicts: [MutationVerdict] = []
      for alteration in chunk where !Task.isCancelled {
        verdicts.append(await verdict(of: alteration))
      }
      return verdicts
    } receive: { chunk in
      verdicts += chunk
    }
    return verdicts
  }

  private func verdict(of alteration: Alteration) async -> MutationVerdict {
    switch answers?.result(of: alteration) {
    case .unnoticed?: return MutationVerdict(notice: .unnoticed)
    case .noticed(let failure, let judgement)?:
      return MutationVerdict(notice: .noticed, place: judgement.place(of: failure))
    case nil:
      guard let report = await replay(transcript.applying(alteration), keeping: nil) else {
        return MutationVerdict(notice: .unnoticed)
      }
      let notice = MutationReport.Notice(report)
      return MutationVerdict(notice: notice, place: notice == .noticed ? place(in: report) : nil)
    }
  }

  /// Replays the transcript, altered or not, with the parts that components have kept.
  ///
  /// Nil after printing why the state that it starts from could not be restored.
  func replay(_ transcript: Transcript, keeping kept: KeptParts?) async -> Replay.Report? {
    var live = Replay.Live()
    live.names = self.live
    live.secret = { [secrets] in secrets.value($0) }
    (live.isSameScenario, live.steady, live.kept) = (steady != nil, steady, kept)
    let replay = Replay(transcript, of: plan, live: live)
    let ended = await flow.fromState(plan, isLive: !self.live.isEmpty) {
      await replay.run(inputs: inputs, redactor: redactor())
    }
    switch ended {
    case .success(let report): return report
    case .failure(let failure):
      flow.print(failure.diagnostics)
      return nil
    }
  }

  /// The first place that a report names, or that of the step whose recorded call was not made.
  private func place(in report: Replay.Report) -> SourceSpan? {
    if let span = report.diagnostics.first?.span { return span }
    guard let mismatch = report.mismatches.first(where: { !$0.isAllowed }),
      let address = Address(mismatch.address)
    else { return nil }
    let way = plan.way(to: address.path)
    return (way.step ?? way.around.last)?.place.span(in: way.plan.file)
  }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
