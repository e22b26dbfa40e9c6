internal import FlowCore

// The run's waits: for the end of a step's time, and of a period.

extension Run {
  private enum Race<Value: Sendable>: Sendable {
    case ended(Value)
    case late
    case stopped
  }

  /// Returns the result of work, and true if its time was over before it ended.
  ///
  /// When its time is over, the work is cancelled and awaited.
  func outcome<Value: Sendable>(
    within limit: Duration, at address: Address, _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, isLate: Bool) {
    await withTaskGroup(of: Race<Value>.self) { group in
      group.addTask { .ended(await work()) }
      group.addTask { await self.isOver(limit, at: address) ? .late : .stopped }
      if let time = parts.timeOutside() {
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

  /// Waits for the end of a step's time.
  ///
  /// Returns false if it was cancelled before.
  private func isOver(_ limit: Duration, at step: Address) async -> Bool {
    do {
      try await parts.clock.sleep(for: limit)
      while let wait = pacing?.beforeTimeout(step) {
        await wait()
        try await parts.clock.sleep(for: limit)
      }
      return true
    } catch {
      return false
    }
  }

  /// Waits for some time, or the remaining part of it.
  func sleep(
    for whole: Duration, _ timer: RunTimer, at address: Address
  ) async throws(StepFailure) {
    guard whole > .zero else { return }
    // In virtual time waiting costs nothing.
    let timers = parts.virtualTime == nil ? pacing?.timers : nil
    let left = timers?.begin(timer, at: address, for: whole) ?? whole
    guard left > .zero else { return }
    do { try await parts.clock.sleep(for: left) } catch {
      timers?.cancel(timer, at: address)
      throw .cancelled
    }
  }
}
