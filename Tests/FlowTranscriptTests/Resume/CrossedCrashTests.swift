import FlowCore
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Components that use others, in scenarios of steps, in attempts that are repeated and in branches, cut off anywhere.
@Suite struct CrossedCrashTests {
  private static let part = """
    flow: 1
    components:
      money: {plugin: balance, with: {opening: 1000.00}}
      savings: {plugin: balance}
      shopper: {plugin: shopper, with: {state: memory}, using: {store: money, purse: savings}}
    steps:
      - {id: bought, uses: shopper.buy, with: {amount: 2.00}}
      - {uses: shopper.buy, with: {amount: 1.00}}
    outputs: {left: "${{ steps.bought.left }}"}

    """

  /// The included scenario uses components opened outside of it, one in a file and one in memory.
  private static let parts = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
      purse: {plugin: balance}
    steps:
      - id: first
        scenario: part.yaml
        components: {money: account, savings: purse}
      - parallel:
          one: [{scenario: part.yaml, components: {money: account}}]
          two: [{scenario: part.yaml, components: {savings: purse}}]
      - {id: kept, uses: account.load}
      - {id: held, uses: purse.load}
    outputs:
      kept: ${{ steps.kept.balance }}
      held: ${{ steps.held.balance }}

    """

  /// Every attempt but the last of each call fails, after it has moved money: the file takes each once, for its key.
  private static let attempts = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
      purse: {plugin: balance}
      one: {plugin: hesitant, using: {store: account, purse: purse}}
      other: {plugin: hesitant, using: {store: account, purse: purse}}
    steps:
      - for: x
        in: ${{ [1, 2] }}
        parallel: 2
        do:
          - {uses: one.move, with: {amount: 1.00}, retry: {attempts: 5, on: [busy], backoff: 1ms}}
          - {uses: other.move, with: {amount: 0.50}, retry: {attempts: 5, on: [busy], backoff: 1ms}}
      - {id: kept, uses: account.load}
      - {id: held, uses: purse.load}
    outputs:
      kept: ${{ steps.kept.balance }}
      held: ${{ steps.held.balance }}

    """

  @Test(arguments: [
    ("scenarios of steps", parts, "kept 8.00, held 12.00"),
    ("attempts in branches", attempts, "kept 7.00, held 9.00"),
  ])
  func `no effect is lost or repeated wherever the journal is cut`(
    _ id: String, _ scenario: String, _ outputs: String
  ) async throws {
    let world = try CrashWorld(scenario, [Hesitant.self], files: ["part.yaml": Self.part])
    let whole = try await world.run()
    let end = try #require(whole.moments.last)
    #expect(whole.outputs == outputs)

    let cuts = whole.lineCuts
    for index in stride(from: 0, to: cuts.count, by: Stress.count(5, full: 1)) {
      let cut = cuts[index]
      let journal = try TranscriptReader.readJournal(cut.bytes, file: "journal")
      let resumed = try await world.run(resuming: journal, of: cut)

      let line = cut.label
      #expect(resumed.outputs == whole.outputs, "\(line)")
      #expect(resumed.moments.last?.store.prefix(5) == end.store.prefix(5), "\(line)")
      #expect(resumed.effects == whole.effects, "\(line)")
    }
  }

  @Test(arguments: [("scenarios of steps", parts), ("attempts in branches", attempts)])
  func `each replays, and the journal of it too`(_ id: String, _ scenario: String) async throws {
    let world = try CrashWorld(scenario, [Hesitant.self], files: ["part.yaml": Self.part])
    let transcript = try TranscriptReader.read(try await world.run().bytes, file: "journal")

    for names in [[], ["shopper", "part.shopper"], ["one"], ["one", "other"]] {
      var live = Replay.Live()
      live.names = Set(names)
      let report = await Replay(transcript, of: world.plan, live: live).run(inputs: [])
      #expect(report.diagnostics.flatMap { [$0.message] + $0.notes } == [], "\(names)")
    }
  }
}

/// Moves money at every attempt, and says of all but each third that it is busy.
private final class Hesitant: Component {
  private static let amount = Parameter<Decimal>("amount", "How much.")
  private static let balance = Record<Decimal>("balance", "The balance.")
  private static let busy = ErrorCode("busy", "Later.")
  private static let errors = ["insufficient", "illegal", "unavailable"].map { ErrorCode($0, "") }
  private static let take = Role("store", "Where the money is.").call(
    "subtract", amount, answers: balance, errors: errors)
  private static let save = Role("purse", "Where money is saved.").call(
    "add", amount, answers: balance, errors: errors)

  static let plugin = Plugin(
    "hesitant", version: "1.0", "Moves money.", state: .memory, uses: [take, save],
    operations: [
      Operation(
        "move", "Moves money.", amount, answers: Record<Void>.none, errors: [busy], retry: .safe
      ) { mover, context, amount in
        let count = mover.counts.withLock { counts in
          counts["\(context.address)", default: 0] += 1
          return counts["\(context.address)", default: 0]
        }
        _ = try await take(amount, in: context)
        _ = try await save(amount, in: context)
        if count < 3 { throw ComponentError(busy, "later") }
      }
    ]
  ) { _ in Hesitant() }

  private let counts = Mutex<[String: Int]>([:])
}
