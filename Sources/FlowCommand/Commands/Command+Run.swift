internal import FlowCore
internal import FlowEngine
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

extension Command {
  /// `flow run SCENARIO`.
  static let run = Command(
    syntax: CommandSyntax(
      name: "run", summary: "Runs a scenario.", operands: .one("SCENARIO"),
      options: [
        Option(
          name: "input", value: .required("NAME=VALUE"),
          summary: "Gives an input its value; may stand several times."),
        GivenSecrets.option,
        Option(
          name: "record", value: .optional("PATH", suffix: ".jsonl"),
          summary: "Writes a transcript; beside the scenario unless PATH says where."),
        Option(
          name: "journal", value: .required("PATH"),
          summary: "Writes a journal, from which 'flow resume' goes on after a crash."),
        Option(
          name: "seed", value: .required("NUMBER"),
          summary: "Decides everything random in the run; 0 unless given."),
        Option(
          name: "virtual-time", value: .none,
          summary: "Lets time pass only when nothing is left to do: waiting takes no time."),
        Option(
          name: "quiet", value: .none, summary: "Prints no line for a step that passed."),
        Option(
          name: "dry-run", value: .none,
          summary: "Prints what would be done, with the inputs' values, and does none of it."),
      ],
      details: """
        The value of an input is read as YAML, except that of a string input, which is taken as it is.
        The transcript of shop.yaml is shop.transcript.jsonl. '--record PATH' works when PATH ends in
        .jsonl; '--record=PATH' always does. A run that fails replaces no transcript of one that passed: it
        is recorded beside it. NO_COLOR in the environment switches colours off.
        A secret is also found in the environment: that of 'token' in FLOW_SECRET_TOKEN.

          flow run shop.yaml --input amount=30 --record
          flow run shop.yaml --input amount=30 --dry-run
        """)
  ) { (flow, arguments) throws(UsageError) in
    var options = try RunOptions(arguments)
    let secrets = try GivenSecrets(arguments, flow.world, flow.redactor)
    guard let plan = flow.plan(arguments.operands[0]) else { return .badInput }
    options.inputs = try secrets.inputs(options.inputs, of: plan)
    return await flow.run(plan, options, secrets)
  }
}

/// The options of `flow run`, read.
struct RunOptions {
  var inputs: [(name: String, text: String)] = []
  var seed: UInt64 = 0
  var isQuiet: Bool
  var isVirtualTime: Bool
  var isDryRun: Bool
  /// The transcript's path; empty for the place beside the scenario, nil for no transcript.
  var record: String?
  /// The journal's path; nil for no journal.
  var journal: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    for text in arguments.values("input") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .malformed(option: "input", value: text, expected: "NAME=VALUE")
      }
      let name = String(parts[0])
      if inputs.contains(where: { $0.name == name }) { throw .repeated(option: "input \(name)") }
      inputs.append((name, String(parts[1])))
    }
    if let text = try arguments.only("seed") {
      guard let seed = UInt64(text) else {
        throw .malformed(option: "seed", value: text, expected: "a whole number from 0")
      }
      self.seed = seed
    }
    record = try arguments.only("record")
    journal = try arguments.only("journal")
    isQuiet = arguments.has("quiet")
    isVirtualTime = arguments.has("virtual-time")
    isDryRun = arguments.has("dry-run")
    if isDryRun && record != nil { throw .conflict(option: "record", with: "dry-run") }
  }

  /// How the session runs.
  func session(named name: String, _ secrets: GivenSecrets) -> Session.Options {
    var session = Session.Options()
    session.name = name
    session.seed = seed
    session.virtualTime = isVirtualTime ? VirtualTime() : nil
    session.secret = { secrets.value($0) }
    return session
  }
}

extension FlowCommand {
  func run(_ plan: Plan, _ options: RunOptions, _ secrets: GivenSecrets) async -> ExitCode {
    let inputs: [Value]
    do throws(ScenarioError) {
      inputs = try plan.inputValues(texts: options.inputs)
    } catch {
      print(error.diagnostics)
      return .badInput
    }
    if options.isDryRun {
      plan.hideSecrets(inputs: inputs, by: redactor)
      world.output(PlanTree(plan, inputs: inputs.map(redactor.redacted)).text)
      return .passed
    }
    return await run(plan, inputs, options, secrets)
  }

