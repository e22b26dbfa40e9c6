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
        Set<ToleratedDeparture>.option, ReportFormat.option,
      ],
      details: """
        Every call must be in the transcript with the same input, every recorded call must be made, and in their
        order, of which 'compare' on a step says how much counts. What --allow lets pass is told in notes.

          flow replay shop.transcript.jsonl
        """)
  ) { (flow, arguments) throws(UsageError) in
    await flow.replay(arguments.operands[0], try ReplayOptions(arguments))
  }
}

/// The options of `flow replay`, read.
private struct ReplayOptions {
  /// The scenario's path; nil for the one that the transcript names.
  let scenario: String?
  let isQuiet: Bool
  let allowed: Set<ToleratedDeparture>
  let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    scenario = try arguments.only("scenario")
    isQuiet = arguments.has("quiet")
    allowed = try Set(arguments, isLive: false)
    format = try ReportFormat(arguments)
  }
}

extension FlowCommand {
  fileprivate func replay(_ file: String, _ options: ReplayOptions) async -> ExitCode {
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(file)
      let scenario = try scenario(options.scenario, of: transcript.header, in: file)
      guard let plan = plan(scenario) else { return .badInput }
      let inputs = try transcript.header.inputValues(for: plan, file: file)
      // The replay shows whether it matters.
      note(transcript.header.changes(in: plan))
      let acceptance = MismatchFormat.acceptance(
        of: file, scenario: plan.file, transcript.header)
      return await replay(transcript, plan, inputs, options, acceptance)
    } catch {
      // A line of a transcript is long and nobody wrote it; its number is enough.
      print([error.diagnostic], isQuoting: false)
      return .badInput
    }
  }

  private func replay(
    _ transcript: Transcript, _ plan: Plan, _ inputs: [Value], _ options: ReplayOptions,
    _ acceptance: String
  ) async -> ExitCode {
    let sinks = options.format == .text ? [consoleReport(isQuiet: options.isQuiet)] : []
    let run = await TestRun.replay(
      transcript, plan, inputs, self, allowing: options.allowed, acceptance: acceptance,
      sinks: sinks)
    switch options.format {
    case .text:
      print(run.diagnostics)
      note(run.notes)
    case .json:
      let members = run.members(redactor)
      write(.object([.init("passed", .bool(run.passed))] + members))
    }
    return run.passed ? .passed : .failed
  }
}

extension [ReplayMismatch] {
  /// What was let pass, a sentence each.
  var allowedNotes: [String] {
    var notes: [String] = []
    for mismatch in self where mismatch.isAllowed {
      let details = mismatch.diagnostic.notes.prefix(5).joined(separator: "; ")
      let note = "allowed: \(mismatch.diagnostic.message) (\(details))"
      // Several unused calls have one diagnostic.
      if notes.last != note { notes.append(note) }
    }
    return notes.map { Value.onOneLine($0) }
  }
}
