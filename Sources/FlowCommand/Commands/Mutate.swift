internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let mutate = Command(
    syntax: CommandSyntax(
      name: "mutate",
      summary: "Alters recorded answers and reports alterations that no check notices.",
      operands: .one("SCENARIO"),
      options: [
        Option(
          "limit", .required("N"), "The maximum number of alterations. Default: 10000."),
        Option(
          "threshold", .required("PERCENT"),
          "Exits with 1 if less than this share of the alterations is noticed."),
        Option(
          "all", .none,
          "Prints all unnoticed alterations, not only the first few of each kind."),
        Option(
          "all-fields", .none,
          "Also alters fields that restate others, such as the size of a body, and those that a live run compares only where they are read."
        ),
        Option(
          "jobs", .required("N"),
          "The number of replays at once. Default: the number of cores, or 1 if live components keep state outside flow."
        ),
        LiveComponents.option(
          "Calls these components, and alters the answers of the others.", needsNames: true),
        .secret, MutateOptions.outputs.option(), ReportRequests.pageOption,
      ] + VerdictAdvice.options + Permissions.options,
      details: """
        Each value in a recorded answer, and each error code, is altered separately: a number is
        increased by one and then negated, a string gets another character, a list loses its last
        element, a status becomes another status. The scenario is replayed each time. An alteration is reported if it fails no
        expectation, assertion or later call, because then nothing checks the value.

        With --live=NAME, the component NAME is called each time, and the answers of the others are
        altered. An alteration is reported if it changes neither the component's calls and answers
        nor the rest of the scenario. A mistake in its use of the value would go unnoticed.

        Exits with 0, with 1 below --threshold, and with 65 without a transcript that replays.

          flow mutate shop.yaml --threshold 80
          flow mutate shop.yaml --report html
          flow mutate shop.yaml --live=cart
        """)
  ) { (flow, arguments) throws(UsageError) in
    try await flow.mutate(
      arguments.operands[0], try MutateOptions(arguments, flow.process, flow.redactor))
  }
}

private struct MutateOptions: Sendable {
  static let outputs: [ReportFormat<MutationReport>] = [.text, .json]

  let limit: Int
  /// The required share of noticed alterations, in percent, or nil for any.
  let threshold: Decimal?
  let listsAll: Bool
  let includesAllFields: Bool
  /// The number of replays at once, or nil for the default.
  let jobs: Int?
  let live: LiveComponents
  let secrets: GivenSecrets
  /// The options repeated by the commands in advice.
  let repeated: RepeatedOptions
  let output: ReportFormat<MutationReport>
  let reports: ReportRequests

  init(
    _ arguments: ParsedArguments, _ process: ProcessEnvironment, _ redactor: Redactor
  ) throws(UsageError) {
    secrets = try GivenSecrets(arguments, process, redactor)
    repeated = RepeatedOptions(arguments)
    live = try LiveComponents(arguments)
    if live == .all { throw .malformed(option: "live", value: "", expected: "names of components") }
    limit = try arguments.whole("limit", 1...1_000_000) ?? 10_000
    threshold = try arguments.only("threshold", "a number from 0 to 100") { text in
      Decimal(text).flatMap { Decimal.zero...Decimal(100) ~= $0 ? $0 : nil }
    }
    listsAll = arguments.has("all")
    includesAllFields = arguments.has("all-fields")
    jobs = try arguments.whole("jobs", 1...64)
    output = try Self.outputs.chosen(by: arguments)
    reports = try ReportRequests(arguments)
    try reports.checkPages()
  }
}

extension CommandContext {
  fileprivate func mutate(
    _ scenario: String, _ options: MutateOptions
  ) async throws(UsageError) -> ExitCode {
    guard let plan = plan(scenario, running: options.live) else { return .badInput }
    try options.live.check([plan])
    guard let (transcript, inputs) = recorded(beside: plan) else { return .badInput }
    return await making(options.reports)
      .mutate(transcript, of: plan, inputs: inputs, options)
  }

