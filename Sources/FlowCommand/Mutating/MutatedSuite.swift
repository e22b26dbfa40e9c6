internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension CommandContext {
  /// Alters the recorded answers of the scenarios at paths, or of the project.
  func mutateSuite(
    _ arguments: ParsedArguments, _ options: MutateOptions
  ) async throws(UsageError) -> ExitCode {
    guard let suite = try mutatedSuite(arguments, options),
      let scenarios = try await scenarios(of: suite)
    else { return .badInput }
    return await suite.report(on: scenarios)
  }

  /// Returns the suite in the arguments, or nil after printing that its project cannot be read.
  func mutatedSuite(
    _ arguments: ParsedArguments, _ options: MutateOptions
  ) throws(UsageError) -> MutatedSuite? {
    let start = ContinuousClock.now
    let operands = arguments.operands
    if operands.contains("") { throw .emptyPath }
    guard let project = project(around: operands.first ?? ".") else { return nil }
    let settings = try ProjectSettings(project, arguments, process)
    redactor.use(project.file?.patterns ?? [])
    let paths = operands.isEmpty ? settings.scenarios.value : operands
    if let path = project.pathOfAnotherProject(in: paths) { throw .otherProject(path) }
    guard
      let flow = try making(options.reports)
        .starting(fromStateOf: project, GivenInputs(), options.secrets)
    else { return nil }
    return MutatedSuite(
      flow: flow, settings: settings, options: options, paths: paths,
      isWhole: operands.isEmpty, start: start)
  }

  /// Returns the scenarios of a suite, or nil after printing that a folder cannot be read.
  func scenarios(of suite: MutatedSuite) async throws(UsageError) -> [SuiteScenario]? {
    guard let scenarios = await scenarios(at: suite.paths, suite.settings) else { return nil }
    if scenarios.isEmpty { throw .noScenario(in: suite.paths) }
    try suite.options.live.check(scenarios.compactMap { try? $0.plan.get() })
    return scenarios
  }

  /// Returns the scenarios at paths, or nil after printing that a folder cannot be read.
  private func scenarios(at paths: [String], _ settings: ProjectSettings) async -> [SuiteScenario]?
  {
    do throws(FileError) {
      return try await ScenarioSearch(flow: self, settings: settings)
        .load(paths, notBeing: "altered").refusingSharedTranscripts()
    } catch {
      process.say("\(error)")
      return nil
    }
  }
}

/// The alteration of the recorded answers of several scenarios.
struct MutatedSuite: Sendable {
  var flow: CommandContext
  var settings: ProjectSettings
  let options: MutateOptions
  /// The paths of the scenarios and folders.
  let paths: [String]
  /// True for all scenarios of the project.
  let isWhole: Bool
  /// The start of the command.
  let start: ContinuousClock.Instant

  var project: Project { settings.project }
  /// The required share, in percent, or nil for any.
  private var atLeast: Decimal? {
    options.atLeast ?? (isWhole ? settings.leastMutationScore.value.map { Decimal($0) } : nil)
  }

  /// Alters the answers, several scenarios at once, and reports the results.
  @concurrent func report(on scenarios: [SuiteScenario]) async -> ExitCode {
    guard let reports = flow.reports(options.reports, printsDocument: flow.verdict.isActive) else {
      return .cannotWrite
    }
    // A command inside of another one leaves the project's state as it is.
    let cache =
      options.usesCache && flow.inner == nil ? MutationCache(reading: project.folder) : nil
    let lists = options.listsAll || scenarios.count == 1
    let (outcomes, wasStopped) = await flow.interruptibly {
      var outcomes: [MutationOutcome] = []
      await Jobs(limit: settings.jobs.value).run(scenarios) { _, scenario in
        // Those of few scenarios go on beside each other, too.
        await outcome(
          of: scenario, reports.tracing, cache ?? MutationCache(), lists: lists,
          Jobs(limit: max(1, settings.jobs.value / scenarios.count)))
      } receive: { outcome in
        show(outcome, lists: lists)
        outcomes.append(outcome)
      }
      return outcomes
    }
    if wasStopped { return .interrupted }
    if flow.inner == nil { keep(outcomes, cache) }
    return finish(outcomes, reports)
  }

