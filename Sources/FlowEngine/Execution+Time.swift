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
    let (after, result) = try await within(limit) { () async throws(StepFailure) in
      var copy = before
      do throws(StepFailure) {
        let value = try await copy.perform(step, address)
        return (copy, Result<Value, StepFailure>.success(value))
      } catch {
        return (copy, Result<Value, StepFailure>.failure(error))
      }
    }
    self = after
    return try result.get()
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

  private enum Race<Value: Sendable>: Sendable {
    case ended(Result<Value, StepFailure>)
    case late
  }

  /// The result of work that is cancelled, and awaited, when its time is over.
  func within<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws(StepFailure) -> Value
  ) async throws(StepFailure) -> Value {
    let clock = runner.clock
    let first = await withTaskGroup(of: Race<Value>?.self) { group in
      group.addTask {
        do throws(StepFailure) { return .ended(.success(try await work())) } catch {
          return .ended(.failure(error))
        }
      }
      group.addTask {
        do { try await clock.sleep(for: limit) } catch { return nil }
        return .late
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? nil
    }
    switch first {
    case .ended(let result)?: return try result.get()
    case .late?: throw .timeout(limit)
    case nil: throw .cancelled
    }
  }
}

extension StepFailure {
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
