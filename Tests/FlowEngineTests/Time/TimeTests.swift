import FlowEngine
import TestKit
import Testing

/// Waits, timeouts and attempts on a test's clock, without real sleeping.
@Suite(.timeLimit(.minutes(30))) struct TimeTests {
  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n"

  // MARK: - Waiting

  @Test func `a wait lets its time pass and no more`() async throws {
    let clock = ManualClock()
    async let running = ProbeRun("flow: 1\nsteps:\n  - wait: 5s", clock: clock)
    let passed = await clock.pass()
    let run = try await running

    #expect(passed == .seconds(5))
    #expect(run.result.counts == .init(passed: 1, failed: 0, notRun: 0))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `a wait takes an expression`() async throws {
    let clock = ManualClock()
    let text = "flow: 1\nsteps:\n  - wait: \"${{ duration('2s') + duration('1s') }}\""
    async let running = ProbeRun(text, clock: clock)
    let passed = await clock.pass()

    #expect(passed == .seconds(3))
    #expect(try await running.result.passed)
  }

  // MARK: - Timeouts

  @Test func `a timeout cancels the call and fails the step`() async throws {
    let clock = ManualClock()
    let text = Self.head + "  - {id: nap, uses: p.sleep, with: {span: 1m}, timeout: 10s}"
    async let running = ProbeRun(text, clock: clock)
    let passed = await clock.pass(sleepers: 2)
    let run = try await running

    #expect(passed == .seconds(10))
    #expect(
      run.failures == """
        test.yaml:4:5: error: 'nap#1' did not end within 10s [F2010]
            4 |   - {id: nap, uses: p.sleep, with: {span: 1m}, timeout: 10s}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          input: {span: 60s}

        """)
  }

  @Test func `a call that ends in time is not disturbed`() async throws {
    let clock = ManualClock()
    let text = Self.head + "  - {uses: p.sleep, with: {span: 2s}, timeout: 10s}"
    async let running = ProbeRun(text, clock: clock)
    let passed = await clock.pass(sleepers: 2)

    #expect(passed == .seconds(2))
    #expect(try await running.result.counts == .init(passed: 1, failed: 0, notRun: 0))
  }

  @Test func `a timeout around a loop ends the loop and keeps what it has set`() async throws {
    let clock = ManualClock()
    let text = """
      flow: 1
      steps:
        - set: {turns: 0}
        - id: long
          for: x
          in: ${{ [1, 2, 3, 4] }}
          timeout: 5s
          do:
            - set: {turns: "${{ turns + 1 }}"}
            - wait: 2s
      finally:
        - assert: ["${{ turns == 3 }}"]
      """
    async let running = ProbeRun(text, clock: clock)
    for _ in 1...3 { await clock.pass(sleepers: 2) }
    let run = try await running

    #expect(clock.now.offset == .seconds(5))
    #expect(run.failures.hasPrefix("test.yaml:4:5: error: 'long#1' did not end within 5s [F2010]"))
    #expect(run.result.failures.count == 1)
  }

  @Test func `a loop that ends in time keeps what it has set`() async throws {
    let clock = ManualClock()
    let text = """
      flow: 1
      steps:
        - set: {turns: 0}
        - for: x
          in: ${{ [1, 2] }}
          timeout: 5s
          do:
            - set: {turns: "${{ turns + 1 }}"}
            - wait: 1s
        - assert: ["${{ turns == 2 }}"]
      """
    async let running = ProbeRun(text, clock: clock)
    for _ in 1...2 { await clock.pass(sleepers: 2) }

    #expect(try await running.failures == "")
  }

  // MARK: - Continuing

  @Test func `a step that may fail fails and the run passes`() async throws {
    let run = try await ProbeRun(
      Self.head + """
          - {uses: p.fail, with: {code: refused}, continue-on-error: true}
          - {uses: p.count}
        """)

    #expect(run.result.passed)
    #expect(run.result.counts == .init(passed: 1, failed: 1, notRun: 0))
    #expect(run.events.map(\.line).contains("p.fail#1 failed"))
  }

  @Test func `what fails inside of a step that may fail ends that step alone`() async throws {
    let run = try await ProbeRun(
      Self.head + """
          - for: x
            in: ${{ [1, 2] }}
            do: [{uses: p.fail, with: {code: refused}, continue-on-error: true}]
          - {uses: p.count}
        """)

    #expect(run.result.passed)
    #expect(run.result.counts == .init(passed: 2, failed: 2, notRun: 0))
  }

  @Test func `a loop that may fail does not fail the run by what is in it`() async throws {
    let run = try await ProbeRun(
      Self.head + """
          - for: x
            in: ${{ [1, 2] }}
            continue-on-error: true
            do: [{uses: p.fail, with: {code: refused}}]
          - {uses: p.count}
        """)

    #expect(run.failures == "")
    #expect(run.result.passed)
  }

  @Test func `a step that was timed out may fail as well`() async throws {
    let clock = ManualClock()
    let text =
      Self.head + "  - {uses: p.sleep, with: {span: 1m}, timeout: 1s, continue-on-error: true}"
    async let running = ProbeRun(text, clock: clock)
    await clock.pass(sleepers: 2)
    let run = try await running

    #expect(run.result.passed)
    #expect(run.result.counts == .init(passed: 0, failed: 1, notRun: 0))
  }
}