  private func show(_ outcome: MutationOutcome, lists: Bool) {
    switch outcome.end {
    case .unrecorded: return
    case .failed(let diagnostics, let message):
      flow.process.output("failed  \(flow.redactor.redacted(outcome.path).onOneLine)\n")
      flow.print(diagnostics)
      if let message { flow.process.say(message) }
    case .altered(let altered):
      flow.process.output(flow.redactor.redacted(altered.line) + "\n")
      guard lists else { return }
      for line in altered.report.unnoticedLines(flow.redactor) + altered.report.trialLines {
        flow.process.output("  \(line)\n")
      }
    }
  }

  private func finish(_ outcomes: [MutationOutcome], _ reports: Reports) -> ExitCode {
    var suite = MutationSuite()
    for case .altered(let altered) in outcomes.map(\.end) {
      suite.add(altered)
      let transcript = Path.transcript(of: altered.path)
      if flow.verdict.isActive { flow.collect(altered.report.warnings(in: transcript)) }
    }
    suite.unrecorded = outcomes.filter(\.isUnrecorded).map(\.path)
    suite.elapsed = start.duration(to: .now)
    var code = outcomes.contains(where: \.isFailed) ? ExitCode.badInput : .passed
    if outcomes.allSatisfy(\.isUnrecorded) {
      flow.process.say("no scenario has a transcript, so nothing was altered")
      code = .badInput
    } else if !suite.unrecorded.isEmpty {
      let paths = suite.unrecorded.map(flow.redactor.redacted).joined(separator: ", ")
      flow.note(["without a transcript, and not counted: \(paths)"])
    }
    if !suite.scenarios.isEmpty { flow.process.output(suite.summary + "\n") }
    if flow.verdict.isActive {
      flow.write(suite, as: .json)
      flow.verdict.count(suite.verdictCounts)
    }
    var least: Decimal?
    if let atLeast, !suite.score.isAtLeast(atLeast) {
      flow.process.say(MutationReport.shortfall(of: suite.score, atLeast))
      (least, code) = (atLeast, code.worse(.failed))
    }
    return code.worse(write(reports, outcomes, least, code, suite.elapsed))
  }

  /// Writes the reports, in which scenarios below a missed share have failed.
  private func write(
    _ reports: Reports, _ outcomes: [MutationOutcome], _ least: Decimal?, _ code: ExitCode,
    _ elapsed: Duration
  ) -> ExitCode {
    if options.reports.isEmpty { return .passed }
    var suite = SuiteReport(keepsScenarios: false)
    for (number, outcome) in outcomes.filter({ !$0.isUnrecorded }).enumerated() {
      var scenario = outcome.scenario
      if let least, let report = scenario.mutation, !report.score.isAtLeast(least) {
        scenario.judge(report, least)
      }
      suite.add(scenario)
      reports.add(reports.entries(for: scenario, number: number + 1))
    }
    (suite.passed, suite.elapsed) = (code == .passed, elapsed)
    return reports.finish(suite)
  }

  /// Keeps the results, and those of scenarios that were not meant.
  private func keep(_ outcomes: [MutationOutcome], _ cache: MutationCache?) {
    var kept = isWhole ? MutationCache() : cache ?? MutationCache(reading: project.folder)
    for outcome in outcomes { kept.entries[outcome.key] = outcome.entry }
    if kept == cache { return }
    do throws(FileError) { try kept.write(to: project.folder) } catch {
      flow.process.say("the results were not kept: \(error)", as: .warning)
    }
  }
}

// MARK: - One scenario

/// The end of a scenario whose answers were to be altered.
private struct MutationOutcome: Sendable {
  enum End: Sendable {
    /// It has no transcript.
    case unrecorded
    /// It cannot be read, or does not replay.
    case failed([Diagnostic], message: String? = nil)
    case altered(MutationSuite.Scenario)
  }

