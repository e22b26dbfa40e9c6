internal import FlowCore
internal import FlowEngine
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

extension Command {
  /// `flow replay TRANSCRIPT`.
  static let replay = Command(
    syntax: CommandSyntax(
      name: "replay", summary: "Runs a scenario on its recorded answers, without the components.",
      operands: .one("TRANSCRIPT"),
      options: [
        Option(
          name: "scenario", value: .required("PATH"),
          summary: "The scenario; unless given, the one that the transcript names."),
        Option(
          name: "quiet", value: .none, summary: "Prints no line for a step that passed."),
      ],
      details: """
        Every call must be in the transcript with the same input, and every recorded call must be made.

          flow replay shop.transcript.jsonl
        """)
  ) { (flow, arguments) throws(UsageError) in
    await flow.replay(
      arguments.operands[0], scenario: try arguments.only("scenario"),
      isQuiet: arguments.has("quiet"))
  }
}

extension FlowCommand {
  fileprivate func replay(_ file: String, scenario: String?, isQuiet: Bool) async -> ExitCode {
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(file)
      let beside = Path.joined(Path.folder(of: file), transcript.header.scenario)
      guard let plan = plan(scenario ?? beside) else { return .badInput }
      let inputs = try transcript.header.inputValues(for: plan, file: file)
      note(changesIn: plan, since: transcript.header)
      return await replay(transcript, plan, inputs, isQuiet: isQuiet)
    } catch {
      // A line of a transcript is long and nobody wrote it; its number is enough.
      print([error.diagnostic], isQuoting: false)
      return .badInput
    }
  }

  private func replay(
    _ transcript: Transcript, _ plan: Plan, _ inputs: [Value], isQuiet: Bool
  ) async -> ExitCode {
    let sinks = EventSinks([consoleReport(isQuiet: isQuiet)], redactor: runRedactor())
    // Nobody wants to wait for what the recording waited for.
    let time = VirtualTime()
    let caller = ReplayingCaller(transcript, sinks: sinks, clock: time.clock)
    let runner = Runner(
      plan: plan, caller: caller, sinks: sinks, seed: transcript.header.seed, virtualTime: time)
    let result = await runner.run(inputs: inputs)
    report(result, plan)
    // A failure was told already, and is why the end differs.
    let departures = result.passed ? transcript.departures(of: result) : []
    print(departures)
    return result.passed && departures.isEmpty ? .passed : .failed
  }

  /// Tells what has changed since a transcript was recorded; the replay shows whether it matters.
  private func note(changesIn plan: Plan, since header: TranscriptHeader) {
    for change in header.changes(in: plan) {
      world.errorOutput("note: \(change)\n")
    }
  }
}
