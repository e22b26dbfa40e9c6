import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTesting
import FlowTranscript
import TestKit
import Testing

/// A component that follows the events of another one.
@Suite struct RoleEventTests {
  private static let scenario = """
    flow: 1
    components:
      source: {plugin: source}
      follower: {plugin: follower, using: {source: source}}
    steps:
      - {uses: source.start}
      - {id: before, uses: follower.count}
      - {uses: source.report, with: {amount: 5}}
      - {uses: source.flush, with: {amount: 7}}
      - {id: after, uses: follower.take, with: {count: 2}}
    outputs: {before: "${{ steps.before.count }}", after: "${{ steps.after.amounts }}"}

    """

  private func plan(_ text: String) throws -> Plan {
    try ScenarioLoader(registry: Registry([Source.self, Follower.self]))
      .plan(ScenarioSource(file: "s.yaml", bytes: Array(text.utf8)))
  }

  private func record(_ plan: Plan) async throws -> (RunReport, Transcript) {
    let recorder = Recorder(of: plan)
    let session = Session(of: plan, sinks: [recorder])
    return (await session.run(inputs: []), try recorder.recording.whole("s.yaml"))
  }

  private func replay(_ transcript: Transcript, _ plan: Plan, live: Set<String>) async -> [String] {
    var part = Replay.Live()
    part.names = live
    let report = await Replay(transcript, of: plan, live: part).run(inputs: [])
    return report.diagnostics.map(\.message) + (report.difference?.lines ?? [])
      + (report.passed ? [] : ["failed"])
  }

  @Test(arguments: [["follower"], ["source"], ["follower", "source"], []])
  func `reports come at their recorded time, whoever is live`(_ live: Set<String>) async throws {
    let plan = try plan(Self.scenario)
    let (report, transcript) = try await record(plan)

    let outputs = report.outputs.map { "\($0.name): \($0.value)" }
    #expect(outputs == ["before: 0", "after: [5, 7]"])
    #expect(await replay(transcript, plan, live: live) == [])
  }

  @Test func `another report leads to another answer`() async throws {
    let plan = try plan(Self.scenario)
    let recorder = Recorder(of: plan)
    _ = await Session(of: plan, sinks: [recorder]).run(inputs: [])
    let changed = Array(
      recorder.text.unsealed
        .replacing(existing: #""payload":{"amount":7}"#, with: #""payload":{"amount":8}"#).utf8)

    let found = await replay(
      try TranscriptReader.read(changed, file: "s.yaml"), plan, live: ["follower"])

    #expect(found.contains { $0.contains("amounts[1]: recorded 7, now 8") }, "\(found)")
  }

  @Test func `a component that a step hands over is followed too`() async throws {
    let part = """
      flow: 1
      components:
        mine: {plugin: source}
        follower: {plugin: follower, using: {source: mine}}
      steps:
        - {uses: mine.report, with: {amount: 3}}
        - {id: seen, uses: follower.take, with: {count: 1}}
      outputs: {amounts: "${{ steps.seen.amounts }}"}

      """
    let folder = try TemporaryFolder()
    try folder.write(part, to: "part.yaml")
    try folder.write(
      """
      flow: 1
      components: {source: {plugin: source}}
      steps:
        - {id: part, scenario: part.yaml, components: {mine: source}}
        - {uses: source.report, with: {amount: 4}}
      outputs: {amounts: "${{ steps.part.amounts }}"}

      """, to: "s.yaml")

    let run = try await ScenarioFile(folder.path("s.yaml")).run(
      try Registry([Source.self, Follower.self]))

    #expect(try run.output("amounts", as: [Int].self) == [3])
  }

  @Test
  func
    `reports end with a call that is stopped, for that call alone, and for a role that is not filled`()
    async throws
  {
    let plan = try plan(
      """
      flow: 1
      components:
        source: {plugin: source}
        follower: {plugin: follower, using: {source: source}}
        alone: {plugin: follower}
      steps:
        - {id: cut, uses: follower.follow, timeout: 1ms, continue-on-error: true}
        - {uses: source.report, with: {amount: 3}}
        - {id: left, uses: follower.take, with: {count: 1}}
        - {id: none, uses: alone.follow}
      outputs: {left: "${{ steps.left.amounts }}", none: "${{ steps.none.count }}"}

      """)
    let (report, _) = try await record(plan)

    #expect(report.passed)
    #expect(report.outputs.map { "\($0.value)" } == ["[3]", "0"])
  }

  /// The component in the role, and the reason that it does not fit.
  private static let misfits = [
    ("follower", "'x' cannot fill the role 'source': it has no event 'changed'"),
    (
      "other",
      "'x' cannot fill the role 'source': 'x.changed' does not carry 'amount', but the role needs it"
    ),
    (
      "third",
      "'x' cannot fill the role 'source': 'x.changed' carries 'amount' as string, but the role needs int"
    ),
  ]

  @Test(arguments: misfits)
  func `what does not report it is found by the check`(plugin: String, message: String) throws {
    let text = """
      flow: 1
      components:
        x: {plugin: \(plugin)}
        follower: {plugin: follower, using: {source: x}}
      steps: [{uses: follower.count}]

      """
    let loader = ScenarioLoader(
      registry: try Registry([Source.self, Follower.self, Other.self, Third.self]))

    let error = #expect(throws: ScenarioError.self) {
      try loader.plan(ScenarioSource(file: "s.yaml", bytes: Array(text.utf8)))
    }

    #expect(error?.diagnostics.map(\.message) == [message])
  }

  @Test func `a test opens a component with what fills its roles`() async throws {
    let source = try StandIn(
      for: Source.self,
      [
        "report": .body { input, context in
          context.emit(Source.changed, 9)
          return [:]
        }
      ])
    let standIn = try await OpenComponent(source)
    let follower = try await OpenComponent(Follower.self, using: ["source": standIn])

    _ = try await standIn.call("report", ["amount": 1])

    #expect(await follower.text("take", ["count": 1]) == "{amounts: [9]}")
    await follower.close()
    await standIn.close()
    let other = try await OpenComponent(Other.self)
    await #expect(throws: UnfitRole.self) {
      try await OpenComponent(Follower.self, using: ["source": other])
    }
    await #expect(throws: UnfitRole.self) {
      try await OpenComponent(Follower.self, using: ["sauce": standIn])
    }
  }
}

