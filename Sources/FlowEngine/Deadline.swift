package import FlowCore
package import FlowScenario

// The time of steps: timeouts, and what goes on after a failure.

extension Execution {
  /// Performs a step within its time; a call has the time for each of its attempts.
  mutating func performInTime(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let limit = step.options?.timeout else { return try await perform(step, address) }
    if case .call = step.action { return try await perform(step, address) }
    // The step works on a copy, which takes this one's place when the step has ended in time.
    let before = self
    let left = run.begin(.timeout, at: address, for: limit)
    let (work, isLate) = await race(limit, left, at: address) {
      var copy = before
      do throws(StepFailure) {
        let value = try await copy.perform(step, address)
        return (copy, Result<Value, StepFailure>.success(value))
      } catch {
        return (copy, Result<Value, StepFailure>.failure(error))
      }
    }
    let failures = report.failures
    self = work.0
    run.end(.timeout, at: address, isOver: isLate)
    guard isLate else { return try work.1.get() }
    // What it did was done; that it was cancelled is no failure of its own.
    let boundaries = report.failures.dropFirst(failures.count).filter(\.failure.isBoundary)
    report.failures = failures + boundaries
    throw .timeout(limit)
  }

  /// The result of work that is cancelled, and awaited, when its time is over.
  func within<Value: Sendable>(
    _ limit: Duration, at address: Address,
    _ work: @escaping @Sendable () async throws(StepFailure) -> Value
  ) async throws(StepFailure) -> Value {
    let (result, isLate) = await race(limit, .whole, at: address) {
      do throws(StepFailure) { return Result<Value, StepFailure>.success(try await work()) } catch {
        return Result<Value, StepFailure>.failure(error)
      }
    }
    if isLate { throw .timeout(limit) }
    return try result.get()
  }

  private enum Race<Value: Sendable>: Sendable {
    case ended(Value)
    case late
    case stopped
  }

  /// What work gives, and whether its time was over before it ended.
  private func race<Value: Sendable>(
    _ limit: Duration, _ left: TimeLeft, at address: Address,
    _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, isLate: Bool) {
    await withTaskGroup(of: Race<Value>.self) { [run] group in
      group.addTask { .ended(await work()) }
      group.addTask { await run.isOver(limit, left, at: address) ? .late : .stopped }
      var isLate = left == .none
      while let first = await group.next() {
        if case .late = first { isLate = true }
        if case .stopped = first { continue }
        group.cancelAll()
        if case .ended(let value) = first { return (value, isLate) }
      }
      preconditionFailure("the work ended without a value")
    }
  }
}

extension Run {
  /// Waits for the end of a step's time; false when it was cancelled before.
  fileprivate func isOver(_ limit: Duration, _ left: TimeLeft, at step: Address) async -> Bool {
    do {
      if let left = left.duration {
        if left > .zero { try await session.clock.sleep(for: left) }
        // What the step had done when it was interrupted, it does again.
        await pacing?.timers?.catchUp(inside: step)
        return !Task.isCancelled
      }
      try await session.clock.sleep(for: limit)
      while let wait = pacing?.beforeTimeout(step) {
        await wait()
        try await session.clock.sleep(for: limit)
      }
      return true
    } catch {
      return false
    }
  }
}

/// What a run waits for by the clock at the address of a step.
package enum RunTimer: Hashable, Sendable {
  /// The time that a `wait` lasts.
  case wait
  /// The end of a step's `timeout`, but for that of a call: one that is made again has its whole time.
  case timeout
  /// The pause before an attempt, of this number from 2.
  case retry(before: Int)
}

/// How much of a timer's time is left when it begins.
package enum TimeLeft: Hashable, Sendable {
  /// All of it: it begins for the first time.
  case whole
  /// As much as this, zero or more: it began before the run was interrupted.
  case some(Duration)
  /// Nothing, and what it limits was stopped by that.
  case none

  /// How long there is to wait; nil for the whole time.
  fileprivate var duration: Duration? {
    switch self {
    case .whole: nil
    case .some(let duration): duration
    case .none: .zero
    }
  }
}

/// Keeps what a run waits for by the clock, so that it waits only for what is left when it is resumed.
package protocol Timers: Sendable {
  /// Takes note that a timer begins, and says how much of its time is left.
  func begin(_ timer: RunTimer, at address: Address, for whole: Duration) -> TimeLeft
  /// Takes note that a timer does not matter any more, and whether its time was over.
  func end(_ timer: RunTimer, at address: Address, isOver: Bool)
  /// Waits until everything has been done again that a step had done before the run was interrupted.
  func catchUp(inside step: Address) async
}

extension Run {
  /// How much of a timer's time is left; all of it in virtual time, where waiting costs nothing.
  func begin(_ timer: RunTimer, at address: Address, for whole: Duration) -> TimeLeft {
    guard session.virtualTime == nil, let timers = pacing?.timers else { return .whole }
    return timers.begin(timer, at: address, for: whole)
  }

  func end(_ timer: RunTimer, at address: Address, isOver: Bool) {
    guard session.virtualTime == nil else { return }
    pacing?.timers?.end(timer, at: address, isOver: isOver)
  }

  /// Lets time pass, or what is left of it.
  func sleep(
    for whole: Duration, _ timer: RunTimer, at address: Address
  ) async throws(StepFailure) {
    guard whole > .zero else { return }
    let left = begin(timer, at: address, for: whole).duration ?? whole
    guard left > .zero else { return }
    do { try await session.clock.sleep(for: left) } catch {
      end(timer, at: address, isOver: false)
      throw .cancelled
    }
  }
}

extension StepFailure {
  /// Whether the scenario goes on after this failure; nothing goes on after a cancellation.
  package func isContinued(by options: StepOptions?) -> Bool {
    if case .cancelled = self { return false }
    return !isBoundary && options?.continuesOnError ?? false
  }

  /// Whether it is one of the run and not of the scenario, such as a departure from a transcript: no step may
  /// go on after that.
  package var isBoundary: Bool {
    if case .boundary = self { return true }
    return false
  }
}
