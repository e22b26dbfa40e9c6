internal import FlowDatabase
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let report = Command(
    syntax: CommandSyntax(
      name: "report", summary: "Writes reports on recorded runs.",
      operands: .many("RECORDING"),
      options: [
        ReportRequests.option,
        Option("compare", .none, "Writes a page with two runs side by side."),
        .scenario(named: "recording"),
      ],
      details: """
        A RECORDING is a transcript or a journal. Its run is replayed without the components, in
        virtual time, so durations include only the scenario's own waiting. The report of a journal
        ends with the journal, and an unfinished run counts as interrupted.

        With --compare, the page is flow-comparison.html, or PATH in --report html=PATH.

        The exit code is 0 if all recordings can be read, even of failed runs, and 65 otherwise.

          flow report shop.transcript.jsonl --report junit
          flow report shop.journal --report tap=-
          flow report --compare yesterday.transcript.jsonl shop.transcript.jsonl
        """)
  ) { (flow, arguments) throws(UsageError) in
    let requests = try ReportRequests(arguments)
    let scenario = try arguments.only("scenario")
    if arguments.has("compare") {
      let place = try requests.placeOfPage(unlessNamed: "flow-comparison.html")
      let (first, second) = try arguments.comparedRecordings
      return await flow.making(requests).compare([first, second], of: scenario, place)
    }
    return await flow.making(requests).report(arguments.operands, of: scenario, requests)
  }
}

extension CommandContext {
  fileprivate func report(
    _ recordings: [String], of scenario: String?, _ requests: ReportRequests
  ) async -> ExitCode {
    guard let reports = reports(requests) else { return .cannotWrite }
    var suite = SuiteReport(keepsScenarios: false)
    suite.demand(CoverageDemand(requests, nil))
    var text = SuiteText(
      style: SuiteText.Style(), redactor, output: process.output, errorOutput: process.errorOutput)
    var code = ExitCode.passed
    var occurrences: [String: Int] = [:]
    for (index, recording) in recordings.enumerated() {
      var run = await RecordedRun(
        recording, of: scenario, tracing: reports.tracing, measuring: reports.showsMeasures, self)
      occurrences[run.scenario.path, default: 0] += 1
      run.scenario.occurrence = occurrences[run.scenario.path, default: 1]
      if !run.isReadable { code = .badInput }
      suite.add(run.scenario)
      suite.elapsed += run.scenario.elapsed
      suite.passed = suite.passed && run.scenario.verdict == .passed
      text.add(run.scenario)
      reports.add(reports.entries(for: run.scenario, number: index + 1))
    }
    text.finish(suite)
    return code.worse(reports.finish(suite))
  }

  fileprivate func compare(
    _ recordings: [String], of scenario: String?, _ place: (path: String, isNamed: Bool)
  ) async -> ExitCode {
    var runs: [ComparisonHTML.Run] = []
    for recording in recordings {
      let run = await RecordedRun(recording, of: scenario, tracing: .comparison, self)
      if let attempt = run.scenario.redacted(by: redactor).attempts.first, run.isReadable {
        runs.append(.init(redactor.redacted(recording), attempt.trace))
      } else {
        print(run.scenario.findings.diagnostics)
        note(
          run.scenario.findings.notes + ["'\(run.scenario.path.onOneLine)' cannot be compared"])
      }
    }
    if runs.count < 2 { return .badInput }
    let comparison = ComparisonHTML(runs[0], runs[1])
    do throws(FileError) { try write(comparison.page, to: place) } catch {
      return reportsNotWritten(error)
    }
    process.output("\(comparison.title), in \(place.path.onOneLine)\n")
    return .passed
  }

  private func write(
    _ page: String, to place: (path: String, isNamed: Bool)
  ) throws(FileError) {
    if place.path == ReportRequests.output { return process.reportOutput(page) }
    if let descriptor = FileSystem.outputDescriptor(named: place.path) {
      return try FileSystem.writeWhole(Array(page.utf8), to: descriptor)
    }
    try OutputPlace.check(report: place.path, followsLinks: place.isNamed)
    try FileSystem.replace(
      place.path, with: Array(page.utf8), followsLinks: place.isNamed,
      isPrivate: redactor.hasSecrets)
  }
}

