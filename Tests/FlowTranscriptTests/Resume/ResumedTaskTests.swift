import FlowCore
import FlowTranscript
import Testing

/// Tasks of a component that ask the same, in a run that is cut off and goes on.
@Suite struct ResumedTaskTests {
  private static let scenario = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
      purse: {plugin: balance, with: {opening: 100.00}}
      break: {plugin: pause}
      racer: {plugin: racer, using: {store: account, purse: purse, break: break}}
    steps:
      - {uses: racer.race}
      - {id: held, uses: purse.load}
    outputs: {held: "${{ steps.held.balance }}"}

    """

  @Test func `each goes on with its own answers wherever the journal is cut`() async throws {
    let world = try CrashWorld(Self.scenario, [Pause.self, Racer.self])
    let whole = try await world.run()
    #expect(["held 99.00", "held 101.00"].contains(whole.outputs))

    for cut in whole.lineCuts {
      let journal = try TranscriptReader.readJournal(cut.bytes, file: "journal")
      let resumed = try await world.run(resuming: journal, of: cut)

      let text = String(decoding: cut.bytes[..<journal.length], as: UTF8.self)
      let line = "cut after \(text.split(separator: "\n").last ?? "")"
      // What comes first is decided anew as long as it was not decided before.
      if text.split(separator: "\n").count(where: { $0.contains(#"store.add#"#) }) == 4 {
        #expect(resumed.outputs == whole.outputs, "\(line)")
        #expect(resumed.effects == whole.effects, "\(line)")
      }
      #expect(resumed.effects.count == whole.effects.count, "\(line)")
      #expect(resumed.moments.last?.store.hasPrefix("12.00\n") == true, "\(line)")
    }
  }
}

/// Does the same in two tasks, of which the first takes longer, and something else with what comes of it.
private struct Racer: Component {
  static let plugin = Plugin(
    "racer", version: "1.0", "Races.", state: .none, uses: [rest, add, save, spend],
    operations: [
      Operation("race", "Races.", answers: Record<Void>.none, retry: .safe) { _, context in
        try await inTasks(2) { task in
          try await rest(.milliseconds(task == 0 ? 20 : 1), in: context)
          let balance = try await add(Decimal(significand: 1, scale: 0), in: context)
          _ =
            task == 0
            ? try await save(balance, in: context) : try await spend(balance, in: context)
        }
      }
    ]
  ) { _ in Racer() }

  private static let amount = Parameter<Decimal>("amount", "How much.")
  private static let balance = Record<Decimal>("balance", "The balance.")
  private static let errors = ["insufficient", "illegal", "unavailable"].map { ErrorCode($0, "") }
  private static let rest = Role("break", "Takes time.").call(
    "rest", Parameter<Duration>("time", "How long."), answers: Record<Void>.none)
  private static let add = Role("store", "Where the money is.").call(
    "add", amount, answers: balance, errors: errors)
  private static let purse = Role("purse", "Where money is saved.")
  private static let save = purse.call("add", amount, answers: balance, errors: errors)
  private static let spend = purse.call("subtract", amount, answers: balance, errors: errors)
}

/// Takes time, once.
private struct Pause: Component {
  static let plugin = Plugin(
    "pause", version: "1.0", "Takes time.", state: .none,
    operations: [
      Operation(
        "rest", "Takes time.", Parameter<Duration>("time", "How long."),
        answers: Record<Void>.none, retry: .safe
      ) { _, context, time in try await context.sleep(for: time) }
    ]
  ) { _ in Pause() }
}
