internal import FlowEngine
internal import FlowPlan
internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

/// The options of `run`, and of `resume` for a run that has not started.
struct RunOptions {
  var inputs: GivenInputs
  /// The options repeated by the commands in advice.
  var repeated: RepeatedOptions
  var seed: UInt64
  var detail: ConsoleReport.Detail
  var isVirtualTime: Bool
  var isDryRun: Bool
  var reports: ReportRequests
  /// The path of the transcript, empty for the usual place next to the scenario, or nil for no
  /// transcript.
  var record: String?
  /// The place of the journal, or nil for no journal.
  var journal: JournalPlace?
  /// True if the scenario is run twice, to find what varies.
  var isTwice = false
  /// True if the run stops at failed steps for a person.
  var debugsFailures = false
  /// True if the journal may already have the start of the run.
  var resumes = false

  init(_ arguments: ParsedArguments) throws(UsageError) {
    inputs = try GivenInputs(arguments)
    repeated = RepeatedOptions(arguments)
    seed = try Self.seed(arguments)
    record = try arguments.only("record")
    journal = try arguments.only("journal").map { text throws(UsageError) in
      try JournalPlace(text)
    }
    detail = try ConsoleReport.Detail(arguments)
    isVirtualTime = arguments.has("virtual-time")
    isDryRun = arguments.has("dry-run")
    isTwice = arguments.has("twice")
    debugsFailures = try FailureDebugging.isWanted(arguments)
    if isTwice && record == nil { throw .needs(option: "twice", other: "record") }
    reports = try ReportRequests(arguments)
    var file: String?
    if case .file(let path)? = journal { file = path }
    let recorded = record.flatMap { path in
      path.isEmpty ? arguments.operands.first.map { Path.transcript(of: $0) } : path
    }
    try OutputPlace.check(record: recorded, journal: file, reports: reports.paths)
    if isDryRun && arguments.wantsVerdict { throw .conflict(option: "format", with: "dry-run") }
    if isDryRun && record != nil { throw .conflict(option: "record", with: "dry-run") }
    if isDryRun && journal != nil { throw .conflict(option: "journal", with: "dry-run") }
    if isDryRun && !reports.isEmpty { throw .conflict(option: "report", with: "dry-run") }
  }

  /// Reads the options of a run with a journal that another process may have started.
  init(orRunning arguments: ParsedArguments, journal: JournalPlace) throws(UsageError) {
    inputs = try GivenInputs(arguments)
    repeated = RepeatedOptions(arguments)
    seed = try Self.seed(arguments)
    detail = try ConsoleReport.Detail(arguments)
    isVirtualTime = arguments.has("virtual-time")
    isDryRun = false
    reports = try ReportRequests(arguments)
    self.journal = journal
    resumes = true
  }

  /// Returns the output that an error is about.
  ///
  /// The error may name a body next to the file.
  func place(of error: FileError) -> String {
    if record == nil || error.path == journal?.text { return "journal" }
    let isOfBody = error.path.split(separator: "/").contains { $0 == BlobFolder.name }
    return journal != nil && isOfBody ? "recording" : "transcript"
  }

  private static func seed(_ arguments: ParsedArguments) throws(UsageError) -> UInt64 {
    try arguments.only("seed", "a whole number from 0") { UInt64($0) } ?? 0
  }

  /// The option for the seed of everything random.
  static let seed = Option(
    "seed", .required("NUMBER"), "The seed of all random values in the run. Default: 0.")

  func session(named name: String, _ secrets: GivenSecrets) -> Session.Options {
    var session = Session.Options()
    session.name = name
    session.seed = seed
    session.virtualTime = isVirtualTime ? VirtualTime() : nil
    session.secret = { secrets.value($0) }
    return session
  }
}
