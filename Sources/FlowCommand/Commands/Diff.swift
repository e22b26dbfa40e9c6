internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowTranscript

extension Command {
  static let diff = Command(
    syntax: CommandSyntax(
      name: "diff", summary: "Compares two transcripts, or a transcript with a live run.",
      operands: .sequence(["TRANSCRIPT"], optional: "OTHER"),
      options: [
        .secret, DiffOptions.outputs.option(),
        .scenario(named: "transcript"),
      ] + VerdictAdvice.options + Permissions.options,
      details: """
        Calls are matched by their addresses, in any order. Each changed field is printed with its
        recorded value and its value in OTHER. Without OTHER, the scenario runs on the components,
        with the recorded inputs and seed.

        Exits with 0 if there are no differences, 1 if there are any, and 65 if a file cannot be
        used.

          flow diff shop.transcript.jsonl .flow/recorded/shop.transcript.jsonl
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try DiffOptions(arguments, flow.process, flow.redactor)
    if options.scenario != nil, arguments.operands.count > 1 {
      throw .unwantedOperand(arguments.operands[1])
    }
    return await flow.diff(arguments.operands, options)
  }
}

private struct DiffOptions {
  static let outputs: [ReportFormat<TranscriptDifference>] = [.text, .json]

  let output: ReportFormat<TranscriptDifference>
  /// The path of the scenario, or nil for the scenario named by the transcript.
  let scenario: String?
  let secrets: GivenSecrets

  init(
    _ arguments: ParsedArguments, _ process: ProcessEnvironment, _ redactor: Redactor
  ) throws(UsageError) {
    output = try Self.outputs.chosen(by: arguments)
    scenario = try arguments.only("scenario")
    secrets = try GivenSecrets(arguments, process, redactor)
  }
}

extension CommandContext {
  fileprivate func diff(_ files: [String], _ options: DiffOptions) async -> ExitCode {
    do throws(TranscriptError) {
      guard hidePatterns(around: files[0]) else { return .badInput }
      let recorded = try TranscriptReader.read(files[0])
      guard files.count > 1 else { return try await diff(recorded, files[0], options) }
      let now = try TranscriptReader.read(files[1])
      return report(TranscriptDifference(from: recorded, to: now), options)
    } catch {
      print(error)
      return .badInput
    }
  }

  private func diff(
    _ recorded: Transcript, _ file: String, _ options: DiffOptions
  ) async throws(TranscriptError) -> ExitCode {
    let scenario = try self.scenario(options.scenario, of: recorded.header, in: file)
    guard let plan = plan(scenario, running: .all) else { return .badInput }
    let hidden = try recorded.header.inputValues(for: plan, file: file)
    guard let inputs = liveInputs(hidden, of: plan, options.secrets) else { return .badInput }
    let (run, wasInterrupted) = await interruptibly {
      await TestRun.live(
        plan, inputs: inputs, seed: recorded.header.seed, hiding: options.secrets, self,
        comparedWith: recorded)
    }
    if wasInterrupted { return .interrupted }
    // The differences do not include the reason of a failure.
    print(run.diagnostics)
    guard let difference = try run.recording?.difference(from: recorded, plan) else {
      return .internalError
    }
    return report(difference, options)
  }

  private func report(_ difference: TranscriptDifference, _ options: DiffOptions) -> ExitCode {
    write(difference, as: options.output)
    if verdict.isActive {
      var problems = VerdictProblems(redactor)
      problems.add(difference, next: verdict.again)
      verdict.add(problems)
      verdict.count([("different_calls", difference.calls.count)])
    }
    return difference.isEmpty ? .passed : .failed
  }
}
