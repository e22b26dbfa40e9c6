import FlowCore
import FlowEngine
import TestKit
import Testing

@Suite struct RunTests {
  private static let head = """
    flow: 1
    components:
      p: {plugin: probe, with: {start: 1}}

    """

  @Test func `a run tells every event in order`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - id: first
            uses: p.count
            with: {by: 2}
        """)

    #expect(
      run.events.map(\.line) == [
        "run []",
        "components/p#1 p {start: 1, title: null}",
        "components/p#1 answers {}",
        "first#1 starts",
        "first#1 p.count {by: 2}",
        "first#1 emits p.counted {value: 3}",
        "first#1 answers {value: 3}",
        "first#1 passed",
        "end passed",
      ])
  }

  @Test func `steps without an id are addressed by operation and ordinal`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - uses: p.count
          - uses: p.count
          - for: x
            in: ${{ [1, 2] }}
            do:
              - uses: p.count
              - assert: ["${{ true }}"]
        finally:
          - uses: p.count
        """)

    let started = run.events.compactMap { event in
      if case .stepStarted(let address, _) = event { return "\(address)" }
      return nil
    }
    #expect(
      started == [
        "p.count#1", "p.count[2]#1", "for#1", "for/p.count#1", "for/assert#1", "for/p.count#2",
        "for/assert#2", "finally/p.count#1",
      ])
  }

  @Test func `nested loops number every iteration around a step`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - id: rows
            for: row
            in: ${{ ['a', 'b'] }}
            do:
              - id: cells
                for: cell
                in: ${{ [1, 2] }}
                do:
                  - id: echo
                    uses: p.echo
                    with: {value: "${{ row }}${{ cell }}${{ loop.index }}"}
                outputs: {texts: "${{ steps.echo.value }}"}
            outputs: {texts: "${{ steps.cells.texts }}"}
        outputs: {all: "${{ steps.rows.texts }}"}
        """)

    let calls = run.events.compactMap { event in
      if case .invoked(let invocation) = event { return "\(invocation.address)" }
      return nil
    }
    #expect(
      calls.dropFirst() == [
        "rows/cells/echo#1.1", "rows/cells/echo#1.2", "rows/cells/echo#2.1",
        "rows/cells/echo#2.2",
      ])
    #expect(run.result.outputs.map(\.value.description) == [#"[["a10", "a21"], ["b10", "b21"]]"#])
  }

  @Test func `a failed step leaves the rest not run and finally runs`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - uses: p.count
            expect: {value: 5}
          - uses: p.count
        finally:
          - uses: p.crash
          - uses: p.count
        """)

    let ends = run.events.map(\.line).filter { $0.contains("passed") || $0.contains("not run") }
    #expect(ends == ["p.count[2]#1 not run: earlierFailure", "finally/p.count#1 passed"])
    #expect(run.result.counts == .init(passed: 1, failed: 2, notRun: 1))
    #expect(run.result.failures.map { "\($0.address)" } == ["p.count#1", "finally/p.crash#1"])
  }

  @Test func `a false condition leaves a step out without failing`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - uses: p.count
            if: ${{ 1 > 2 }}
        """)

    #expect(run.result.passed)
    #expect(run.result.counts == .init(passed: 0, failed: 0, notRun: 1))
  }

  @Test func `a variable is set again from inside a loop`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - set: {sum: 0}
          - for: x
            in: ${{ [1, 2, 3] }}
            do:
              - set: {sum: "${{ sum + x }}"}
          - assert: ["${{ sum == 6 }}"]
        """)

    #expect(run.failures == "")
  }

  @Test func `a repeat ends with its condition and counts from zero`() async throws {
    let run = try await ProbeRun(
      Self.head + """
        steps:
          - id: up
            repeat: {until: "${{ steps.count.value >= 4 }}", limit: 10}
            do: [{id: count, uses: p.count}]
            outputs: {values: "${{ steps.count.value }}", indices: "${{ loop.index }}"}
        outputs: {values: "${{ steps.up.values }}", indices: "${{ steps.up.indices }}"}
        """)

    #expect(run.result.outputs.map(\.value.description) == ["[2, 3, 4]", "[0, 1, 2]"])
  }

  @Test func `the same seed draws the same numbers and another seed others`() async throws {
    let text =
      Self.head + """
        steps: [{id: a, uses: p.random}, {id: b, uses: p.random}]
        outputs: {all: "${{ [steps.a.value, steps.b.value] }}"}
        """
    let first = try await ProbeRun(text, seed: 7).result.outputs[0].value
    let second = try await ProbeRun(text, seed: 7).result.outputs[0].value
    let third = try await ProbeRun(text, seed: 8).result.outputs[0].value

    #expect(first == second)
    #expect(first != third)
  }

  @Test func `a cancelled run fails its next step and still runs finally`() async throws {
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await ProbeRun(
        Self.head
          + "steps: [{uses: p.count}]\nfinally: [{id: last, uses: p.echo, with: {value: 1}}]")
    }
    let run = try await task.value

    #expect(run.failures.hasPrefix("test.yaml:4:9: error: 'p.count#1' was cancelled [F2009]\n"))
    #expect(run.events.map(\.line).contains("finally/last#1 answers {value: 1}"))
  }

  @Test func `every false assertion is told, also beside one without a value`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - set: {zero: 0}
        - assert: ["${{ zero == 1 }}", "${{ 1 / zero == 2 }}", "${{ zero == 3 }}", "${{ zero == 0 }}"]
      """)

    let codes = run.failures.matches(of: /F20\d\d/).map { String($0.output) }
    #expect(codes == ["F2004", "F2005", "F2004"])
  }
}
