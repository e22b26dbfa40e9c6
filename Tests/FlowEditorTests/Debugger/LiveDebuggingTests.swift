import FlowCore
import FlowEditor
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowScenario
import Synchronization
import TestKit
import Testing

/// Live runs that are held while something changes.
@Suite struct LiveDebuggingTests {
  /// A reader that lets the run go on from a stop when the test permits it.
  private final class HeldGate: StepGate {
    private let gate: DebugGate
    private let held: Held

    init(_ gate: DebugGate, _ held: Held) { (self.gate, self.held) = (gate, held) }

    func note(_ moment: StepMoment) -> (number: Int, stops: Bool) { gate.note(moment) }

    func wait(at number: Int) async -> Bool {
      let again = await gate.wait(at: number)
      await held.wait()
      return again
    }
  }

  /// Permits, each for one start or stop of a run.
  private actor Held {
    private var permits = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func permit() {
      if waiting.isEmpty { permits += 1 } else { waiting.removeFirst().resume() }
    }

    func wait() async {
      if permits > 0 { return permits -= 1 }
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private static let text = """
    flow: 1
    steps:
      - do:
          - set: {a: 1}
          - set: {b: 2}
      - set: {c: 3}
      - set: {d: 4}

    """

  /// The part of a recording that a run was served.
  private final class ServedPart: Sendable {
    private let state = Mutex<DebugTarget.Served?>(nil)

    var value: DebugTarget.Served? {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  private let held = Held()
  private let served = ServedPart()

  /// A session over a scenario without components, whose live runs are held.
  private func session() throws -> DebugSession {
    let loader = ScenarioLoader(registry: try Registry([Probe.self]))
    let run: @Sendable (Plan, DebugGate, any StepGate) async -> DebugTarget.End = {
      plan, sink, gate in
      var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
      options.gate = gate
      let report = await Session(of: plan, sinks: [sink], options: options).run(inputs: [])
      return .init(passed: report.passed, problems: report.diagnostics)
    }
    let target = DebugTarget { _ in
      let bytes = Array(Self.text.utf8)
      let analysis = loader.analyze(
        ScenarioSource(file: "a.yaml", bytes: bytes), hidingSecretsBy: Redactor())
      guard let plan = analysis.plan else {
        return .failure(ScenarioError(diagnostics: analysis.diagnostics))
      }
      return .success(.init(plan: plan, analysis: analysis, text: bytes))
    } replay: { plan, gate in
      await run(plan, gate, gate)
    } run: { [held, served] plan, part, gate in
      served.value = part
      await held.wait()
      return await run(plan, gate, HeldGate(gate, held))
    }
    return try DebugSession(target, Redactor())
  }

  /// The line of the step at the present place.
  private func line(_ session: DebugSession) -> Int? {
    session.moment.flatMap { session.frames(at: $0).first?.place.span.start.line }
  }

  private func end(_ session: DebugSession) async {
    for _ in 0..<9 { await held.permit() }
    await session.close()
  }

  @Test func `a breakpoint set while a step runs leaves its end as it is`() async throws {
    let session = try session()
    var news = session.liveNews.makeAsyncIterator()
    session.start(stopsOnEntry: true)
    await held.permit()
    _ = session.take(try #require(await news.next(isolation: nil)))
    let start = line(session)

    _ = session.move(.next)
    _ = try session.addBreakpoint(at: .line(7, file: "a.yaml"))
    session.stopsAtFailures = false
    await held.permit()
    let reason = session.take(try #require(await news.next(isolation: nil)))

    #expect(start == 3)
    #expect(reason == .step)
    #expect(line(session) == 6)
    await end(session)
  }

  @Test func `a breakpoint set while answers are served leaves the step to reach`() async throws {
    let session = try session()
    var news = session.liveNews.makeAsyncIterator()
    await session.replay()
    _ = try session.addBreakpoint(at: .line(7, file: "a.yaml"))
    _ = session.move(.run)
    session.removeBreakpoints { _ in true }

    let isGoing = session.goOnLive()
    _ = try session.addBreakpoint(at: .line(4, file: "a.yaml"))
    await held.permit()
    _ = session.take(try #require(await news.next(isolation: nil)))

    #expect(isGoing)
    #expect(line(session) == 7)
    #expect(served.value?.isServing() == false)
    await end(session)
  }
}
