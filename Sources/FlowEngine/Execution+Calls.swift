import FlowCore
import FlowExpression
import FlowScenario

extension Execution {
  /// Calls an operation, again after a failure when the step says so.
  func perform(
    _ call: PlannedCall, _ address: Address, _ options: StepOptions?
  ) async throws(StepFailure) -> Value {
    guard let retry = options?.retry else { return try await attempt(call, address, options) }
    var random = SeededGenerator(seed: runner.seed, label: "\(address) retry")
    var number = 1
    while true {
      do throws(StepFailure) {
        return try await attempt(call, address, options)
      } catch {
        number += 1
        guard number <= retry.attempts, error.isRetried(by: retry) else { throw error }
        let chance = Double.random(in: 0..<1, using: &random)
        try await sleep(for: retry.delay(before: number, chance: chance))
      }
    }
  }

  /// One attempt, within the step's time.
  private func attempt(
    _ call: PlannedCall, _ address: Address, _ options: StepOptions?
  ) async throws(StepFailure) -> Value {
    guard let limit = options?.timeout else { return try await perform(call, address) }
    return try await within(limit, at: address) { () async throws(StepFailure) in
      try await perform(call, address)
    }
  }

  /// Calls an operation and compares its answer with the expectation.
  private func perform(
    _ call: PlannedCall, _ address: Address
  ) async throws(StepFailure) -> Value {
    let invocation = Invocation(
      address: address, target: .operation(call.operation), input: try evaluate(call.input),
      scope: caller?.address, order: order)
    let outcome = try await self.call(invocation)
    switch (call.expectation, outcome) {
    case (nil, .answer(let answer)): return answer
    case (.output(let matcher)?, .answer(let answer)):
      try compare(answer, with: matcher, call)
      return answer
    case (.error(let code)?, .error(let error)) where error.code.name == code:
      return .null
    case (.error(let code)?, .error(let error)):
      throw .otherError(expected: code, error, at: call.place)
    case (.error(let code)?, .answer(let answer)):
      throw .noError(expected: code, answer: answer, at: call.place)
    case (_, .error(let error)): throw .componentError(error, at: call.place)
    case (_, .cancelled): throw .cancelled
    }
  }

  /// Waits until a component reports something.
  func wait(
    for event: PlannedAwait, _ address: Address
  ) async throws(StepFailure) -> Value {
    let activation = activation
    let awaited = AwaitedEvent(reference: event.event) { payload throws(EvaluationFailure) in
      guard let condition = event.condition else { return true }
      var inner = activation
      inner.levels.append([payload])
      return try condition.evaluate(inner) == .bool(true)
    }
    let invocation = Invocation(
      address: address, target: .event(awaited), input: .record(RecordValue(.empty, [])),
      scope: caller?.address, order: order)
    guard case .answer(let payload) = try await call(invocation) else { throw .cancelled }
    return payload
  }

  /// Crosses the boundary and tells the sinks, before and after.
  func call(_ invocation: Invocation) async throws(StepFailure) -> Outcome {
    if invocation.inputType.hasSecrets {
      try learn(invocation.input, of: invocation.componentName)
    }
    runner.sinks.receive(.invoked(invocation))
    do {
      var outcome = try await runner.caller.call(invocation).bounded
      if invocation.outputType.hasSecrets { outcome = learning(outcome, of: invocation) }
      runner.sinks.receive(.completed(invocation, outcome))
      return outcome
    } catch let failure as BoundaryFailure {
      throw .boundary(failure)
    } catch {
      runner.sinks.receive(.completed(invocation, .cancelled))
      if let failure = error as? EvaluationFailure { throw .evaluation(failure) }
      throw .cancelled
    }
  }

  /// Hides the secrets of an input from now on.
  func learn(_ input: Value, of component: String? = nil) throws(StepFailure) {
    do { try runner.sinks.redactor.learn(input, of: component) } catch {
      throw .evaluation(EvaluationFailure(message: "\(error)", place: nil))
    }
  }

  /// Hides the secrets of an answer from now on; one that cannot be hidden is a fault of the component.
  private func learning(_ outcome: Outcome, of invocation: Invocation) -> Outcome {
    guard case .answer(let answer) = outcome else { return outcome }
    do { try runner.sinks.redactor.learn(answer, of: invocation.componentName) } catch {
      return .error(ComponentError(.unexpected, "\(error)"))
    }
    return outcome
  }

  private func compare(
    _ answer: Value, with matcher: Matcher, _ call: PlannedCall
  ) throws(StepFailure) {
    let mismatches: [Mismatch]
    do {
      mismatches = try matcher.mismatches(answer, activation)
    } catch {
      throw .evaluation(error)
    }
    if !mismatches.isEmpty { throw .unexpectedAnswer(mismatches, at: call.place) }
  }

  /// Demands that all assertions are true; every one that is not is reported.
  func check(_ assertions: [PlannedExpression]) throws(StepFailure) {
    var failed: [FailedAssertion] = []
    for assertion in assertions {
      var problem: String?
      do throws(EvaluationFailure) {
        if try assertion.evaluate(activation) == .bool(true) { continue }
      } catch {
        problem = error.message
      }
      failed.append(
        FailedAssertion(
          text: assertion.expression.text, place: assertion.place,
          operands: assertion.operands(activation), problem: problem))
    }
    if !failed.isEmpty { throw .assertions(failed) }
  }

  func evaluate(_ template: Template) throws(StepFailure) -> Value {
    do { return try template.evaluate(activation) } catch { throw .evaluation(error) }
  }

  func evaluate(_ expression: PlannedExpression) throws(StepFailure) -> Value {
    do { return try expression.evaluate(activation) } catch { throw .evaluation(error) }
  }
}

extension Outcome {
  /// The outcome, or an error where the answer is too large to be kept.
  fileprivate var bounded: Outcome {
    guard case .answer(let value) = self, let excess = value.excess() else { return self }
    return .error(ComponentError(.unexpected, "the answer \(excess.message)"))
  }
}

extension Value.Excess {
  /// `is nested deeper than 100 levels`.
  var message: String {
    switch self {
    case .depth(let limit): "is nested deeper than \(limit) levels"
    case .count(let limit): "holds more than \(limit) values"
    }
  }
}
