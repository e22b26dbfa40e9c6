internal import FlowCore
internal import FlowExpression
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

/// The parsed options of `flow test`.
struct TestOptions: Sendable {
  let live: LiveComponents
  /// A part of the path or the name, or nil for all scenarios.
  let filter: String?
  /// The condition on scenarios to run, or nil for all.
  let tag: TagExpression?
  /// The condition on scenarios to skip, or nil for none.
  let skipTag: TagExpression?
  let rerunsFailed: Bool
  let failsFast: Bool
  /// The seed of the random order, or nil for the order of the paths.
  let seed: UInt64?
  let repetitions: Int
  let shard: Shard?
  /// The place for the results of a part, which replace the state, or nil for no results.
  let results: ResultsPlace?
  let allowed: Set<ToleratedDeparture>

  /// True if a scenario that both passes and fails counts as failed.
  let failsFlaky: Bool
  /// The level of results printed as a line, or nil for the setting of flow.yaml.
  let status: StatusLevel?
  /// The level of results printed again at the end.
  let final: StatusLevel

  /// The reports in addition to the text.
  let reports: ReportRequests
  let secrets: GivenSecrets
  /// The options repeated by the commands in advice.
  let repeated: RepeatedOptions
  /// True if components that are not live are called for missing answers.
  ///
  /// False by default.
  let asksMissing: Bool
  /// The inputs of live runs, in place of recorded inputs and defaults.
  var inputs: GivenInputs

  /// Reads the options, and hides their secrets by `redactor`.
  init(
    _ arguments: ParsedArguments, _ process: ProcessEnvironment, _ redactor: Redactor
  ) throws(UsageError) {
    secrets = try GivenSecrets(arguments, process, redactor)
    repeated = RepeatedOptions(arguments)
    inputs = try GivenInputs(arguments)
    live = try LiveComponents(arguments)
    asksMissing = try arguments.only("update") == UpdateMode.missing.rawValue && !process.isCI
    filter = try arguments.only("filter")
    tag = try Self.condition("tag", arguments)
    skipTag = try Self.condition("skip-tag", arguments)
    rerunsFailed = arguments.has("rerun-failed")
    failsFast = arguments.has("fail-fast")
    seed = try arguments.only("shuffle", "a whole number from 0, or 'random'") { text in
      text == "random" ? UInt64.random(in: 0..<1_000_000) : UInt64(text)
    }
    repetitions = try arguments.whole("repeat", 1...10_000) ?? 1
    shard = try Shard(arguments, process)
    results = try ResultsPlace(arguments, process)
    allowed = try Set(arguments, isLive: live == .all)
    reports = try ReportRequests(arguments)
    failsFlaky =
      try arguments.only("flaky", "pass or fail") { ["pass": false, "fail": true][$0] } ?? true
    status = try arguments.choice("status")
    final = try arguments.choice("final") ?? StatusLevel.none
    try StatusLevel.check(arguments)
  }

  private static func condition(
    _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> TagExpression? {
    guard let text = try arguments.only(option) else { return nil }
    return TagExpression(text, option: option)
  }
}

extension StatusLevel {
  static func option(_ name: String, _ summary: String) -> Option {
    Option(
      name, .required("LEVEL"), summary + " \(allCases.map(\.rawValue).alternatives).",
      completion: .words(allCases.map(\.rawValue)))
  }

  /// Refuses pairs of options with the same meaning.
  static func check(_ arguments: ParsedArguments) throws(UsageError) {
    for other in ["quiet", "no-quiet"] where arguments.has("status") && arguments.has(other) {
      throw .conflict(option: "status", with: other)
    }
  }
}

/// A condition on the scenarios to test, by their tags, name and path.
struct TagExpression: Sendable {
  private static let variables: [(name: String, type: ValueType)] = [
    ("tags", .list(.string)), ("name", .string), ("path", .string),
  ]

  let text: String
  private let option: String
  private var expression: Expression?

  /// Creates the condition of an option, from an expression or from a tag alone.
  init(_ text: String, option: String) {
    self.text = text
    self.option = option
  }

  /// Returns the condition for scenarios with these tags.
  ///
  /// A text equal to a tag means this tag.
  ///
  /// - Throws: `UsageError` for a text that is neither a tag nor a condition.
  func compiled(among tags: Set<String>) throws(UsageError) -> TagExpression {
    if tags.contains(text) { return self }
    var copy = self
    copy.expression = try Self.expression(text, option: option)
    return copy
  }

  private static func expression(
    _ text: String, option: String
  ) throws(UsageError) -> Expression {
    var environment = Environment()
    for (index, variable) in variables.enumerated() {
      environment.declare(variable.name, type: variable.type, slot: Slot(level: 0, index: index))
    }
    let expression: Expression
    do throws(ExpressionErrors) {
      let isTag = isWord(text) && environment[text] == nil
      expression = try Expression(isTag ? "'\(text)' in tags" : text, in: environment)
    } catch {
      let hint = "a tag alone, or an expression such as 'smoke' in tags"
      throw .expression(option: option, problems: error.problems.map(\.description), hint: hint)
    }
    guard expression.type == .bool || expression.type == .dyn else {
      throw .malformed(option: option, value: text, expected: "a condition")
    }
    return expression
  }

  /// Returns true if the condition is true for a scenario.
  func holds(tags: [String], name: String, path: String) throws(UsageError) -> Bool {
    guard let expression else { return tags.contains(text) }
    let values: [Value?] = [.list(tags.map(Value.string)), .string(name), .string(path)]
    do throws(EvaluationError) {
      return try expression.evaluate(Activation(levels: [values])) == .bool(true)
    } catch {
      throw .expression(
        option: option, problems: [error.message], hint: "it has no value for '\(path)'")
    }
  }

