import BalancePlugin
import FilePlugin
import FlowCommand
import FlowCore
import ScreensPlugin
import TestKit
import Testing

/// Generated scenarios that find faults of a component.
@Suite struct GenerateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let invariants = """
    flow: 1
    name: A till that never owes
    components:
      till: {plugin: till, with: {opening: 10.00}}
    invariants:
      - {id: now, uses: till.load}
      - assert: ["${{ steps.now.balance >= 0.00 }}"]
    steps: []

    """

  private func explore(_ text: String, _ arguments: [String] = []) async throws -> FlowCommandRun {
    try folder.write(text, to: "till.yaml")
    return try await run(["explore", folder.path("till.yaml"), "--generate"] + arguments)
  }

  private func run(_ arguments: [String]) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, components: [Balance.self, Files.self, Screens.self, Till.self, Queue.self])
  }

  @Test func `one cent too much is found, and written as the shortest scenario`() async throws {
    let run = try await explore(Self.invariants)

    #expect(run.code == .failed)
    #expect(run.output.contains("failed after 1 call:\n  till.take {amount: 10.01}\n"))
    let text = try folder.text("till.generated.yaml")
    #expect(
      text == """
        flow: 1
        name: "Found by exploring till.yaml"
        components:
          till: {plugin: till, with: {opening: 10.00}}
        invariants:
          - {id: now, uses: till.load}
          - assert: ["${{ steps.now.balance >= 0.00 }}"]
        steps:
          - uses: till.take
            with: {amount: 10.01}

        """)
    #expect(run.errors.contains("it is an invariant, checked after the step 'till.take'"))
  }

  @Test func `what was written fails again in the same way, replayed and run`() async throws {
    _ = try await explore(Self.invariants)
    let path = folder.path("till.generated.yaml")

    let replay = try await self.run(["test", path])
    let live = try await self.run(["run", path])

    #expect(replay.code == .failed)
    #expect(live.code == .failed)
    for run in [replay, live] {
      #expect(run.errors.contains("'invariants/assert#1': assertion failed [F2004]"))
    }
  }

  @Test func `what was found earlier is not replaced, and not written twice`() async throws {
    _ = try await explore(Self.invariants)
    let again = try await run(["explore", folder.path("till.yaml"), "--generate"])
    try folder.write("# mine\n", to: "till.generated.yaml")
    let other = try await run(["explore", folder.path("till.yaml"), "--generate"])

    #expect(again.output.contains("till.generated.yaml already contains it\n"))
    #expect(other.output.contains("till.generated-2.yaml and its transcript\n"))
    #expect(try folder.text("till.generated.yaml") == "# mine\n")
    #expect(
      try folder.text("till.generated-2.transcript.jsonl")
        .contains(#""scenario":"till.generated-2.yaml""#))
  }

  @Test func `an error that the operation does not declare is found without invariants`()
    async throws
  {
    let text = Self.invariants.replacing("opening: 10.00", with: "opening: 10.00, fragile: true")
      .split(separator: "\n").filter { !$0.contains("now") && $0 != "invariants:" }
      .joined(separator: "\n")

    let run = try await explore(text + "\n")

    #expect(run.code == .failed)
    #expect(run.output.contains("failed after 2 calls:\n  till.close\n  till.load\n"))
  }

  @Test func `the real balance passes, and the report says what was called`() async throws {
    let text = """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 10.00}}
      invariants:
        - {id: now, uses: balance.load}
        - assert: ["${{ steps.now.balance >= 0.00 }}"]
      steps: []

      """

    let run = try await explore(text, ["--budget", "200"])

    #expect(run.code == .passed)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("generated 200 scenarios with 900 calls in ") })
    #expect(lines.last == "no failure found")
    #expect(
      run.output.contains("errors: ") && run.output.contains("balance.subtract: insufficient"))
    #expect(run.output.contains("events: balance.changed\n"))
    #expect(try folder.names == ["till.yaml"])
  }

  @Test func `the same seed finds the same scenario`() async throws {
    let first = try await explore(Self.invariants, ["--seed", "7"])
    let text = try folder.text("till.generated.yaml")
    let second = try await explore(Self.invariants, ["--seed", "7"])

    #expect(first.code == second.code)
    #expect(try folder.text("till.generated.yaml") == text)
  }

  @Test func `the calls stand behind the scenario's own steps, which stay`() async throws {
    let text = Self.invariants.replacing(
      "steps: []",
      with: """
        steps:
            # A coin first.
            - uses: till.put
              with: {amount: 1.00}
        finally:
          - uses: till.load
        """)

    let run = try await explore(text)

    #expect(run.code == .failed)
    let written = try folder.text("till.generated.yaml")
    #expect(
      written.hasSuffix(
        """
        steps:
            # A coin first.
            - uses: till.put
              with: {amount: 1.00}
            - uses: till.take
              with: {amount: 11.01}
        finally:
          - uses: till.load

        """))
  }

  // MARK: - What is not called

  private static let keeper = """
    flow: 1
    components:
      files: {plugin: file}
      money: {plugin: balance, with: {opening: 10.00, file: money.json}}
      screen: {plugin: screens, using: {balance: money}}
      balance: {plugin: balance, with: {opening: 10.00}}
    steps: []

    """

  @Test func `components that reach something outside are not called unless they are named`()
    async throws
  {
    try folder.write("mine\n", to: "a")

    let run = try await explore(Self.keeper, ["--budget", "100"])

    #expect(run.code == .passed)
    #expect(
      run.output.split(separator: "\n").dropFirst().prefix(3) == [
        "no generated calls of 'files' are made: it uses files",
        "no generated calls of 'money' are made: it uses files",
        "no generated calls of 'screen' are made: it uses 'money'",
      ])
    #expect(run.output.contains("\ncalled 3 of 3 operations\n"))
    #expect(try folder.names == ["a", "till.yaml"])
    #expect(try folder.text("a") == "mine\n")
  }

  @Test func `components that are named are called for real, and the report says so`()
    async throws
  {
    try folder.write(Self.keeper, to: "till.yaml")

    let run = try await run([
      "explore", folder.path("till.yaml"), "--generate=money.load", "--budget", "3",
    ])

    #expect(run.code == .passed)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("'money' uses files: its generated calls are made for real"))
    #expect(lines.contains("called 1 of 1 operations"))
  }

  @Test func `a scenario whose components all reach something has nothing to call`() async throws {
    let run = try await explore("flow: 1\ncomponents: {files: {plugin: file}}\nsteps: []\n")

    #expect(run.code == .badInput)
    #expect(
      run.output.hasSuffix(
        """
        no generated calls of 'files' are made: it uses files
        nothing to call: flow cannot generate the inputs of any operation

        """))
  }

  // MARK: - What fails, and how

  @Test func `steps of the scenario and of finally are not mistaken for generated calls`()
    async throws
  {
    let text = Self.invariants.replacing(
      "steps: []",
      with: """
        steps:
          - {uses: till.put, with: {amount: -1.00}, continue-on-error: true}
        finally:
          - {uses: till.take, with: {amount: 100.00}, continue-on-error: true}
          - {uses: till.take, with: {amount: 100.00}, continue-on-error: true}
        """)

    let run = try await explore(text)

    #expect(run.code == .failed)
    #expect(run.output.contains("failed after 1 call:\n  till.take {amount: 10.01}\n"))
    let written = try folder.text("till.generated.yaml")
    #expect(written.contains("  - uses: till.take\n    with: {amount: 10.01}\nfinally:\n"))
  }

  @Test func `a scenario that fails by itself is not one that was found`() async throws {
    let text = Self.invariants.replacing(
      "steps: []", with: "steps: [{uses: till.take, with: {amount: 99.00}}]")

    let run = try await explore(
      text.replacing("steps: [", with: "steps:\n  - ").replacing("}}]", with: "}}"))

    #expect(run.code == .failed)
    #expect(run.output.hasSuffix("till.yaml\nfailed without a generated call\n"))
    #expect(run.errors.contains("99.00 is more than 10.00"))
    #expect(try folder.names == ["till.yaml"])
  }

  private static func waiting(_ operation: String) -> String {
    """
    flow: 1
    components: {queue: {plugin: queue}}
    steps:
      - uses: queue.count
      # The calls: \(operation).

    """
  }

  @Test func `a call in which nothing goes on is written with a time limit, and fails`()
    async throws
  {
    try folder.write(Self.waiting("lose"), to: "till.yaml")

    let run = try await run(["explore", folder.path("till.yaml"), "--generate=queue.lose"])
    let again = try await self.run(["run", folder.path("till.generated.yaml"), "--virtual-time"])

    #expect(run.code == .failed)
    #expect(run.output.contains("failed after 1 call:\n  queue.lose\n"))
    #expect(
      try folder.text("till.generated.yaml").hasSuffix("  - uses: queue.lose\n    timeout: 10s\n"))
    #expect(again.code == .failed)
  }

  @Test func `a call that looks for something again and again is no fault`() async throws {
    try folder.write(Self.waiting("poll"), to: "till.yaml")

    let run = try await run([
      "explore", folder.path("till.yaml"), "--generate=queue", "--budget", "0",
    ])
    let polled = try await self.run([
      "explore", folder.path("till.yaml"), "--generate=queue.poll", "--budget", "2",
    ])

    #expect(run.code == .badCommandLine)
    #expect(polled.code == .passed)
    #expect(polled.output.hasSuffix("called 1 of 1 operations\nno failure found\n"))
  }

  // MARK: - Forms of files

  @Test func `a file with lines that end as on Windows is read as others`() async throws {
    let run = try await explore(Self.invariants.replacing("\n", with: "\r\n"))

    #expect(run.code == .failed)
    #expect(run.output.contains("failed after 1 call:\n  till.take {amount: 10.01}\n"))
    #expect(try folder.text("till.generated.yaml").hasSuffix("    with: {amount: 10.01}\n"))
  }

  @Test(arguments: [
    "steps:\n  [{uses: till.load}]\n", "steps: [{uses: till.load}]\n",
    "steps: &all\n  - uses: till.load\n",
  ])
  func `a file that has no place for further steps is refused at once`(_ steps: String)
    async throws
  {
    let run = try await explore(Self.invariants.replacing("steps: []\n", with: steps))

    #expect(run.code == .badInput)
    #expect(
      run.errors.hasSuffix(
        "must have each key on a separate line, and its steps below 'steps:'\n"))
  }

  @Test(arguments: [
    (["--live=till"], "'--generate' cannot be combined with '--live'"),
    (["--faults"], "'--generate' cannot be combined with '--faults'"),
    (["--delays", "1"], "'--generate' cannot be combined with '--delays'"),
    (["--generate=safe"], "'--generate' is given twice"),
  ])
  func `options that mean nothing with it are refused`(
    _ arguments: [String], _ message: String
  ) async throws {
    let run = try await explore(Self.invariants, arguments)

    #expect(run.code == .badCommandLine)
    #expect(run.errors.contains(message))
  }

  @Test func `a name that no component has is refused with what is near`() async throws {
    try folder.write(Self.invariants, to: "till.yaml")

    let run = try await run(["explore", folder.path("till.yaml"), "--generate=tll"])

    #expect(run.code == .badCommandLine)
    #expect(run.errors.contains("no scenario has a component 'tll'; did you mean 'till'?"))
  }
}

