internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The search for the scenarios of a project.
struct ScenarioSearch: Sendable {
  let flow: CommandContext
  let settings: ProjectSettings

  /// Finds and loads the scenarios at these paths, sorted by the bytes of their paths.
  ///
  /// It notes folders with separate projects, and unreadable files next to scenarios, and the action
  /// not done with them.
  @concurrent func load(
    _ paths: [String], notBeing action: String
  ) async throws(FileError) -> [SuiteScenario] {
    let finder = ScenarioFinder(
      excluding: settings.exclude.value + settings.project.statePaths)
    let found = try finder.files(at: paths)
    flow.note(projects: found.projects, notBeing: action)
    let root = FileSystem.realPath(settings.project.folder)
    let loader = ScenarioLoader(
      registry: flow.registry.limited(to: flow.permissions.adding(settings.project.file).network))
    var (scenarios, unreadable): ([SuiteScenario], [FoundFile]) = ([], [])
    await Jobs(limit: settings.jobs.value).run(found.files) { _, file in
      SuiteFile(file, root: root, loader)
    } receive: { file in
      switch file {
      case .scenario(let scenario): scenarios.append(scenario)
      case .unreadable(let file): unreadable.append(file)
      case .other: break
      }
    }
    warn(of: unreadable, beside: scenarios, notBeing: action)
    scenarios += found.lonelyTranscripts.filter { !TranscriptReader.namesScenario($0.path) }
      .map { SuiteScenario(lonelyTranscript: $0, root: root) }
    return scenarios.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Warns of files that may have been scenarios: they are not YAML, and are in a folder with
  /// scenarios.
  private func warn(
    of files: [FoundFile], beside scenarios: [SuiteScenario], notBeing action: String
  ) {
    let folders = Set(scenarios.map { Path.folder(of: $0.path) })
    for file in files where folders.contains(Path.folder(of: file.path)) {
      let name = file.path.onOneLine
      flow.process.say("'\(name)' cannot be read as YAML and is not \(action)", as: .warning)
    }
  }
}

/// The scenarios of `flow test`, and the settings for running them.
struct TestSuite: Sendable {
  let flow: CommandContext
  let settings: ProjectSettings
  var options: TestOptions
  /// The start of the command.
  ///
  /// The reported time includes finding and loading the scenarios.
  let start = ContinuousClock.now
  /// The limits set by the options and the project.
  private var permissions: Permissions { flow.permissions.adding(settings.project.file) }

  /// Finds and loads the scenarios at these paths, sorted by the bytes of their paths.
  func load(_ paths: [String]) async throws(FileError) -> [SuiteScenario] {
    try await ScenarioSearch(flow: flow, settings: settings).load(paths, notBeing: "run")
  }

  /// Tests and reports the scenarios, and updates the state.
  @concurrent func run(_ part: SuitePart, _ state: SuiteState) async -> ExitCode {
    let scenarios = part.scenarios
    let isDocument = settings.output.document != nil
    guard let reports = flow.reports(options.reports, printsDocument: isDocument) else {
      return .cannotWrite
    }
    let archive = TranscriptArchive(project: settings.project.folder, isCI: flow.process.isCI)
    let keeper = ResultKeeper(part, options, flow)
    flow.redactor.use(settings.project.file?.patterns ?? [])
    let test = ScenarioTest(
      flow: flow, permissions: permissions, options: options, update: settings.update.value,
      archive: archive, tracing: keeper == nil ? reports.tracing : TraceOptions(),
      measuring: keeper != nil || reports.showsMeasures || coverage.isDemanded)
    let live = SuiteProgress(
      durations: scenarios.map { state.entries[$0.key]?.microseconds },
      slowAfter: flow.process.slowAfter)
    let display = display(of: live)
    defer { display.end() }
    let text = isDocument ? nil : text(of: scenarios.count)
    var progress = Progress(report, text: text, state: state, options, reports: reports)
    let running = running(keeper)
    defer { running.finish() }
    await Places(settings.places).run(scenarios) {
      $0.use(settings.update.value)
    } work: { index, scenario, place in
      let activity = live.begin(index, scenario.path)
      running.begin(scenario.key)
      let outcome = await test.outcome(of: scenario, activity, in: place)
      running.end(scenario.key)
      live.end(index, hasFailed: !outcome.isFine)
      return ReportedOutcome(outcome, index, in: reports, keeper)
    } goesOn: { reported in
      !options.failsFast || reported.outcome.isFine
    } receive: { reported in
      progress.add(reported)
    }
    progress.skip(scenarios, keeper)
    progress.report.elapsed = start.duration(to: .now)
    progress.judgeCoverage()
    display.end()
    return finish(progress, archive, keeper)
  }

  /// Returns the file for the scenarios running at a crash, after reporting an earlier crash.
  private func running(_ keeper: ResultKeeper?) -> RunningScenarios {
    if let keeper { return keeper.running }
    if flow.inner != nil { return .unknown(flow.redactor) }
    for sentence in RunningScenarios.interrupted(in: settings.project.folder) {
      flow.process.say(sentence, as: .warning)
    }
    return RunningScenarios(in: settings.project.folder, flow.redactor)
  }

