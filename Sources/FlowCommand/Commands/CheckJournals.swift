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
    for entry in report.entries { show(entry) }
    process.output(report.text)
    return code
  }

  /// Prints the problems of a journal, and the ways to go on with it.
  private func show(_ entry: JournalReport.Entry) {
    print(entry.diagnostics)
    guard entry.state == .incompatible, let difference = entry.judgement?.difference,
      let place = try? JournalPlace(entry.journal)
    else { return }
    let choices = ResumeChoices(difference, place, retriesFailed: false)
    for choice in choices.lines { process.say(choice, as: .note) }
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
    let entry = { (state: JournalReport.Entry.State, judged: JudgedJournal?) in
      let isCompatible = judged?.judgement.isCompatible == true
      return JournalReport.Entry(
        place.text, of: path, callCount: journal.callCount, isChanged: isChanged, state: state,
        judged?.judgement, unknown: isCompatible ? judged?.journal.unknownCalls(in: plan) ?? [] : []
      )
    }
    switch journal.passed {
    case true?: return entry(.passed, nil)
    case false?:
      guard let rest = await rest(of: journal, at: place, plan, isChanged: isChanged) else {
        return entry(.failed, nil)
      }
      return entry(.failed, await judge(rest, at: place, plan))
    case nil:
      let judged = await judge(journal, at: place, plan)
      return entry(judged.judgement.isCompatible ? .compatible : .incompatible, judged)
    }
  }

  private func judge(
    _ journal: Journal, at place: JournalPlace, _ plan: Plan
  ) async -> JudgedJournal {
    JudgedJournal(
      journal: journal,
      judgement: await journal.judged(
        by: plan, file: place.text, hidingSecretsBy: runRedactor()))
  }

  /// Returns the journal with which `--retry-failed` goes on, or nil if the run would fail again.
  private func rest(
    of journal: Journal, at place: JournalPlace, _ plan: Plan, isChanged: Bool
  ) async -> Journal? {
    // If the inputs do not fit, the whole journal is judged, which says so.
    guard let failures = try? await failures(of: journal, plan, at: place) else { return journal }
    return journal.retrying(failures.steps, isChanged: isChanged)?.journal
  }
}

/// A journal, and the judgement on it.
private struct JudgedJournal: Sendable {
  let journal: Journal
  let judgement: JournalJudgement
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
