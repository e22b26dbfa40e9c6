internal import FlowCore
internal import FlowEngine
internal import FlowExplore
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript
private import Synchronization

extension Command {
  static let explore = Command(
    syntax: CommandSyntax(
      name: "explore", summary: "Runs a scenario in different orders until one fails.",
      operands: .one("SCENARIO"),
      options: GivenInputs.options + [
        .secret,
        Option(
          "budget", .required("N"),
          "The number of orders to try. Default: 10000, or 100 with state outside flow. With --generate, the number of scenarios. Default: 1000."
        ),
        Option(
          "delays", .required("N"),
          "The maximum number of delays to try in every position. Default: 2."),
        Option(
          "faults", .optional("NAME,...", suffix: nil),
          "Also injects the declared errors of all operations, or only of these components and operations."
        ),
        Option(
          "silence", .optional("NAME,...", suffix: nil),
          "Also leaves calls unanswered: all, or only of these components and operations."),
        Option(
          "duplicates", .optional("NAME,...", suffix: nil),
          "Also delivers events twice: all, or only these events and components."),
        LiveComponents.option(
          "Calls these components, and serves the others from the transcript.",
          needsNames: true),
        Option(
          "crashes", .none,
          "Also simulates a crash after each line of the journal, and resumes the run."),
        Option(
          "generate", .optional("NAME,...", suffix: nil),
          "Calls operations with random inputs after the steps: all without effects outside flow, or only these components and operations."
        ),
        Option(
          "jobs", .required("N"),
          "The number of orders to run at once. Default: 1. The result is the same for any number."),
        Option(
          "seed", .required("NUMBER"), "The seed of all random values. Default: 0."),
        Option(
          "svg", .required("PATH"),
          "Draws the failing run as a sequence diagram. Replaces the file."),
        ExploreOptions.outputs.option(),
      ] + Permissions.options,
      details: """
        The components run on one thread and in virtual time. Wherever several tasks are ready, and
        before and after each call, flow chooses the next task: first in the normal order, then with
        one delay in every position, then with two, and then at random. A failing run is reduced to
        the fewest delays, described step by step, and recorded beside the scenario, as
        shop.transcript.explored.jsonl for shop.yaml.

        flow does not control work outside that thread, and names it: unstructured and detached
        tasks, Task.sleep, and actors with their own executor. Components with state outside the
        process make real calls in every order, so only 100 orders are tried without --budget.
        Prefer components with state in memory.

        --faults, --silence, --duplicates and --crashes also inject one failure at a time: a
        declared error of an operation, a call without an answer until a timeout or the end of the
        run, an event delivered twice, or a killed process resumed from its journal.

        With --live=NAME, the component NAME is called, and the answers of all others come from the
        transcript beside the scenario, early and late.

        With --generate, flow searches for calls that break an invariant of the scenario or fail
        with an undeclared error. It reduces them to the fewest calls and writes these beside the
        scenario, as shop.generated.yaml, with its transcript. Components that reach files, servers,
        programs or databases are skipped unless named, because generated calls to them are real.

        Exits with 0 if nothing failed, and with 1 otherwise.

          flow explore race.yaml
          flow explore race.yaml --live=cart
          flow explore race.yaml --faults=api --budget 100000
          flow explore shop.yaml --generate
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try ExploreOptions(arguments)
    let secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    let scenario = arguments.operands[0]
    guard let plan = flow.plan(scenario, running: options.live.orAll) else { return .badInput }
    try options.check(plan)
    let generation = try GenerationOptions(arguments, plan, options.explorer)
    guard flow.canDraw(options) else { return .cannotWrite }
    if options.live != .none { return await flow.exploreRecorded(plan, options, secrets) }
    let texts = try secrets.inputs(options.inputs.texts, of: plan)
    guard let inputs = flow.inputs(of: plan, texts, options.inputs) else { return .badInput }
    if let generation {
      return await flow.generate(plan, inputs: inputs, generation, hiding: secrets)
    }
    return await flow.explore(plan, inputs: inputs, options, hiding: secrets)
  }
}

private struct ExploreOptions: Sendable {
  static let outputs: [Output<ExplorationReport>] = [.text, .json]

  let inputs: GivenInputs
  /// The options repeated by the commands in advice.
  let repeated: RepeatedOptions
  let live: LiveComponents
  let seed: UInt64?
  /// The path of the drawing of a failing run, or nil for no drawing.
  let drawing: String?
  var explorer = ExplorationOptions()
  let output: Output<ExplorationReport>

  init(_ arguments: ParsedArguments) throws(UsageError) {
    inputs = try GivenInputs(arguments)
    repeated = RepeatedOptions(arguments)
    live = try LiveComponents(arguments)
    drawing = try arguments.only("svg")
    if live == .all { throw .malformed(option: "live", value: "", expected: "names of components") }
    output = try Self.outputs.chosen(by: arguments)
    seed = try arguments.only("seed", "a whole number from 0") { UInt64($0) }
    explorer.seed = seed ?? 0
    if live != .none && !(arguments.values("input") + arguments.values("inputs")).isEmpty {
      throw .conflict(option: "input", with: "live")
    }
    explorer.crashes = arguments.has("crashes")
    if explorer.crashes && live != .none { throw .conflict(option: "crashes", with: "live") }
    let budget = try arguments.whole("budget", 1...1_000_000_000)
    if let budget { (explorer.budget, explorer.outsideBudget) = (budget, budget) }
    explorer.jobs = try arguments.whole("jobs", 1...64) ?? 1
    explorer.maxDelays = try arguments.whole("delays", 0...10) ?? 2
    explorer.faults = try Self.names("faults", arguments)
    explorer.silence = try Self.names("silence", arguments)
    explorer.duplicates = try Self.names("duplicates", arguments)
  }

  /// Returns the names listed by an option, nil if it lists none and so means all, or an empty
  /// array without the option.
  private static func names(
    _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> Set<String>? {
    guard let names = try arguments.only(option) else { return [] }
    return names.isEmpty ? nil : Set(names.split(separator: ",").map(String.init))
  }

  /// Checks that the scenario has the components, operations and events to fail.
  func check(_ plan: Plan) throws(UsageError) {
    try live.check([plan])
    try plan.checkNames((explorer.faults ?? []).sorted(), of: "faults")
    try plan.checkNames((explorer.silence ?? []).sorted(), of: "silence")
    try plan.checkNames((explorer.duplicates ?? []).sorted(), of: "duplicates") {
      $0.events.map(\.name)
    }
  }
}

extension Plan {
  /// Checks that the components named by an option exist, and their operations or events.
  func checkNames(
    _ names: [String], of option: String,
    among members: (RegisteredPlugin) -> [String] = { $0.operations.map(\.name) }
  ) throws(UsageError) {
    for name in names {
      let component = name.componentName
      if componentNames.contains(component) {
        try checkMember(name, of: component, option, members)
        continue
      }
      throw .unknownComponent(
        component, option: option, known: Set(componentNames).sorted())
    }
  }

  private func checkMember(
    _ name: String, of component: String, _ option: String,
    _ members: (RegisteredPlugin) -> [String]
  ) throws(UsageError) {
    guard name != component else { return }
    let known = allComponents.filter { $0.name == component }
      .flatMap { members($0.plugin).map { "\(component).\($0)" } }
    if known.contains(name) { return }
    throw .malformed(
      option: option, value: name,
      expected: known.isEmpty
        ? "a name that '\(component)' has" : "one of " + Set(known).sorted().joined(separator: ", ")
    )
  }
}

extension LiveComponents {
  /// The same choice, or all components if none was made.
  fileprivate var orAll: LiveComponents { self == .none ? .all : self }
}

extension CommandContext {
  /// Explores some components on the recorded answers of the others.
  fileprivate func exploreRecorded(
    _ plan: Plan, _ options: ExploreOptions, _ secrets: GivenSecrets
  ) async -> ExitCode {
    guard let (transcript, inputs) = recorded(beside: plan) else { return .badInput }
    var options = options
    options.explorer.recorded = transcript
    options.explorer.live = options.live.names(in: plan)
    options.explorer.seed = options.seed ?? transcript.header.seed
    options.explorer.date = transcript.date ?? .epoch
    return await explore(plan, inputs: inputs, options, hiding: secrets)
  }

  fileprivate func explore(
    _ plan: Plan, inputs: [Value], _ options: ExploreOptions, hiding secrets: GivenSecrets
  ) async -> ExitCode {
    let (exploration, wasInterrupted) = await search(
      plan, inputs: inputs, options.explorer, hiding: secrets)
    plan.hideSecrets(inputs: inputs, by: redactor)
    if !exploration.problems.isEmpty {
      print(exploration.problems)
      if options.live != .none {
        let record = Acceptance(plan: plan, given: options.repeated.text).command.onOneLine
        process.say(
          "the transcript does not replay as it is; '\(record)' records again")
      }
      return .badInput
    }
    guard let found = exploration.found else {
      write(ExplorationReport(exploration, of: plan.file, recording: nil), as: options.output)
      return wasInterrupted ? .interrupted : .passed
    }
    let recording = keep(found, options, plan)
    let isDrawn = draw(found, options)
    write(ExplorationReport(exploration, of: plan.file, recording: recording), as: options.output)
    print(found.report.diagnostics)
    if wasInterrupted { return .interrupted }
    return recording == nil || !isDrawn ? .cannotWrite : .failed
  }

  /// Explores, and shows the progress if a person can see it.
  private func search(
    _ plan: Plan, inputs: [Value], _ options: ExplorationOptions, hiding secrets: GivenSecrets
  ) async -> (value: Exploration, wasInterrupted: Bool) {
    let latest = LatestRow()
    var options = options
    options.progress = { latest.row = $0.text }
    let explorer = explorer(plan, inputs: inputs, options, hiding: secrets)
    return await search(latest) { await explorer.explore() }
  }

  /// Runs a search that Ctrl-C cancels, and shows its latest row meanwhile.
  func search<Found: Sendable>(
    _ latest: LatestRow, _ work: @escaping @Sendable () async -> Found
  ) async -> (value: Found, wasInterrupted: Bool) {
    let rows: @Sendable () -> [String] = { latest.row.map { [$0] } ?? [] }
    let display = LiveDisplay(process, rows: { _ in rows() }, places: rows)
    defer { display.end() }
    return await interruptibly(work)
  }

  /// Returns an exploration with the given secrets and the patterns of the project.
  func explorer(
    _ plan: Plan, inputs: [Value], _ options: ExplorationOptions, hiding secrets: GivenSecrets
  ) -> Explorer {
    // Inputs that do not fit were refused when they were read.
    let revealed = try? plan.partlyLiveInputs(inputs, secret: secrets.value)
    return Explorer(
      plan, inputs: options.recorded == nil ? inputs : revealed ?? inputs,
      explorerOptions(options, secrets))
  }

  /// Returns the options with the given secrets and the patterns of the project.
  func explorerOptions(_ options: ExplorationOptions, _ secrets: GivenSecrets) -> ExplorationOptions
  {
    var options = options
    options.secret = { secrets.value($0) }
    options.redactor = { [redactor] in Redactor(patternsOf: redactor) }
    return options
  }

  /// Records a failing run.
  ///
  /// Nil after printing why that failed.
  private func keep(
    _ found: ScheduledRun, _ options: ExploreOptions, _ plan: Plan
  ) -> ExplorationReport.Recording? {
    do throws(FileError) {
      let path = try keep(found.transcript, of: plan)
      let live = options.live.orAll.argument(for: plan).dropLast()
      return ExplorationReport.Recording(
        at: path, again: "flow replay \(path.shellPath) \(live)\(options.repeated.text)")
    } catch {
      // The result is worth more than its file, so the search does not fail.
      process.say("\(error)")
      return nil
    }
  }

  /// Returns true if a failing run can be drawn at the requested place, or false after printing why
  /// not.
  fileprivate func canDraw(_ options: ExploreOptions) -> Bool {
    guard let drawing = options.drawing else { return true }
    do throws(FileError) {
      try OutputPlace.check(report: drawing)
      try OutputFile(replacing: drawing, isPrivate: redactor.hasSecrets).discard()
      return true
    } catch {
      process.say("the drawing was not written: \(error)")
      return false
    }
  }

  /// Draws a failing run if requested.
  ///
  /// False after printing why that failed.
  private func draw(_ found: ScheduledRun, _ options: ExploreOptions) -> Bool {
    guard let drawing = options.drawing else { return true }
    do throws(FileError) {
      try OutputPlace.check(report: drawing)
      let svg = redactor.redacted(SequenceDiagram(found.story).svg)
      try FileSystem.replace(
        drawing, with: Array(svg.utf8), followsLinks: true, isPrivate: redactor.hasSecrets)
      return true
    } catch {
      process.say("the drawing was not written: \(error)")
      return false
    }
  }

  /// Writes the transcript of a failing run next to its scenario, and returns its path.
  private func keep(_ run: InMemoryTranscript, of plan: Plan) throws(FileError) -> String {
    let path = String(Path.transcript(of: plan.file).dropLast(".jsonl".count)) + ".explored.jsonl"
    try write(run, at: path)
    return path
  }

  /// Writes a transcript and its bodies.
  func write(_ run: InMemoryTranscript, at path: String) throws(FileError) {
    let lock = FolderLock(sharing: Path.folder(of: path))
    defer { withExtendedLifetime(lock) {} }
    let isPrivate = run.isPrivate
    for (blob, content) in run.bodies {
      try BlobFolder(beside: path).store(content, of: blob, isPrivate: isPrivate)
    }
    try FileSystem.replace(path, with: run.bytes, followsLinks: false, isPrivate: isPrivate)
  }
}

/// The last reported progress of a search.
final class LatestRow: Sendable {
  private let text = Mutex<String?>(nil)

  /// The row of the live region, or nil before the first report.
  var row: String? {
    get { text.withLock { $0 } }
    set { text.withLock { $0 = newValue } }
  }
}
