package import FlowCore
package import FlowEngine
internal import FlowExpression
internal import FlowPlan
private import Synchronization

/// The reader of a debugged run: keeps its timeline, and stops a live run where it is asked to.
package final class DebugGate: StepGate, EventSink {
  /// Returns true to stop a live run at the latest moment of its timeline.
  package typealias Stops = @Sendable (Timeline) -> Bool

  private struct State {
    var timeline = Timeline()
    /// The latest calls of steps that have not ended.
    var calls: [Address: Timeline.Call] = [:]
    /// The steps' calls that came to their ends, each with the number of moments before that.
    var completed: [(moment: Int, address: Address)] = []
    var stops: Stops?
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var isReleased = false
    /// The origins at the stops and at the wanted moment.
    var scopes: [Int: OriginScope] = [:]
  }

  private let state = Mutex(State())
  private let stopped: AsyncStream<Int>.Continuation
  /// The moments at which the run has stopped, in order.
  package let stopsOfRun: AsyncStream<Int>

  /// The moment whose origins are kept, or nil.
  private let wanted: Int?

  /// Creates the reader of a run that is not stopped, which keeps the origins of one moment.
  package init(keepingScopeOf wanted: Int? = nil) {
    self.wanted = wanted
    (stopsOfRun, stopped) = AsyncStream.makeStream()
  }

  /// Returns the origins at a stop or at the wanted moment, or nil at any other.
  func scope(at number: Int) -> OriginScope? { state.withLock { $0.scopes[number] } }

  /// The moments so far.
  package var timeline: Timeline { state.withLock { $0.timeline } }

  /// Stops the run at these moments from now on, or with nil at none.
  package func stop(at stops: Stops?) { state.withLock { $0.stops = stops } }

  package func note(_ moment: StepMoment) -> (number: Int, stops: Bool) {
    state.withLock { state in
      var call: Timeline.Call?
      if moment.kind.end != nil { call = state.calls.removeValue(forKey: moment.scope.address) }
      let number = state.timeline.add(moment, call)
      // A moment that is left out has no number of its own.
      let mayStop = !state.isReleased && !state.timeline.isCut
      let stops = mayStop && state.stops?(state.timeline) ?? false
      if stops || number == wanted { state.scopes[number] = moment.scope }
      return (number, stops)
    }
  }

  package func wait(at number: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReleased = state.withLock { state in
          if state.isReleased || Task.isCancelled { return true }
          state.waiting[number] = continuation
          return false
        }
        if isReleased { continuation.resume(returning: false) } else { stopped.yield(number) }
      }
    } onCancel: {
      goOn(from: number)
    }
  }

  /// Lets the run go on from a moment, or run its step again.
  package func goOn(from number: Int, again: Bool = false) {
    let waiting = state.withLock { state in
      state.scopes[number] = nil
      return state.waiting.removeValue(forKey: number)
    }
    waiting?.resume(returning: again)
  }

  /// Lets the run go on wherever it is stopped, and stops it nowhere any more.
  package func release() {
    let waiting = state.withLock { state in
      state.isReleased = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: false) }
  }

  /// Ends the stream of stops, when the run has ended.
  package func end() { stopped.finish() }

  // MARK: - Calls

  package func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation) where invocation.address.calls.isEmpty:
      let call = Timeline.Call(name: invocation.name, input: invocation.input)
      state.withLock { $0.calls[invocation.address] = call }
    case .completed(let invocation, let outcome) where invocation.address.calls.isEmpty:
      state.withLock { state in
        state.calls[invocation.address]?.outcome = outcome
        // Later moments are left out, and so are their calls.
        if state.timeline.isCut { return }
        state.completed.append((state.timeline.moments.count, invocation.address))
      }
    default: return
    }
  }

  /// The addresses of the steps' calls that came to their ends before a moment, in order, once for
  /// each.
  package func calls(before number: Int) -> [Address] {
    state.withLock { state in
      state.completed.prefix { $0.moment <= number }.map(\.address)
    }
  }
}
