internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

extension Command {
  static let merge = Command(
    syntax: CommandSyntax(
      name: "merge", summary: "Combines the results of a suite tested in parts.",
      operands: .sequence(["FOLDER"], optional: "PATH"), options: options,
      details: """
        FOLDER is the folder of 'flow test --results'. The project is the one around PATH or the
        working directory. Failures and durations are saved in its .flow folder, for 'flow test
        --rerun-failed' and '--shard'.

        The latest attempt of each part counts. Missing parts, damaged files, parts of another
        suite, and attempts with different scenarios are errors: nothing is written, and the exit
        code is 65. Otherwise it is that of the worst scenario, as in 'flow test'.

          flow merge /shared/results --report junit --report html
          flow merge /shared/results --run slurm-4711
        """)
  ) { (flow, arguments) throws(UsageError) in
    let requests = try ReportRequests(arguments)
    try StatusLevel.check(arguments)
    let run = try ResultsPlace.run(arguments)
    let status: StatusLevel? = try arguments.choice("status")
    let final = try arguments.choice("final") ?? StatusLevel.none
    guard let project = flow.project(around: arguments.operands.dropFirst().first ?? ".") else {
      return .badInput
    }
    let settings = try ProjectSettings(project, arguments, flow.process)
    flow.redactor.use(project.file?.patterns ?? [])
    let merge = SuiteMerge(
      flow: flow.making(requests), settings: settings, requests: requests,
      status: status ?? (settings.isQuiet.value ? .recorded : .pass), final: final)
    return try merge.unite(arguments.operands[0], run)
  }

  private static let options = [
    ResultsPlace.runOption("The name of the run. Not needed if FOLDER has only one."),
    ProjectSettings.outputs.option(), ReportRequests.option, ProjectSettings.thresholdOption,
    Option("quiet", .none, "Prints no lines for passed scenarios.", letter: "q"),
    Option(
      "no-quiet", .none,
      "Prints lines for passed scenarios, even if flow.yaml turns them off."),
    StatusLevel.option("status", "Prints a line for each scenario up to this level:"),
    StatusLevel.option("final", "Repeats the lines up to this level at the end:"),
  ]
}

/// The merge of a suite's parts.
private struct SuiteMerge {
  let flow: CommandContext
  let settings: ProjectSettings
  let requests: ReportRequests
  let status: StatusLevel
  let final: StatusLevel

  /// Reads the results of a run, and reports the suite.
  func unite(_ folder: String, _ name: String?) throws(UsageError) -> ExitCode {
    let merged: MergedSuite
    var state: SuiteState
    do throws(FileError) {
      guard let run = name == nil ? try onlyRun(in: folder) : name else { return .badCommandLine }
      // GitHub's summary is written without a request.
      merged = try MergedSuite(
        reading: Path.joined(folder, run), run: run,
        keeping: requests.formats.union(["markdown"]))
      state = try SuiteState(reading: settings.project.folder)
    } catch {
      flow.process.say("\(error)")
      return .badInput
    }
    guard merged.problems.isEmpty else {
      for problem in merged.problems { flow.process.say(problem.onOneLine) }
      return .badInput
    }
    let code = report(merged)
    for scenario in merged.scenarios { state.note(scenario) }
    return code.worse(write(state))
  }

  /// Returns the name of the only run in a folder, or nil after printing that there are none or
  /// several.
  private func onlyRun(in folder: String) throws(FileError) -> String? {
    let names = try FileSystem.entries(of: folder)
      .filter { $0.kind == .folder && ResultsPlace.isName($0.name) }.map(\.name).sorted()
    if names.count == 1 { return names[0] }
    let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", ..." : "")
    flow.process.say(
      names.isEmpty
        ? "'\(folder.onOneLine)' has the results of no run"
        : "'\(folder.onOneLine)' has the results of several runs, choose one with --run: \(shown)")
    return nil
  }

  private func report(_ merged: MergedSuite) -> ExitCode {
    let isDocument = settings.output.document != nil
    guard
      let reports = flow.reports(
        requests, printsDocument: isDocument, permissions: merged.permissions)
    else {
      return .cannotWrite
    }
    let scenarios = merged.scenarios
    var suite = SuiteReport(keepsScenarios: isDocument)
    suite.demand(CoverageDemand(requests, settings.thresholds))
    var text = isDocument ? nil : flow.suiteText(of: scenarios.count, status, final: final)
    var code = ExitCode.passed
    for scenario in scenarios {
      suite.add(scenario.stored.report)
      text?.add(scenario.stored.report)
      reports.add(reports.entries(for: scenario.stored))
      code = code.worse(scenario.code)
    }
    for part in merged.parts { suite.add(part.coverage) }
    if !suite.shortfalls.isEmpty { code = code.worse(.failed) }
    suite.elapsed = merged.parts.map(\.elapsed).max() ?? .zero
    suite.passed = code == .passed
    if !flow.write(suite, as: settings.output) { text?.finish(suite) }
    flow.say(suite.shortfalls)
    return code.worse(reports.finish(suite))
  }

  private func write(_ state: SuiteState) -> ExitCode {
    do throws(FileError) {
      try state.write(to: settings.project.folder)
      return .passed
    } catch {
      flow.process.say("the list of failed scenarios was not saved: \(error)")
      return .cannotWrite
    }
  }
}

extension SuiteState {
  /// Notes the result of a scenario tested by another process.
  ///
  /// A scenario that did not run keeps its entry.
  fileprivate mutating func note(_ scenario: ShardResult.Scenario) {
    guard let microseconds = scenario.microseconds else { return }
    entries[scenario.key] = Entry(hasFailed: scenario.hasFailed, microseconds: microseconds)
  }
}
