package import FlowCore
package import FlowScenario

// The time of steps: timeouts, and what goes on after a failure.

extension Execution {
  /// Performs a step within its time; a call has the time for each of its attempts.
  mutating func performWithTimeout(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let limit = step.options?.timeout else {
      return try await performAction(of: step, address)
    }
    if case .call = step.action { return try await performAction(of: step, address) }
    // The step works on a copy, which takes this one's place when the step has ended in time.
    let before = self
    let (work, isLate) = await outcome(within: limit, at: address) {
      var copy = before
      do throws(StepFailure) {
        let value = try await copy.performAction(of: step, address)
        return (copy, Result<Value, StepFailure>.success(value))
      } catch {
        return (copy, Result<Value, StepFailure>.failure(error))
      }
    }
    let failures = report.failures
    self = work.0
    guard isLate else { return try work.1.get() }
    // What it did was done; that it was cancelled is no failure of its own.
    let boundaries = report.failures.dropFirst(failures.count).filter(\.failure.isBoundary)
    report.failures = failures + boundaries
    throw .timeout(limit)
  }

  /// The result of work that is cancelled, and awaited, when its time is over.
  func withTimeout<Value: Sendable>(
    _ limit: Duration, at address: Address,
    _ work: @escaping @Sendable () async throws(StepFailure) -> Value
  ) async throws(StepFailure) -> Value {
    let (result, isLate) = await outcome(within: limit, at: address) {
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
  private func outcome<Value: Sendable>(
    within limit: Duration, at address: Address, _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, isLate: Bool) {
    await withTaskGroup(of: Race<Value>.self) { [run] group in
      group.addTask { .ended(await work()) }
      group.addTask { await run.isOver(limit, at: address) ? .late : .stopped }
      if let time = run.session.timeOutside {
        group.addTask { await time.isHeld(for: limit) ? .late : .stopped }
      }
      var isLate = false
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
  fileprivate func isOver(_ limit: Duration, at step: Address) async -> Bool {
    do {
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
  /// The pause before an attempt, of this number from 2.
  case retry(before: Int)
}

/// Keeps what a run waits for by the clock, so that it waits only for what is left when it is resumed.
package protocol Timers: Sendable {
  /// Takes note that a timer begins, and says how much of its time is left: zero or more, at most the whole.
  func begin(_ timer: RunTimer, at address: Address, for whole: Duration) -> Duration
  /// Takes note that a timer was cancelled before its time was over.
  func cancel(_ timer: RunTimer, at address: Address)
}

extension Run {
  /// Lets time pass, or what is left of it.
  func sleep(
    for whole: Duration, _ timer: RunTimer, at address: Address
  ) async throws(StepFailure) {
    guard whole > .zero else { return }
    // In virtual time waiting costs nothing.
    let timers = session.virtualTime == nil ? pacing?.timers : nil
    let left = timers?.begin(timer, at: address, for: whole) ?? whole
    guard left > .zero else { return }
    do { try await session.clock.sleep(for: left) } catch {
      timers?.cancel(timer, at: address)
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
