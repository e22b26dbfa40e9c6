internal import FlowCore
internal import FlowExpression
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

/// The options of `flow test`, read.
struct TestOptions: Sendable {
  let live: LiveComponents
  /// A part of the path or the name; nil for all.
  let filter: String?
  /// What must hold of a scenario; nil for all.
  let tag: TagExpression?
  /// What must not hold of a scenario; nil for none.
  let skipTag: TagExpression?
  let rerunsFailed: Bool
  let failsFast: Bool
  /// What the order is drawn from; nil for the order of the paths.
  let seed: UInt64?
  let repetitions: Int
  let shard: Shard?
  /// Where the results of a part go, in place of the state; nil for nowhere.
  let results: ResultsPlace?
  let allowed: Set<ToleratedDeparture>

  /// Whether a scenario that passes and fails counts as failed.
  let failsFlaky: Bool
  /// Which scenarios have a line; nil for what flow.yaml says.
  let status: StatusLevel?
  /// Which have one more at the end.
  let final: StatusLevel

  /// What is written beside the text.
  let reports: ReportRequests
  let secrets: GivenSecrets
  /// What the commands in advice have, too.
  let repeated: RepeatedOptions
  /// Whether components that are not live are asked for what is not recorded; never by default.
  let asksMissing: Bool
  /// What live runs take in place of recorded inputs and defaults.
  var inputs: GivenInputs

  /// Reads the options; `redactor` hides the secrets among them.
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

  /// Refuses options of which one says what another one does.
  static func check(_ arguments: ParsedArguments) throws(UsageError) {
    for other in ["quiet", "no-quiet"] where arguments.has("status") && arguments.has(other) {
      throw .conflict(option: "status", with: other)
    }
  }
}

/// A condition on the scenarios that are tested, by the tags, the name and the path of each.
struct TagExpression: Sendable {
  private static let variables: [(name: String, type: ValueType)] = [
    ("tags", .list(.string)), ("name", .string), ("path", .string),
  ]

  let text: String
  private let option: String
  private var expression: Expression?

  /// The condition that an option gives: an expression, or a tag alone.
  init(_ text: String, option: String) {
    self.text = text
    self.option = option
  }

  /// The condition on scenarios with these tags: a text that is one of them stands for itself.
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

  /// Whether the condition holds for a scenario.
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

  /// Letters, digits, `_`, `-` and `.`, a letter first.
  private static func isWord(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
    return text != "true" && text != "false"
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0"..."9" ~= $0 || "_-.".unicodeScalars.contains($0)
      }
  }
}

/// One of several parts into which a suite is cut, so that each runs on a machine of its own.
struct Shard: Sendable, Equatable {
  let number: Int
  /// How many parts there are, `number` or more.
  let count: Int

  /// Reads `2/3`; nil for everything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], 1...10_000 ~= count,
      1...count ~= number
    else { return nil }
    self.number = number
    self.count = count
  }

  /// A suite that is not cut.
  static let whole = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  /// A part; nil for one that is not among 1 to 10,000 of them.
  init?(number: Int, of count: Int) {
    guard 1...10_000 ~= count, 1...count ~= number else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// The part that `--shard` names, or leaves to the environment; nil without it.
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

  /// `2/3`.
  var text: String { "\(number)/\(count)" }

  /// The items of this part, in their order; every item is in one part of the same count.
  ///
  /// The longest goes first, to the part that has the least to do. Items of unknown duration count as
  /// the mean of the known; when none is known, the parts differ by one item at most.
  func part<Item>(of items: [Item], duration: (Item) -> Int?) -> [Item] {
    let known = items.compactMap(duration)
    let mean = known.isEmpty ? 1 : max(1, known.reduce(0, +) / known.count)
    let durations = items.map { max(1, duration($0) ?? mean) }
    // Among equals the order of the items decides, so that every machine cuts the same way.
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

/// Where the results of a part go.
struct ResultsPlace: Sendable {
  let folder: String
  /// What all parts of one run have in common.
  let run: String
  /// The number of the first attempt that this can be, from 1.
  let attempt: Int

  static let options = [
    Option(
      "results", .required("FOLDER"),
      "Writes the results of a part for 'flow merge', in place of the state."),
    runOption(
      "The name of the run that all parts have in common; of Slurm, GitLab and GitHub it is known."),
  ]

  static func runOption(_ summary: String) -> Option {
    Option("run", .required("NAME"), summary)
  }

  /// What the options and the environment say; nil where no results are asked for.
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

  /// The name that an option gives; nil without it.
  static func run(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    try arguments.only("run", "a name of letters, digits, '.', '_' and '-'") {
      isName($0) ? $0 : nil
    }
  }

  /// Whether a text is the name of a run, and so of a folder: up to 100 ASCII letters, digits, `.`, `_`, `-`.
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
    "Notes, instead of failing: unexpected, unused or changed calls; several with commas.",
    completion: .list(ToleratedDeparture.allCases.map(\.rawValue)))

  /// What the arguments allow.
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
