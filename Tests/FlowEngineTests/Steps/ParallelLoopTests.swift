import FlowEngine
import TestKit
import Testing

/// A `for` with iterations at the same time.
@Suite struct ParallelLoopTests {
  @Test(arguments: [(1, 10), (4, 3), (9, 2), (10, 1), (1_000, 1)])
  func `at most so many iterations run at once`(width: Int, seconds: Int) async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      steps:
        - for: x
          in: ${{ lists.range(10) }}
          parallel: \(width)
          do: [{wait: 1s}]
      """)

    #expect(run.result.elapsed == .seconds(seconds))
    #expect(run.result.counts == .init(passed: 11))
  }

  @Test func `an iteration begins as soon as there is room, not when all have ended`() async throws
  {
    let run = try await VirtualRun(
      """
      flow: 1
      steps:
        - for: span
          in: ${{ ['10s', '1s', '1s', '1s', '1s', '1s'] }}
          parallel: 2
          do: [{wait: "${{ duration(span) }}"}]
      """)

    #expect(run.result.elapsed == .seconds(10))
  }

  @Test func `the outputs stand in the order of the elements`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - id: all
          for: x
          in: ${{ [3, 1, 2] }}
          parallel: 3
          do:
            - wait: ${{ duration(string(x) + 's') }}
            - {id: n, uses: p.count}
          outputs: {elements: "${{ x }}", counts: "${{ steps.n.value }}", at: "${{ loop.index }}"}
        - assert:
            - ${{ steps.all.elements == [3, 1, 2] }}
            - ${{ steps.all.counts == [3, 1, 2] }}
            - ${{ steps.all.at == [0, 1, 2] }}
      """)

    #expect(run.failures == "")
  }

  @Test func `no iteration begins after a failure`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - for: x
          in: ${{ lists.range(100) }}
          parallel: 2
          do:
            - wait: ${{ duration(string(x) + 's') }}
            - {if: "${{ x == 3 }}", uses: p.fail, with: {code: refused}}
      """)

    #expect(run.result.failures.map { "\($0.address)" } == ["for/p.fail#4"])
    #expect(run.result.elapsed == .seconds(4))
    #expect(!run.ends.contains { $0.hasPrefix("for/wait#6") })
  }

  @Test func `failures are told in the order of the elements`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - for: x
          in: ${{ [3, 1, 2] }}
          parallel: 3
          fail-fast: false
          do:
            - wait: ${{ duration(string(x) + 's') }}
            - {uses: p.fail, with: {code: refused}}
      """)

    #expect(
      run.result.failures.map { "\($0.address)" } == [
        "for/p.fail#1", "for/p.fail#2", "for/p.fail#3",
      ])
  }

  @Test func `an output without a value fails the loop at its place`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      steps:
        - id: odd
          for: x
          in: ${{ [1, 0, 2] }}
          parallel: 2
          do: [{wait: 1s}]
          outputs: {part: "${{ 10 / x }}"}
      """)

    #expect(
      run.failures == """
        test.yaml:8:26: error: 'odd#1': division by zero [F2005]
            8 |     outputs: {part: "${{ 10 / x }}"}
              |                          ^^^^^^
          note: x (0), element 2 at line 5

        """)
  }

  @Test func `an empty list is done at once`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      steps:
        - {id: none, for: x, in: "${{ [] }}", parallel: 3, do: [{wait: 1s}], outputs: {xs: "${{ x }}"}}
        - assert: ["${{ steps.none.xs == [] }}"]
      """)

    #expect(run.failures == "")
  }
}
