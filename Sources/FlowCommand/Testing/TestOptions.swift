internal import FlowCore
internal import FlowTranscript

/// The options of `flow test`, read.
struct TestOptions: Sendable {
  /// Whether components run though a transcript is there.
  let isLive: Bool
  /// A part of the path or the name; nil for all.
  let filter: String?
  /// What must hold of a scenario; nil for all.
  let tag: TagExpression?
  /// What must not hold of a scenario; nil for none.
  let skipTag: TagExpression?
  /// Whether only those run that failed last.
  let rerunsFailed: Bool
  /// Whether nothing begins after a failure.
  let failsFast: Bool
  /// What the order is drawn from; nil for the order of the paths.
  let seed: UInt64?
  /// How often each scenario runs, 1 or more.
  let repetitions: Int
  /// Which part of the scenarios runs; nil for all.
  let shard: Shard?
  /// The departures from a transcript that fail nothing.
  let allowed: Set<ToleratedDeparture>

  /// The secrets that are given.
  let secrets: GivenSecrets

  /// Reads the options; `redactor` hides the secrets among them.
  ///
  /// - Throws: `UsageError` for a value that is none.
  init(
    _ arguments: ParsedArguments, _ world: CommandWorld, _ redactor: Redactor
  ) throws(UsageError) {
    secrets = try GivenSecrets(arguments, world, redactor)
    isLive = arguments.has("live")
    filter = try arguments.only("filter")
    tag = try Self.condition("tag", arguments)
    skipTag = try Self.condition("skip-tag", arguments)
    rerunsFailed = arguments.has("rerun-failed")
    failsFast = arguments.has("fail-fast")
    seed = try Self.seed(arguments)
    repetitions = try Self.repetitions(arguments)
    shard = try arguments.only("shard").map { text throws(UsageError) in
      guard let shard = Shard(text) else {
        throw .malformed(option: "shard", value: text, expected: "I/N, such as 2/3")
      }
      return shard
    }
    allowed = try Set(arguments, isLive: isLive)
  }

  private static func condition(
    _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> TagExpression? {
    guard let text = try arguments.only(option) else { return nil }
    return try TagExpression(text, option: option)
  }

  private static func seed(_ arguments: ParsedArguments) throws(UsageError) -> UInt64? {
    guard let text = try arguments.only("shuffle") else { return nil }
    if text == "random" { return UInt64.random(in: 0..<1_000_000) }
    guard let seed = UInt64(text) else {
      throw .malformed(
        option: "shuffle", value: text, expected: "a whole number from 0, or 'random'")
    }
    return seed
  }

  private static func repetitions(_ arguments: ParsedArguments) throws(UsageError) -> Int {
    guard let text = try arguments.only("repeat") else { return 1 }
    guard let number = Int(text), 1...10_000 ~= number else {
      throw .malformed(
        option: "repeat", value: text, expected: "a whole number from 1 to 10000")
    }
    return number
  }
}