private let amount = Parameter<Int>("amount", "How much.")

/// Reports amounts, at once and later.
private actor Source: Component {
  static let changed = EventKind("changed", "It changed.", Record<Int>("amount", "How much."))
  static let plugin = Plugin(
    "source", version: "1.0", "Reports.", state: .memory, events: [changed],
    operations: [
      Operation("report", "Reports at once.", amount, answers: Record<Void>.none) {
        _, context, amount in context.emit(changed, amount)
      },
      Operation("start", "Reports what is flushed later.", answers: Record<Void>.none) {
        source, context in await source.start(context)
      },
      Operation("flush", "Reports what was started.", amount, answers: Record<Void>.none) {
        source, _, amount in await source.flush(amount)
      },
    ]
  ) { _ in Source() }

  private let (amounts, send) = AsyncStream.makeStream(of: Int.self)
  private var task: Task<Void, any Error>?

  private func start(_ context: Context) {
    task = context.spawn("later") { [amounts] context in
      for await amount in amounts { context.emit(Self.changed, amount) }
    }
  }

  private func flush(_ amount: Int) async {
    send.yield(amount)
    send.finish()
    _ = await task?.result
  }
}

/// A component that keeps the reports of a source.
private actor Follower: Component {
  private static let changed = Role("source", "Reports.", optional: true)
    .event("changed", Record<Int>("amount", "How much."))
  static let plugin = Plugin(
    "follower", version: "1.0", "Follows.", state: .memory, uses: [changed],
    operations: [
      Operation("count", "Counts what was noted.", answers: Record<Int>("count", "How many.")) {
        follower, _ in await follower.amounts.count
      },
      Operation(
        "take", "Waits for so many.", Parameter<Int>("count", "How many."),
        answers: Record<[Int]>("amounts", "What was noted.")
      ) { follower, _, count in await follower.take(count) },
      Operation("follow", "Follows to the end.", answers: Record<Int>("count", "How many.")) {
        _, context in
        var count = 0
        for try await _ in changed.reports(in: context) { count += 1 }
        return count
      },
    ]
  ) { context in
    let follower = Follower()
    context.spawn("follow") { context in
      for try await amount in changed.reports(in: context) { await follower.note(amount) }
    }
    return follower
  }

  private var amounts: [Int] = []
  private var waiting: (count: Int, task: CheckedContinuation<Void, Never>)?

  private func note(_ amount: Int) {
    amounts.append(amount)
    guard let (count, task) = waiting, amounts.count >= count else { return }
    waiting = nil
    task.resume()
  }

  private func take(_ count: Int) async -> [Int] {
    if amounts.count < count { await withCheckedContinuation { waiting = (count, $0) } }
    return amounts
  }
}

/// Reports something else under the same name.
private struct Other: Component {
  static let plugin = Plugin(
    "other", version: "1.0", "Reports.", state: .none,
    events: [EventKind("changed", "It changed.", Record<Int>("total", "How much."))],
    operations: []
  ) { _ in Other() }
}

/// Reports another type under the same name.
private struct Third: Component {
  static let plugin = Plugin(
    "third", version: "1.0", "Reports.", state: .none,
    events: [EventKind("changed", "It changed.", Record<String>("amount", "How much."))],
    operations: []
  ) { _ in Third() }
}