extension ParsedArguments {
  /// The two recordings to compare.
  fileprivate var comparedRecordings: (String, String) {
    get throws(UsageError) {
      guard operands.count > 1 else { throw .tooFewRecordings }
      guard operands.count == 2 else { throw .unwantedOperand(operands[2]) }
      return (operands[0], operands[1])
    }
  }
}

/// The run in a recording.
private struct RecordedRun {
  /// The data that the reports need of the run.
  private struct Needs {
    let tracing: TraceOptions?
    let measuring: Bool
  }

  var scenario: ScenarioReport
  private(set) var isReadable = true

  /// Replays a recording with the given scenario, or else the scenario named by the recording.
  ///
  /// An unreadable recording counts as failed.
  init(
    _ recording: String, of given: String?, tracing: TraceOptions?, measuring: Bool = false,
    _ flow: CommandContext
  ) async {
    let needs = Needs(tracing: tracing, measuring: measuring)
    do {
      scenario =
        DatabaseAddress.isAddress(recording) || TranscriptReader.isJournal(recording)
        ? try await Self.journal(recording, of: given, needs, flow)
        : try await Self.transcript(recording, of: given, needs, flow)
    } catch {
      scenario = ScenarioReport(path: recording.withoutPasswords)
      scenario.verdict = .failed
      isReadable = false
      switch error {
      case let error as TranscriptError: scenario.findings.diagnostics = [error.diagnostic]
      case let error as ScenarioError:
        error.hideSecrets(by: flow.redactor)
        scenario.findings.diagnostics = error.diagnostics
      default: scenario.findings.notes = ["\(error)"]
      }
    }
    scenario.details.append(recording.withoutPasswords)
  }

  private static func transcript(
    _ path: String, of given: String?, _ needs: Needs, _ flow: CommandContext
  ) async throws -> ScenarioReport {
    let transcript = try TranscriptReader.read(path)
    let plan = try flow.plan(given, of: transcript.header, in: path)
    let run = try await replay(transcript, of: plan, at: path, needs, flow)
    var scenario = run.scenario(of: plan)
    scenario.command = "flow replay \(path.shellPath)".onOneLine
    scenario.findings.notes += transcript.header.changes(in: plan)
    return scenario
  }

  /// Returns the run in a journal.
  ///
  /// Nothing is known about the run behind the journal's end.
  private static func journal(
    _ path: String, of given: String?, _ needs: Needs, _ flow: CommandContext
  ) async throws -> ScenarioReport {
    let place = try JournalPlace(path)
    let journal = try place.read()
    let plan = try flow.plan(given, of: journal.header, in: place.path)
    let run = try await replay(journal.recording, of: plan, at: path, needs, flow)
    var scenario = run.scenario(of: plan)
    scenario.findings.notes += journal.header.changes(in: plan)
    if journal.passed != nil { return scenario }
    scenario.command = "flow resume \(place.text.shellPath)".onOneLine
    scenario.verdict = .notRun
    scenario.wasInterrupted = true
    scenario.details = ["interrupted"]
    // The first call missing in the journal is no departure.
    scenario.findings.diagnostics = []
    scenario.attempts = [
      .init(passed: false, diagnostics: [], log: [], trace: run.trace)
    ]
    return scenario
  }

  private static func replay(
    _ transcript: Transcript, of plan: Plan, at path: String, _ needs: Needs,
    _ flow: CommandContext
  ) async throws -> TestRun {
    let inputs = try transcript.header.inputValues(for: plan, file: path)
    plan.hideSecrets(inputs: inputs, by: flow.redactor)
    return await TestRun.replay(
      transcript, of: plan, inputs: inputs, flow, acceptance: nil, tracing: needs.tracing,
      measuring: needs.measuring)
  }
}

extension CommandContext {
  /// Returns the plan of the given scenario, or else of the scenario named by a recording.
  ///
  /// - Throws: `TranscriptError` if the recording names no scenario that may be read,
  ///   `ScenarioError` if the scenario cannot be read.
  fileprivate func plan(
    _ given: String?, of header: TranscriptHeader, in recording: String
  ) throws -> Plan {
    let path = try scenario(given, of: header, in: recording)
    redactor.use(try Project(around: path, registry).file?.patterns ?? [])
    return try ScenarioLoader(registry: registry).plan(try ScenarioSource(reading: path))
  }
}
