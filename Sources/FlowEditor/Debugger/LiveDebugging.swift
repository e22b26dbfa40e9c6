internal import FlowCore
internal import FlowEngine
internal import FlowPlan
private import Synchronization

// Live runs, alone or after the recorded part before a step.

extension DebugSession {
  /// Starts a live run from its beginning, which stops before its first step with `stopsOnEntry`.
  package func start(stopsOnEntry: Bool) {
    run(served: nil) { rule in
      if stopsOnEntry { rule.goal = .step }
    }
  }

  /// Starts a run that is served the recorded answers before the present step, and goes on live
  /// there.
  ///
  /// It stops before the step. False at the end of the recording.
  package func goOnLive() -> Bool {
    guard case .moment(let now) = place, let opening = opening(of: now) else { return false }
    let address = timeline.moments[opening].address
    let calls = gate.calls(before: opening)
    let isServing = Flag(true)
    let served = DebugTarget.Served(calls: calls) { isServing.value }
    run(served: served) { rule in
      rule.goal = .reach(address)
      // What happened before is known already.
      rule.breakpoints = BreakpointHits()
    } reached: {
      isServing.value = false
    }
    return true
  }

  private func run(
    served: DebugTarget.Served?, _ change: (inout StopRule) -> Void,
    reached: @escaping @Sendable () -> Void = {}
  ) {
    gate = DebugGate()
    (timeline, end, isLive, place) = (Timeline(), nil, true, .running)
    hits = BreakpointHits(hits.breakpoints)
    var rule = rule(for: .run)
    change(&rule)
    stop(by: rule, reached: reached)
    let run = LiveRun(
      target: target, plan: loaded.plan, served: served, gate: gate, news: news)
    control.begin(run.start(), gate)
  }

  private func stop(by rule: StopRule, reached: @escaping @Sendable () -> Void = {}) {
    liveRule = (rule, reached)
    gate.stop { [log, analysis = loaded.analysis, redactor] timeline in
      let number = timeline.moments.count - 1
      let messages = rule.breakpoints.messages(at: number, in: timeline, analysis, redactor)
      for message in messages { log(message) }
      let reason = rule.reason(at: number, in: timeline)
      if reason != nil { reached() }
      return reason != nil
    }
  }

  /// Moves, at once in a recording, or by letting a live run go on.
  ///
  /// Returns the reason of the stop, or nil for a live run, whose stop is among the news.
  package func move(_ move: Move) -> StopReason? {
    guard isLive else { return moveInRecording(move) }
    guard case .moment(let number) = place else { return nil }
    goOn(from: number, by: rule(for: move))
    return nil
  }

  /// Runs the step that has just ended again, and stops at its end.
  ///
  /// False if no live step has just ended.
  package func again() -> Bool {
    guard isLive, case .moment(let number) = place,
      case .after(_, let opened) = timeline.moments[number].kind
    else { return false }
    var rule = rule(for: .run)
    rule.goal = .again(opened, after: number)
    goOn(from: number, by: rule, again: true)
    return true
  }

  private func goOn(from number: Int, by rule: StopRule, again: Bool = false) {
    control.goOn()
    stop(by: rule)
    place = .running
    // Without a copy of it here, the run adds to the only one.
    timeline = Timeline()
    gate.goOn(from: number, again: again)
  }

  /// Takes news of the live run.
  ///
  /// Returns the reason of the stop.
  package func take(_ news: DebugNews) -> StopReason {
    timeline = gate.timeline
    switch news {
    case .stopped(let number):
      place = .moment(number)
      let reason = rule(for: .run).reason(at: number, in: timeline) ?? .step
      control.stop()
      return reason
    case .ended(let end):
      (self.end, place) = (end, .end)
      control.stop()
      return .end
    }
  }

  /// Uses changed breakpoints in a live run that goes on, too.
  func useBreakpoints() {
    guard isLive, place == .running, var latest = liveRule else { return }
    // The steps before the wanted one have happened already.
    if case .reach = latest.rule.goal { return }
    (latest.rule.breakpoints, latest.rule.stopsAtFailures) = (hits, stopsAtFailures)
    stop(by: latest.rule, reached: latest.reached)
  }

  /// Cancels a live run and waits for its end.
  package func close() async { await control.close() }
}

/// The live run of a session, which any task may interrupt.
package final class LiveControl: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var gate: DebugGate?
    var isRunning = false
    var isPaused = false
  }

  private let state = Mutex(State())

  /// True if the run is to stop before its next step.
  var isPaused: Bool { state.withLock { $0.isPaused } }

  func begin(_ task: Task<Void, Never>, _ gate: DebugGate) {
    state.withLock { $0 = State(task: task, gate: gate, isRunning: true) }
  }

  func goOn() { state.withLock { ($0.isRunning, $0.isPaused) = (true, false) } }
  func stop() { state.withLock { ($0.isRunning, $0.isPaused) = (false, false) } }

  /// The effect of an interruption.
  package enum Interruption: Sendable {
    /// The run stops before its next step.
    case stops
    /// The run was to stop already, and is cancelled.
    case cancels
    /// The run does not go on now.
    case none
  }

  /// Stops the run before its next step, or cancels it if it was to stop already.
  package func interrupt() -> Interruption {
    let effect: Interruption = state.withLock { state in
      guard state.isRunning else { return .none }
      if state.isPaused { return .cancels }
      state.isPaused = true
      return .stops
    }
    if case .cancels = effect { cancel() }
    return effect
  }

  /// Stops the run before its next step.
  package func pause() { state.withLock { $0.isPaused = $0.isRunning } }

  /// Cancels the run, whose `finally` runs without stops.
  package func cancel() {
    let (task, gate) = state.withLock { ($0.task, $0.gate) }
    task?.cancel()
    gate?.release()
  }

  /// Cancels the run and waits for its end.
  func close() async {
    cancel()
    await state.withLock { $0.task }?.value
  }
}

/// A run that sends its news.
private struct LiveRun: Sendable {
  let target: DebugTarget
  let plan: Plan
  let served: DebugTarget.Served?
  let gate: DebugGate
  let news: AsyncStream<DebugNews>.Continuation

  func start() -> Task<Void, Never> {
    Task { await follow() }
  }

  private func follow() async {
    async let stops: Void = forward()
    let end = await target.run(plan, served, gate)
    gate.end()
    await stops
    news.yield(.ended(end))
  }

  private func forward() async {
    for await number in gate.stopsOfRun { news.yield(.stopped(number)) }
  }
}

/// A value that several tasks see.
private final class Flag: Sendable {
  private let state: Mutex<Bool>

  init(_ value: Bool) { state = Mutex(value) }

  var value: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
