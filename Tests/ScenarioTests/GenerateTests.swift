import FlowCommand
import FlowCore
import PluginHarness
import Testing

/// Scenarios that flow makes up to find what is wrong with a component.
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

  private func explore(_ text: String, _ arguments: [String] = []) async throws -> FlowRun {
    try folder.write(text, to: "till.yaml")
    return try await run(["explore", folder.path("till.yaml"), "--generate"] + arguments)
  }

  private func run(_ arguments: [String]) async throws -> FlowRun {
    try await FlowRun(arguments, with: [Till.self])
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

    #expect(again.output.contains("till.generated.yaml has it already\n"))
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
    #expect(lines[1].hasPrefix("generated 200 scenarios with 900 calls in "))
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

  @Test(arguments: [
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

/// Money in a drawer, which gives one cent more than it has.
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
