internal import FlowReport
internal import FlowSystem

/// The reports of a running command.
final class Reports: Sendable {
  /// The entries of one scenario in all reports.
  struct Entries: Sendable {
    fileprivate let files: [ReportEntry]
    fileprivate let annotations: [WorkflowCommands.Annotation]
  }

  private let files: [ReportFile]
  /// The commands in the output of a GitHub Actions job, or nil if there is none.
  private let commands: WorkflowCommands?
  private let flow: CommandContext

  /// Creates the requested reports, empty, and the additional ones of a GitHub Actions job.
  ///
  /// New files get at most these permissions.
  ///
  /// - Throws: `FileError` if a report could not be written.
  init(
    _ requests: ReportRequests, _ flow: CommandContext, printsDocument: Bool = false,
    permissions: Int = 0o777
  ) throws(FileError) {
    self.flow = flow
    let job = GitHubJob(flow.process.variable)
    var files = try requests.files(in: job, flow, permissions: permissions)
    if let summary = job?.summary {
      files.append(try ReportFile(.markdown(job), to: .end(of: summary), flow.redactor))
    }
    self.files = files
    // GitHub reads both streams, and commands in the middle would break a document.
    let usesErrors = printsDocument || requests.usesOutput
    let write = usesErrors ? flow.process.commandErrorOutput : flow.process.commandOutput
    let annotated = job ?? (requests.annotates ? GitHubJob(in: ".") : nil)
    commands = annotated.map {
      WorkflowCommands($0, marksAlterations: requests.annotates, write: write)
    }
  }

  /// The combined data that the reports need of each run, or nil if they need none.
  var tracing: TraceOptions? {
    let needed = files.compactMap(\.tracing)
    guard var options = needed.first(where: \.keepsLines) ?? needed.first else { return nil }
    options.keepsExcerpts = needed.contains(where: \.keepsExcerpts)
    return options
  }

  /// True if a report shows what the calls cover of services' descriptions, or what they take.
  var showsMeasures: Bool { files.contains(where: \.showsMeasures) }

  /// Returns the entries of a scenario, created on the task that tested it.
  func entries(for scenario: ScenarioReport, number: Int) -> Entries {
    if files.isEmpty, commands == nil { return Entries(files: [], annotations: []) }
    let shown = scenario.redacted(by: flow.redactor)
    return Entries(
      files: files.map { $0.entry(for: shown, number: number) },
      annotations: commands?.annotations(of: shown) ?? [])
  }

  /// Returns the entries of a scenario tested by another process, which also wrote its annotations.
  func entries(for scenario: StoredScenario) -> Entries {
    Entries(files: files.map { $0.entry(for: scenario) }, annotations: [])
  }

  /// Adds the entries of a scenario.
  func add(_ entries: Entries) {
    for (file, entry) in zip(files, entries.files) { file.add(entry) }
    commands?.add(entries.annotations)
  }

  /// Puts the complete reports in their places, and prints the errors.
  func finish(_ suite: SuiteReport) -> ExitCode {
    commands?.finish()
    var code = ExitCode.passed
    for file in files {
      do throws(FileError) {
        // A recording may have been written there meanwhile.
        if let path = file.path {
          try OutputPlace.check(report: path, followsLinks: file.followsLinks)
        }
        if let warning = try file.finish(suite) {
          flow.process.say("\(warning.onOneLine)", as: .warning)
        }
        if let path = file.path, file.isPrivate {
          flow.note(["only its owner can read '\(path)', because the run had secrets"])
        }
      } catch {
        file.abandon()
        code = flow.reportsNotWritten(error)
      }
    }
    return code
  }

  /// Puts the reports of one scenario in their places, and prints the errors.
  func finish(with scenario: ScenarioReport) -> ExitCode {
    var suite = SuiteReport(keepsScenarios: false)
    suite.add(scenario)
    suite.passed = scenario.verdict == .passed
    suite.wasInterrupted = scenario.wasInterrupted
    suite.elapsed = scenario.elapsed
    add(entries(for: scenario, number: 1))
    return finish(suite)
  }
}

extension CommandContext {
  /// Returns this context, without text for people if a report goes to standard output.
  func making(_ requests: ReportRequests) -> CommandContext {
    guard requests.usesOutput else { return self }
    var copy = self
    copy.process.output = { _ in }
    return copy
  }

  /// Prints the reason for a missing report.
  func reportsNotWritten(_ error: FileError) -> ExitCode {
    process.say("the report was not written: \(error)")
    return .cannotWrite
  }

  /// Returns the requested reports, empty, or nil after printing that a report could not be
  /// written.
  func reports(
    _ requests: ReportRequests, printsDocument: Bool = false, permissions: Int = 0o777
  ) -> Reports? {
    do throws(FileError) {
      return try Reports(
        requests, self, printsDocument: printsDocument, permissions: permissions)
    } catch {
      _ = reportsNotWritten(error)
      return nil
    }
  }
}
