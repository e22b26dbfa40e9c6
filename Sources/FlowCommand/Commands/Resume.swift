internal import FlowCore
internal import FlowEngine
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let resume = Command(
    syntax: CommandSyntax(
      name: "resume", summary: "Resumes an interrupted run.",
      operands: .one("JOURNAL"),
      options: [
        .scenario(named: "journal"), .secret,
        Option(
          "retry-unknown", .none, "Repeats calls of which it is unknown whether they were done."),
        Option("force", .none, "Resumes though the scenario or a plugin has changed."),
        .virtualTime, ReportRequests.option,
      ] + ConsoleReport.Detail.options + Permissions.options,
      details: """
        What the journal of 'flow run --journal' holds is not done again: the answers in it are served.
        A component whose state is in memory is rebuilt by making its recorded calls again.

          flow resume shop.journal
        """)
  ) { (flow, arguments) throws(UsageError) in
    let secrets = try GivenSecrets(arguments, flow.world, flow.redactor)
    var run = CommandRun()
    run.session.virtualTime = arguments.has("virtual-time") ? VirtualTime() : nil
    run.session.secret = { secrets.value($0) }
    run.detail = try ConsoleReport.Detail(arguments)
    run.retriesUnknown = arguments.has("retry-unknown")
    run.isForced = arguments.has("force")
    let scenario = try arguments.only("scenario")
    let reports = try ReportRequests(arguments)
    let flow = flow.making(reports)
    do throws(FileError) { run.reports = try Reports(reports, flow) } catch {
      return flow.reportsNotWritten(error)
    }
    return await flow.resume(arguments.operands[0], of: scenario, run, secrets)
  }
}

extension CommandContext {
  fileprivate func resume(
    _ path: String, of scenario: String?, _ run: CommandRun, _ secrets: GivenSecrets
  ) async -> ExitCode {
    do {
      // Held before it is read, so that no other process adds to it meanwhile.
      let file = try JournalFile(opening: path)
      let journal = try TranscriptReader.readJournal(path)
      if let passed = journal.passed {
        world.output("the run in '\(path.onOneLine)' has finished: there is nothing to resume\n")
        return passed ? .passed : .failed
      }
      let scenario = try self.scenario(scenario, of: journal.header, in: path)
      guard let plan = plan(scenario, running: .all) else { return .badInput }
      guard accepts(journal, plan, isForced: run.isForced) else { return .badInput }
      let recorded = try journal.header.inputValues(for: plan, file: path)
      let inputs = try plan.liveInputs(recorded, secret: secrets.value)
      if journal.tornBytes > 0 {
        world.say("the last line of '\(path.onOneLine)' was torn, and is dropped", as: .warning)
      }
      var run = run
      run.session.name = journal.run
      run.session.seed = journal.header.seed
      run.inputs = journal.header.inputOptions
      run.journal = try JournalOutput(resuming: journal, in: file, at: path, redactor)
      return try await complete(run, plan, inputs)
    } catch let error as TranscriptError {
      print(error)
      return .badInput
    } catch let error as ScenarioError {
      print(error.diagnostics)
      return .badInput
    } catch {
      world.say("\(error)")
      return (error as? FileError)?.isWriting ?? true ? .cannotWrite : .badInput
    }
  }

  /// Whether the scenario and its plugins are those of the journal, or may be others.
  private func accepts(_ journal: Journal, _ plan: Plan, isForced: Bool) -> Bool {
    let unchecked =
      "the journal has no checksums, so damage to it cannot be seen; an earlier flow wrote it"
    let changes = journal.header.changes(in: plan) + (journal.isChecked ? [] : [unchecked])
    if changes.isEmpty { return true }
    for change in changes { world.say(change.onOneLine, as: isForced ? .warning : .error) }
    if !isForced {
      world.errorOutput("the journal may no longer fit; --force resumes it anyway\n")
    }
    return isForced
  }
}
