import FlowCore
import FlowEngine
import Synchronization
import TestKit
import Testing

/// A step that runs another scenario.
@Suite(.timeLimit(.minutes(30))) struct SubscenarioTests {
  private static let counter = """
    flow: 1
    inputs: {start: {type: int, default: 0}}
    components: {p: {plugin: probe, with: {start: "${{ inputs.start }}"}}}
    steps:
      - {id: one, uses: p.count}
      - {id: two, uses: p.count}
    outputs: {value: "${{ steps.two.value }}"}
    """

  @Test func `everything inside stands below the address of the step`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: part, scenario: a.yaml, with: {start: 5}}
        - {uses: p.count}
      outputs: {value: "${{ steps.part.value }}"}
      """, files: ["a.yaml": Self.counter])

    #expect(
      run.events.map(\.line) == [
        "run []",
        "components/p#1 p {start: 0, title: null}",
        "components/p#1 answers {}",
        "part#1 starts",
        "part/components/p#1 p {start: 5, title: null}",
        "part/components/p#1 answers {}",
        "part/one#1 starts",
        "part/one#1 p.count {by: 1}",
        "part/one#1 emits p.counted {value: 6}",
        "part/one#1 answers {value: 6}",
        "part/one#1 passed",
        "part/two#1 starts",
        "part/two#1 p.count {by: 1}",
        "part/two#1 emits p.counted {value: 7}",
        "part/two#1 answers {value: 7}",
        "part/two#1 passed",
        "part#1 passed",
        "p.count#1 starts",
        "p.count#1 p.count {by: 1}",
        "p.count#1 emits p.counted {value: 1}",
        "p.count#1 answers {value: 1}",
        "p.count#1 passed",
        "end passed",
      ])
    #expect(run.result.counts == .init(passed: 4))
    #expect(run.result.outputs.map { "\($0.name): \($0.value)" } == ["value: 7"])
  }

  @Test func `the iterations around the step come before those inside`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - for: x
          in: ${{ [1, 2] }}
          do: [{scenario: a.yaml}, {scenario: a.yaml}]
      """,
      files: [
        "a.yaml": """
        flow: 1
        steps: [{for: y, in: "${{ [1, 2] }}", do: [{id: z, scenario: b.yaml}]}]
        finally: [{set: {x: 1}}]
        """,
        "b.yaml": "flow: 1\nsteps: [{set: {x: 1}}]",
      ])

    let started = run.events.compactMap { event in
      if case .stepStarted(let address, _) = event { return "\(address)" }
      return nil
    }
    #expect(
      started.prefix(8) == [
        "for#1", "for/scenario#1", "for/scenario/for#1", "for/scenario/for/z#1.1",
        "for/scenario/for/z/set#1.1", "for/scenario/for/z#1.2", "for/scenario/for/z/set#1.2",
        "for/scenario/finally/set#1",
      ])
    #expect(started.contains("for/scenario[2]/for/z/set#2.2"))
    #expect(Set(started).count == started.count)
    #expect(run.result.passed)
  }

  @Test func `each run of the step has components of its own`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - id: all
          for: x
          in: ${{ [1, 2, 3] }}
          do: [{id: part, scenario: a.yaml, with: {start: "${{ x * 10 }}"}}]
          outputs: {values: "${{ steps.part.value }}"}
      outputs: {values: "${{ steps.all.values }}"}
      """, files: ["a.yaml": Self.counter])

    #expect(run.result.outputs.map { "\($0.value)" } == ["[12, 22, 32]"])
  }

  // MARK: - Failures

  @Test func `a failure is at its place in the other file, with the steps that led there`()
    async throws
  {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - {id: outer, scenario: parts/a.yaml}
        - {set: {x: 1}}
      """,
      files: [
        "parts/a.yaml": "flow: 1\nsteps:\n  - {id: middle, scenario: b.yaml}\n  - {set: {x: 1}}",
        "parts/b.yaml": "flow: 1\nsteps:\n  - {assert: [\"${{ 1 == 2 }}\"]}",
      ])

    #expect(
      run.failures == """
        parts/b.yaml:3:20: error: 'outer/middle/assert#1': assertion failed [F2004]
            3 |   - {assert: ["${{ 1 == 2 }}"]}
              |                    ^^^^^^
          note: included from parts/a.yaml:3:28
          note: included from test.yaml:3:27

        """)
    #expect(run.result.counts == .init(passed: 0, failed: 1, notRun: 2))
  }

  @Test func `a component that cannot be opened fails the step and skips those inside`()
    async throws
  {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - {scenario: a.yaml, with: {start: -1}, continue-on-error: true}
        - {set: {x: 1}}
      """, files: ["a.yaml": Self.counter])

    #expect(run.result.passed)
    #expect(run.result.counts == .init(passed: 1, failed: 0, notRun: 2))
    #expect(run.events.map(\.line).contains("scenario/one#1 not run: earlierFailure"))
  }

  @Test func `a missing output fails the step`() async throws {
    let run = try await ProbeRun(
      "flow: 1\nsteps: [{id: a, scenario: a.yaml}]",
      files: ["a.yaml": "flow: 1\nsteps: []\noutputs: {x: \"${{ [1][2] }}\"}"])

    #expect(run.failures.hasPrefix("a.yaml:3:19: error: 'a/outputs/x#1': "))
    #expect(run.failures.hasSuffix("note: included from test.yaml:2:27\n"))
  }

  // MARK: - Time

  private static let cleaning = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: nap, uses: p.sleep, with: {span: 1h}}
      - {uses: p.count}
    finally:
      - {id: rest, uses: p.sleep, with: {span: 1s}}
      - {id: clean, uses: p.count}
    """

  @Test func `finally runs to its end after a timeout of the step`() async throws {
    let time = VirtualTime()
    let run = try await ProbeRun(
      "flow: 1\nsteps: [{id: a, scenario: a.yaml, timeout: 10s}]",
      files: ["a.yaml": Self.cleaning], virtualTime: time)

    #expect(time.clock.now.offset == .seconds(11))
    #expect(
      run.events.map(\.line).filter { $0.hasSuffix("passed") || $0.hasSuffix("failed") } == [
        "a/nap#1 failed", "a/finally/rest#1 passed", "a/finally/clean#1 passed", "a#1 failed",
        "end failed",
      ])
    #expect(run.failures.contains("error: 'a#1' did not end within 10s [F2010]"))
    #expect(run.result.failures.count == 1)
  }

  @Test func `finally is not cut short by a timeout that comes while it runs`() async throws {
    let time = VirtualTime()
    let text = Self.cleaning.replacing(existing: "span: 1h", with: "span: 1s")
      .replacing(existing: "id: rest, uses: p.sleep, with: {span: 1s}", with: "id: rest, wait: 1m")
    let run = try await ProbeRun(
      "flow: 1\nsteps: [{id: a, scenario: a.yaml, timeout: 10s}]",
      files: ["a.yaml": text], virtualTime: time)

    #expect(time.clock.now.offset == .seconds(61))
    #expect(run.events.map(\.line).contains("a/finally/clean#1 passed"))
    #expect(run.failures.contains("error: 'a#1' did not end within 10s [F2010]"))
  }

  @Test func `finally runs when the run is cancelled`() async throws {
    let clock = ManualClock()
    let task = Task {
      try await ProbeRun(
        "flow: 1\nsteps: [{id: a, scenario: a.yaml}]",
        files: ["a.yaml": Self.cleaning], clock: clock)
    }
    await clock.sleeping()
    task.cancel()
    await clock.pass()
    let run = try await task.value

    #expect(run.events.map(\.line).contains("a/nap#1 is cancelled"))
    #expect(run.events.map(\.line).contains("a/finally/clean#1 passed"))
    #expect(!run.result.passed)
  }

  // MARK: - Scopes

  @Test func `components are let go and their tasks awaited when the step ends`() async throws {
    let log = try await ScopeLog(
      """
      flow: 1
      components: {w: {plugin: watcher}}
      steps:
        - {for: x, in: "${{ [1, 2] }}", do: [{id: part, scenario: a.yaml}]}
        - {id: after, uses: w.look}
      """,
      files: [
        "a.yaml": """
        flow: 1
        components: {w: {plugin: watcher}}
        steps: [{uses: w.look}]
        finally: [{id: last, uses: w.look}]
        """
      ])

    #expect(
      log.lines == [
        "for/part/w.look#1 sees it", "for/part/finally/last#1 sees it",
        "for/part/components/w#1 stopped", "for/part/components/w#1 gone",
        "for/part/w.look#2 sees it", "for/part/finally/last#2 sees it",
        "for/part/components/w#2 stopped", "for/part/components/w#2 gone",
        "after#1 sees it", "components/w#1 stopped", "components/w#1 gone",
      ])
  }

  @Test func `invocations name the step that their component belongs to`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {for: x, in: "${{ [1, 2] }}", do: [{id: part, scenario: a.yaml}]}
      """, files: ["a.yaml": Self.counter])

    let scopes = run.events.compactMap { event in
      if case .invoked(let invocation) = event {
        return "\(invocation.address) \(invocation.scope?.description ?? "-")"
      }
      return nil
    }
    #expect(
      scopes == [
        "components/p#1 -", "for/part/components/p#1 for/part#1", "for/part/one#1 for/part#1",
        "for/part/two#1 for/part#1", "for/part/components/p#2 for/part#2",
        "for/part/one#2 for/part#2", "for/part/two#2 for/part#2",
      ])
  }
}
