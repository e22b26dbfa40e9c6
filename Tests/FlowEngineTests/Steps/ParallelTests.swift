import FlowCore
import FlowEngine
import TestKit
import Testing

/// Branches of `parallel`.
@Suite struct ParallelTests {
  @Test func `branches run at the same time`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      steps:
        - parallel:
            left: [{wait: 1h}, {wait: 1h}]
            right: [{wait: 90m}]
      """)

    #expect(run.result.passed)
    #expect(run.result.elapsed == .seconds(7_200))
    #expect(
      run.ends == [
        "parallel/left/wait#1 passed", "parallel/right/wait#1 passed",
        "parallel/left/wait[2]#1 passed", "parallel#1 passed",
      ])
  }

  @Test func `a branch begins when those that it needs have passed`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - id: graph
          parallel:
            last: {needs: [first, second], do: [{uses: p.echo, with: {value: "${{ steps.a.value + steps.b.value }}"}}]}
            second: {needs: [first], do: [{wait: 2s}, {id: b, uses: p.count, with: {by: "${{ steps.a.value }}"}}]}
            first: [{wait: 1s}, {id: a, uses: p.count}]
            alone: [{wait: 5s}]
        - assert: ["${{ steps.a.value == 1 && steps.b.value == 2 }}"]
      """)

    #expect(run.failures == "")
    #expect(run.result.elapsed == .seconds(5))
    #expect(run.events.map(\.line).contains("graph/last/p.echo#1 answers {value: 3}"))
  }

  @Test func `a failed branch cancels the others and only its failure is told`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - parallel:
            slow:
              - do: [{uses: p.sleep, with: {span: 1d}}]
                finally: [{uses: p.count}]
            bad: [{wait: 1s}, {uses: p.fail, with: {code: refused}}]
            later: {needs: [bad], do: [{uses: p.count}]}
      finally:
        - uses: p.count
      """)

    #expect(
      run.failures == """
        test.yaml:8:32: error: 'parallel/bad/p.fail#1' failed with the error 'refused' [F2002]
            8 |       bad: [{wait: 1s}, {uses: p.fail, with: {code: refused}}]
              |                                ^^^^^^
          note: asked to fail with refused
          input: {code: "refused"}

        """)
    #expect(run.result.elapsed == .seconds(1))
    #expect(
      run.ends == [
        "parallel/bad/wait#1 passed", "parallel/bad/p.fail#1 failed",
        "parallel/slow/do/p.sleep#1 failed", "parallel/slow/do/finally/p.count#1 passed",
        "parallel/slow/do#1 failed", "parallel/later/p.count#1 not run: earlierFailure",
        "parallel#1 failed", "finally/p.count#1 passed",
      ])
  }

  @Test func `without fail-fast the other branches go on, but for those that need the failed one`()
    async throws
  {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - fail-fast: false
          parallel:
            after: {needs: [bad], do: [{uses: p.count}]}
            slow: [{wait: 1d}, {uses: p.fail, with: {code: too-many}}]
            bad: [{uses: p.fail, with: {code: refused}}]
            good: [{wait: 1h}, {uses: p.count}]
      """)

    #expect(run.result.elapsed == .seconds(86_400))
    #expect(
      run.result.failures.map { "\($0.address)" } == [
        "parallel/slow/p.fail#1", "parallel/bad/p.fail#1",
      ])
    #expect(run.ends.contains("parallel/good/p.count#1 passed"))
    #expect(run.ends.contains("parallel/after/p.count#1 not run: earlierFailure"))
  }

  @Test func `a timeout in a retry in a branch cancels that call alone`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - id: both
          continue-on-error: true
          fail-fast: false
          parallel:
            stuck:
              - uses: p.sleep
                with: {span: 1d}
                timeout: 10s
                retry: {attempts: 3, backoff: 5s}
            calm: [{wait: 1m}, {uses: p.count}]
          finally: [{uses: p.count}]
      """)

    #expect(run.result.passed)
    #expect(run.elapsed["both/stuck/p.sleep#1"] == "40s")
    #expect(run.elapsed["both#1"] == "60s")
    #expect(run.events.count { $0.line == "both/stuck/p.sleep#1 is cancelled" } == 3)
    #expect(run.ends.contains("both/calm/p.count#1 passed"))
    #expect(run.ends.contains("both/finally/p.count#1 passed"))
  }

  @Test func `a cancellation reaches every branch, and every finally runs`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - parallel:
            one: [{do: [{uses: p.sleep, with: {span: 1d}}], finally: [{uses: p.count}]}]
            two: [{wait: 1h}, {uses: p.echo, with: {value: 1}}, {wait: 1d}]
          finally: [{uses: p.count}]
      finally: [{uses: p.count}]
      """, cancelledAt: "parallel/two/p.echo#1")

    #expect(!run.result.passed)
    #expect(
      run.result.diagnostics.map(\.message) == [
        "'parallel/one/do/p.sleep#1' was cancelled", "'parallel/two/wait[2]#1' was cancelled",
      ])
    #expect(
      run.ends.filter { $0.hasSuffix("p.count#1 passed") } == [
        "parallel/one/do/finally/p.count#1 passed", "parallel/finally/p.count#1 passed",
        "finally/p.count#1 passed",
      ])
  }

  @Test func `branches inside of branches and of loops have addresses of their own`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      steps:
        - id: rows
          for: x
          in: ${{ [1, 2] }}
          parallel: 2
          do:
            - id: both
              parallel:
                a: [{for: y, in: "${{ [1, 2] }}", parallel: 2, do: [{id: cell, wait: 1s}]}]
                b: [{id: other, wait: 2s}]
      """)

    #expect(
      run.ends.sorted() == [
        "rows#1 passed", "rows/both#1 passed", "rows/both#2 passed", "rows/both/a/for#1 passed",
        "rows/both/a/for#2 passed", "rows/both/a/for/cell#1.1 passed",
        "rows/both/a/for/cell#1.2 passed", "rows/both/a/for/cell#2.1 passed",
        "rows/both/a/for/cell#2.2 passed", "rows/both/b/other#1 passed",
        "rows/both/b/other#2 passed",
      ])
  }
}
