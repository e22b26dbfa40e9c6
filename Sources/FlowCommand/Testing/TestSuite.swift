internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

/// The scenarios that `flow test` runs, and how.
struct TestSuite: Sendable {
  let flow: FlowCommand
  let settings: ProjectSettings
  let options: TestOptions
  /// When the command began; what it took includes the finding and loading.
  let start = ContinuousClock.now

  /// Finds and loads the scenarios at these paths, by the bytes of their paths; tells which folders are projects
  /// of their own, and which files beside scenarios nobody can read.
  ///
  /// - Throws: `FileError` when a folder cannot be read.
  @concurrent func load(_ paths: [String]) async throws(FileError) -> [SuiteScenario] {
    let finder = ScenarioFinder(excluding: settings.exclude.value)
    let found = try finder.files(at: paths)
    flow.tell(of: found.projects, "run")
    let root = FileSystem.realPath(settings.project.folder)
    let loader = ScenarioLoader(registry: flow.registry)
    var (scenarios, unreadable): ([SuiteScenario], [FoundFile]) = ([], [])
    await Jobs(limit: settings.jobs.value).run(found.files) { file in
      SuiteFile(file, root: root, loader)
    } receive: { file in
      switch file {
      case .scenario(let scenario): scenarios.append(scenario)
      case .unreadable(let file): unreadable.append(file)
      case .other: break
      }
    }
    warn(of: unreadable, beside: scenarios)
    scenarios += found.lonelyTranscripts.filter { !TranscriptReader.namesScenario($0.path) }
      .map { SuiteScenario(lonelyTranscript: $0, root: root) }
    return scenarios.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Tells which files may have been scenarios: they are no YAML, and lie in a folder with scenarios.
  private func warn(of files: [FoundFile], beside scenarios: [SuiteScenario]) {
    let folders = Set(scenarios.map { Path.folder(of: $0.path) })
    for file in files where folders.contains(Path.folder(of: file.path)) {
      let name = Value.onOneLine(file.path)
      flow.world.errorOutput("warning: '\(name)' cannot be read as YAML and is not run\n")
    }
  }

  /// Tests the scenarios and tells of each; what was learnt goes into the state.
  @concurrent func run(_ scenarios: [SuiteScenario], _ state: SuiteState) async -> ExitCode {
    let archive = TranscriptArchive(
      project: settings.project.folder, isAutomated: flow.world.isAutomated)
    flow.redactor.use(settings.project.file?.patterns ?? [])
    let test = ScenarioTest(
      flow: flow, options: options, update: settings.update.value, archive: archive)
    var (report, state) = (TestReport(flow, settings), state)
    var (code, count) = (ExitCode.passed, 0)
    await Jobs(limit: settings.jobs.value).run(scenarios) { scenario in
      await test.outcome(of: scenario)
    } goesOn: { outcome in
      !options.failsFast || outcome.verdict == .passed || outcome.verdict == .recorded
    } receive: { outcome in
      report.add(outcome)
      state.learn(outcome, options)
      code = code.worse(outcome.code)
      count += 1
    }
    report.addNotRun(scenarios.count - count)
    if Task.isCancelled { code = .interrupted }
    report.finish(code, start.duration(to: .now), seed: options.seed)
    if archive.isAutomated, report.counts[.recorded] != nil { tellOfRecordings() }
    write(state)
    return code
  }

  private func tellOfRecordings() {
    let place = Path.joined(settings.project.folder, TranscriptArchive.folder)
    flow.world.errorOutput(
      "flow: CI is set, so what was recorded is in '\(place)' and nothing passed by it\n")
  }

  /// A state that cannot be written changes nothing about how the scenarios ended.
  private func write(_ state: SuiteState) {
    do throws(FileError) { try state.write(to: settings.project.folder) } catch {
      flow.world.errorOutput("warning: what failed is not remembered: \(error)\n")
    }
  }
}

extension SuiteState {
  /// Notes how a scenario ended; one that did not run is as it was.
  fileprivate mutating func learn(_ outcome: TestOutcome, _ options: TestOptions) {
    if outcome.verdict == .notRun { return }
    var entry = entries[outcome.scenario.key] ?? Entry(hasFailed: false)
    entry.hasFailed = outcome.verdict == .failed || outcome.verdict == .flaky
    // The other parts have to be cut by the same durations, also when they run after this one.
    if options.shard == nil {
      entry.microseconds = Int(outcome.elapsed / .microseconds(1)) / options.repetitions
    }
    entries[outcome.scenario.key] = entry
  }
}
