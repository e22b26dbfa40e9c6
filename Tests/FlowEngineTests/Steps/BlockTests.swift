import FlowEngine
import TestKit
import Testing

/// Blocks of steps: `do`, `else`, `finally`, `while`.
@Suite struct BlockTests {
  @Test func `a loop goes through a list that is written down`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      inputs: {more: {type: int, default: 7}}
      steps:
        - id: loop
          for: by
          in: [1, 2, "${{ inputs.more }}"]
          do: [{id: count, uses: p.count, with: {by: "${{ by }}"}}]
          outputs: {values: "${{ steps.count.value }}"}
      outputs: {values: "${{ steps.loop.values }}"}
      """)

    #expect(run.result.outputs.map { "\($0.name): \($0.value)" } == ["values: [1, 3, 10]"])
  }

  @Test(arguments: [(true, "do/p.count#1"), (false, "do/else/p.count#1")])
  func `a condition chooses between a block and its else`(holds: Bool, step: String) async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - if: ${{ \(holds) || 1 > 2 }}
          do: [{uses: p.count}]
          else: [{uses: p.count}]
      """)

    #expect(run.ends == ["\(step) passed", "do#1 passed"])
  }

  @Test func `a block without else is not run when its condition is false, nor is its finally`()
    async throws
  {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {if: "${{ 1 > 2 }}", do: [{uses: p.count}], finally: [{uses: p.count}]}
      """)

    #expect(run.ends == ["do#1 not run: condition"])
  }

  @Test func `a block shares the variables and steps around it`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - set: {total: 1}
        - do:
            - {id: inner, uses: p.count}
            - set: {total: "${{ total + steps.inner.value }}"}
            - do: [{set: {total: "${{ total * 10 }}"}}]
        - assert: ["${{ total == 20 && steps.inner.value == 1 }}"]
      """)

    #expect(run.failures == "")
  }

  @Test(arguments: [
    ("{uses: p.count}", ["do/p.count#1 passed", "do/finally/p.echo#1 passed", "do#1 passed"]),
    (
      "{uses: p.crash}",
      [
        "do/p.crash#1 failed", "do/finally/p.echo#1 passed", "do#1 failed",
        "p.count#1 not run: earlierFailure",
      ]
    ),
    (
      "{wait: 1h}",
      [
        "do/wait#1 failed", "do/finally/p.echo#1 passed", "do#1 failed",
        "p.count#1 not run: earlierFailure",
      ]
    ),
  ])
  func `finally runs however the block has ended`(step: String, ends: [String]) async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - do: [\(step)]
          timeout: 1m
          finally: [{uses: p.echo, with: {value: 1}}]
        - uses: p.count
      """)

    #expect(Array(run.ends.prefix(ends.count)) == ends)
  }

  @Test func `all of finally runs, and its failures come after the first one`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - do: [{uses: p.crash}]
          finally: [{uses: p.fail, with: {code: refused}}, {uses: p.count}]
      """)

    #expect(
      run.result.failures.map { "\($0.address)" } == ["do/p.crash#1", "do/finally/p.fail#1"])
    #expect(run.ends.contains("do/finally/p.count#1 passed"))
  }

  @Test func `a block whose finally fails has failed`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {do: [{uses: p.count}], finally: [{uses: p.crash}]}
        - uses: p.count
      """)

    #expect(
      run.ends == [
        "do/p.count#1 passed", "do/finally/p.crash#1 failed", "do#1 failed",
        "p.count#1 not run: earlierFailure",
      ])
  }

  @Test func `the finally of a loop runs once, after all iterations`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {for: x, in: "${{ [1, 2] }}", do: [{uses: p.count}], finally: [{id: last, uses: p.count}]}
        - assert: ["${{ steps.last.value == 3 }}"]
      """)

    #expect(run.failures == "")
  }

  @Test func `finally sees what ran before the timeout`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - do: [{id: opened, uses: p.count}, {wait: 1h}, {id: used, uses: p.count}]
          timeout: 1m
          continue-on-error: true
          finally:
            - {if: "${{ has(steps.opened) }}", uses: p.echo, with: {value: opened}}
            - {if: "${{ has(steps.used) }}", uses: p.echo, with: {value: used}}
      """)

    #expect(run.result.passed)
    #expect(run.ends.contains("do/finally/p.echo#1 passed"))
    #expect(run.ends.contains("do/finally/p.echo[2]#1 not run: condition"))
  }

  // MARK: - while

  @Test(arguments: [(0, 0), (1, 1), (5, 5)])
  func `while is asked before each iteration`(count: Int, iterations: Int) async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - set: {n: 0}
        - repeat: {while: "${{ n < \(count) && loop.index < 100 }}", limit: 5}
          do: [{uses: p.count}, {set: {n: "${{ n + 1 }}"}}]
      """)

    #expect(run.failures == "")
    #expect(run.ends.count { $0.contains("p.count") } == iterations)
  }

  @Test func `a while that still holds at the limit fails`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      steps:
        - repeat: {while: "${{ loop.index >= 0 }}", limit: 3}
          do: [{wait: 1s}]
      """)

    #expect(run.result.elapsed == .seconds(3))
    #expect(
      run.failures == """
        test.yaml:3:26: error: 'repeat#1' reached its limit of 3 iterations [F2006]
            3 |   - repeat: {while: "${{ loop.index >= 0 }}", limit: 3}
              |                          ^^^^^^^^^^^^^^^
          note: 'while' was still true
          note: loop.index is 3

        """)
  }
}
