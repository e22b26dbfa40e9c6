import FlowCore
import FlowExpression
import FlowScenario

extension Execution {
  /// Performs a step within its time; a call has the time for each of its attempts.
  mutating func performInTime(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard let limit = step.options?.timeout else { return try await perform(step, address) }
    if case .call = step.action { return try await perform(step, address) }
    // The step works on a copy, which takes this one's place when the step has ended in time.
    let before = self
    let (work, isLate) = await race(limit, at: address) {
      var copy = before
      do throws(StepFailure) {
        let value = try await copy.perform(step, address)
        return (copy, Result<Value, StepFailure>.success(value))
      } catch {
        return (copy, Result<Value, StepFailure>.failure(error))
      }
    }
    let failures = result.failures
    self = work.0
    guard isLate else { return try work.1.get() }
    // What it did was done; that it was cancelled is no failure of its own.
    let boundaries = result.failures.dropFirst(failures.count).filter(\.failure.isBoundary)
    result.failures = failures + boundaries
    throw .timeout(limit)
  }

  /// Lets time pass.
  func wait(_ template: Template) async throws(StepFailure) {
    guard case .duration(let duration) = try evaluate(template) else { return }
    try await sleep(for: duration)
  }

  func sleep(for duration: Duration) async throws(StepFailure) {
    guard duration > .zero else { return }
    do { try await runner.clock.sleep(for: duration) } catch { throw .cancelled }
  }

  /// The result of work that is cancelled, and awaited, when its time is over.
  func within<Value: Sendable>(
    _ limit: Duration, at address: Address,
    _ work: @escaping @Sendable () async throws(StepFailure) -> Value
  ) async throws(StepFailure) -> Value {
    let (result, isLate) = await race(limit, at: address) {
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
    _ limit: Duration, at address: Address, _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, isLate: Bool) {
    let (clock, caller) = (runner.clock, runner.caller)
    return await withTaskGroup(of: Race<Value>.self) { group in
      group.addTask { .ended(await work()) }
      group.addTask {
        do {
          try await clock.sleep(for: limit)
          while let delay = caller.delay(ofTimeoutAt: address) {
            await delay()
            try await clock.sleep(for: limit)
          }
          return .late
        } catch {
          return .stopped
        }
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

extension StepFailure {
  /// Whether the scenario goes on after this failure; nothing goes on after a cancellation.
  func isContinued(by options: StepOptions?) -> Bool {
    if case .cancelled = self { return false }
    return !isBoundary && options?.continuesOnError ?? false
  }

  /// Whether it is one of the run and not of the scenario, such as a departure from a transcript: no step may
  /// go on after that.
  var isBoundary: Bool {
    if case .boundary = self { return true }
    return false
  }

  /// Whether a policy tries again after this failure.
  func isRetried(by retry: RetryPolicy) -> Bool {
    switch self {
    case .cancelled, .boundary, .evaluation: false
    case .componentError(let error, _), .otherError(_, let error, _):
      retry.codes.isEmpty || retry.codes.contains(error.code.name)
    default: retry.codes.isEmpty
    }
  }
}
