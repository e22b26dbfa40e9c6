import FlowCore
import FlowEngine
import FlowPlan
import FlowReport
import FlowScenario
import Synchronization
import TestKit
import Testing

/// The rows of a live region about a run and about a suite.
@Suite struct ProgressTests {
  private let clock = TickingClock(.zero)
  private let window = LiveRegion.Size(columns: 80, rows: 24)

  private static let steps = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: pay, name: Pay the order, for: i, in: [1, 2], do: [{id: charge, uses: p.count}]}
      - {id: rest, wait: 5s}
      - id: both
        parallel: {a: [{id: x, wait: 1s}], b: [{id: y, wait: 2s}]}
    """

  private func begun() throws -> (activity: RunActivity, plan: Plan) {
    (RunActivity(clock: clock), try ProbeRun.plan(Self.steps))
  }

  private func charge(in plan: Plan) throws -> (step: PlannedStep, operation: OperationReference) {
    guard case .loop(let loop) = plan.steps[0].action,
      case .call(let call) = loop.steps[0].action
    else { throw Problem() }
    return (loop.steps[0], call.operation)
  }

  private func call(at address: Address, _ plan: Plan) throws -> Event {
    .invoked(
      Invocation(
        address: address, target: .operation(try charge(in: plan).operation), input: .string("")))
  }

  private struct Problem: Error {}

  @Test func `a run shows its step, its iteration, and what it waits for and how long`() throws {
    let (activity, plan) = try begun()
    let inner = Address(path: "pay/charge", iterations: [2])

    activity.receive(.stepStarted(Address(path: "pay"), plan.steps[0]))
    clock.advance(by: .seconds(2))
    activity.receive(.stepStarted(inner, try charge(in: plan).step))
    activity.receive(try call(at: inner, plan))
    clock.advance(by: .milliseconds(900))
    #expect(
      activity.rows(in: window) == [
        "  2 s  Pay the order  (0 steps done)", "    pay/charge#2 waits for p.count",
      ])
    clock.advance(by: .seconds(61))
    #expect(
      activity.rows(in: window) == [
        "  1 min 3 s  Pay the order  (0 steps done)",
        "    pay/charge#2 waits for p.count, 1 min 1 s",
      ])
  }

  @Test func `what a component asks of another one stands for the call that waits for it`() throws {
    let (activity, plan) = try begun()
    let address = Address(path: "pay/charge", iterations: [1])
    let asked = try call(at: address.call("store.count", number: 1), plan)

    activity.receive(.stepStarted(address, try charge(in: plan).step))
    activity.receive(try call(at: address, plan))
    activity.receive(asked)
    clock.advance(by: .seconds(2))

    #expect(
      activity.places(of: "a.yaml") == [
        "a.yaml, 2 s", "  pay/charge#1/store.count#1 waits for p.count, 2 s",
      ])
    guard case .invoked(let invocation) = asked else { throw Problem() }
    activity.receive(.completed(invocation, .answer(.string(""))))
    #expect(
      activity.places(of: "a.yaml") == ["a.yaml, 2 s", "  pay/charge#1 waits for p.count, 2 s"])
  }

  @Test func `each branch has a row, as far as there is room`() throws {
    let (activity, plan) = try begun()
    guard case .wait = plan.steps[1].action else { throw Problem() }

    activity.receive(.stepStarted(Address(path: "both"), plan.steps[2]))
    for name in ["a", "b", "c"] {
      activity.receive(.stepStarted(Address(path: "both/\(name)/x"), plan.steps[1]))
    }
    let rows = { activity.rows(in: LiveRegion.Size(columns: 80, rows: $0)) }

    let title = "  0 s  both  (0 steps done)"
    let places = ["a", "b", "c"].map { "    both/\($0)/x#1 waits 5s" }
    #expect(rows(5) == [title] + places)
    #expect(rows(4) == [title, places[0], "    and 2 more"])
    #expect(rows(3) == [title, "    and 3 more"])
    #expect(rows(2) == [title])
  }

  @Test func `a repeated step shows its attempt, and a program its last lines`() throws {
    let (activity, plan) = try begun()
    let (pay, inner) = (Address(path: "pay"), Address(path: "pay/charge", iterations: [2]))
    activity.receive(.stepStarted(pay, plan.steps[0]))
    activity.receive(.stepStarted(inner, try charge(in: plan).step))

    activity.receive(.iteration(pay, number: 2, limit: 9, []))
    activity.receive(.attempt(inner, number: 3, limit: 4, reason: "no\u{1B}[2J answer"))
    for number in 1...4 { activity.receive(.line(inner, "line \(number)\u{1B}[31m")) }

    let rows = [
      "pay#1, iteration 2 of 9",
      #"pay/charge#2 waits for p.count, attempt 3 of 4 (no\u{1b}[2J answer)"#,
      #"pay/charge#2 | line 2\u{1b}[31m"#, #"pay/charge#2 | line 3\u{1b}[31m"#,
      #"pay/charge#2 | line 4\u{1b}[31m"#,
    ]
    #expect(
      activity.rows(in: window) == ["  0 s  Pay the order  (0 steps done)"]
        + rows.map { "    \($0)" })
    #expect(activity.places(of: "a.yaml") == ["a.yaml, 0 s"] + rows.map { "  \($0)" })
    activity.receive(.stepEnded(inner, try charge(in: plan).step, .passed, elapsed: .zero))
    #expect(activity.rows(in: window)[1] == "    pay#1, iteration 2 of 9")
  }

  @Test func `lines that are printed are not shown in the rows as well`() throws {
    let activity = RunActivity(showsLines: false, clock: clock)

    activity.receive(.line(Address(path: "a"), "ready"))

    #expect(activity.rows(in: window) == ["  0 s  …  (0 steps done)"])
    #expect(
      activity.places(of: "a.yaml") == ["a.yaml, 0 s", "  between two steps", "  a#1 | ready"])
  }

  @Test func `asked where it is, a run tells lines, loop variables and answers, without secrets`()
    async throws
  {
    let activity = RunActivity(clock: clock)
    let plan = try ProbeRun.plan(
      """
      flow: 1
      inputs: {pin: {type: string, secret: true}}
      components: {p: {plugin: probe}}
      steps:
        - {id: e, uses: p.echo, with: {value: "is ${{ inputs.pin }}"}}
        - for: code
          in: "${{ [inputs.pin.reverse()] }}"
          do: [{for: n, in: [7], do: [{id: ask, uses: p.count, with: {by: 101}}]}]
      """)
    let places = Recorder()
    // Asked from the middle of the run.
    let asking = AskingSink { places.note(activity.places(of: "a.yaml")) }

    _ = await Session(of: plan, sinks: [activity, asking], options: watched(by: activity))
      .run(inputs: [.string("s3cr3t-word")])

    #expect(
      places.noted == [
        "a.yaml, 0 s", "  for/for/ask#1.1 waits for p.count, test.yaml:8",
        "  for#1: code is ${secret:pin}", "  for/for#1.1: n is 7",
        #"  e#1 answered {value: "is ${secret:pin}"}"#,
      ])
  }

  @Test func `asked where it is, a run hides what it knows to be secret by then`() async throws {
    let activity = RunActivity(clock: clock)
    let plan = try ProbeRun.plan(
      """
      flow: 1
      inputs: {raw: {type: string}}
      components: {p: {plugin: probe}}
      steps:
        - {scenario: sub.yaml, with: {pin: "${{ inputs.raw }}"}}
        - for: a
          in: [1]
          do: [{for: b, in: [1], do: [{id: ask, uses: p.count, with: {by: 1}}]}]
      """,
      files: [
        "sub.yaml": """
        flow: 1
        inputs: {pin: {type: string, secret: true}}
        steps: [{assert: ["${{ inputs.pin != '' }}"]}]
        """
      ])
    let (address, secret) = (Address(path: "for/for/ask", iterations: [1, 1]), "s3cr3t-word")
    let places = Recorder()
    let asking = AskingSink {
      activity.log(address, "logs \(secret)")
      activity.receive(.line(address, "prints \(secret)"))
      activity.receive(.attempt(address, number: 2, limit: 3, reason: "got \(secret)"))
      places.note(activity.places(of: "a.yaml") + activity.rows(in: window))
    }

    _ = await Session(of: plan, sinks: [activity, asking], options: Session.Options())
      .run(inputs: [.string(secret)])

    let ask = "for/for/ask#1.1"
    #expect(
      places.noted == [
        "a.yaml, 0 s",
        "  \(ask) waits for p.count, attempt 2 of 3 (got ${secret:pin}), test.yaml:8",
        "  \(ask) | prints ${secret:pin}", "  \(ask) logged: logs ${secret:pin}",
        "  0 s  for  (2 steps done)",
        "    \(ask) waits for p.count, attempt 2 of 3 (got ${secret:pin})",
        "    \(ask) | prints ${secret:pin}",
      ])
  }

  private func watched(by activity: RunActivity) -> Session.Options {
    var options = Session.Options()
    options.watch = { activity.receive($0) }
    return options
  }

  /// Calls an action when the call of the step `ask` is made.
  private struct AskingSink: EventSink {
    let action: @Sendable () -> Void

    func receive(_ event: Event) {
      if case .invoked(let invocation) = event, invocation.address.path == "for/for/ask" {
        action()
      }
    }
  }

  /// Keeps the last noted lines.
  private final class Recorder: Sendable {
    private let lines = Mutex<[String]>([])

    var noted: [String] { lines.withLock { $0 } }

    func note(_ noted: [String]) { lines.withLock { $0 = noted } }
  }

  @Test func `what has ended is not shown any more`() throws {
    let (activity, plan) = try begun()
    let address = Address(path: "rest")

    activity.receive(.stepStarted(address, plan.steps[1]))
    activity.receive(.stepEnded(address, plan.steps[1], .passed, elapsed: .zero))

    #expect(activity.rows(in: window) == ["  0 s  …  (1 step done)"])
    #expect(activity.places(of: "a.yaml") == ["a.yaml, 0 s", "  between two steps"])
  }

  @Test func `a whole run leaves nothing open`() async throws {
    let activity = RunActivity(clock: clock)
    let plan = try ProbeRun.plan(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: a, for: i, in: [1, 2], do: [{uses: p.count, if: "${{ i == 2 }}"}]}
        - {id: b, uses: p.count, with: {by: 101}, continue-on-error: true, retry: {attempts: 3}}
        - {id: c, parallel: {x: [{uses: p.count}], y: [{uses: p.crash}]}}
      finally: [{uses: p.count}]
      """)
    var options = Session.Options()
    options.virtualTime = VirtualTime()

    _ = await Session(of: plan, sinks: [activity], options: options)
      .run(inputs: try plan.inputValues(texts: []))

    let places = activity.places(of: "a.yaml").filter { !$0.contains(" answered ") }
    #expect(places == ["a.yaml, 0 s", "  between two steps"])
  }

  @Test func `a suite shows how far it is, what has failed, what is left and what runs`() {
    let suite = SuiteProgress(
      durations: [1_000, 3_000, nil, nil], slowAfter: .seconds(60), clock: clock)
    #expect(suite.rows(in: window) == ["0/4 done"])

    _ = suite.begin(0, "a.yaml")
    _ = suite.begin(1, "b.yaml")
    clock.advance(by: .seconds(10))
    suite.end(0, hasFailed: true)
    _ = suite.begin(2, "c\n.yaml")
    clock.advance(by: .seconds(65))

    // A scenario of unknown length counts as the mean of the others: 2,000. The first took 10 s for 1/8 of all, so
    // that 70 s were left when it ended.
    #expect(
      suite.rows(in: window) == [
        "1/4 done, 1 failed, about 5 s left", "  1 min 15 s  b.yaml  (slow)",
        #"  1 min 5 s  c\n.yaml  (slow)"#,
      ])
  }

  @Test func `asked where the runs are, a suite says what its components logged as well`() throws {
    let (_, plan) = try begun()
    let suite = SuiteProgress(durations: [nil, nil, nil], slowAfter: .seconds(60), clock: clock)
    suite.end(0, hasFailed: false)
    let activity = suite.begin(1, "b.yaml")
    _ = suite.begin(2, "c.yaml")
    let address = Address(path: "rest")

    activity.receive(.stepStarted(address, plan.steps[1]))
    for number in 1...11 { activity.log(address, "line \(number)\n") }

    #expect(
      suite.places == ["1/3 done", "b.yaml, 0 s", "  rest#1 waits 5s"]
        + (2...11).map { #"  rest#1 logged: line \#($0)\n"# }
        + ["c.yaml, 0 s", "  between two steps"])
  }

  @Test func `a scenario that runs for more than a minute is slow, which is said once`() {
    let suite = SuiteProgress(durations: [nil, nil], slowAfter: .seconds(60), clock: clock)
    _ = suite.begin(0, "a.yaml")
    clock.advance(by: .seconds(60))
    _ = suite.begin(1, "b.yaml")
    #expect(suite.newlySlow() == [])

    clock.advance(by: .seconds(1))
    #expect(suite.newlySlow() == ["slow: a.yaml has been running for 1 min 1 s"])
    #expect(suite.newlySlow() == [])
    #expect(
      suite.rows(in: window) == ["0/2 done", "  1 min 1 s  a.yaml  (slow)", "  1 s  b.yaml"])
  }

  @Test func `nothing is slow where nothing is too long`() {
    let suite = SuiteProgress(durations: [nil], slowAfter: nil, clock: clock)
    _ = suite.begin(0, "a.yaml")
    clock.advance(by: .seconds(3_600))

    #expect(suite.newlySlow() == [])
    #expect(suite.rows(in: window) == ["0/1 done", "  1 h 0 min  a.yaml"])
  }

  @Test func `eight of the running scenarios are shown, fewer in a low window`() {
    let suite = SuiteProgress(
      durations: Array(repeating: nil, count: 20), slowAfter: .seconds(60), clock: clock)
    for number in 0..<11 { _ = suite.begin(number, "\(number).yaml") }

    let lines = (0..<11).map { "  0 s  \($0).yaml" }
    #expect(suite.rows(in: window) == ["0/20 done"] + lines.prefix(8) + ["  and 3 more"])
    #expect(
      suite.rows(in: LiveRegion.Size(columns: 80, rows: 5))
        == ["0/20 done", lines[0], lines[1], "  and 9 more"])
  }
}
