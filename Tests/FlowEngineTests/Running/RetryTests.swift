import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import TestKit
import Testing

/// A component that is asked once too often at first, and says when it may be asked again.
private actor Busy: Component {
  static let plugin = Plugin(
    "busy", version: "1", "Counts.", state: .memory,
    settings: Parameter<Duration?>("pause", "How long it wants to be left alone."),
    operations: [
      Operation("ask", "Counts.", answers: answer) { busy, _ in await busy.count() }
        .pausing(answer, \.pause)
    ]
  ) { _, pause in Busy(pause: pause) }

  struct Answer: Sendable {
    var value: Int
    var pause: Duration?
  }

  static let answer = Record(
    Answer.init(value:pause:), Field("value", \.value, "How often it was asked."),
    Field("pause", \.pause, "How long it wants to be left alone."))

  private let pause: Duration?
  private var value = 0

  init(pause: Duration?) { self.pause = pause }

  func count() -> Answer {
    value += 1
    return Answer(value: value, pause: pause)
  }
}

/// The attempts of a failed call.
@Suite(.timeLimit(.minutes(30))) struct RetryTests {
  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n"

  private static func flaky(_ failures: Int, _ more: String) -> String {
    head + "  - {id: a, uses: p.flaky, with: {failures: \(failures)}, \(more)}"
  }

  /// The calls and their answers, without the component's opening.
  private static func calls(_ run: ProbeRun) -> [String] {
    run.events.compactMap { event in
      switch event {
      case .completed(let invocation, _) where invocation.name != "p": event.line
      default: nil
      }
    }
  }

  @Test func `a later attempt passes the step`() async throws {
    let run = try await ProbeRun(Self.flaky(2, "retry: {attempts: 3}"))

    #expect(
      Self.calls(run) == [
        "a#1 fails refused: attempt 1 failed", "a#1 fails refused: attempt 2 failed",
        "a#1 answers {value: 3}",
      ])
    #expect(run.result.counts == .init(passed: 1, failed: 0, notRun: 0))
  }

  @Test func `attempts that are made again are in the report`() async throws {
    let run = try await ProbeRun(
      Self.head + """
          - for: i
            in: "${{ [1, 2] }}"
            do:
              - name: turn ${{ i }}
                uses: p.count
                expect: {value: "${{ it % 2 == 1 }}"}
                retry: {attempts: 3}
        """)

    #expect(run.result.passed)
    #expect(
      run.result.retriedDiagnostics.map(DiagnosticRenderer(sources: [:]).render) == [
        """
        test.yaml:9:18: error: 'for/p.count#2' did not answer as expected [F2001]
          note: value: expected ${{ it % 2 == 1 }}, got 2
          note: it % 2 is 0
          note: attempt 1 of 3
          note: the step's name is "turn 2"
          input: {by: 1}
          answer: {value: 2}
          in 'for', iteration 2: i is 2

        """
      ])
  }

  @Test func `of very many attempts the first ones are in the report`() async throws {
    let run = try await ProbeRun(Self.flaky(30, "retry: {attempts: 40}"))

    #expect(
      run.result.retriedDiagnostics.map(\.notes)
        == (1...20).map { ["attempt \($0) failed", "attempt \($0) of 40"] })
  }

  @Test func `the last attempt's failure is the step's`() async throws {
    let run = try await ProbeRun(Self.flaky(3, "retry: {attempts: 3}"))

    #expect(Self.calls(run).count == 3)
    #expect(
      run.failures == """
        test.yaml:4:19: error: 'a#1' failed with the error 'refused' [F2002]
            4 |   - {id: a, uses: p.flaky, with: {failures: 3}, retry: {attempts: 3}}
              |                   ^^^^^^^
          note: attempt 3 failed
          input: {failures: 3, code: "refused"}

        """)
  }

  @Test func `one attempt is a call without a retry`() async throws {
    let run = try await ProbeRun(Self.flaky(1, "retry: {attempts: 1}"))

    #expect(Self.calls(run) == ["a#1 fails refused: attempt 1 failed"])
    #expect(!run.result.passed)
  }

  @Test func `only the codes of 'on' are tried again`() async throws {
    let tried = try await ProbeRun(Self.flaky(1, "retry: {attempts: 2, on: [refused]}"))
    let notTried = try await ProbeRun(Self.flaky(1, "retry: {attempts: 2, on: [too-many]}"))

    #expect(tried.result.passed)
    #expect(Self.calls(notTried) == ["a#1 fails refused: attempt 1 failed"])
    #expect(!notTried.result.passed)
  }

  @Test func `the expectation is evaluated again for each attempt`() async throws {
    let run = try await ProbeRun(
      Self.head + "  - {id: a, uses: p.count, expect: {value: 3}, retry: {attempts: 5}}")

    #expect(
      Self.calls(run) == [
        "a#1 answers {value: 1}", "a#1 answers {value: 2}", "a#1 answers {value: 3}",
      ]
    )
    #expect(run.result.passed)
  }

  @Test func `with 'on' an unexpected answer is not tried again`() async throws {
    let run = try await ProbeRun(
      Self.head
        + "  - {id: a, uses: p.count, expect: {value: 3}, retry: {attempts: 5, on: [too-many]}}")

    #expect(Self.calls(run) == ["a#1 answers {value: 1}"])
    #expect(run.failures.contains("note: value: expected 3, got 1"))
  }

  @Test func `every attempt has the whole timeout`() async throws {
    let clock = ManualClock()
    let text =
      Self.head + "  - {uses: p.sleep, with: {span: 1m}, timeout: 10s, retry: {attempts: 2}}"
    async let running = ProbeRun(text, clock: clock)
    for _ in 1...2 { await clock.pass(sleepers: 2) }
    let run = try await running

    #expect(clock.now.offset == .seconds(20))
    #expect(run.failures.contains("'p.sleep#1' did not end within 10s [F2010]"))
  }

  // MARK: - Waits

  @Test func `the waits grow up to the longest one`() async throws {
    let clock = ManualClock()
    let text = Self.flaky(4, "retry: {attempts: 5, backoff: 1s, factor: 3, max: 5s}")
    async let running = ProbeRun(text, clock: clock)
    var waits: [Duration] = []
    for _ in 1...4 { waits.append(await clock.pass()) }

    #expect(waits == [.seconds(1), .seconds(3), .seconds(5), .seconds(5)])
    #expect(try await running.result.passed)
  }

  private static func jitteredWaits(seed: UInt64) async throws -> [Duration] {
    let clock = ManualClock()
    let text = flaky(3, "retry: {attempts: 4, backoff: 10s, jitter: 0.5}")
    async let running = ProbeRun(text, seed: seed, clock: clock)
    var waits: [Duration] = []
    for _ in 1...3 { waits.append(await clock.pass()) }
    _ = try await running
    return waits
  }

  @Test func `jitter shortens a wait by its part at most`() async throws {
    let waits = try await Self.jitteredWaits(seed: 7)

    #expect(waits.allSatisfy { $0 > .seconds(5) && $0 <= .seconds(10) })
    #expect(Set(waits).count == 3)
  }

  @Test func `the seed decides the jitter`() async throws {
    let first = try await Self.jitteredWaits(seed: 7)
    let again = try await Self.jitteredWaits(seed: 7)
    let other = try await Self.jitteredWaits(seed: 8)

    #expect(first == again)
    #expect(first != other)
  }

  struct Delay: Sendable, CustomTestStringConvertible {
    let retry: String
    var attempt = 2
    var chance = 0.0
    let expected: Duration
    var testDescription: String { "\(retry), attempt \(attempt), chance \(chance)" }
  }

  @Test(arguments: delays) func `a policy says how long to wait`(_ delay: Delay) throws {
    let plan = try ProbeRun.plan(Self.flaky(0, "retry: {attempts: 9\(delay.retry)}"))
    let policy = try #require(plan.steps[0].options?.retry).policy

    #expect(policy.delay(before: delay.attempt, chance: delay.chance) == delay.expected)
  }

  static let delays: [Delay] = [
    Delay(retry: "", expected: .zero),
    Delay(retry: "", attempt: 9, expected: .zero),
    Delay(retry: ", backoff: 2s", expected: .seconds(2)),
    Delay(retry: ", backoff: 2s", attempt: 9, expected: .seconds(2)),
    Delay(retry: ", backoff: 2s, factor: 2", attempt: 3, expected: .seconds(4)),
    Delay(retry: ", backoff: 2s, factor: 2", attempt: 6, expected: .seconds(32)),
    Delay(retry: ", backoff: 2s, factor: 1.5", attempt: 4, expected: .milliseconds(4500)),
    Delay(retry: ", backoff: 2s, max: 1s", expected: .seconds(1)),
    Delay(retry: ", backoff: 2s, factor: 2, max: 7s", attempt: 4, expected: .seconds(7)),
    Delay(retry: ", backoff: 2s, max: 0s", expected: .zero),
    Delay(retry: ", backoff: 2s, jitter: 1", chance: 0.25, expected: .milliseconds(1500)),
    Delay(retry: ", backoff: 2s, jitter: 0.5", chance: 0.5, expected: .milliseconds(1500)),
  ]

  struct Asked: Sendable, CustomTestStringConvertible {
    var retry = ""
    let asked: Duration?
    let expected: Duration
    var testDescription: String { "\(retry) \(asked.map { "\($0)" } ?? "nothing")" }
  }

  @Test(arguments: [
    Asked(retry: "backoff: 2s", asked: nil, expected: .seconds(2)),
    Asked(retry: "backoff: 2s", asked: .seconds(1), expected: .seconds(2)),
    Asked(retry: "backoff: 2s", asked: .seconds(7), expected: .seconds(7)),
    Asked(retry: "backoff: 0s", asked: .seconds(7), expected: .seconds(7)),
    Asked(retry: "max: 5s", asked: .seconds(7), expected: .seconds(5)),
    Asked(retry: "backoff: 0s", asked: .seconds(999_999), expected: .seconds(300)),
    Asked(retry: "max: 1h", asked: .seconds(999_999), expected: .seconds(3600)),
  ])
  func `an answer gets the wait that it asks for, up to a bound`(_ asked: Asked) async throws {
    let text = """
      flow: 1
      components: {s: {plugin: busy, with: {pause: \(asked.asked.map { "\(Value.duration($0))" } ?? "null")}}}
      steps: [{uses: s.ask, expect: {value: 2}, retry: {attempts: 2, \(asked.retry)}}]
      """
    let plan = try ScenarioLoader(registry: try Registry([Busy.self])).plan(
      ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
    let options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    let report = await Session(of: plan, options: options).run(inputs: [])

    #expect(report.passed)
    #expect(report.elapsed == asked.expected)
  }

  @Test func `a wait that grows without bound stays within ten years`() throws {
    let plan = try ProbeRun.plan(
      Self.flaky(0, "retry: {attempts: 9, backoff: 1h, factor: 1000}"))
    let policy = try #require(plan.steps[0].options?.retry).policy
    let wait = policy.delay(before: 1_000_000, chance: 0)

    // The factors are floating-point numbers, so the bound is met up to their precision.
    #expect(wait > .seconds(315_359_999) && wait < .seconds(315_360_001))
  }
}
