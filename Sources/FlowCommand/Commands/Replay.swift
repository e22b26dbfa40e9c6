internal import FlowCore
internal import FlowEngine
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

extension Command {
  static let replay = Command(
    syntax: CommandSyntax(
      name: "replay", summary: "Runs a scenario on its recorded answers, without the components.",
      operands: .one("TRANSCRIPT"),
      options: [
        .scenario(named: "transcript"), .quietSteps, Set<ToleratedDeparture>.option,
        ReplayOptions.outputs.option(),
      ],
      details: """
        Every call must be in the transcript with the same input, every recorded call must be made, and in their
        order, of which 'compare' on a step says how much counts. What --allow lets pass is noted.

          flow replay shop.transcript.jsonl
        """)
  ) { (flow, arguments) throws(UsageError) in
    await flow.replay(arguments.operands[0], try ReplayOptions(arguments))
  }
}

private struct ReplayOptions {
  static let outputs: [Output<ReplayReport>] = [.progress, .json]

  /// The scenario's path; nil for the one that the transcript names.
  let scenario: String?
  let isQuiet: Bool
  let allowed: Set<ToleratedDeparture>
  let output: Output<ReplayReport>

  init(_ arguments: ParsedArguments) throws(UsageError) {
    scenario = try arguments.only("scenario")
    isQuiet = arguments.has("quiet")
    allowed = try Set(arguments, isLive: false)
    output = try Self.outputs.chosen(by: arguments)
  }
}

extension CommandContext {
  fileprivate func replay(_ file: String, _ options: ReplayOptions) async -> ExitCode {
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(file)
      let scenario = try scenario(options.scenario, of: transcript.header, in: file)
      guard let plan = plan(scenario) else { return .badInput }
      let inputs = try transcript.header.inputValues(for: plan, file: file)
      // The replay shows whether it matters.
      note(transcript.header.changes(in: plan))
      let acceptance = Acceptance.command(for: file, of: plan.file, transcript.header)
      return await replay(transcript, plan, inputs, options, acceptance)
    } catch {
      print(error)
      return .badInput
    }
  }

  private func replay(
    _ transcript: Transcript, _ plan: Plan, _ inputs: [Value], _ options: ReplayOptions,
    _ acceptance: String
  ) async -> ExitCode {
    let sinks = options.output.document == nil ? [consoleReport(isQuiet: options.isQuiet)] : []
    let run = await TestRun.replay(
      transcript, plan, inputs, self, allowing: options.allowed, acceptance: acceptance,
      sinks: sinks)
    let report = ReplayReport(passed: run.passed, findings: run.findings)
    if !write(report, as: options.output) {
      print(run.diagnostics)
      note(run.notes)
    }
    return run.passed ? .passed : .failed
  }
}
