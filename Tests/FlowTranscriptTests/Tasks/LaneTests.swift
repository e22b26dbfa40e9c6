import BalancePlugin
import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Testing

/// Tasks of a component that go on calling after the end of its call.
@Suite struct LaneTests {
  private static let scenario = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00}}
      feeder: {plugin: feeder, using: {store: account}}
    steps:
      - {id: first, uses: feeder.start}
      - {id: second, uses: feeder.start}
      - {uses: feeder.finish}
      - {id: kept, uses: account.load}
    outputs: {kept: "${{ steps.kept.balance }}"}

    """

  private func plan(_ amount: Int = 1) throws -> Plan {
    let feeder = RegisteredPlugin(erasing: Feeder(amount: amount))
    let registry = try Registry(plugins: [feeder] + Registry([Balance.self]).plugins)
    return try ScenarioLoader(registry: registry)
      .plan(ScenarioSource(file: "s.yaml", bytes: Array(Self.scenario.utf8)))
  }

  private func record() async throws -> Recording {
    let recorder = Recorder(of: try plan())
    let session = Session(of: try plan(), sinks: [recorder])
    #expect(await session.run(inputs: []).passed)
    return recorder.recording
  }

  @Test func `what a task calls is recorded at an address of its own, before the end`() async throws
  {
    let lines = String(decoding: try await record().bytes, as: UTF8.self).split(separator: "\n")

    #expect(
      lines.filter { $0.contains("/feed#1/") && $0.contains("invoke") } == [
        #"{"at":"first#1/feed#1/store.add#1","invoke":"account.add","input":{"amount":"1"}}"#,
        #"{"at":"first#1/feed#1/store.add#2","invoke":"account.add","input":{"amount":"1"}}"#,
        #"{"at":"second#1/feed#1/store.add#1","invoke":"account.add","input":{"amount":"1"}}"#,
        #"{"at":"second#1/feed#1/store.add#2","invoke":"account.add","input":{"amount":"1"}}"#,
      ])
    #expect(lines.dropLast().last?.hasPrefix(#"{"at":"second#1/feed#1/store.add#2","ok""#) == true)
  }

  @Test func `a component whose tasks call replays live`() async throws {
    let transcript = try await record().whole("s.yaml")
    var live = Replay.Live()
    live.names = ["feeder"]

    let report = await Replay(transcript, of: try plan(), live: live).run(inputs: [])

    #expect(report.diagnostics.map(\.message) == [])
    #expect(report.passed)
  }

  @Test func `a call of a task that is not recorded fails the run`() async throws {
    let transcript = try await record().whole("s.yaml")
    var live = Replay.Live()
    live.names = ["feeder"]

    let report = await Replay(transcript, of: try plan(2), live: live).run(inputs: [])

    #expect(
      report.diagnostics.map(\.message)
        == ["'first#1/feed#1/store.add#1' is not in the transcript"])
  }
}

/// A component that adds to a balance in tasks, without regard to their results.
private actor Feeder: Component {
  static let plugin = Plugin(
    "feeder", version: "1.0", "Adds to a balance.", state: .memory, uses: [add],
    operations: [
      Operation("start", "Starts a task.", answers: Record<Void>.none) { feeder, context in
        await feeder.start(context)
      },
      Operation("finish", "Waits for the tasks.", answers: Record<Void>.none) { feeder, _ in
        await feeder.finish()
      },
    ]
  ) { _ in Feeder(amount: 1) }

  private static let add = Role("store", "Where the money is.").call(
    "add", Parameter<Decimal>("amount", "How much."),
    answers: Record<Decimal>("balance", "The balance."),
    errors: [ErrorCode("illegal", ""), ErrorCode("unavailable", "")])

  private let amount: Int
  private var tasks: [Task<Void, any Error>] = []

  init(amount: Int) { self.amount = amount }

  private func start(_ context: Context) {
    let amount = Decimal(significand: Int128(amount), scale: 0)
    tasks.append(
      context.spawn("feed") { context in
        for _ in 1...2 { _ = try await Self.add(amount, in: context) }
      })
  }

  private func finish() async {
    for task in tasks { _ = await task.result }
  }
}
