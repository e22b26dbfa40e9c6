internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

extension Command {
  static let resume = Command(
    syntax: CommandSyntax(
      name: "resume", summary: "Goes on with a run that did not come to its end.",
      operands: .one("JOURNAL"),
      options: [
        .scenario(named: "journal"), .secret,
        Option("retry-unknown", .none, "Repeats a call that may or may not have been done."),
        Option("force", .none, "Goes on though the scenario or a plugin has changed."),
        .virtualTime, .quietSteps,
      ],
      details: """
        What the journal of 'flow run --journal' holds is not done again: its answers are served.
        A component whose state is in memory is rebuilt by making its recorded calls again.

          flow resume shop.journal
        """)
  ) { (flow, arguments) throws(UsageError) in
    let secrets = try GivenSecrets(arguments, flow.world, flow.redactor)
    return await flow.resume(arguments.operands[0], try ResumeOptions(arguments), secrets)
  }
}

private struct ResumeOptions {
  let scenario: String?
  let retriesUnknown: Bool
  let isForced: Bool
  let isVirtualTime: Bool
  let isQuiet: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    scenario = try arguments.only("scenario")
    retriesUnknown = arguments.has("retry-unknown")
    isForced = arguments.has("force")
    isVirtualTime = arguments.has("virtual-time")
    isQuiet = arguments.has("quiet")
  }

  func run(of journal: Journal, _ secrets: GivenSecrets) -> CommandRun {
    var run = CommandRun()
    run.session.name = journal.run
    run.session.seed = journal.header.seed
    run.session.virtualTime = isVirtualTime ? VirtualTime() : nil
    run.session.secret = { secrets.value($0) }
    run.isQuiet = isQuiet
    run.retriesUnknown = retriesUnknown
    run.isForced = isForced
    return run
  }
}

extension CommandContext {
  fileprivate func resume(
    _ path: String, _ options: ResumeOptions, _ secrets: GivenSecrets
  ) async -> ExitCode {
    do {
      // Held before it is read, so that no other process adds to it meanwhile.
      let file = try JournalFile(opening: path)
      let journal = try TranscriptReader.readJournal(path)
      if let passed = journal.passed {
        world.output("'\(Value.onOneLine(path))' has its end, there is nothing to resume\n")
        return passed ? .passed : .failed
      }
      let scenario = try scenario(options.scenario, of: journal.header, in: path)
      guard let plan = plan(scenario) else { return .badInput }
      guard accepts(journal, plan, options) else { return .badInput }
      let recorded = try journal.header.inputValues(for: plan, file: path)
      let inputs = try plan.liveInputs(recorded, secret: secrets.value)
      if journal.tornBytes > 0 {
        world.errorOutput(
          "warning: the last line of '\(Value.onOneLine(path))' was torn, and is dropped\n")
      }
      var run = options.run(of: journal, secrets)
      run.journal = try JournalOutput(resuming: journal, in: file, at: path, redactor)
      return try await complete(run, plan, inputs)
    } catch let error as TranscriptError {
      print(error)
      return .badInput
    } catch let error as ScenarioError {
      print(error.diagnostics)
      return .badInput
    } catch {
      world.errorOutput("flow: \(error)\n")
      return (error as? FileError)?.isWriting ?? true ? .cannotWrite : .badInput
    }
  }

  /// Whether the scenario and its plugins are those of the journal, or may be others.
  private func accepts(_ journal: Journal, _ plan: Plan, _ options: ResumeOptions) -> Bool {
    let unchecked =
      "the journal has no checksums, so damage to it cannot be seen; an earlier flow wrote it"
    let changes = journal.header.changes(in: plan) + (journal.isChecked ? [] : [unchecked])
    if changes.isEmpty { return true }
    let kind = options.isForced ? "warning" : "error"
    for change in changes { world.errorOutput("\(kind): \(Value.onOneLine(change))\n") }
    if !options.isForced {
      world.errorOutput("the journal may not fit any more; --force goes on nevertheless\n")
    }
    return options.isForced
  }
}
