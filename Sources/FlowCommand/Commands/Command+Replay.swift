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
      let scenario =
        scenario
        ?? Path.joined(Path.folder(of: file), transcript.header.scenario)
      guard let plan = plan(scenario) else { return .badInput }
      let inputs = try transcript.inputValues(for: plan, file: file)
      if plan.digest != transcript.header.digest {
        world.errorOutput("note: '\(plan.file)' has changed since it was recorded\n")
      }
      let sinks = EventSinks([consoleReport(isQuiet: isQuiet)])
      let caller = ReplayingCaller(transcript, sinks: sinks)
      let result = await Runner(
        plan: plan, caller: caller, sinks: sinks, seed: transcript.header.seed
      ).run(inputs: inputs)
      report(result, plan)
      return result.passed ? .passed : .failed
    } catch {
      // A line of a transcript is long and nobody wrote it; its number is enough.
      print([error.diagnostic], isQuoting: false)
      return .badInput
    }
  }
}
