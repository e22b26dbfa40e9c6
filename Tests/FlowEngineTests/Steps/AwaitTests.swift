import TestKit
import Testing

/// Steps that wait for an event.
@Suite struct AwaitTests {
  @Test func `an event that came before is kept`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.count
        - wait: 1h
        - {id: change, await: p.counted, timeout: 1s}
        - assert: ["${{ steps.change.value == 1 }}"]
      """)

    #expect(run.failures == "")
    #expect(run.elapsed["change#1"] == "0s")
  }

  @Test func `an event is waited for`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - parallel:
            doing: [{wait: 20s}, {uses: p.count}]
            waiting: [{id: change, await: p.counted, timeout: 1m}]
        - assert: ["${{ steps.change.value == 1 }}"]
      """)

    #expect(run.failures == "")
    #expect(run.elapsed["parallel/waiting/change#1"] == "20s")
  }

  @Test func `where chooses the event, and each is taken once`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - set: {wanted: 3}
        - {for: x, in: "${{ [1, 2, 3, 4] }}", do: [{uses: p.count}]}
        - {id: a, await: p.counted, where: "${{ event.value == wanted }}", timeout: 1s}
        - {id: b, await: p.counted, timeout: 1s}
        - {id: c, await: p.counted, where: "${{ event.value > 2 }}", timeout: 1s}
        - assert: ["${{ [steps.a.value, steps.b.value, steps.c.value] == [3, 1, 4] }}"]
        - {await: p.counted, where: "${{ event.value == 3 }}", timeout: 1s, continue-on-error: true}
      """)

    #expect(run.failures == "")
    #expect(run.ends.last == "await#1 failed")
    #expect(run.elapsed["await#1"] == "1s")
  }

  @Test func `who waits longest is served first`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - parallel:
            second: [{wait: 2s}, {id: b, await: p.counted, timeout: 1m}]
            first: [{wait: 1s}, {id: a, await: p.counted, timeout: 1m}]
            source: [{wait: 3s}, {uses: p.count}, {uses: p.count}]
        - assert: ["${{ steps.a.value == 1 && steps.b.value == 2 }}"]
      """)

    #expect(run.failures == "")
  }

  @Test func `an event that never comes fails the step after its time`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {await: p.counted, timeout: 30d}
      """)

    #expect(
      run.failures == """
        test.yaml:4:5: error: 'await#1' did not end within 2592000s [F2010]
            4 |   - {await: p.counted, timeout: 30d}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        """)
  }

  @Test func `a condition without a value fails the step at its place`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.count
        - {await: p.counted, where: "${{ 1 / (event.value - 1) > 0 }}", timeout: 1s}
      """)

    #expect(run.failures.hasPrefix("test.yaml:5:36: error: 'await#1': division by zero [F2005]\n"))
  }

  @Test func `the latest thousand events are kept`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {for: x, in: "${{ lists.range(1200) }}", do: [{uses: p.count}]}
        - {id: first, await: p.counted, timeout: 1s}
        - assert: ["${{ steps.first.value == 201 }}"]
      """)

    #expect(run.failures == "")
  }
}
