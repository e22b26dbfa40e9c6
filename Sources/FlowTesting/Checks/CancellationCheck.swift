internal import FlowCore
internal import FlowEngine
internal import FlowPlan
private import Synchronization

extension CheckRun {
  /// The operations that do not end when they are cancelled.
  ///
  /// The first call of each is cancelled in the middle of its duration, or at its start if it takes
  /// no time. A run that has nothing left to do and does not end within the patience is abandoned.
  func cancellationProblems(within patience: Duration) async -> [Diagnostic] {
    let live = live
    let durations = CallDurations(live.virtualTime)
    let record = await record([durations], in: live)
    var known: Set<String> = []
    var problems: [Diagnostic] = []
    for call in record.calls where known.insert(call.name).inserted {
      let moment = durations.duration(of: call.address) / 2
      guard let fault = await fault(of: call, cancelledAfter: moment, patience) else { continue }
      problems.append(fault.diagnostic(at: record.span(of: call.address, in: plan.file)))
    }
    return problems
  }

  private func fault(
    of call: ComponentCall, cancelledAfter moment: Duration, _ patience: Duration
  ) async -> CheckFault? {
    let live = live
    let canceller = Canceller(of: call.address, after: moment, live.virtualTime)
    let inputs = inputs
    await prepare()
    let (starts, start) = AsyncStream<Void>.makeStream()
    let run = Task(executorPreference: live.virtualTime) {
      // Only when there is a task to cancel.
      for await _ in starts { break }
      _ = await live.run(inputs: inputs, [canceller])
    }
    canceller.prepare { run.cancel() }
    start.yield()
    guard await run.hasEnded(within: patience, in: live.virtualTime) else {
      return .neverEnds(call)
    }
    guard let end = canceller.end else { return nil }
    // In real time a busy machine may take a while for the end.
    if end.delay > (end.isInRealTime ? patience : .zero) { return .goesOn(call, for: end.delay) }
    switch end.answer {
    case .error(let error) where error.code == .unexpected || moment > .zero:
      return .otherCancellation(call, error)
    // A call that takes no time may have ended before the cancellation.
    case .output where moment > .zero: return .answersAnyway(call)
    case .error, .output, .cancelled: return nil
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Returns true if the task ends within its share of real time.
  ///
  /// Otherwise the task is abandoned.
  ///
  /// A group waits for its children, so these tasks have no group.
  fileprivate func hasEnded(within limit: Duration, in time: VirtualTime?) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    Task<Void, Never>(executorPreference: time) {
      await value
      answer.yield(true)
    }
    let watch = Task<Void, Never>(executorPreference: time) {
      // A cancellation means that the answer exists already.
      try? await time?.idle(for: limit)
      answer.yield(false)
    }
    defer { watch.cancel() }
    for await hasEnded in answers { return hasEnded }
    return false
  }
}

extension VirtualTime {
  /// Suspends until nothing was left to do here for a span of real time.
  ///
  /// The span has several parts, and each starts when all work is done. A slow or busy machine does
  /// not use it up.
  fileprivate func idle(for span: Duration) async throws {
    for _ in 0..<10 {
      try await clock.untilIdle()
      try await ContinuousClock().sleep(for: span / 10)
    }
  }
}

/// Cancels a run in the middle of its first call at an address, and sees how the call ends.
private final class Canceller: EventSink {
  struct End: Sendable {
    /// The run's time between the cancellation and the end.
    let delay: Duration
    /// True if the run's time followed real time at the cancellation or the end, because a program
    /// went on.
    let isInRealTime: Bool
    let answer: ComponentCall.Answer
  }

  private struct State {
    var cancel: (@Sendable () -> Void)?
    var hasBegun = false
    var cancelled: Duration?
    var isInRealTime = false
    var end: End?
  }

  private let address: Address
  private let moment: Duration
  private let time: VirtualTime?
  private let state = Mutex(State())

  init(of address: Address, after moment: Duration, _ time: VirtualTime?) {
    self.address = address
    self.moment = moment
    self.time = time
  }

  /// The end of the cancelled call, or nil before it, and if it was never cancelled.
  var end: End? { state.withLock { $0.end } }
  /// Sets the closure that cancels the run.
  ///
  /// Called before the run starts.
  func prepare(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation) where invocation.address == address: schedule()
    case .completed(let invocation, let outcome) where invocation.address == address:
      let (now, isInRealTime) = (now, isInRealTime)
      state.withLock { state in
        guard let cancelled = state.cancelled, state.end == nil else { return }
        state.end = End(
          delay: now - cancelled, isInRealTime: state.isInRealTime || isInRealTime,
          answer: ComponentCall.Answer(outcome))
      }
    default: return
    }
  }

  private var now: Duration { time?.clock.now.offset ?? .zero }
  private var isInRealTime: Bool { time?.followsRealTime ?? false }

  private func schedule() {
    // A repeated call has the same address.
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    guard moment > .zero, let time else { return cancel() }
    let moment = moment
    Task(executorPreference: time) {
      // Nobody cancels this task.
      try? await time.clock.sleep(for: moment)
      self.cancel()
    }
  }

  private func cancel() {
    let (now, isInRealTime) = (now, isInRealTime)
    let cancel = state.withLock { state in
      (state.cancelled, state.isInRealTime) = (now, isInRealTime)
      return state.cancel
    }
    cancel?()
  }
}

/// Measures in the run's time how long each first call at an address takes.
private final class CallDurations: EventSink {
  private struct State {
    var begins: [Address: Duration] = [:]
    var durations: [Address: Duration] = [:]
  }

  private let time: VirtualTime?
  private let state = Mutex(State())

  init(_ time: VirtualTime?) { self.time = time }

  /// The duration of the call, zero for one that was not made, has not ended, or ran while time
  /// followed real time.
  func duration(of address: Address) -> Duration {
    state.withLock { $0.durations[address] ?? .zero }
  }

  func receive(_ event: Event) {
    // While time follows real time, a duration says nothing about the next run.
    guard let time, !time.followsRealTime else { return }
    let now = time.clock.now.offset
    switch event {
    case .invoked(let invocation):
      state.withLock {
        if $0.begins[invocation.address] == nil { $0.begins[invocation.address] = now }
      }
    case .completed(let invocation, _):
      state.withLock { state in
        guard let begin = state.begins[invocation.address],
          state.durations[invocation.address] == nil
        else { return }
        state.durations[invocation.address] = now - begin
      }
    default: return
    }
  }
}
