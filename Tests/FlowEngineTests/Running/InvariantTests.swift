import FlowCore
import FlowEngine
import TestKit
import Testing

/// `invariants`: steps that run after every step of `steps`.
@Suite struct InvariantTests {
  private static let head = """
    flow: 1
    components: {p: {plugin: probe}}
    """

  @Test func `invariants run after each step, in variables of their own`() async throws {
    let run = try await VirtualRun(
      """
      \(Self.head)
      invariants:
        - {id: now, uses: p.count}
        - set: {seen: "${{ steps.now.value }}"}
        - assert: ${{ seen % 2 == 0 }}
      steps:
        - uses: p.count
        - do: [{uses: p.echo, with: {value: x}}, {uses: p.count}]
          if: ${{ 1 > 2 }}
        - {id: last, uses: p.count}
      finally: [{uses: p.count}]
      """)

    #expect(
      run.ends == [
        "p.count#1 passed", "invariants/now#1 passed", "invariants/set#1 passed",
        "invariants/assert#1 passed", "do#1 not run: condition", "invariants/now#2 passed",
        "invariants/set#2 passed", "invariants/assert#2 failed", "last#1 not run: earlierFailure",
        "finally/p.count#1 passed",
      ])
    #expect(run.failures.contains("it is an invariant, checked after the step 'do'"))
  }

  @Test func `a step that may fail is followed by the invariants, one that fails is not`()
    async throws
  {
    let run = try await VirtualRun(
      """
      \(Self.head)
      invariants: [{uses: p.count}]
      steps:
        - {uses: p.crash, continue-on-error: true}
        - uses: p.crash
      """)

    #expect(
      run.ends == [
        "p.crash#1 failed", "invariants/p.count#1 passed", "p.crash[2]#1 failed",
      ])
  }
}

/// The surroundings in the text of a failure.
@Suite struct FailureContextTests {
  @Test func `a failed call shows its input, its whole answer and the loops around it`()
    async throws
  {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - id: rows
          name: Walk the rows
          for: row
          in: ${{ [10, 20] }}
          do:
            - for: column
              in: ${{ [1, 2] }}
              do:
                - uses: p.echo
                  with: {value: "${{ row + column }}"}
                  expect: {value: 11}
      """)

    let failure = try #require(run.result.diagnostics.first)
    #expect(
      failure.context == [
        "input: {value: 12}", "answer: {value: 12}",
        "in 'rows/for', iteration 2: column is 2",
        "in 'rows' (Walk the rows), iteration 1: row is 10",
      ])
  }

  @Test func `the loops of an invariant are counted behind the steps that it follows`()
    async throws
  {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      invariants:
        - id: rows
          for: row
          in: ${{ [10, 20] }}
          do: [{uses: p.count, expect: {value: "${{ it < 6 }}"}}]
      steps: [{uses: p.count}, {uses: p.count}]
      """)

    let failure = try #require(run.result.diagnostics.first)
    #expect(failure.context.last == "in 'invariants/rows', iteration 2: row is 20")
  }
}
