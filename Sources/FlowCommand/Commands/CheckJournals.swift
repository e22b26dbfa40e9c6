internal import FlowCore
internal import FlowDatabase
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

// `flow check --journals`: the runs that the scenarios, as they are now, go on with.
extension CommandContext {
  /// Judges the journals in folders, files and databases.
  ///
  /// With `scenarios`, it judges only the journals of these, and the path of each is the one given
  /// here.
  func checkJournals(
    _ names: [String], of scenarios: [String], _ output: ReportFormat<JournalReport>
  ) async throws(UsageError) -> ExitCode {
    let places: [JournalPlace]
    do {
      places = try names.flatMap(JournalPlace.all)
    } catch let error as UsageError {
      throw error
    } catch {
      process.say("\(error)")
      return (error as? FileError)?.code ?? .badInput
    }
    var plans = JudgedPlans(scenarios)
    var entries: [JournalReport.Entry] = []
    for place in places {
      if let entry = await judge(place, by: &plans) { entries.append(entry) }
    }
    return report(JournalReport(entries), output)
  }

  private func report(_ report: JournalReport, _ output: ReportFormat<JournalReport>) -> ExitCode {
    let code: ExitCode =
      report.count(.unreadable) > 0
      ? .badInput : report.count(.incompatible) > 0 ? .failed : .passed
    let diagnostics = report.entries.flatMap(\.diagnostics)
    verdict.count([
      ("compatible", report.count(.compatible)), ("incompatible", report.count(.incompatible)),
    ])
    if write(report, as: output) {
      collect(diagnostics)
      return code
    }
    print(diagnostics)
    process.output(report.text)
    return code
  }

  /// Returns the result for a journal, or nil for one of another scenario than those asked for.
  private func judge(
    _ place: JournalPlace, by plans: inout JudgedPlans
  ) async -> JournalReport.Entry? {
    do {
      let journal = try place.read()
      guard let path = try plans.path(of: journal, at: place, self) else { return nil }
      return await entry(of: journal, at: place, try plans.plan(path, self), path)
    } catch let error as TranscriptError {
      return JournalReport.Entry(place.text, unreadable: [error.diagnostic])
    } catch let error as ScenarioError {
      error.hideSecrets(by: redactor)
      return JournalReport.Entry(place.text, unreadable: error.diagnostics)
    } catch {
      process.say("\(error)")
      return JournalReport.Entry(place.text, unreadable: [])
    }
  }

  private func entry(
    of journal: Journal, at place: JournalPlace, _ plan: Plan, _ path: String
  ) async -> JournalReport.Entry {
    let isChanged = !journal.header.changes(in: plan).isEmpty
    let entry = { state, judgement, unknown in
      JournalReport.Entry(
        place.text, of: path, callCount: journal.callCount, isChanged: isChanged, state: state,
        judgement, unknown: unknown)
    }
    if let passed = journal.passed { return entry(passed ? .passed : .failed, nil, []) }
    let judgement = await journal.judged(
      by: plan, file: place.text, hidingSecretsBy: runRedactor())
    let isCompatible = judgement.isCompatible
    return entry(
      isCompatible ? .compatible : .incompatible, judgement,
      isCompatible ? journal.unknownCalls(in: plan) : [])
  }
}

/// The scenarios that judge journals, each read once.
private struct JudgedPlans {
  /// The paths on the command line, or none for those that the journals name.
  private let scenarios: [String]
  private var plans: [String: Plan] = [:]

  init(_ scenarios: [String]) { self.scenarios = scenarios }

  /// Returns the path of a journal's scenario, or nil if it is none of those asked for.
  func path(
    of journal: Journal, at place: JournalPlace, _ flow: CommandContext
  ) throws(TranscriptError) -> String? {
    if scenarios.isEmpty { return try flow.scenario(nil, of: journal.header, in: place.path) }
    return scenarios.first { journal.header.names($0, beside: place.path) }
  }

  mutating func plan(_ path: String, _ flow: CommandContext) throws(ScenarioError) -> Plan {
    if let plan = plans[path] { return plan }
    _ = flow.hidePatterns(around: path)
    let loader = ScenarioLoader(registry: flow.registry)
    let plan = try loader.plan(try ScenarioSource(reading: path))
    plans[path] = plan
    return plan
  }
}