  /// Returns true for letters, digits, `_`, `-` and `.`, with a letter first.
  private static func isWord(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
    return text != "true" && text != "false"
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0"..."9" ~= $0 || "_-.".unicodeScalars.contains($0)
      }
  }
}

/// A part of a suite, which is divided so that each part runs on a separate machine.
struct Shard: Sendable, Equatable {
  let number: Int
  /// The number of parts, `number` or more.
  let count: Int

  /// Reads a text like `2/3`.
  ///
  /// Nil for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], 1...10_000 ~= count,
      1...count ~= number
    else { return nil }
    self.number = number
    self.count = count
  }

  /// The whole suite.
  static let whole = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  /// Creates a part.
  ///
  /// Nil if the count is not 1 to 10,000, or the number not 1 to the count.
  init?(number: Int, of count: Int) {
    guard 1...10_000 ~= count, 1...count ~= number else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Reads the part from `--shard`, or from the environment if requested there.
  ///
  /// Nil without the option.
  init?(_ arguments: ParsedArguments, _ process: ProcessEnvironment) throws(UsageError) {
    guard let text = try arguments.only("shard") else { return nil }
    if text == "auto" {
      self = try ShardEnvironment(variable: process.variable).shard
      return
    }
    guard let shard = Shard(text) else {
      throw .malformed(option: "shard", value: text, expected: "I/N, such as 2/3, or auto")
    }
    self = shard
  }

  /// The part as `2/3`.
  var text: String { "\(number)/\(count)" }

  /// Returns the items of this part, in their order.
  ///
  /// Every item is in exactly one part of the same count.
  ///
  /// The longest item is assigned first, to the part with the least work so far. Items of unknown
  /// duration count as the mean of the known durations. If none is known, the sizes of the parts
  /// differ by at most one item.
  func part<Item>(of items: [Item], duration: (Item) -> Int?) -> [Item] {
    let known = items.compactMap(duration)
    let mean = known.isEmpty ? 1 : max(1, known.reduce(0, +) / known.count)
    let durations = items.map { max(1, duration($0) ?? mean) }
    // Equal durations keep the order of the items, so that every machine divides in the same way.
    let order = items.indices.sorted { (durations[$1], $0) < (durations[$0], $1) }
    var loads = [Int](repeating: 0, count: count)
    var mine: Set<Int> = []
    for index in order {
      let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      loads[least] += durations[index]
      if least == number - 1 { mine.insert(index) }
    }
    return items.indices.filter { mine.contains($0) }.map { items[$0] }
  }
}

/// The place for the results of a part.
struct ResultsPlace: Sendable {
  let folder: String
  /// The name common to all parts of one run.
  let run: String
  /// The lowest possible number of this attempt, from 1.
  let attempt: Int

  static let options = [
    Option(
      "results", .required("FOLDER"),
      "Writes the results of a part for 'flow merge'. Leaves the project's state unchanged."),
    runOption(
      "The name of the run, the same for all parts. Known on Slurm, GitLab and GitHub."),
  ]

  static func runOption(_ summary: String) -> Option {
    Option("run", .required("NAME"), summary)
  }

  /// Reads the options and the environment.
  ///
  /// Nil if no results are requested.
  init?(_ arguments: ParsedArguments, _ process: ProcessEnvironment) throws(UsageError) {
    let name = try Self.run(arguments)
    guard let folder = try arguments.only("results") else {
      if name != nil { throw .needs(option: "run", other: "results") }
      return nil
    }
    if folder.isEmpty { throw .emptyPath }
    if arguments.has("shuffle") { throw .conflict(option: "results", with: "shuffle") }
    let environment = ShardEnvironment(variable: process.variable)
    guard let run = name ?? environment.run else { throw .needs(option: "results", other: "run") }
    guard Self.isName(run) else {
      throw .malformed(
        option: "run", value: run, expected: "a name of letters, digits, '.', '_' and '-'")
    }
    (self.folder, self.run, attempt) = (folder, run, environment.attempt)
  }

  /// Returns the name given by the option, or nil without it.
  static func run(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    try arguments.only("run", "a name of letters, digits, '.', '_' and '-'") {
      isName($0) ? $0 : nil
    }
  }

  /// Returns true for a valid name of a run, and so of a folder: up to 100 ASCII letters, digits,
  /// `.`, `_`, `-`, with no `.` at the start.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 100, first != UInt8(ascii: ".") else {
      return false
    }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
      default: false
      }
    }
  }
}

extension Set<ToleratedDeparture> {
  static let option = Option(
    "allow", .required("KINDS"),
    "Reports unexpected, unused or changed calls, or stale files and defaults, without failing. "
      + "Several with commas.",
    completion: .list(ToleratedDeparture.allCases.map(\.rawValue)))

  /// Reads the tolerated departures from the arguments.
  init(_ arguments: ParsedArguments, isLive: Bool) throws(UsageError) {
    self = []
    for list in arguments.values("allow") {
      for word in list.split(separator: ",", omittingEmptySubsequences: false) {
        guard let allowance = ToleratedDeparture(rawValue: String(word)) else {
          throw .malformed(
            option: "allow", value: list,
            expected: ToleratedDeparture.allCases.map(\.rawValue).alternatives)
        }
        insert(allowance)
      }
    }
    if contains(.unexpected), !isLive { throw .unanswered }
  }
}
