internal import FlowCore
internal import FlowEngine
internal import FlowExpression
internal import FlowPlan
private import Synchronization

/// The reason for which a debugged run is where it is.
package enum StopReason: Sendable, Hashable {
  /// The first step.
  case entry
  /// A command that moves.
  case step
  /// A breakpoint, by its number.
  case breakpoint(Int)
  /// A failed step.
  case failure
  /// An interruption.
  case pause
  /// The end of the run.
  case end
}

/// The moments at which a run stops, recorded or live.
struct StopRule: Sendable {
  /// The moment wanted by a command.
  enum Goal: Sendable {
    /// Before the next step, inside or after the present one.
    case step
    /// Before the next step outside of the one at a moment.
    case over(Int)
    /// The end of the step that starts at a moment.
    case end(Int)
    /// The next end of the step that starts at a moment and ended at another one.
    case again(Int, after: Int)
    /// Before the first step at an address.
    case reach(Address)
    /// None.
    case none
  }

  var goal = Goal.none
  var breakpoints: BreakpointHits
  var stopsAtFailures = true
  /// Returns true to stop before the next step.
  var isPaused: @Sendable () -> Bool = { false }

  /// The reason to stop at a moment, or nil.
  func reason(at number: Int, in timeline: Timeline) -> StopReason? {
    let moment = timeline.moments[number]
    if isFailure(moment) { return .failure }
    // Counted even at a moment that is a goal.
    if let breakpoint = breakpoints.hit(at: number, in: timeline) { return .breakpoint(breakpoint) }
    if isGoal(number, moment, timeline) { return .step }
    return moment.kind.isBefore && isPaused() ? .pause : nil
  }

  /// The reason for which a recorded run stops at a moment when it goes backward, or nil.
  func reasonBackward(at number: Int, in timeline: Timeline) -> StopReason? {
    if isFailure(timeline.moments[number]) { return .failure }
    return breakpoints.hit(at: number, in: timeline).map { .breakpoint($0) }
  }

  private func isFailure(_ moment: Timeline.Moment) -> Bool { stopsAtFailures && moment.hasFailed }

  private func isGoal(_ number: Int, _ moment: Timeline.Moment, _ timeline: Timeline) -> Bool {
    switch goal {
    case .none: false
    case .step: moment.kind.isBefore
    case .over(let opening): moment.kind.isBefore && !timeline.isInside(number, opening)
    case .end(let opening): timeline.moments[opening].end == number
    case .again(let opening, let ended):
      number > ended && timeline.moments[opening].end == number
    case .reach(let address): moment.kind.isBefore && moment.address == address
    }
  }
}

extension Timeline.Moment {
  /// True at the end of a failed step that stops the scenario, and whose failure is its own.
  package var hasFailed: Bool {
    guard case .failed(let failure)? = kind.end, !failure.isContinued(by: step?.options) else {
      return false
    }
    switch failure {
    case .inner, .cancelled: return false
    default: return true
    }
  }
}

/// The breakpoints of a run, with the moments at which their conditions held.
///
/// Shared by the tasks of a live run.
final class BreakpointHits: Sendable {
  private struct State {
    var scanned = 0
    var counts: [Int: Int] = [:]
    var hits: [Int: Int] = [:]
    var logs: [Int: [LogMessage]] = [:]
  }

  let breakpoints: [Breakpoint]
  private let state = Mutex(State())

  init(_ breakpoints: [Breakpoint] = []) { self.breakpoints = breakpoints }

  /// The number of the breakpoint that is hit at a moment, or nil.
  func hit(at number: Int, in timeline: Timeline) -> Int? {
    scanned(to: number, timeline) { $0.hits[number] }
  }

  /// The log points that are hit at a moment, in order.
  func logs(at number: Int, in timeline: Timeline) -> [LogMessage] {
    scanned(to: number, timeline) { $0.logs[number] } ?? []
  }

  private func scanned<Found>(
    to number: Int, _ timeline: Timeline, _ read: (State) -> Found?
  ) -> Found? {
    if breakpoints.isEmpty { return nil }
    return state.withLock { state in
      while state.scanned <= number {
        scan(state.scanned, timeline, &state)
        state.scanned += 1
      }
      return read(state)
    }
  }

  private func scan(_ number: Int, _ timeline: Timeline, _ state: inout State) {
    let moment = timeline.moments[number]
    guard moment.kind.isBefore else { return }
    for breakpoint in breakpoints {
      guard let step = breakpoint.steps.first(where: { $0.place.step === moment.step }) else {
        continue
      }
      if let condition = step.condition {
        // Without a value the condition does not hold.
        let value = try? condition.evaluate(timeline.values(at: number))
        guard value == .bool(true) else { continue }
      }
      let count = state.counts[breakpoint.number, default: 0] + 1
      state.counts[breakpoint.number] = count
      guard breakpoint.hits?.includes(count) ?? true else { continue }
      if let log = breakpoint.log {
        state.logs[number, default: []].append(log)
      } else if state.hits[number] == nil {
        state.hits[number] = breakpoint.number
      }
    }
  }
}