  private func display(of live: SuiteProgress) -> LiveDisplay {
    LiveDisplay(flow.process) { [redactor = flow.redactor] size in
      live.rows(in: size).map(redactor.redacted)
    } places: {
      live.places
    } notices: { [shows = status >= .slow] in
      shows ? live.newlySlow() : []
    }
  }

  /// Reports the end and writes the state.
  private func finish(
    _ progress: Progress, _ archive: TranscriptArchive, _ keeper: ResultKeeper?
  ) -> ExitCode {
    var progress = progress
    let report = progress.report
    if !flow.write(report, as: settings.output) { progress.text?.finish(report) }
    if flow.verdict.isActive { flow.collect(report) }
    flow.say(report.shortfalls)
    if archive.isCI, report.counts[.recorded] != nil { reportRecordings() }
    let kept = keeper?.write(progress.results, report) ?? .passed
    if keeper == nil { write(progress.state) }
    return progress.code.worse(progress.reports.finish(report)).worse(kept)
  }

  private var report: SuiteReport {
    var report = SuiteReport(keepsScenarios: settings.output.document != nil)
    report.seed = options.seed
    report.demand(coverage)
    return report
  }

  /// The demands on the coverage, which are those of the whole suite and not of a part.
  private var coverage: CoverageDemand {
    CoverageDemand(options.reports, options.shard == nil ? settings.thresholds : nil)
  }

  /// The level of results printed as a line.
  private var status: StatusLevel {
    options.status ?? (settings.isQuiet.value ? .recorded : .pass)
  }

  private func text(of count: Int) -> SuiteText {
    flow.suiteText(of: count, status, final: options.final)
  }

  private func reportRecordings() {
    let place = Path.joined(settings.project.folder, TranscriptArchive.folder)
    flow.process.say(
      "CI is set, so the recordings are in '\(place)' and their scenarios did not pass")
  }

  /// Writes the state.
  ///
  /// A failure does not change the results of the scenarios.
  private func write(_ state: SuiteState) {
    if flow.inner != nil { return }
    do throws(FileError) { try state.write(to: settings.project.folder) } catch {
      flow.process.say("the list of failed scenarios was not saved: \(error)", as: .warning)
    }
    flow.refreshSchemas(of: settings.project)
  }
}

extension CommandContext {
  /// Returns the console text for a suite with this number of scenarios.
  func suiteText(of count: Int, _ status: StatusLevel, final: StatusLevel) -> SuiteText {
    var style = SuiteText.Style()
    style.isTerminal = process.isTerminal
    style.usesSigns = process.showsSigns
    style.hasErrorColors = process.usesErrorColors
    style.status = status
    style.final = final
    // Shown only for several scenarios, and without live rows, which show the progress, too.
    style.total = process.region == nil && count > 1 ? count : nil
    return SuiteText(
      style: style, redactor, output: process.output, errorOutput: process.errorOutput)
  }
}

/// The results of a suite until now.
private struct Progress {
  var report: SuiteReport
  var text: SuiteText?
  private(set) var state: SuiteState
  private(set) var code = ExitCode.passed
  /// The stored results for other processes.
  ///
  /// Empty if none are requested.
  private(set) var results: [ShardResult.Scenario] = []
  let reports: Reports
  private let options: TestOptions

  init(
    _ report: SuiteReport, text: SuiteText?, state: SuiteState, _ options: TestOptions,
    reports: Reports
  ) {
    self.report = report
    self.text = text
    self.state = state
    self.options = options
    self.reports = reports
  }

  /// Reports a completed scenario.
  mutating func add(_ reported: ReportedOutcome) {
    let outcome = reported.outcome
    report.add(outcome.report)
    text?.add(outcome.report)
    reports.add(reported.entries)
    if let result = reported.result { results.append(result) }
    state.note(outcome, options)
    code = code.worse(outcome.code)
  }

  /// Fails if too little is covered.
  mutating func judgeCoverage() {
    // An interrupted suite covers less by its nature, and has failed.
    if report.wasInterrupted || report.shortfalls.isEmpty { return }
    report.passed = false
    code = code.worse(.failed)
  }

  /// Reports the scenarios that were not started.
  mutating func skip(_ scenarios: [SuiteScenario], _ keeper: ResultKeeper?) {
    for (number, scenario) in scenarios.enumerated().dropFirst(report.total) {
      let skipped = ScenarioReport(notRun: scenario.path, name: scenario.name)
      text?.add(skipped)
      reports.add(reports.entries(for: skipped, number: number + 1))
      if let result = keeper?.result(of: skipped, number) { results.append(result) }
    }
    report.addNotRun(scenarios.count - report.total)
    report.wasInterrupted = Task.isCancelled
    if report.wasInterrupted { code = .interrupted }
    report.passed = code == .passed
  }
}

/// The result of the test of a scenario, and its entries in the reports.
private struct ReportedOutcome: Sendable {
  var outcome: TestOutcome
  let entries: Reports.Entries
  let result: ShardResult.Scenario?