/// Money in a drawer that pays one cent more than it has.
private actor Till: Component {
  static let plugin = Plugin(
    "till", version: "1.0", "Holds money.", state: .memory,
    settings: Parameter<Decimal>("opening", "What is in it at first."),
    Parameter<Bool>("fragile", "Whether it fails once it is closed.", default: false),
    operations: [
      Operation("load", "Tells how much there is.", answers: answer) { till, _ in
        try await till.balance()
      },
      Operation(
        "put", "Adds money.", Parameter<Decimal>("amount", "How much."), answers: answer,
        errors: [negative]
      ) { till, _, amount in
        if amount < Decimal(0) { throw ComponentError(negative, "\(amount) is below zero") }
        return try await till.add(amount)
      },
      Operation(
        "take", "Takes money.", Parameter<Decimal>("amount", "How much."), answers: answer,
        errors: [negative, insufficient]
      ) { till, _, amount in
        if amount < Decimal(0) { throw ComponentError(negative, "\(amount) is below zero") }
        return try await till.take(amount)
      },
      Operation("close", "Closes it.", answers: Record<Void>.none) { till, _ in
        await till.shut()
      },
    ]
  ) { _, opening, fragile in Till(opening, fragile) }

  private static let answer = Record<Decimal>("balance", "What is left.")
  private static let negative = ErrorCode("negative", "The amount is below zero.")
  private static let insufficient = ErrorCode("insufficient", "There is not so much.")

  private var left: Decimal
  private let isFragile: Bool
  private var isClosed = false

  private init(_ opening: Decimal, _ isFragile: Bool) {
    left = opening
    self.isFragile = isFragile
  }

  private struct Broken: Error {}

  private func balance() throws -> Decimal {
    if isFragile && isClosed { throw Broken() }
    return left
  }

  private func add(_ amount: Decimal) throws -> Decimal {
    left = try left + amount
    return left
  }

  private func take(_ amount: Decimal) throws -> Decimal {
    // The fault: one cent too much.
    guard try amount <= left + Decimal(significand: 1, scale: 2) else {
      throw ComponentError(Self.insufficient, "\(amount) is more than \(left)")
    }
    left = try left - amount
    return left
  }

  private func shut() { isClosed = true }
}

/// Holds nothing, for which some of its operations wait.
private struct Queue: Component {
  static let plugin = Plugin(
    "queue", version: "1.0", "Is empty.", state: .memory,
    operations: [
      Operation("count", "Tells how much there is.", answers: Record<Int>("count", "How much.")) {
        _, _ in 0
      },
      Operation("lose", "Waits for what never comes.", answers: Record<Void>.none) { _, _ in
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
        try Task.checkCancellation()
      },
      Operation("poll", "Looks every second.", answers: Record<Void>.none) { _, context in
        while true { try await context.sleep(for: .seconds(1)) }
      },
    ]
  ) { _ in Queue() }
}
