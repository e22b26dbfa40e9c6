import BalancePlugin
import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Shopping
import Synchronization
import TestKit
import Testing

/// A run that is cut off at every byte of its journal goes on to the same end.
@Suite struct CrashTests {
  private static let scenario = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
      purse: {plugin: balance, with: {opening: 1.00}}
    steps:
      - id: spend
        repeat: {until: "${{ loop.index == 1 }}", limit: 2}
        do:
          - {uses: account.subtract, with: {amount: 4.00}}
          - {uses: purse.add, with: {amount: 4.00}}
      - {uses: account.subtract, with: {amount: 4.00}, expect: {error: insufficient}}
      - {id: kept, uses: account.load}
      - {id: held, uses: purse.load}
    finally:
      - {uses: account.add, with: {amount: 1.00}}
    outputs:
      kept: ${{ steps.kept.balance }}
      held: ${{ steps.held.balance }}

    """

  /// Branches that share a balance in a file and one in memory, an awaited event, a timed-out branch.
  private static let parallelScenario = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
      purse: {plugin: balance, with: {opening: 1.00}}
    steps:
      - parallel:
          spending:
            - for: x
              in: ${{ [1, 2, 3] }}
              parallel: 3
              do:
                - {uses: account.subtract, with: {amount: 0.50}}
                - {uses: purse.add, with: {amount: "${{ x }}"}}
                - wait: ${{ duration(string(4 - x) + 'ms') }}
                - {uses: account.add, with: {amount: 0.25}}
                - {uses: purse.add, with: {amount: 4.00}}
          earning:
            - repeat: {until: "${{ loop.index == 2 }}", limit: 3}
              do:
                - {uses: account.add, with: {amount: 0.25}}
                - {uses: purse.add, with: {amount: 4.00}}
            - {await: account.changed, where: "${{ event.balance > 8 }}", timeout: 1h}
          late:
            needs: [earning]
            do:
              - {uses: account.subtract, with: {amount: 0.50}}
              - {wait: 50ms, timeout: 2ms, continue-on-error: true}
        finally:
          - {uses: account.subtract, with: {amount: 0.25}}
      - {id: sizes, for: x, in: "${{ [1, 2, 3] }}", parallel: 2, do: [{wait: 1ms}], outputs: {all: "${{ x }}"}}
      - {id: kept, uses: account.load}
      - {id: held, uses: purse.load}
    finally:
      - {uses: account.add, with: {amount: 1.00}}
    outputs:
      kept: ${{ steps.kept.balance }}
      held: ${{ steps.held.balance }}
      sizes: ${{ steps.sizes.all }}

    """

  /// A component that uses a balance in a file and one in memory; `state` says where it keeps its own.
  private static func shopScenario(_ state: String) -> String {
    """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
      purse: {plugin: balance, with: {opening: 1.00}}
      shopper:
        plugin: shopper
        with: {state: \(state)}
        using: {store: account, purse: purse}
    steps:
      - {uses: shopper.buy, with: {amount: 2.00}}
      - parallel:
          one:
            - {uses: shopper.buy, with: {amount: 3.00}}
            - {uses: purse.add, with: {amount: 8.00}}
          two:
            - {uses: shopper.buy, with: {amount: 1.00}}
      - {uses: shopper.buy, with: {amount: 50.00}, expect: {error: insufficient}}
      - {id: kept, uses: account.load}
      - {id: held, uses: purse.load}
    outputs:
      kept: ${{ steps.kept.balance }}
      held: ${{ steps.held.balance }}

    """
  }

  private let world: CrashWorld

  init() throws {
    world = try CrashWorld(Self.scenario)
  }

  @Test func `no effect is lost or repeated wherever the journal is cut`() async throws {
    let whole = try await world.run()
    let end = try #require(whole.moments.last)
    #expect(end.store.hasPrefix("3.00\n"))
    #expect(whole.outputs == "kept 2.00, held 9.00")

    for cut in whole.cuts {
      let journal = try TranscriptReader.readJournal(cut.bytes, file: "journal")
      let resumed = try await world.run(resuming: journal, of: cut)

      #expect(resumed.outputs == whole.outputs, "cut after \(cut.bytes.count) bytes")
      #expect(resumed.moments.last?.store == end.store, "cut after \(cut.bytes.count) bytes")
      #expect(resumed.calls == whole.calls, "cut after \(cut.bytes.count) bytes")
    }
  }

  @Test func `no effect of steps at the same time is lost or repeated wherever the journal is cut`()
    async throws
  {
    let world = try CrashWorld(Self.parallelScenario)
    let whole = try await world.run()
    let end = try #require(whole.moments.last)
    #expect(end.store.hasPrefix("10.25\n"))
    #expect(whole.outputs == "kept 9.25, held 31.00, sizes [1, 2, 3]")

    for cut in whole.moments.dropLast() {
      let journal = try TranscriptReader.readJournal(cut.bytes, file: "journal")
      let resumed = try await world.run(resuming: journal, of: cut)

      let line = cut.label
      #expect(resumed.outputs == whole.outputs, "\(line)")
      #expect(resumed.moments.last?.store.prefix(6) == end.store.prefix(6), "\(line)")
      #expect(resumed.steps == whole.steps, "\(line)")
    }
  }

