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
        Option(
          name: "record", value: .optional("PATH", suffix: ".jsonl"),
          summary: "Writes a transcript; beside the scenario unless PATH says where."),
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
        .jsonl; '--record=PATH' always does. NO_COLOR in the environment switches colours off.

          flow run shop.yaml --input amount=30 --record
          flow run shop.yaml --input amount=30 --dry-run
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try RunOptions(arguments)
    guard let plan = flow.plan(arguments.operands[0]) else { return .badInput }
    return await flow.run(plan, options)
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
    isQuiet = arguments.has("quiet")
    isVirtualTime = arguments.has("virtual-time")
    isDryRun = arguments.has("dry-run")
    if isDryRun && record != nil { throw .conflict(option: "record", with: "dry-run") }
  }
}

extension FlowCommand {
  func run(_ plan: Plan, _ options: RunOptions) async -> ExitCode {
    let inputs: [Value]
    do throws(ScenarioError) {
      inputs = try plan.inputValues(texts: options.inputs)
    } catch {
      print(error.diagnostics)
      return .badInput
    }
    if options.isDryRun {
      world.output(PlanTree(plan, inputs: inputs).text)
      return .passed
    }
    return await run(plan, inputs, options)
  }

  private func run(_ plan: Plan, _ inputs: [Value], _ options: RunOptions) async -> ExitCode {
    do throws(FileError) {
      let recording = try options.record.map { path throws(FileError) in
        try Recording(of: plan, at: path)
      }
      let (result, wasInterrupted) = await runLive(plan, inputs, options, recording)
      report(result, plan)
      if wasInterrupted { return interrupted(recording) }
      try recording?.finish()
      if let recording { world.output("recorded \(recording.path)\n") }
      return result.passed ? .passed : .failed
    } catch {
      world.errorOutput("flow: the transcript was not written: \(error)\n")
      return .cannotWrite
    }
  }

  /// What was recorded of half a run is thrown away: it is no golden transcript.
  private func interrupted(_ recording: Recording?) -> ExitCode {
    if let recording {
      recording.abandon()
      world.errorOutput("flow: interrupted, '\(recording.path)' was not written\n")
    }
    return .interrupted
  }

  private func runLive(
    _ plan: Plan, _ inputs: [Value], _ options: RunOptions, _ recording: Recording?
  ) async -> (RunResult, wasInterrupted: Bool) {
    let time = options.isVirtualTime ? VirtualTime() : nil
    let console = consoleReport(isQuiet: options.isQuiet)
    let sinks = EventSinks([console] + (recording.map { [$0.recorder] } ?? []))
    let services = services(of: plan, options, console, time)
    let caller = LiveCaller(
      componentCount: plan.components.count, options: services, sinks: sinks)
    let runner = Runner(
      plan: plan, caller: caller, sinks: sinks, seed: options.seed, virtualTime: time)
    guard world.takesSignals else { return (await runner.run(inputs: inputs), false) }
    return await Interruption.cancelling(
      Task { await runner.run(inputs: inputs) },
      notice: { [world] in world.errorOutput("flow: stopping; once more to stop at once\n") },
      abandon: { recording?.abandon() })
  }

  private func services(
    of plan: Plan, _ options: RunOptions, _ console: ConsoleReport, _ time: VirtualTime?
  ) -> ContextServices.Options {
    var services = ContextServices.Options(directory: Directory(Path.folder(of: plan.file)))
    services.seed = options.seed
    // A new name for every run, so that no two runs share an idempotency key.
    services.run = "\(plan.digest)/\(UInt64.random(in: .min ... .max))"
    services.log = { console.log($0, $1) }
    services.document = DocumentReader.read
    guard let time else { return services }
    let start = services.date()
    services.clock = time.clock
    services.date = { start.advanced(by: time.clock.now.offset) ?? start }
    services.tasks = SpawnedTasks(executor: time)
    return services
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

  /// Prints every failure in the order of the run.
  func report(_ result: RunResult, _ plan: Plan) {
    print(result.failures.flatMap { $0.diagnostics(of: plan) })
  }
}

/// A transcript that is being written.
struct Recording: Sendable {
  let path: String
  let recorder: Recorder
  private let file: OutputFile

  /// Opens the transcript at a path; the empty one is the place beside the scenario.
  init(of plan: Plan, at path: String) throws(FileError) {
    self.path = path.isEmpty ? Path.transcript(of: plan.file) : path
    let file = try OutputFile(replacing: self.path)
    self.file = file
    let scenario = Path.relative(plan.file, to: Path.folder(of: self.path))
    recorder = Recorder(scenario: scenario) { try file.append($0) }
  }

  /// Leaves nothing behind.
  func abandon() {
    file.discard()
  }

  func finish() throws(FileError) {
    if let error = recorder.failure as? FileError { throw error }
    try file.commit()
  }
}
