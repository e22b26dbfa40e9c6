import FlowTranscript
import TestKit
import Testing

/// Jobs as the public test suites of engines for durable execution have them: each ends as if its
/// process had never been killed, wherever that was.
@Suite struct DurableJobTests {
  struct Job: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    var finally = ""
    /// The balances at the end, outside and in memory.
    let outputs: String

    var scenario: String {
      """
      flow: 1
      components:
        account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}
        purse: {plugin: balance, with: {opening: 1.00}}
      steps:
      \(steps)
        - {id: kept, uses: account.load}
        - {id: held, uses: purse.load}
      \(finally.isEmpty ? "" : "finally: [\(finally)]\n")outputs: {kept: "${{ steps.kept.balance }}", held: "${{ steps.held.balance }}"}

      """
    }
  }

  private static let files = [
    "child.yaml": """
    flow: 1
    components: {box: {plugin: balance, with: {opening: 1.00}}}
    inputs: {by: {type: decimal}}
    steps:
      - {uses: box.add, with: {amount: "${{ inputs.by }}"}}
      - {id: held, uses: box.load}
    outputs: {held: "${{ steps.held.balance }}"}

    """,
    "slow.yaml": """
    flow: 1
    components: {box: {plugin: balance, with: {opening: 1.00}}}
    steps:
      - {uses: box.add, with: {amount: 1.00}}
      - {wait: 1h}

    """,
  ]

  static let jobs =
    calls + compensations + timers + events + branches + loops + values + children

  @Test(arguments: jobs) func `a job ends as if it had never been killed`(_ job: Job) async throws {
    let world = try CrashWorld(job.scenario, files: Self.files)
    let whole = try await world.run()
    #expect(whole.outputs == job.outputs)

    for cut in whole.lineCuts {
      let journal = try TranscriptReader.readJournal(cut.bytes, file: "journal")
      let resumed = try await world.run(resuming: journal, of: cut)

      #expect(resumed.outputs == whole.outputs, "\(cut.label)")
      #expect(resumed.balance == whole.balance, "\(cut.label)")
      #expect(resumed.steps == whole.steps, "\(cut.label)")
    }
  }
}

extension CrashWorld.Run {
  /// The balance outside, or nothing if no call reached it.
  fileprivate var balance: Substring {
    moments.last?.store.prefix { $0 != "\n" } ?? ""
  }
}
