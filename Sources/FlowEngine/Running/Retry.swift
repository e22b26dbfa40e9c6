internal import FlowCore
internal import FlowExpression
internal import FlowPlan

// `retry` on blocks, and the options of steps that may be expressions.

extension Execution {
  /// Performs a step, and a block again after a failure when it says so.
  ///
  /// Each attempt starts with the variables that the first one had, and counts as an iteration in
  /// the addresses inside. A call tries itself again.
  mutating func performWithRetry(
    _ step: PlannedStep, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard step.countsAttempts, let retry = try step.options?.retry.map(policy) else {
      return try await performWithTimeout(step, address)
    }
    let before = self
    var random = SeededGenerator(seed: run.session.seed, label: "\(address) retry")
    var number = 1
    while true {
      do throws(StepFailure) {
        return try await performWithTimeout(step, address.attempt(number))
      } catch {
        let inner = report.failures.dropFirst(before.report.failures.count)
        guard number < retry.attempts, goesOn(after: error, inner) else { throw error }
        note(error, inner, attempt: (number, retry.attempts), of: step, at: address)
        let (cause, failed) = (inner.first?.failure ?? error, inner.first?.address ?? address)
        self = before
        number += 1
        tell(attempt: (number, retry.attempts), at: address, after: cause, of: failed)
        let chance = Double.random(in: 0..<1, using: &random)
        let delay = retry.delay(before: number, chance: chance)
        try await run.sleep(for: delay, .retry(before: number), at: address)
      }
    }
  }

  /// Returns true if something may run after a failure, given the failures inside of it.
  ///
  /// Nothing goes on after a cancellation, or after a failure of the run itself.
  func goesOn(
    after failure: StepFailure, _ inner: ArraySlice<RunReport.Failure>
  ) -> Bool {
    if case .cancelled = failure { return false }
    return !Task.isCancelled && !failure.isBoundary && !inner.contains(where: \.failure.isBoundary)
  }

  /// Notes the failures of an attempt before another one.
  private func note(
    _ failure: StepFailure, _ inner: ArraySlice<RunReport.Failure>,
    attempt: (number: Int, limit: Int), of step: PlannedStep, at address: Address
  ) {
    for var failed in inner {
      failed.attempt = attempt
      run.retried.add(failed)
    }
    if case .inner = failure { return }
    run.retried.add(retried(failure, attempt: attempt, of: step, at: address))
  }
}

extension Execution {
  /// Returns the policy of a step that starts.
  func policy(_ retry: PlannedRetry) throws(StepFailure) -> RetryPolicy {
    var policy = retry.policy
    policy.attempts = try evaluate(retry.attempts)
    policy.backoff = try evaluate(retry.backoff)
    return policy
  }

  /// Returns a duration of an option.
  func evaluate(_ option: OptionValue<Duration>) throws(StepFailure) -> Duration {
    switch option {
    case .written(let duration): return duration
    case .computed(let expression, let bounds):
      guard case .duration(let duration) = try evaluate(expression, within: bounds) else {
        return .zero
      }
      return duration
    }
  }

  /// Returns a whole number of an option.
  func evaluate(_ option: OptionValue<Int>) throws(StepFailure) -> Int {
    switch option {
    case .written(let number): return number
    case .computed(let expression, let bounds):
      guard case .int(let number) = try evaluate(expression, within: bounds) else { return 1 }
      return number
    }
  }

  private func evaluate(
    _ expression: PlannedExpression, within bounds: OptionBounds
  ) throws(StepFailure) -> Value {
    let value = try evaluate(expression)
    guard let problem = bounds.problem(of: value) else { return value }
    throw .evaluation(EvaluationFailure(message: problem, place: expression.place))
  }
}

extension Address {
  /// The address of an attempt, from 1, as that of an iteration.
  fileprivate func attempt(_ number: Int) -> Address {
    Address(path: path, iterations: iterations + [number])
  }
}
