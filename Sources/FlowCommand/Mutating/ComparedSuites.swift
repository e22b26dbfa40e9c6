internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension CommandContext {
  /// Alters the recorded answers of two versions of the scenarios at paths, or of the project, and
  /// reports what only the earlier one notices.
  func compareSuite(
    _ arguments: ParsedArguments, _ options: MutateOptions, with version: String
  ) async throws(UsageError) -> ExitCode {
    guard let suite = try mutatedSuite(arguments, options),
      let scenarios = try await scenarios(of: suite)
    else { return .badInput }
    let earlier: EarlierVersion
    do throws(EarlierVersion.Failure) {
      earlier = try EarlierVersion(version, of: suite.project.folder)
    } catch {
      process.say(error.message)
      return .badInput
    }
    let compared = ComparedSuites(suite: suite, earlier: earlier)
    let (code, wasStopped) = await interruptibly(abandon: earlier.remove) {
      defer { earlier.remove() }
      return await compared.report(on: scenarios, arguments)
    }
    return wasStopped ? .interrupted : code
  }
}

/// Two versions of a suite that are compared by what they notice.
struct ComparedSuites: Sendable {
  let suite: MutatedSuite
  let earlier: EarlierVersion

  private var flow: CommandContext { suite.flow }

  /// Compares the versions, and reports the losses.
  @concurrent func report(
    on scenarios: [SuiteScenario], _ arguments: ParsedArguments
  ) async -> ExitCode {
    guard
      let reports = flow.reports(suite.options.reports, printsDocument: flow.verdict.isActive)
    else { return .cannotWrite }
    let present = await SuiteVersion(suite, of: scenarios)
    // What was stopped has said so.
    if Task.isCancelled { return .interrupted }
    for problem in present.problems { show(problem) }
    guard present.problems.isEmpty else { return .badInput }
    if !present.unrecorded.isEmpty {
      let paths = present.unrecorded.map(flow.redactor.redacted).joined(separator: ", ")
      flow.note(["without a transcript, and not compared: \(paths)"])
    }
    guard let past = await earlierSuite(arguments) else { return .badInput }
    let version = await SuiteVersion(past.suite, of: past.scenarios)
    noteLeftOut(version.problems)
    if version.scenarios.isEmpty {
      flow.note(["\(earlier.name) has no scenario with a recording here, so nothing can be lost"])
    }
    let jobs = Jobs(limit: suite.settings.jobs.value)
    let comparison = await SuiteComparison(from: version, to: present, jobs)
    let sources = ComparedSources(
      earlier, suite.project, earlier: past.suite.project.folder, flow.registry)
    let checks = LostChecks(comparison: comparison, sources: sources)
    if Task.isCancelled { return .interrupted }
    switch suite.options.comparison {
    case .prove?: return finish(await proof(checks, jobs), reports)
    case .against?, nil: return finish(checks, past, reports)
    }
  }

  private func show(_ problem: SuiteVersion.Problem) {
    flow.print(problem.diagnostics)
    if let message = problem.message { flow.process.say(message) }
  }

  private func noteLeftOut(_ problems: [SuiteVersion.Problem]) {
    flow.note(
      problems.map { problem in
        let why = problem.diagnostics.first?.message ?? problem.message ?? ""
        // The name may be the folder that is left out of the others.
        return "'\(earlier.shown(problem.path))' of \(earlier.name.onOneLine) is not compared, "
          + "because it does not replay: \(earlier.shown(why))"
      })
  }

  // MARK: - The earlier version

  private struct Past {
    let suite: MutatedSuite
    let scenarios: [SuiteScenario]
  }

  /// Loads the earlier version of the scenarios, or returns nil after printing a problem.
  private func earlierSuite(_ arguments: ParsedArguments) async -> Past? {
    var silent = flow
    silent.process.output = { _ in }
    silent.process.errorOutput = { _ in }
    guard let folder = earlier.path(of: suite.project.folder), FileSystem.isDirectory(folder) else {
      return Past(suite: suite, scenarios: [])
    }
    do {
      let found = try Project(around: folder, flow.registry)
      // Without a project file there, the project found is the one here.
      let project = found.file == nil ? Project(folder: folder) : found
      let settings = try ProjectSettings(project, arguments, flow.process)
      let whole = project.file == nil ? [folder] : settings.scenarios.value
      let own = suite.isWhole ? whole : suite.paths.compactMap(earlier.path)
      let paths = own.filter(FileSystem.exists)
      flow.redactor.use(project.file?.patterns ?? [])
      let scenarios = try await ScenarioSearch(flow: silent, settings: settings)
        .load(paths, notBeing: "compared").refusingSharedTranscripts()
      var past = suite
      past.settings = settings
      past.flow = silent
      return Past(suite: past, scenarios: scenarios)
    } catch {
      flow.process.say("\(earlier.name.onOneLine): \(earlier.shown("\(error)"))")
      return nil
    }
  }

  // MARK: - The reports

  private func finish(_ checks: LostChecks, _ past: Past, _ reports: Reports) -> ExitCode {
    let comparison = checks.comparison
    var losses = SuiteLosses(version: earlier.name)
    losses.losses = checks.losses()
    losses.gains = checks.gains()
    losses.scenarios = comparison.changedKeys.count
    losses.judged = comparison.present.count
    do throws(ScenarioError) {
      let unused = losses.accept(
        try accepted(in: suite.project), besides: try accepted(in: past.suite.project))
      flow.note(
        unused.map { "\(AcceptedLosses.name) names no loss: \($0.value) (\($0.scenario))" })
    } catch {
      flow.print(error.diagnostics)
      return .badInput
    }
    losses.elapsed = suite.start.duration(to: .now)
    if flow.write(losses, as: suite.options.losses), flow.verdict.isActive {
      flow.collect(losses.diagnostics(flow.redactor))
    }
    return finish(
      losses.scenarioReports(of: comparison.changedKeys, flow.redactor), losses.elapsed,
      losses.unaccepted.isEmpty ? .passed : .failed, reports)
  }

  private func finish(_ proof: SuiteProof, _ reports: Reports) -> ExitCode {
    if Task.isCancelled { return .interrupted }
    if flow.write(proof, as: suite.options.proof), flow.verdict.isActive {
      flow.collect(proof.diagnostics)
    }
    return finish(
      proof.scenarioReports, proof.elapsed,
      proof.scenarios.contains(where: \.provesNothing) ? .failed : .passed, reports)
  }

  private func finish(
    _ scenarios: [ScenarioReport], _ elapsed: Duration, _ code: ExitCode, _ reports: Reports
  ) -> ExitCode {
    if suite.options.reports.isEmpty { return code }
    var report = SuiteReport(keepsScenarios: false)
    for (number, scenario) in scenarios.enumerated() {
      report.add(scenario)
      reports.add(reports.entries(for: scenario, number: number + 1))
    }
    (report.passed, report.elapsed) = (code == .passed, elapsed)
    return code.worse(reports.finish(report))
  }

  private func accepted(in project: Project) throws(ScenarioError) -> AcceptedLosses {
    let path = project.path(AcceptedLosses.name)
    return FileSystem.isOccupied(path) ? try AcceptedLosses(reading: path) : AcceptedLosses()
  }
}