  let path: String
  let key: String
  var end: End
  var scenario: ScenarioReport
  /// The entry to keep, or nil.
  var entry: MutationCache.Entry?

  init(_ scenario: SuiteScenario, _ end: End) {
    (path, key, self.end) = (scenario.path, scenario.key, end)
    self.scenario = ScenarioReport(path: scenario.path, name: scenario.name)
    self.scenario.tags = (try? scenario.plan.get())?.tags ?? []
    if case .failed(let diagnostics, _) = end {
      self.scenario.verdict = .failed
      self.scenario.findings.diagnostics = diagnostics
    }
  }

  var isUnrecorded: Bool { if case .unrecorded = end { true } else { false } }
  var isFailed: Bool { if case .failed = end { true } else { false } }
}

extension MutatedSuite {
  @concurrent private func outcome(
    of scenario: SuiteScenario, _ tracing: TraceOptions?, _ cache: MutationCache, lists: Bool,
    _ jobs: Jobs
  ) async -> MutationOutcome {
    do {
      guard let plan = try permitted(scenario) else {
        return MutationOutcome(scenario, .unrecorded)
      }
      let digest = digest(of: plan)
      let kept = digest.flatMap { cache.notices(of: scenario.key, $0) }
      let isDetailed = lists || !options.reports.isEmpty || flow.verdict.isActive
      // Of a scenario whose line alone is printed, nothing has to be read.
      if !isDetailed, let digest, let kept, kept.count < options.limit {
        return keptOutcome(of: scenario, digest, kept)
      }
      let mutation = try mutation(of: scenario, plan)
      return await outcome(
        of: scenario, mutation, tracing, digest, kept, proposes: isDetailed,
        Jobs(limit: mutation.jobCount(atMost: jobs.limit)))
    } catch {
      let problem = SuiteVersion.Problem(scenario, error, flow)
      return MutationOutcome(scenario, .failed(problem.diagnostics, message: problem.message))
    }
  }

  private func keptOutcome(
    of scenario: SuiteScenario, _ digest: String, _ notices: [MutationReport.Notice]
  ) -> MutationOutcome {
    let report = MutationReport(kept: notices)
    var outcome = MutationOutcome(
      scenario, .altered(.init(path: scenario.path, report, isKept: true)))
    outcome.entry = MutationCache.Entry(digest: digest, notices: notices)
    return outcome
  }

  private func outcome(
    of scenario: SuiteScenario, _ mutation: ScenarioMutation, _ tracing: TraceOptions?,
    _ digest: String?, _ notices: [MutationReport.Notice]?, proposes: Bool, _ jobs: Jobs
  ) async -> MutationOutcome {
    let start = ContinuousClock.now
    let alterations = mutation.alterations
    let kept = notices?.count == alterations.first.count ? notices : nil
    var run: TestRun?
    var report: MutationReport
    if let kept, tracing == nil {
      report = mutation.report(on: alterations, kept, elapsed: start.duration(to: .now))
    } else {
      // A report that shows the runs needs one.
      let baseline = await mutation.baseline(tracing)
      run = baseline.run
      guard baseline.run.passed else {
        return MutationOutcome(
          scenario, .failed(baseline.run.diagnostics, message: ScenarioMutation.departure))
      }
      report =
        if let kept {
          mutation.report(on: alterations, kept, elapsed: start.duration(to: .now))
        } else {
          await mutation.results(alterations, baseline, jobs)
        }
    }
    if proposes { mutation.propose(&report) }
    let altered = MutationSuite.Scenario(path: scenario.path, report, isKept: kept != nil)
    var outcome = MutationOutcome(scenario, .altered(altered))
    if let run { outcome.scenario = run.scenario(of: mutation.plan) }
    outcome.scenario.elapsed = start.duration(to: .now)
    outcome.scenario.add(report)
    outcome.entry = digest.map {
      MutationCache.Entry(digest: $0, notices: report.results.map(\.notice))
    }
    return outcome
  }
}