  @Test(arguments: ["memory", "none", "external"])
  func `no effect of components that use others is lost or repeated wherever the journal is cut`(
    _ state: String
  ) async throws {
    let world = try CrashWorld(Self.shopScenario(state))
    let whole = try await world.run()
    let end = try #require(whole.moments.last)
    #expect(end.store.hasPrefix("7.00\n"))
    #expect(whole.outputs == "kept 7.00, held 18.00")

    for cut in whole.lineCuts {
      let journal = try TranscriptReader.readJournal(cut.bytes, file: "journal")
      let resumed = try await world.run(resuming: journal, of: cut)

      let line = cut.label
      #expect(resumed.outputs == whole.outputs, "\(line)")
      #expect(resumed.moments.last?.store.prefix(5) == end.store.prefix(5), "\(line)")
      #expect(resumed.effects == whole.effects, "\(line)")
    }
  }

  @Test func `a journal cut in its header says that nothing was done`() async throws {
    let whole = try await world.run()

    for length in 0..<whole.headerLength {
      #expect(throws: TranscriptError.self) {
        try TranscriptReader.readJournal(Array(whole.bytes[..<length]), file: "journal")
      }
    }
  }

  @Test func `a whole journal is a transcript that replays`() async throws {
    let whole = try await world.run()
    let transcript = try TranscriptReader.read(whole.bytes, file: "journal")

    let report = await Replay(transcript, of: world.plan).run(inputs: [])

    #expect(report.passed)
  }
}

/// Runs a scenario with a journal in memory and remembers the store at each of its lines.
struct CrashWorld {
  let plan: Plan
  private let folder: TemporaryFolder

  /// The journal and the store's file just after a line was written.
  struct Moment {
    let bytes: [UInt8]
    let store: String

    /// The place of the cut, for a failed test.
    var label: String {
      let lines = bytes.split(separator: 0x0A)
      return "cut after \(lines.last.map { String(decoding: $0, as: UTF8.self) } ?? "")"
    }
  }

  struct Run {
    let moments: [Moment]
    let outputs: String

    var bytes: [UInt8] { moments.last?.bytes ?? [] }
    var headerLength: Int { moments[0].bytes.count }

    /// The journal without the events that a component may or may not report again.
    var calls: [Substring] {
      String(decoding: bytes, as: UTF8.self).unsealed.split(separator: "\n").filter {
        !$0.contains(#","emit":"#)
      }
    }

    /// The calls with their answers, sorted.
    var steps: [Substring] {
      calls.map { $0.split(separator: ":", maxSplits: 2).prefix(2).joined(separator: ":")[...] }
        .sorted()
    }

    /// The calls with their inputs, sorted.
    var effects: [String] {
      calls.filter { $0.contains(#""invoke":"#) }.map { $0.replacing(#/,"lane":\d+/#, with: "") }
        .map(String.init).sorted()
    }

    /// The ends of all lines but the last, and in each line one byte before its end.
    var lineCuts: [Moment] {
      zip(moments, moments.dropFirst()).flatMap { before, after in
        [before, Moment(bytes: after.bytes.dropLast(), store: after.store)]
      }
    }

    /// Every length behind the header and before the end, with the store as it was then; between two
    /// lines, both as it was after the first and as it was before the second.
    var cuts: [Moment] {
      zip(moments, moments.dropFirst()).flatMap { before, after in
        [before]
          + (before.bytes.count..<after.bytes.count).map {
            Moment(bytes: Array(after.bytes[..<$0]), store: after.store)
          }
      }
    }
  }

  init(
    _ scenario: String, _ others: [any Component.Type] = [], files: [String: String] = [:]
  ) throws {
    let registry = try Registry([Balance.self, Shopper.self] + others)
    plan = try ScenarioLoader(registry: registry, files: ScenarioFiles(texts: files))
      .plan(ScenarioSource(file: "crash.yaml", bytes: Array(scenario.utf8)))
    folder = try TemporaryFolder()
  }

  func run(resuming journal: Journal? = nil, of cut: Moment? = nil) async throws -> Run {
    try set(store: cut?.store ?? "")
    let start = journal.flatMap { journal in cut.map { Array($0.bytes[..<journal.length]) } } ?? []
    let moments = Mutex([Moment(bytes: start, store: cut?.store ?? "")])
    let recorder = JournalRecorder(scenario: "crash.yaml", run: "run", resuming: journal) {
      [folder] bytes in
      let store = (try? folder.text("balance.txt")) ?? ""
      moments.withLock { $0.append(Moment(bytes: ($0.last?.bytes ?? []) + bytes, store: store)) }
    }
    let result = await run(journal, recorder)
    #expect(result.diagnostics.flatMap { [$0.message] + $0.notes } == [])
    let outputs = result.outputs.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    return Run(moments: moments.withLock { Array($0.dropFirst()) }, outputs: outputs)
  }

  private func run(_ journal: Journal?, _ recorder: JournalRecorder) async -> RunReport {
    var options = Session.Options(in: folder.directory)
    options.name = "run"
    options.sharesThread = plan.hasOverlappingCalls
    let session = Session(of: plan, sinks: [recorder], options: options)
    let caller = ResumingCaller(
      journal, in: session, recorder: recorder, options: .init(keepsOrder: plan.hasOverlappingCalls)
    )
    return await session.run(inputs: [], through: caller)
  }

  /// Puts the store's file into a state, or removes it for an empty string.
  private func set(store: String) throws {
    try? folder.remove("balance.txt")
    if !store.isEmpty { try folder.write(store, to: "balance.txt") }
  }
}
