import FlowCore
import FlowTesting
import TestKit
import Testing

@Suite struct ReplayTests {
  private let registry = try? Registry([Purse.self])

  @Test func `a recorded scenario replays`() async throws {
    let workshop = try Workshop(Workshop.payment)
    try await workshop.record()

    try await workshop.scenario.replay(try #require(registry))
  }

  @Test func `a changed call fails at its step, and says what has changed`() async throws {
    let workshop = try Workshop(Workshop.payment)
    try await workshop.record()
    let text = try workshop.folder.text("it.yaml")
    try workshop.folder.write(text.replacing(existing: "money: 4", with: "money: 5"), to: "it.yaml")

    let problems = await workshop.scenario.problemsOfReplay(try #require(registry))

    #expect(
      workshop.text(problems) == """
        it.yaml:5:5: error: the input of 'spend#1' has changed [F3003]
            5 |   - id: spend
              |     ^^^^^^^^^
          note: money: recorded 4, now 5
          note: if the change is intended, record again with 'flow test --update failed'
          note: 'it.yaml' has changed since it was recorded

        """)
    #expect(problems.map(\.position) == [Position(line: 5, column: 5)])
    #expect(problems.map(\.file) == [workshop.scenario.path])
  }

  @Test func `a scenario without a transcript does not pass`() async throws {
    let workshop = try Workshop(Workshop.payment)

    let problems = await workshop.scenario.problemsOfReplay(try #require(registry))

    #expect(problems.map(\.code) == ["F3101"])
    #expect(problems.first?.text.contains("/it.yaml' has no transcript [F3101]\n") == true)
  }

  @Test func `a broken transcript is told by its line`() async throws {
    let workshop = try Workshop(Workshop.payment)
    try workshop.folder.write("{}\n", to: "it.transcript.jsonl")

    let problems = await workshop.scenario.problemsOfReplay(try #require(registry))

    #expect(
      workshop.text(problems) == """
        it.transcript.jsonl:1:1: error: this is not a transcript: its first line has no 'transcript' [F3105]

        """)
  }

  @Test func `every mistake of a scenario that does not load is a problem`() async throws {
    let workshop = try Workshop("  - uses: it.pya\n  - uses: it.pay\n    with: {mony: 1}")

    let problems = await workshop.scenario.problemsOfReplay(try #require(registry))

    #expect(problems.map(\.position.line) == [5, 7])
    #expect(problems.first?.text.contains("did you mean 'pay'?") == true)
  }
}