  private func run(
    _ plan: Plan, _ inputs: [Value], _ options: RunOptions, _ secrets: GivenSecrets
  ) async -> ExitCode {
    do throws(FileError) {
      // Known before any file is created, so that no other user can read it first.
      plan.hideSecrets(inputs: inputs, by: redactor)
      let name = Session.newName(for: plan)
      var run = CommandRun()
      run.session = options.session(named: name, secrets)
      run.isQuiet = options.isQuiet
      run.recording = try options.record.map { path throws(FileError) in
        try Recording(of: plan, at: path, redactor)
      }
      run.journaling = try options.journal.map { path throws(FileError) in
        try Journaling(of: plan, at: path, run: name, redactor)
      }
      return try await complete(run, plan, inputs)
    } catch {
      let what = error.path == options.journal ? "journal" : "transcript"
      world.errorOutput("flow: the \(what) was not written: \(error)\n")
      return .cannotWrite
    }
  }

  /// Runs, reports, and keeps what was recorded.
  func complete(
    _ run: CommandRun, _ plan: Plan, _ inputs: [Value]
  ) async throws(FileError) -> ExitCode {
    let (report, wasInterrupted) = await runLive(plan, inputs, run)
    // Also what no component was given: the lines of the scenario are quoted.
    plan.hideSecrets(inputs: [], by: redactor)
    print(report.diagnostics)
    if let journaling = run.journaling, let failure = journaling.recorder.failure {
      throw FileError(failure, writing: journaling.path)
    }
    if wasInterrupted { return interrupted(run) }
    if let recording = run.recording { try finish(recording, passed: report.passed) }
    return report.passed ? .passed : .failed
  }

  /// Puts a transcript in its place, and says so when another one keeps it.
  private func finish(_ recording: Recording, passed: Bool) throws(FileError) {
    let path = Value.onOneLine(try recording.finish(passed: passed))
    let kept = Value.onOneLine(recording.path)
    if path != kept {
      world.errorOutput(
        "note: the run failed, so '\(kept)' stays as it was; remove it to replace it\n")
    }
    world.output("recorded \(path)\n")
  }

  /// What was recorded of half a run is thrown away: it is no golden transcript.
  ///
  /// A journal is kept.
  private func interrupted(_ run: CommandRun) -> ExitCode {
    if let recording = run.recording {
      recording.abandon()
      world.errorOutput(
        "flow: interrupted, '\(Value.onOneLine(recording.path))' was not written\n")
    }
    if let journaling = run.journaling {
      world.errorOutput(
        "flow: interrupted; 'flow resume \(Value.onOneLine(journaling.path.shellWord))' goes on\n")
    }
    return .interrupted
  }

  private func runLive(
    _ plan: Plan, _ inputs: [Value], _ run: CommandRun
  ) async -> (RunReport, wasInterrupted: Bool) {
    let console = consoleReport(isQuiet: run.isQuiet)
    var options = run.session
    options.redactor = runRedactor()
    options.log = { console.log($0, $1) }
    // What a journal says of steps beside each other must be what was done first.
    options.sharesThread = run.journaling != nil && plan.runsInParallel
    let session = Session(of: plan, sinks: [console] + run.sinks, options: options)
    let caller = run.caller(in: session)
    guard world.takesSignals else {
      return (await session.run(inputs: inputs, through: caller), false)
    }
    return await Interruption.cancelling(
      Task { await session.run(inputs: inputs, through: caller) },
      notice: { [world] in
        run.journaling?.recorder.interrupt()
        world.errorOutput("flow: stopping; once more to stop at once\n")
      },
      abandon: { run.recording?.abandon() })
  }

  func consoleReport(isQuiet: Bool) -> ConsoleReport {
    var style = ConsoleReport.Style()
    let isDumb = world.environment["TERM"] == "dumb"
    style.isLive = world.isTerminal && !isDumb
    // https://no-color.org: present and not empty
    style.hasColors = style.isLive && (world.environment["NO_COLOR"] ?? "").isEmpty
    style.isQuiet = isQuiet
    return ConsoleReport(style: style, write: world.output)
  }
}
