internal import FlowCore
internal import FlowEngine
internal import FlowExplore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowTranscript

extension Command {
  static let replay = Command(
    syntax: CommandSyntax(
      name: "replay", summary: "Runs a scenario on its recorded answers, without the components.",
      operands: .one("TRANSCRIPT"),
      options: [
        .scenario(named: "transcript"),
        LiveComponents.option(
          "Calls all components, or only these, and compares them with the transcript."),
        .secret, Set<ToleratedDeparture>.option,
        ReplayOptions.outputs.option(), ReportRequests.option,
      ] + VerdictAdvice.options + ConsoleReport.Detail.options + Permissions.options,
      details: """
        Every call must be in the transcript with the same input, and every recorded call must be
        made, in the recorded order. A step can relax the order with 'compare'. Calls accepted by
        --allow are noted.

        With --live=NAME, the component NAME is called, and the answers of all others come from the
        transcript. This tests the component without the others. The date, the seed and the time are
        those of the replay.

          flow replay shop.transcript.jsonl
          flow replay shop.transcript.jsonl --live=cart
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try ReplayOptions(arguments, flow.process, flow.redactor)
    return try await flow.making(options.reports).replay(arguments.operands[0], options)
  }
}

private struct ReplayOptions {
  static let outputs: [ReportFormat<ReplayReport>] = [.progress, .json]

  /// The path of the scenario, or nil for the scenario named by the transcript.
  let scenario: String?
  let detail: ConsoleReport.Detail
  let allowed: Set<ToleratedDeparture>
  let live: LiveComponents
  let secrets: GivenSecrets
  /// The options repeated by the commands in advice.
  let repeated: RepeatedOptions
  let output: ReportFormat<ReplayReport>
  let reports: ReportRequests

  init(
    _ arguments: ParsedArguments, _ process: ProcessEnvironment, _ redactor: Redactor
  ) throws(UsageError) {
    secrets = try GivenSecrets(arguments, process, redactor)
    repeated = RepeatedOptions(arguments)
    live = try LiveComponents(arguments)
    scenario = try arguments.only("scenario")
    detail = try ConsoleReport.Detail(arguments)
    allowed = try Set(arguments, isLive: false)
    output = try Self.outputs.chosen(by: arguments)
    reports = try ReportRequests(arguments)
  }

  /// Returns the command that replays a file in the same way.
  func command(_ file: String, _ plan: Plan) -> String {
    let scenario = scenario.map { " --scenario \($0.shellWord)" } ?? ""
    return "flow replay \(live.argument(for: plan))\(file.shellPath)\(scenario)\(repeated.text)"
      .onOneLine
  }
}

extension CommandContext {
  fileprivate func replay(
    _ file: String, _ options: ReplayOptions
  ) async throws(UsageError) -> ExitCode {
    do {
      let transcript = try TranscriptReader.read(file, allowsPipe: true)
      let scenario = try scenario(options.scenario, of: transcript.header, in: file)
      guard let plan = plan(scenario, running: options.live) else { return .badInput }
      try options.live.check([plan])
      var inputs = try transcript.header.inputValues(for: plan, file: file)
      // Live components must not receive placeholders.
      if options.live == .all {
        guard let live = liveInputs(inputs, of: plan, options.secrets) else { return .badInput }
        inputs = live
      }
      // The replay shows the effect of these changes.
      note(transcript.header.changes(in: plan))
      if options.live != .none, let schedule = transcript.header.schedule {
        return await replay(schedule, of: transcript, plan, inputs: inputs, options)
      }
      let acceptance = Acceptance(
        plan: plan, live: options.live, given: options.repeated.text
      ).command(for: file, transcript.header)
      let command = options.command(file, plan)
      return await replay(
        transcript, of: plan, inputs: inputs, options, accepting: acceptance, again: command)
    } catch let error as UsageError {
      throw error
    } catch {
      if let error = error as? TranscriptError { print(error) }
      return .badInput
    }
  }

  /// Runs the components again in the order found by exploring.
  private func replay(
    _ schedule: Schedule, of transcript: Transcript, _ plan: Plan, inputs: [Value],
    _ options: ReplayOptions
  ) async -> ExitCode {
    var exploring = ExplorationOptions()
    exploring.seed = transcript.header.seed
    exploring.date = transcript.date ?? .epoch
    if options.live != .all {
      exploring.recorded = transcript
      exploring.live = options.live.names(in: plan)
    }
    let explorer = explorer(plan, inputs: inputs, exploring, hiding: options.secrets)
    let (run, wasInterrupted) = await interruptibly { await explorer.run(schedule) }
    var findings = RunFindings()
    findings.diagnostics = run.report.diagnostics
    let report = ReplayReport(passed: run.report.passed, findings: findings)
    if write(report, as: options.output) {
      collect(findings.diagnostics)
    } else {
      for line in run.story.texts where options.detail != .failures {
        process.output("\(line.onOneLine)\n")
      }
      print(run.report.diagnostics)
      process.output(run.report.passed ? "passed in this order\n" : "failed in this order\n")
      if !run.fits {
        note([
          "the recorded order no longer fits the run; 'flow explore' searches for others"
        ])
      }
    }
    if wasInterrupted { return .interrupted }
    return run.report.passed ? .passed : .failed
  }

  private func replay(
    _ transcript: Transcript, of plan: Plan, inputs: [Value], _ options: ReplayOptions,
    accepting acceptance: String, again command: String
  ) async -> ExitCode {
    let isDocument = options.output.document != nil
    guard let reports = reports(options.reports, printsDocument: isDocument) else {
      return .cannotWrite
    }
    let live = options.live.names(in: plan)
    let isSame = live.isEmpty ? false : await asksTheSame(transcript, plan, options)
    let (run, wasInterrupted) = await interruptibly {
      await TestRun.replay(
        transcript, of: plan, inputs: inputs, self, allowing: options.allowed,
        acceptance: acceptance, sinks: isDocument ? [] : [consoleReport(options.detail)],
        live: live, isSameScenario: isSame, hiding: options.secrets, tracing: reports.tracing,
        measuring: reports.showsMeasures, checksSources: true)
    }
    let report = ReplayReport(passed: run.passed, findings: run.findings)
    if write(report, as: options.output) {
      let advice = VerdictAdvice(again: command, acceptance: acceptance)
      collect(run.diagnostics, run.mismatches, advice: advice)
      verdict.count(run.report.counts.verdictCounts)
    } else {
      // After the output of the console, which covers the steps alone.
      if run.report.passed, run.hasDeparted {
        process.output("failed: the run differs from its transcript\n")
      }
      print(run.diagnostics)
      note(run.notes)
    }
    var scenario = run.scenario(of: plan)
    scenario.command = command
    let code = reports.finish(with: scenario)
    if wasInterrupted { return .interrupted }
    return code.worse(run.passed ? .passed : .failed)
  }

  /// Returns true if the scenario, replayed without components, asks what was recorded.
  private func asksTheSame(
    _ transcript: Transcript, _ plan: Plan, _ options: ReplayOptions
  ) async -> Bool {
    guard let inputs = try? transcript.header.inputValues(for: plan, file: plan.file) else {
      return false
    }
    return await TestRun.replay(
      transcript, of: plan, inputs: inputs, self, allowing: options.allowed, acceptance: nil
    ).asksTheSame
  }
}
