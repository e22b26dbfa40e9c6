internal import FlowCore
package import FlowPlan

// The time limits of steps: timeouts, and continuing after a failure.

extension Execution {
  /// Performs a step within its time limit.
  ///
  /// A call has the time for each of its attempts.
  mutating func performWithTimeout(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let timeout = step.options?.timeout else {
      return try await performAction(of: step, address)
    }
    if case .call = step.action { return try await performAction(of: step, address) }
    let limit = try evaluate(timeout)
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
    // The finished work counts. Its cancellation is no failure.
    let boundaries = report.failures.dropFirst(failures.count).filter(\.failure.isBoundary)
    report.failures = failures + boundaries
    throw .timeout(limit)
  }

  /// The result of work.
  ///
  /// When its time is over, the work is cancelled and awaited.
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

  /// The result of work, and true if its time was over before it ended.
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
  /// Waits for the end of a step's time.
  ///
  /// Returns false if it was cancelled before.
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

extension Run {
  /// Waits for some time, or the remaining part of it.
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
  /// True if the scenario continues after this failure.
  ///
  /// Nothing continues after a cancellation.
  package func isContinued(by options: StepOptions?) -> Bool {
    if case .cancelled = self { return false }
    return !isBoundary && options?.continuesOnError ?? false
  }

  /// True for a failure of the run and not of the scenario, such as a difference from a transcript.
  ///
  /// No step may continue after it.
  package var isBoundary: Bool {
    if case .boundary = self { return true }
    return false
  }
}
