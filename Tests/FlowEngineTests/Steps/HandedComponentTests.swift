import FlowEngine
import TestKit
import Testing

/// Components that a step hands to its scenario.
@Suite struct HandedComponentTests {
  private static let part = """
    flow: 1
    components: {q: {plugin: probe, with: {start: 100}}}
    steps:
      - {id: one, uses: q.count}
      - {id: told, await: q.counted, where: "${{ event.value == steps.one.value }}", timeout: 1h}
    outputs: {value: "${{ steps.told.value }}"}

    """

  @Test func `what is handed over is used in the place of the scenario's own`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {uses: p.count}
        - {id: part, scenario: part.yaml, components: {q: p}}
        - {id: last, uses: p.count}
        - {id: own, scenario: part.yaml}
      outputs: {part: "${{ steps.part.value }}", own: "${{ steps.own.value }}"}
      """, files: ["part.yaml": Self.part])

    #expect(run.failures == "")
    #expect(run.result.outputs.map { "\($0.name): \($0.value)" } == ["part: 2", "own: 101"])
    let lines = run.events.map(\.line)
    #expect(
      lines.filter { $0.contains("/components/") }.map { String($0.prefix(20)) } == [
        "own/components/q#1 q", "own/components/q#1 a",
      ])
    #expect(lines.contains("part/one#1 p.count {by: 1}"))
    #expect(lines.contains("part/one#1 emits p.counted {value: 2}"))
    #expect(lines.contains("last#1 answers {value: 3}"))
  }

  @Test func `it can be handed on, and to several at once`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - for: number
          in: ${{ [1, 2, 3] }}
          parallel: 3
          do: [{scenario: middle.yaml, components: {m: p}}]
        - {id: last, uses: p.count}
      outputs: {count: "${{ steps.last.value }}"}
      """,
      files: [
        "middle.yaml": """
        flow: 1
        components: {m: {plugin: probe}}
        steps: [{scenario: inner.yaml, components: {i: m}}, {uses: m.count}]

        """,
        "inner.yaml": """
        flow: 1
        components: {i: {plugin: probe}}
        steps: [{uses: i.count}]

        """,
      ])

    #expect(run.failures == "")
    #expect(run.result.outputs.map { "\($0.value)" } == ["7"])
  }
}