  private func mutate(
    _ transcript: Transcript, of plan: Plan, inputs: [Value], _ options: MutateOptions
  ) async -> ExitCode {
    let acceptance = Acceptance(plan: plan, given: options.repeated.text).command
    let live = options.live.names(in: plan)
    guard let reports = reports(options.reports) else { return .cannotWrite }
    let ((baseline, isSame), wasStopped) = await interruptibly {
      // As in a test: what follows from the answers of live components is not compared.
      let recorded = await TestRun.replay(
        transcript, of: plan, inputs: inputs, self, acceptance: "")
      let isSame = !live.isEmpty && recorded.asksTheSame
      let baseline = await TestRun.replay(
        transcript, of: plan, inputs: inputs, self, acceptance: acceptance, live: live,
        isSameScenario: isSame, hiding: options.secrets, tracing: reports.tracing)
      return (baseline, isSame)
    }
    if wasStopped { return .interrupted }
    guard baseline.passed else {
      print(baseline.diagnostics)
      process.say("the unaltered transcript does not replay, so nothing was altered")
      return .badInput
    }
    let clock = ContinuousClock()
    let start = clock.now
    let trial = MutationTrial(
      transcript: transcript, plan: plan, inputs: inputs, live: live,
      steady: isSame ? baseline.steady : nil, secrets: options.secrets,
      redactor: { [redactor] in Redactor(patternsOf: redactor) })
    let jobs = Jobs(limit: options.jobs ?? mutationJobs(of: plan, live: live))
    var choice = Alterations.Options(limit: options.limit)
    (choice.includesAllFields, choice.sparing) = (options.includesAllFields, live)
    let alterations = Alterations(of: transcript, plan, choice)
    let (results, wasInterrupted) = await interruptibly {
      await trial.results(of: alterations.first, jobs)
    }
    if wasInterrupted { return .interrupted }
    let report = MutationReport(
      results: results, count: alterations.count, elapsed: start.duration(to: clock.now),
      listsAll: options.listsAll)
    if write(report, as: options.output), verdict.isActive {
      collect(report.warnings(in: Path.transcript(of: plan.file)))
      verdict.count(report.verdictCounts)
    }
    var scenario = baseline.scenario(of: plan)
    let code = scenario.judge(report, options.threshold)
    if options.reports.isEmpty { return code }
    return code.worse(reports.finish(with: scenario))
  }
}

extension CommandContext {
  /// The number of replays that do not get into each other's way.
  ///
  /// Live components with state outside of the process share a port or a file.
  fileprivate func mutationJobs(of plan: Plan, live: Set<String>) -> Int {
    let meet = plan.allComponents.contains { component in
      live.contains(component.name)
        && [ComponentState.external, nil].contains(component.plugin.plugin.state)
    }
    return meet ? 1 : process.coreCount
  }
}

extension ScenarioReport {
  /// Adds the results, and fails if fewer alterations than a percentage were noticed.
  fileprivate mutating func judge(_ report: MutationReport, _ threshold: Decimal?) -> ExitCode {
    mutation = report
    details.append("mutation score \(report.score) %")
    guard let threshold, !report.isAtLeast(threshold) else { return .passed }
    verdict = .failed
    findings.notes.append(
      "\(report.score) % of the alterations were noticed, fewer than \(threshold) %")
    return .failed
  }
}

private struct MutationTrial: Sendable {
  let transcript: Transcript
  let plan: Plan
  let inputs: [Value]
  /// The names of the live components.
  let live: Set<String>
  /// The parts compared while live components run, or nil for all.
  let steady: SteadyParts?
  let secrets: GivenSecrets
  /// Creates the redactor of one run with the project's patterns, as for the recorded inputs.
  ///
  /// A secret found by the run is an altered value, so only this run hides it.
  let redactor: @Sendable () -> Redactor

  /// Returns the results in the order of the alterations, several of which are tried at once.
  @concurrent func results(of alterations: [Alteration], _ jobs: Jobs) async -> [MutationReport
    .Result]
  {
    var results: [MutationReport.Result] = []
    // A task for each would cost more than most replays without live components.
    await jobs.run(alterations.chunks(of: live.isEmpty ? 64 : 1)) { _, chunk in
      var results: [MutationReport.Result] = []
      for alteration in chunk where !Task.isCancelled {
        results.append(MutationReport.Result(alteration, await notice(of: alteration)))
      }
      return results
    } receive: { chunk in
      results += chunk
    }
    return results
  }

  private func notice(of alteration: Alteration) async -> MutationReport.Notice {
    var live = Replay.Live()
    live.names = self.live
    live.secret = { [secrets] in secrets.value($0) }
    (live.isSameScenario, live.steady) = (steady != nil, steady)
    let report = await Replay(transcript.applying(alteration), of: plan, live: live)
      .run(inputs: inputs, redactor: redactor())
    // A tolerated failure also counts as noticed, whether or not the run took another path.
    guard report.run.passed, report.difference == nil, report.problem == nil else {
      return .noticed
    }
    return report.passed ? .unnoticed : .outputs
  }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