  init(
    _ outcome: TestOutcome, _ index: Int, in reports: Reports, _ keeper: ResultKeeper?
  ) {
    self.outcome = outcome
    entries = reports.entries(for: outcome.report, number: index + 1)
    result = keeper?.result(of: outcome, index)
    // Traces of runs do not stay in memory.
    self.outcome.report.forgetRuns()
  }
}

extension SuiteState {
  /// Notes the result of a scenario.
  ///
  /// A scenario that did not run keeps its entry.
  fileprivate mutating func note(_ outcome: TestOutcome, _ options: TestOptions) {
    if outcome.report.verdict == .notRun { return }
    var entry = entries[outcome.scenario.key] ?? Entry(hasFailed: false)
    entry.hasFailed = outcome.countsAsFailed
    // The other parts must be divided by the same durations, even when they run later.
    if options.shard == nil {
      entry.microseconds = outcome.microseconds(options)
    }
    entries[outcome.scenario.key] = entry
  }
}

extension TestOutcome {
  /// True if the scenario is included when only failures are run again.
  var countsAsFailed: Bool { [.failed, .flaky].contains(report.verdict) && !isFine }

  /// Returns the duration of one of its runs.
  func microseconds(_ options: TestOptions) -> Int {
    Int(report.elapsed / .microseconds(1)) / options.repetitions
  }
}

/// The choice of scenarios to run, and their order.
struct TestSelection: Sendable {
  let options: TestOptions
  let state: SuiteState

  /// Returns the scenarios that all parts run together.
  ///
  /// The tags of an unreadable scenario are unknown, so only its path can exclude it.
  func selected(from scenarios: [SuiteScenario]) throws(UsageError) -> [SuiteScenario] {
    let tags = Set(scenarios.flatMap { (try? $0.plan.get())?.tags ?? [] })
    let tag = try options.tag?.compiled(among: tags)
    let skipTag = try options.skipTag?.compiled(among: tags)
    var selected: [SuiteScenario] = []
    for scenario in scenarios where try isWanted(scenario, tag, skipTag) {
      selected.append(scenario)
    }
    if selected.isEmpty { throw .nothingSelected(from: scenarios.count, reasons) }
    if !options.rerunsFailed { return selected }
    if !state.entries.values.contains(where: \.hasFailed) { throw .nothingFailed }
    // Parts change the recorded failures for later parts, so the suite is divided before this
    // filter.
    if options.shard == nil || options.results != nil {
      selected.removeAll { state.entries[$0.key]?.hasFailed != true }
    }
    if selected.isEmpty { throw .nothingSelected(from: scenarios.count, reasons) }
    return selected
  }

  /// Returns the indices of the scenarios in this part, in the order of their runs.
  func part(of scenarios: [SuiteScenario]) -> [Int] {
    var indices = Array(scenarios.indices)
    if let shard = options.shard {
      indices = shard.part(of: indices) { state.entries[scenarios[$0].key]?.microseconds }
    }
    if options.rerunsFailed {
      indices.removeAll { state.entries[scenarios[$0].key]?.hasFailed != true }
    }
    guard let seed = options.seed else { return indices }
    var random = SeededGenerator(seed: seed, label: "shuffle")
    return indices.shuffled(using: &random)
  }

  private func isWanted(
    _ scenario: SuiteScenario, _ tag: TagExpression?, _ skipTag: TagExpression?
  ) throws(UsageError) -> Bool {
    if let text = options.filter, !scenario.path.contains(text), !scenario.name.contains(text) {
      return false
    }
    guard case .success(let plan) = scenario.plan else { return true }
    if let tag, try !tag.holds(of: scenario, plan) { return false }
    if let skipTag, try skipTag.holds(of: scenario, plan) { return false }
    return true
  }

  private var reasons: [String] {
    let texts = [
      options.filter.map { "--filter '\($0)'" }, options.tag.map { "--tag '\($0.text)'" },
      options.skipTag.map { "--skip-tag '\($0.text)'" },
    ]
    return (options.rerunsFailed ? ["--rerun-failed"] : []) + texts.compactMap { $0 }
  }
}

extension TagExpression {
  fileprivate func holds(of scenario: SuiteScenario, _ plan: Plan) throws(UsageError) -> Bool {
    try holds(tags: plan.tags, name: scenario.name, path: scenario.path)
  }
}

extension ProjectSettings {
  /// The limits of the scenarios that `flow test` runs at once.
  ///
  /// A number of jobs that the user has chosen is the number of scenarios, whatever they wait for.
  var places: Places.Limits {
    var leavesWaiting = false
    if case .standard = jobs.origin { leavesWaiting = true }
    return Places.Limits(
      working: jobs.value, leavesWaiting: leavesWaiting,
      atOnce: project.file?.atOnce.mapValues(\.value) ?? [:])
  }
}
