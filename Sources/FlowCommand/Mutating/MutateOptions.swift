internal import FlowCore
internal import FlowRedaction
internal import FlowReport

/// The parsed options of `flow mutate`.
struct MutateOptions: Sendable {
  /// The options that do not go with a comparison of two versions.
  private static let alone = ["live", "at-least", "all"]
  private static let formats = ["html", "junit"]
  private static let outputs: [ReportFormat<MutationReport>] = [.text, .json]

  static let options = [
    Option(
      "against", .required("REV"),
      "Reports what the suite noticed at a revision of Git, or in a folder with another copy, and does not notice any more."
    ),
    Option(
      "prove", .required("REV"),
      "Runs the changed scenarios on the answers recorded at a revision or in a folder, and names those with new checks that pass."
    ),
    Option(
      "limit", .required("N"), "The maximum number of alterations of a scenario. Default: 10000."),
    Option(
      "at-least", .required("PERCENT"),
      "Exits with 1 if less than this share of the alterations is noticed, such as 80%."),
    Option(
      "all", .none,
      "Prints all unnoticed alterations, not only the first few of each kind."),
    Option(
      "all-fields", .none,
      "Also alters fields that restate others, such as the size of a body, and those that a live run compares only where they are read."
    ),
    Option(
      "jobs", .required("N"),
      "The number of replays at once. Default: the number of cores, or 1 if live components share a file, a server or a port."
    ),
    Option("no-cache", .none, "Replays scenarios that have not changed, too."),
    LiveComponents.option(
      "Calls these components, and alters the answers of the others.", needsNames: true),
    .secret, outputs.option(), ReportRequests.option(offering: formats),
  ]

  /// The question about an earlier version, or nil.
  let comparison: SuiteQuestion?
  let limit: Int
  /// The required share of noticed alterations, in percent, or nil for any.
  let atLeast: Decimal?
  let listsAll: Bool
  let includesAllFields: Bool
  /// The number of replays at once, or nil for the default.
  let jobs: Int?
  /// True to take over results that are kept.
  let usesCache: Bool
  let live: LiveComponents
  let secrets: GivenSecrets
  /// The options repeated by the commands in advice.
  let repeated: RepeatedOptions
  let output: ReportFormat<MutationReport>
  /// The same format of a comparison of two versions.
  var losses: ReportFormat<SuiteLosses> { output.name == "json" ? .json : .text }
  /// The same format of a proof.
  var proof: ReportFormat<SuiteProof> { output.name == "json" ? .json : .text }
  let reports: ReportRequests

  init(
    _ arguments: ParsedArguments, _ process: ProcessEnvironment, _ redactor: Redactor
  ) throws(UsageError) {
    secrets = try GivenSecrets(arguments, process, redactor)
    repeated = RepeatedOptions(arguments)
    live = try LiveComponents(arguments)
    comparison = try SuiteQuestion(arguments)
    if let comparison, let other = Self.alone.first(where: { arguments.has($0) }) {
      throw .conflict(option: comparison.option, with: other)
    }
    if live == .all { throw .malformed(option: "live", value: "", expected: "names of components") }
    limit = try arguments.whole("limit", 1...1_000_000) ?? 10_000
    atLeast = try arguments.only("at-least", "a percentage from 0% to 100%") { text in
      Decimal(percent: String(text.hasSuffix("%") ? text.dropLast() : text[...]))
    }
    listsAll = arguments.has("all")
    includesAllFields = arguments.has("all-fields")
    jobs = try arguments.whole("jobs", 1...64)
    // A secret hides more of a run than the kept results knew.
    usesCache = !arguments.has("no-cache") && !arguments.has(Option.secret.name)
    output = try Self.outputs.chosen(by: arguments)
    reports = try ReportRequests(arguments, offering: Self.formats, annotating: true)
  }
}

/// A question about the present version of a suite and an earlier one.
enum SuiteQuestion: Sendable {
  /// What does the suite not notice any more?
  case against(String)
  /// Which changed scenarios pass on the earlier answers?
  case prove(String)

  /// Reads the options of a question, or returns nil without one.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let names = ["against", "prove"].filter { arguments.has($0) }
    if names.count == 2 { throw .conflict(option: names[0], with: names[1]) }
    guard let name = names.first,
      let version = try arguments.only(
        name, "a revision of Git or a folder", { $0.isEmpty ? nil : $0 })
    else { return nil }
    self = name == "prove" ? .prove(version) : .against(version)
  }

  /// The name of the option.
  var option: String {
    switch self {
    case .against: "against"
    case .prove: "prove"
    }
  }

  /// The earlier version, as the user names it.
  var version: String {
    switch self {
    case .against(let version), .prove(let version): version
    }
  }
}
