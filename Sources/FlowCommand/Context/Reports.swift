internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem

/// The reports that a command is asked to write beside what it prints.
struct ReportRequests: Sendable {
  static let option = Option(
    "report", .required("FORMAT[=PATH]"),
    "Writes a report to a file: \(ReportFormat.all.map(\.name).alternatives); several at once.")

  fileprivate let requests: [(format: ReportFormat, path: String)]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var requests: [(format: ReportFormat, path: String)] = []
    for text in arguments.values(Self.option.name) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let format = ReportFormat.all.first(where: { $0.name == parts[0] }), parts.last != ""
      else {
        let names = ReportFormat.all.map(\.name).alternatives
        throw .malformed(
          option: Self.option.name, value: text, expected: "\(names), and a path behind '='")
      }
      let path = parts.count == 2 ? String(parts[1]) : format.file
      if requests.contains(where: { $0.path == path }) { throw .repeated(option: "report=\(path)") }
      requests.append((format, path))
    }
    self.requests = requests
  }
}

/// The reports that are being written.
final class Reports: Sendable {
  private let files: [ReportFile]

  /// The files of these reports, empty.
  ///
  /// - Throws: `FileError` when one of them could not be written.
  init(_ requests: ReportRequests, _ redactor: Redactor) throws(FileError) {
    var files: [ReportFile] = []
    for request in requests.requests {
      files.append(try ReportFile(request.format, at: request.path, redactor))
    }
    self.files = files
  }

  /// Whether there are none, so that nothing need be traced for them.
  var isEmpty: Bool { files.isEmpty }

  /// What each report has of a scenario; made on the task that tested it.
  func entries(for scenario: ScenarioReport, number: Int) -> [ReportFormat.Entry] {
    files.map { $0.entry(for: scenario, number: number) }
  }

  /// Adds what the reports have of a scenario.
  func add(_ entries: [ReportFormat.Entry]) {
    for (file, entry) in zip(files, entries) { file.add(entry) }
  }

  /// Puts the complete reports in their places.
  ///
  /// - Throws: `FileError` of the first that could not be written; the others are there.
  func finish(_ suite: SuiteReport) throws(FileError) {
    var failure: FileError?
    for file in files {
      do throws(FileError) { try file.finish(suite) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Puts reports of one scenario in their places.
  ///
  /// - Throws: As above.
  func finish(with scenario: ScenarioReport, elapsed: Duration) throws(FileError) {
    if isEmpty { return }
    var suite = SuiteReport(keepsScenarios: false)
    suite.add(scenario)
    suite.passed = scenario.verdict == .passed
    suite.elapsed = elapsed
    add(entries(for: scenario, number: 1))
    try finish(suite)
  }
}

extension CommandContext {
  /// The files of the reports that are asked for; nil for none.
  func reports(_ requests: ReportRequests) throws(FileError) -> Reports? {
    requests.requests.isEmpty ? nil : try Reports(requests, redactor)
  }

  /// Says why a report is missing.
  func reportsNotWritten(_ error: FileError) -> ExitCode {
    world.errorOutput("flow: the report was not written: \(error)\n")
    return .cannotWrite
  }
}
