internal import FlowCore
internal import FlowReport
internal import FlowSystem
private import Synchronization

/// The reports requested from a command in addition to its printed output.
struct ReportRequests: Sendable {
  static let option = Option(
    "report", .required("FORMAT[=PATH]"),
    "Writes a report to a file, or to standard output if PATH is '-', as "
      + "\(ReportFormat.all.map(\.name).alternatives). Can be repeated.",
    completion: .words(ReportFormat.all.map(\.name)))

  /// The option of a command that writes only pages.
  static let pageOption = Option(
    option.name, .required("html[=PATH]"),
    "Writes a page to a file, or to standard output if PATH is '-'.", completion: .words(["html"]))

  /// The name of standard output.
  static let output = "-"

  /// A requested report.
  fileprivate struct Request {
    let format: String
    let path: String
    /// True if the user gave the path, false for the default path of the format.
    let isNamed: Bool
  }

  fileprivate let requests: [Request]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var requests: [Request] = []
    for text in arguments.values(Self.option.name) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let format = ReportFormat.all.first(where: { $0.name == parts[0] }), parts.last != ""
      else {
        let names = ReportFormat.all.map(\.name).alternatives
        throw .malformed(
          option: Self.option.name, value: text,
          expected: "FORMAT or FORMAT=PATH, where FORMAT is \(names)")
      }
      let path = parts.count == 2 ? Self.place(String(parts[1])) : format.file
      if requests.contains(where: { $0.path == path }) {
        throw .samePath(option: Self.option.name, path: path)
      }
      requests.append(Request(format: format.name, path: path, isNamed: parts.count == 2))
    }
    self.requests = requests
    if usesOutput, arguments.has("format") {
      throw .conflict(option: "report=\(Self.output)", with: "format")
    }
  }

  /// Returns a path in its normal form.
  ///
  /// All names of standard output become the one of the option.
  private static func place(_ text: String) -> String {
    let path = Path.plain(text)
    return FileSystem.outputDescriptor(named: path) == 1 ? output : path
  }

  var isEmpty: Bool { requests.isEmpty }

  /// The paths of the files to write.
  var paths: [String] {
    requests.map(\.path).filter {
      $0 != Self.output && FileSystem.outputDescriptor(named: $0) == nil
    }
  }

  /// The names of the requested formats.
  var formats: Set<String> { Set(requests.map(\.format)) }

  /// Returns the path of a page that is the only report, and true if the user gave this path.
  func placeOfPage(
    unlessNamed path: String
  ) throws(UsageError) -> (path: String, isNamed: Bool) {
    if let other = requests.first(where: { $0.format != ReportFormat.pageName }) {
      throw .conflict(option: "report=\(other.format)", with: "compare")
    }
    if requests.count > 1 { throw .repeated(option: Self.option.name) }
    return requests.first.map { ($0.path, $0.isNamed) } ?? (path, false)
  }

  /// Refuses all other formats than pages.
  func checkPages() throws(UsageError) {
    guard let other = requests.first(where: { $0.format != ReportFormat.pageName }) else { return }
    throw .malformed(
      option: Self.option.name, value: other.format, expected: "html or html=PATH")
  }

  /// True if a report goes to standard output, in place of the text for people.
  var usesOutput: Bool { requests.contains { $0.path == Self.output } }

  /// Creates the files, empty.
  fileprivate func files(
    in job: GitHubJob?, _ flow: CommandContext, permissions: Int
  ) throws(FileError) -> [ReportFile] {
    var files: [ReportFile] = []
    let formats = ReportFormat.all(in: job)
    for request in requests {
      guard let format = formats.first(where: { $0.name == request.format }) else { continue }
      let destination = try destination(of: request, flow)
      files.append(
        try ReportFile(format, to: destination, flow.redactor, permissions: permissions))
    }
    return files
  }

  private func destination(
    of request: Request, _ flow: CommandContext
  ) throws(FileError) -> ReportFile.Destination {
    if request.path == Self.output { return .stream(flow.process.reportOutput) }
    if let descriptor = FileSystem.outputDescriptor(named: request.path) {
      return .descriptor(descriptor)
    }
    try OutputPlace.check(report: request.path, followsLinks: request.isNamed)
    return .file(request.path, followsLinks: request.isNamed)
  }
}

/// The reports of a running command.
final class Reports: Sendable {
  /// The entries of one scenario in all reports.
  struct Entries: Sendable {
    fileprivate let files: [ReportFormat.Entry]
    fileprivate let annotations: [WorkflowCommands.Annotation]
  }

  private let files: [ReportFile]
  /// The commands in the output of a GitHub Actions job, or nil outside of one.
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
    commands = job.map { WorkflowCommands($0, write: write) }
  }

  /// The combined data that the reports need of each run, or nil if they need none.
  var tracing: TraceOptions? {
    let needed = files.compactMap(\.tracing)
    guard var options = needed.first(where: \.keepsLines) ?? needed.first else { return nil }
    options.keepsExcerpts = needed.contains(where: \.keepsExcerpts)
    return options
  }

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

/// The latest log lines of components in a run, kept until it is known if they are needed.
final class LogLines: Sendable {
  private static let limit = 20

  private struct State {
    var latest: [String] = []
    var count = 0
  }

  private let state = Mutex(State())

  func add(_ address: Address, _ message: String) {
    state.withLock { state in
      state.count += 1
      if state.latest.count == Self.limit { state.latest.removeFirst() }
      state.latest.append("\(address) logged: \(message.escaped)")
    }
  }

  /// The latest lines in their order, a sentence each, after the number of earlier lines.
  var sentences: [String] {
    state.withLock { state in
      let earlier = state.count - state.latest.count
      let noun = earlier == 1 ? "line was" : "lines were"
      return (earlier > 0 ? ["\(earlier) earlier \(noun) logged"] : []) + state.latest
    }
  }
}
