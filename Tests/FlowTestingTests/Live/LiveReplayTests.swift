import BalancePlugin
import FlowCore
import FlowTesting
import Shopping
import TestKit
import Testing

/// A scenario replayed in a Swift test with some of its components live.
@Suite struct LiveReplayTests {
  private static let text = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
      purse: {plugin: balance, with: {opening: 1.00}}
      shopper:
        plugin: shopper
        with: {state: memory}
        using: {store: account, purse: purse}
    steps:
      - id: bread
        uses: shopper.buy
        with: {amount: 2.00}
      - id: milk
        uses: shopper.buy
        with: {amount: 3.00}

    """
  private let folder: TemporaryFolder
  private let scenario: ScenarioFile
  private let registry: Registry

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(Self.text, to: "it.yaml")
    scenario = try ScenarioFile(folder.path("it.yaml"))
    registry = try Registry([Balance.self, Shopper.self])
    let run = await scenario.attempt(registry)
    #expect(run.failures == "")
    try folder.write(run.transcript, to: "it.transcript.jsonl")
    try folder.remove("balance.txt")
  }

  private func text(_ problems: [ScenarioProblem]) -> String {
    problems.map { $0.text.replacing(folder.directory.path + "/", with: "") + "\n" }.joined()
  }

  @Test func `components that are called themselves are given no placeholders`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      components: {balance: {plugin: balance}}
      steps:
        - {uses: balance.load}
        - {assert: ["${{ inputs.token == 'correct-horse' }}"]}

      """, to: "s.yaml")
    let secret = ["FLOW_SECRET_TOKEN": "correct-horse"]
    let recorded = try await BuiltProgram.run(
      "flow", ["run", "s.yaml", "--record"], in: folder, environment: secret)
    #expect(recorded.code == 0, "\(recorded.errors)")

    let arguments = ["replay", "s.transcript.jsonl", "--live"]
    let without = try await BuiltProgram.run("flow", arguments, in: folder)
    let with = try await BuiltProgram.run("flow", arguments, in: folder, environment: secret)

    #expect(without.code == 65)
    #expect(without.errors.contains("[F1402]"), "\(without.errors)")
    #expect(with.code == 0, "\(with.errors)")
  }

  @Test func `a component replays live, and what it uses is absent`() async throws {
    try await scenario.replay(registry, live: ["shopper"])

    #expect(!folder.directory.contains("balance.txt"))
  }

  @Test func `a test looks at its own object after the replay`() async throws {
    let shopper = Shopper(counts: true)

    try await scenario.replay(registry, live: ["shopper": shopper])

    #expect(await shopper.count == 2)
  }

  @Test func `an object that does otherwise is a problem at the step that called it`() async throws
  {
    let problems = await scenario.problemsOfReplay(
      registry, live: ["shopper": Shopper(counts: false)])

    #expect(
      text(problems) == """
        it.yaml:10:5: error: 'bread#1' differs from the transcript [F3009]
           10 |   - id: bread
              |     ^^^^^^^^^
          note: ok.count: recorded 1, now 0
        it.yaml:13:5: error: 'milk#1' differs from the transcript [F3009]
           13 |   - id: milk
              |     ^^^^^^^^
          note: ok.count: recorded 2, now 0

        """)
  }

  @Test func `an unmet expectation of a live object is reported with its answer`() async throws {
    try folder.write(Self.text + "    expect: {count: 2}\n", to: "it.yaml")

    let problems = await scenario.problemsOfReplay(
      registry, live: ["shopper": Shopper(counts: false)])

    #expect(
      text(problems) == """
        it.yaml:10:5: error: 'bread#1' differs from the transcript [F3009]
           10 |   - id: bread
              |     ^^^^^^^^^
          note: ok.count: recorded 1, now 0
          note: 'it.yaml' has changed since it was recorded
        it.yaml:16:14: error: 'milk#1' did not answer as expected [F2001]
           16 |     expect: {count: 2}
              |              ^^^^^^^^
          note: count: expected 2, got 0
          input: {amount: 3.00}
          answer: {left: 7.00, saved: 7.00, count: 0}

        """)
  }

  @Test func `a step that calls otherwise is a problem with a live component, too`() async throws {
    let other = Self.text.replacing("amount: 3.00", with: "amount: 4.00")
    try folder.write(other, to: "it.yaml")

    let problems = await scenario.problemsOfReplay(registry, live: ["shopper"])

    #expect(
      text(problems) == """
        it.yaml:13:5: error: the input of 'milk#1' has changed [F3003]
           13 |   - id: milk
              |     ^^^^^^^^
          note: amount: recorded 3.00, now 4.00
          note: if the change is intended, record again with 'flow test --update failed'
          note: 'it.yaml' has changed since it was recorded

        """)
  }

  @Test func `an unknown name is a problem`() async throws {
    let problems = await scenario.problemsOfReplay(registry, live: ["shoper"])

    #expect(
      problems.map(\.text) == [
        "error: the scenario has no component 'shoper'; did you mean 'shopper'? [test component]"
      ])
  }

  @Test func `a stand-in fills a role`() async throws {
    let store = try StandIn(
      for: Balance.self,
      [
        "subtract": .answer(["balance": Decimal(significand: 7, scale: 0)]),
        "add": .answer(["balance": Decimal(significand: 8, scale: 0)]),
      ])

    try await scenario.run(registry, with: [.standIn(store, as: "account")])

    #expect(store.calls.count { $0.name == "balance.subtract" } == 2)
    #expect(store.calls.count { $0.name == "balance.add" } == 6)
    #expect(!folder.directory.contains("balance.txt"))
  }

  @Test func `a stand-in is called in a replay, and its answers are compared`() async throws {
    let store = try StandIn(
      for: Balance.self,
      [
        "subtract": .answer(["balance": Decimal(significand: 7, scale: 0)]),
        "add": .answer(["balance": Decimal(significand: 8, scale: 0)]),
      ])

    let problems = await scenario.problemsOfReplay(
      registry, live: ["shopper"], with: [.standIn(store, as: "account")])

    #expect(store.calls.count == 8)
    #expect(
      problems.first?.text.hasSuffix("note: ok.left: recorded 9.00, now 8") == true,
      "\(text(problems))")
  }

  @Test func `a live component is given the test's secrets and date`() async throws {
    let registry = try Registry([Doorman.self])
    try folder.write(
      """
      flow: 1
      components: {clerk: {plugin: clerk}}
      steps: [{id: ask, uses: clerk.ask}]

      """, to: "clerk.yaml")
    let scenario = try ScenarioFile(folder.path("clerk.yaml"))
    let options = LiveOptions(isVirtualTime: true, date: .epoch, secrets: ["badge": "hunter2"])
    let run = await scenario.attempt(registry, options: options)
    try folder.write(run.transcript, to: "clerk.transcript.jsonl")

    try await scenario.replay(registry, live: ["clerk"], options: options)
    // The date is the recorded one.
    try await scenario.replay(
      registry, live: ["clerk"], options: LiveOptions(secrets: ["badge": "hunter2"]))
    #expect(
      String(decoding: run.transcript, as: UTF8.self).contains(
        #","date":"1970-01-01T00:00:00Z","seal""#))
    #expect(
      text(await scenario.problemsOfReplay(registry, live: ["clerk"], options: LiveOptions()))
        .contains("ok.length: recorded 7, now 0"))
  }
}

/// A component that returns its surroundings.
private struct Doorman: Component {
  static let plugin = Plugin(
    "clerk", version: "1", "Answers what it is given.", state: .none,
    operations: [
      Operation(
        "ask", "Asks for the badge.",
        answers: Record(
          Answer.init(length:date:), Field("length", \.length, "The badge's."),
          Field("date", \.date, "The run's."))
      ) { _, context in
        Answer(
          length: (try? context.secrets.value("badge").utf8.count) ?? 0, date: context.date)
      }
    ]
  ) { _ in Doorman() }

  private struct Answer: Sendable {
    var length: Int
    var date: Timestamp
  }
}
