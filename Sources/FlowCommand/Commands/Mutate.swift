internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let mutate = Command(
    syntax: CommandSyntax(
      name: "mutate",
      summary: "Alters recorded answers and reports alterations that no check notices.",
      operands: .any("PATH"),
      options: MutateOptions.options + VerdictAdvice.options + Permissions.options,
      details: """
        Each value in a recorded answer, and each error code, is altered separately: a number is
        increased by one and then negated, a string gets another character, a list loses its last
        element, a status becomes another status. Where a description of the service, flow.lock or
        an expected schema says what is allowed, the values are those: others of an enum, bounds,
        null, a missing property. Each call also gets the answer of another one. The scenario is
        replayed each time. An alteration is reported if it fails no expectation, assertion or later
        call, because then nothing checks the value. Below it is the line of the step that would
        notice it.

        A PATH is a scenario or a folder with scenarios. Default: the scenarios in flow.yaml, or
        else the working directory. One scenario is reported with its unnoticed alterations. Several
        have a line each, and the score of all at the end. Scenarios without a transcript do not
        count. The results of several scenarios are kept in .flow, so that a scenario that has not
        changed is not replayed.

        With --live=NAME, the component NAME is called each time, and the answers of the others are
        altered. An alteration is reported if it changes neither the component's calls and answers
        nor the rest of the scenario. A mistake in its use of the value would go unnoticed.

        With --against=REV, the recorded answers of two versions of the suite are altered, and both
        versions judge them. What was noticed then and is not now is a loss: it is printed with the
        line that noticed it and the change that lost it, and the command exits with 1. Scenarios and
        steps may have been renamed and moved meanwhile, since calls are found by what they ask. A
        loss that is meant is named in accepted-losses.yaml, with a reason, and counts in this change
        alone:

          losses:
            - scenario: orders.yaml
              value: api.get, ok.json.currency
              reason: The service does not send it any more.

        With --prove=REV, the scenarios that have changed since then run on the answers recorded then.
        One with new checks that passes on them proves nothing about the change, and the command exits
        with 1. One that fails shows that its checks see the change.

        'mutate: {at_least: 80%}' in flow.yaml is --at-least for all scenarios of the project, and
        does not apply to a PATH.

        Exits with 0, with 1 below --at-least, and with 65 for a scenario that cannot be read, or
        whose transcript does not replay, and if no scenario has a transcript.

          flow mutate
          flow mutate --at-least 80% --report junit --report github
          flow mutate --against main --report github
          flow mutate --prove main
          flow mutate shop.yaml --report html
          flow mutate shop.yaml --live=cart
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try MutateOptions(arguments, flow.process, flow.redactor)
    let paths = arguments.operands
    if let comparison = options.comparison {
      return try await flow.compareSuite(arguments, options, with: comparison.version)
    }
    guard paths.count == 1, !FileSystem.isDirectory(paths[0]) else {
      return try await flow.mutateSuite(arguments, options)
    }
    return try await flow.mutate(paths[0], options)
  }
}

extension CommandContext {
  fileprivate func mutate(
    _ scenario: String, _ options: MutateOptions
  ) async throws(UsageError) -> ExitCode {
    guard let plan = plan(scenario, running: options.live) else { return .badInput }
    try options.live.check([plan])
    guard let (transcript, inputs) = recorded(beside: plan),
      let project = project(around: scenario),
      let flow = try making(options.reports)
        .starting(fromStateOf: project, GivenInputs(), options.secrets)
    else { return .badInput }
    let mutation = ScenarioMutation(
      flow: flow, plan: plan, transcript: transcript, inputs: inputs,
      options: options)
    return await mutation.report()
  }
}

extension ScenarioMutation {
  /// Alters the answers of the scenario alone, and reports the results.
  fileprivate func report() async -> ExitCode {
    guard let reports = flow.reports(options.reports, printsDocument: flow.verdict.isActive) else {
      return .cannotWrite
    }
    let (baseline, wasStopped) = await flow.interruptibly {
      await self.baseline(reports.tracing)
    }
    if wasStopped { return .interrupted }
    guard baseline.run.passed else {
      flow.print(baseline.run.diagnostics)
      flow.process.say(Self.departure)
      return .badInput
    }
    let jobs = Jobs(limit: options.jobs ?? jobCount(atMost: flow.process.coreCount))
    let (results, wasInterrupted) = await flow.interruptibly {
      await self.results(alterations, baseline, jobs)
    }
    if wasInterrupted { return .interrupted }
    var report = results
    propose(&report)
    if flow.write(report, as: options.output), flow.verdict.isActive {
      flow.collect(report.warnings(in: Path.transcript(of: plan.file)))
      flow.verdict.count(report.verdictCounts)
    }
    var scenario = baseline.run.scenario(of: plan)
    scenario.add(report)
    let isEnough = options.atLeast.map { report.score.isAtLeast($0) } ?? true
    if !isEnough, let least = options.atLeast { scenario.judge(report, least) }
    let code: ExitCode = isEnough ? .passed : .failed
    if options.reports.isEmpty { return code }
    return code.worse(reports.finish(with: scenario))
  }
}
