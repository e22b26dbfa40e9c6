package import FlowCore
internal import FlowEngine
internal import FlowExpression
package import FlowPlan
package import FlowRedaction

/// A debugged run, recorded or live, and a place in it.
///
/// A recorded run is replayed to its end at the start, and all movements in it are changes of the
/// place. A live run goes on with each movement. Used by one task, which also takes the stops of a
/// live run.
package final class DebugSession {
  /// A place in the run.
  package enum Place: Sendable, Hashable {
    /// At a moment of the timeline.
    case moment(Int)
    /// After the last moment.
    case end
    /// Somewhere in a live run that goes on.
    case running
  }

  /// A movement.
  package enum Move: String, Sendable, CaseIterable {
    /// To the next step, over those inside of the present one.
    case next
    /// To the next step, into the present one.
    case step
    /// Out of the innermost step around the present one.
    case out
    /// To the end of the present step.
    case end
    /// To the next breakpoint or failure.
    case run
    /// To the step before the present one. In recordings only.
    case back
    /// To the breakpoint or failure before the present place. In recordings only.
    case reverse
  }

  /// The scenario and its actions.
  package let target: DebugTarget
  let redactor: Redactor
  /// The scenario.
  package internal(set) var loaded: DebugTarget.Loaded
  /// The places of its steps.
  package internal(set) var places: StepPlaces
  var gate = DebugGate()
  /// The moments of a recorded run, or of a live one up to its latest stop.
  package internal(set) var timeline = Timeline()
  /// The end of the run, or nil while a live run goes on.
  package internal(set) var end: DebugTarget.End?
  /// The present place.
  package internal(set) var place = Place.end
  /// True for a live run.
  package internal(set) var isLive = false
  /// True to stop at failed steps.
  package var stopsAtFailures = true { didSet { useBreakpoints() } }
  /// Receives the messages of log points of a live run.
  var log: @Sendable (String) -> Void = { _ in }
  /// The messages of the log points that a recorded run has passed, for the reader to take.
  var logged: [String] = []
  var hits = BreakpointHits()
  var latestBreakpoint = 0
  /// The rule of the latest movement of a live run, and the action at its stop.
  var liveRule: (rule: StopRule, reached: @Sendable () -> Void)?
  /// The live run, for interruptions from other tasks.
  package let control = LiveControl()
  let news: AsyncStream<DebugNews>.Continuation
  /// The stops and the end of live runs.
  package let liveNews: AsyncStream<DebugNews>

  /// Loads a scenario to debug, or takes the plan that is to run.
  ///
  /// - Throws: `ScenarioError` with its problems.
  package init(
    _ target: DebugTarget, plan: Plan? = nil, _ redactor: Redactor
  ) throws(ScenarioError) {
    loaded = try target.load(nil).get()
    if let plan { loaded = .init(plan: plan, analysis: loaded.analysis, text: loaded.text) }
    (self.target, self.redactor) = (target, redactor)
    places = StepPlaces(loaded.plan, loaded.analysis)
    (liveNews, news) = AsyncStream.makeStream()
  }

  /// The breakpoints, in the order of their numbers.
  package var breakpoints: [Breakpoint] { hits.breakpoints }

  /// The moment at the present place, at the end the last one of the scenario itself, or nil.
  package var moment: Int? {
    switch place {
    case .moment(let number): return number
    case .running: return nil
    case .end:
      let last = timeline.moments.lastIndex { $0.scope == 0 && $0.container == nil }
      return last
    }
  }

  // MARK: - Recordings

  /// Replays the recording, and moves before its first step.
  package func replay() async {
    gate = DebugGate()
    end = await target.replay(loaded.plan, gate)
    (timeline, isLive) = (gate.timeline, false)
    hits = BreakpointHits(hits.breakpoints)
    place = timeline.moments.firstIndex { $0.kind.isBefore }.map { .moment($0) } ?? .end
  }

  /// Loads the scenario again, replays the recording with it, and goes to the same step.
  ///
  /// - Throws: `ScenarioError` with the scenario's problems, and leaves all as it was.
  package func reload() async throws(ScenarioError) {
    let address = moment.map { timeline.moments[$0].address }
    use(try target.load(nil).get())
    await replay()
    guard let address else { return }
    if let same = timeline.moments.firstIndex(where: { $0.kind.isBefore && $0.address == address })
    {
      place = .moment(same)
    }
  }

  /// Takes another text of the scenario, with the breakpoints that it still has.
  private func use(_ loaded: DebugTarget.Loaded) {
    self.loaded = loaded
    places = StepPlaces(loaded.plan, loaded.analysis)
    let kept = breakpoints.compactMap { breakpoint in
      try? self.breakpoint(
        at: breakpoint.location, if: breakpoint.condition, hits: breakpoint.hits,
        log: breakpoint.log, number: breakpoint.number)
    }
    hits = BreakpointHits(kept)
  }

  /// Moves in the recorded run.
  ///
  /// Returns the reason of the stop.
  func moveInRecording(_ move: Move) -> StopReason {
    let now = if case .moment(let number) = place { number } else { timeline.moments.count }
    switch move {
    case .back: return goBack(from: now)
    case .reverse: return goToEarlier(from: now)
    case .next, .step, .out, .end, .run:
      let rule = rule(for: move)
      var number = now + 1
      while number < timeline.moments.count {
        log(at: number)
        if let reason = rule.reason(at: number, in: timeline) {
          place = .moment(number)
          return reason
        }
        number += 1
      }
      place = .end
      return .end
    }
  }

  /// Notes the messages of log points at the present place of a recorded run.
  func logHere() { if case .moment(let number) = place { log(at: number) } }

  private func log(at number: Int) {
    logged += hits.messages(at: number, in: timeline, loaded.analysis, redactor)
  }

  private func goBack(from now: Int) -> StopReason {
    let isStop = { (number: Int) in
      self.timeline.moments[number].kind.isBefore || self.timeline.moments[number].hasFailed
    }
    guard var earlier = (0..<now).last(where: isStop) else { return .entry }
    let around = now < timeline.moments.count ? timeline.containers(of: now) : []
    // Over the steps inside of one that has ended.
    while let container = timeline.moments[earlier].container, !around.contains(container) {
      earlier = container
    }
    place = .moment(earlier)
    return .step
  }

  private func goToEarlier(from now: Int) -> StopReason {
    let rule = rule(for: .reverse)
    for number in (0..<now).reversed() {
      if let reason = rule.reasonBackward(at: number, in: timeline) {
        place = .moment(number)
        return reason
      }
    }
    place = timeline.moments.firstIndex { $0.kind.isBefore }.map { .moment($0) } ?? .end
    return .entry
  }

  // MARK: - Both

  /// The rule by which the run stops after a movement from the present place.
  func rule(for move: Move) -> StopRule {
    var rule = StopRule(breakpoints: hits, stopsAtFailures: stopsAtFailures)
    rule.isPaused = { [control] in control.isPaused }
    guard let moment else { return rule }
    let opening = opening(of: moment)
    switch move {
    case .step: rule.goal = .step
    case .next: rule.goal = opening.map { .over($0) } ?? .step
    case .out: rule.goal = timeline.moments[moment].container.map { .over($0) } ?? .none
    case .end: rule.goal = opening.map { .end($0) } ?? .step
    case .run, .back, .reverse: rule.goal = .none
    }
    return rule
  }

  /// The moment before the step of a moment, or nil at the start of a scenario.
  package func opening(of number: Int) -> Int? {
    switch timeline.moments[number].kind {
    case .before: number
    case .after(_, let opened): opened
    case .scenario, .level: timeline.moments[number].container
    }
  }

  /// The values in sight at the present place, or nil while a live run goes on.
  package var values: ValuesInSight? { moment.map { values(at: $0) } }

  /// The values in sight at a moment.
  package func values(at number: Int) -> ValuesInSight {
    ValuesInSight(at: number, in: timeline, loaded.analysis, redactor)
  }

  /// The step at a place, and the steps around it, from the inside out.
  package func frames(at number: Int) -> [DebugFrame] {
    let openings = (opening(of: number).map { [$0] } ?? []) + timeline.containers(of: number)
    var (frames, latest) = ([DebugFrame](), number)
    var seen: Set<Int> = []
    for opening in openings where seen.insert(opening).inserted {
      let moment = timeline.moments[opening]
      // The values of an outer scenario are those before the step that runs the inner one.
      if moment.scope != timeline.moments[latest].scope { latest = opening }
      guard let step = moment.step, let place = places.place(of: step) else { continue }
      frames.append(
        DebugFrame(address: moment.address, place: place, opening: opening, moment: latest))
    }
    return frames
  }

  /// The values in sight of a frame.
  package func values(in frame: DebugFrame) -> ValuesInSight {
    let isPresent = opening(of: frame.moment) == frame.opening
    return ValuesInSight(
      at: frame.moment, of: isPresent ? frame.moment : frame.opening, in: timeline,
      loaded.analysis, redactor)
  }
}

/// A step that has begun, with the moments of its names and values.
package struct DebugFrame: Sendable {
  /// The address of the step.
  package let address: Address
  /// The step and its place.
  package let place: PlacedStep
  /// The moment before the step.
  let opening: Int
  /// The latest moment of its scenario.
  package let moment: Int
}

/// News of a live run.
package enum DebugNews: Sendable {
  /// It has stopped at a moment.
  case stopped(Int)
  /// It has ended.
  case ended(DebugTarget.End)
}
