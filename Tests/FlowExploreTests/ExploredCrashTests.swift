import BalancePlugin
import FlowCommand
import FlowCore
import Synchronization
import TestKit
import Testing

/// Runs that end after each line of their journal and are resumed.
@Suite struct ExploredCrashTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explore(_ text: String, _ arguments: [String] = ["--crashes"]) async throws
    -> FlowCommandRun
  {
    try folder.write(text, to: "crash.yaml")
    return try await run(["explore", folder.path("crash.yaml")] + arguments)
  }

  private func run(_ arguments: [String]) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, components: [Balance.self, Drawer.self])
  }

  @Test func `components in memory are rebuilt after a crash at any line`() async throws {
    let run = try await explore(
      """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 10.00}}
      steps:
        - parallel:
            rent: [{uses: balance.subtract, with: {amount: 6.00}}]
            wages: [{uses: balance.add, with: {amount: 1.00}}]
        - uses: balance.load
          expect: {balance: 5.00}

      """)

    #expect(run.errors == "")
    #expect(run.code == .passed)
    // The header, two lines for the opening and each of three calls, two reports; after the end is no crash.
    #expect(run.output.contains("crashed and resumed after 11 of 11 lines of the journal\n"))
  }

  private static let drawer = """
    flow: 1
    components:
      drawer: {plugin: drawer}
    steps:
      - uses: drawer.put
      - uses: drawer.put

    """

  @Test func `state that is not where the component says shows after a crash`() async throws {
    let run = try await explore(Self.drawer)

    #expect(run.code == .failed)
    #expect(run.output.contains("failed with a crash:\n  (the process is killed after line "))
    #expect(run.errors.contains("drawer.put"))
  }

  @Test func `a crash that was found is run again by a live replay`() async throws {
    _ = try await explore(Self.drawer)
    let file = folder.path("crash.transcript.explored.jsonl")

    #expect(try folder.text("crash.transcript.explored.jsonl").contains(#""crash":"#))
    let again = try await run(["replay", file, "--live"])
    #expect(again.code == .failed)
    #expect(again.output.contains("(the process is killed after line "))
    #expect(again.output.hasSuffix("failed in this order\n"))
  }

  @Test func `components outside of the process are not crashed`() async throws {
    let run = try await explore(
      """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 10.00, file: money.json}}
      steps:
        - uses: balance.load

      """)

    #expect(run.code == .passed)
    #expect(
      run.output.contains(
        "no crash was tried: components keep their state outside of the process\n"))
  }

  @Test(arguments: [([], 100), (["--budget", "120"], 120)])
  func `components outside of the process are called as often as one asks for`(
    _ arguments: [String], _ count: Int
  ) async throws {
    let run = try await explore(
      """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 10.00, file: money.json}}
      steps:
        - parallel:
            first: [{uses: balance.load}, {uses: balance.load}]
            second: [{uses: balance.load}, {uses: balance.load}]

      """, arguments)

    #expect(run.code == .passed)
    #expect(run.output.contains("\(count) schedules"), "\(run.output)")
  }

  @Test func `components outside that another order alone reaches are called as seldom`()
    async throws
  {
    try folder.write(
      """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 10.00, file: money.json}}
      steps: [{uses: balance.load}]

      """, to: "real.yaml")
    let run = try await explore(
      """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 10.00}}
      steps:
        - parallel:
            first: [{id: one, uses: balance.add, with: {amount: 1.00}}]
            second:
              - {uses: balance.add, with: {amount: 1.00}}
              - {uses: balance.add, with: {amount: 1.00}}
            third:
              - {uses: balance.add, with: {amount: 1.00}}
              - {uses: balance.add, with: {amount: 1.00}}
        - {if: "${{ steps.one.balance > 11.00 }}", scenario: real.yaml}

      """)

    #expect(run.code == .passed)
    #expect(
      run.output.contains("'balance' keeps its state outside of the process"), "\(run.output)")
    let count = run.output.split(separator: " ").dropFirst().lazy.compactMap { Int($0) }.first
    #expect(try (100..<200).contains(#require(count)), "\(run.output)")
  }

  @Test func `crashes are not combined with recorded answers`() async throws {
    let run = try await explore(Self.drawer, ["--crashes", "--live=drawer"])

    #expect(run.code == .badCommandLine)
    #expect(run.errors.contains("'--crashes' cannot be combined with '--live'"))
  }
}

/// A component that declares its state as memory and keeps it beyond a crash.
private struct Drawer: Component {
  static let plugin = Plugin(
    "drawer", version: "1.0", "Counts what is put in.", state: .memory,
    operations: [
      Operation(
        "put", "Puts something in, and tells how much there is.",
        answers: Record<Int>("count", "How much there is.")
      ) { _, _ in
        shared.count.withLock { count in
          count += 1
          return count
        }
      }
    ]
  ) { _ in Drawer() }

  private final class Content: Sendable {
    let count = Mutex(0)
  }

  private static let shared = Content()
}
