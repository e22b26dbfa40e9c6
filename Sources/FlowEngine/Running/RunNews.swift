package import FlowCore
internal import FlowExpression
package import FlowPlan

/// News of a run for a person who watches it, which are no part of its result.
package enum RunNews: Sendable {
  /// A line of a running program, with secrets hidden.
  case line(Address, String)
  /// A step is tried again, with the reason why the attempt before failed, or nil.
  case attempt(Address, number: Int, limit: Int, reason: String?)
  /// A `repeat` goes on, with the values in its condition as far as they are known.
  case iteration(Address, number: Int, limit: Int?, [OperandText])
  /// An iteration starts, with the variable of its loop.
  case entered(Address, variable: String, Value)
  /// Such an iteration has ended.
  case left(Address)
}

extension Execution {
  /// Tells that a step is tried again after a failure, its own or that of a step in it.
  func tell(
    attempt: (number: Int, limit: Int), at address: Address, after failure: StepFailure,
    of failed: Address
  ) {
    guard let watch = run.session.watch else { return }
    let hidden = explained(failure, at: address).redacted(by: run.session.redactor)
    let problem = hidden.diagnostic(at: failed)
    watch(
      .attempt(
        address, number: attempt.number, limit: attempt.limit,
        reason: problem.map { $0.notes.first ?? $0.message }))
  }

  /// Tells that a loop starts an iteration of a number, since its condition says so.
  ///
  /// `index` is that of the iteration with the values of the condition.
  func tell(
    iteration number: Int, of limit: Int, _ condition: PlannedExpression, in loop: Address,
    _ index: Int
  ) {
    guard let watch = run.session.watch else { return }
    // The values of a fast loop are never seen.
    let operands = run.isDue() ? hidden(condition, at: iteration(index, of: loop)) : []
    watch(.iteration(loop, number: number, limit: limit == .max ? nil : limit, operands))
  }

  /// The parts of a condition without secrets.
  private func hidden(_ condition: PlannedExpression, at address: Address) -> [OperandText] {
    let failure = StepFailure.limit(
      1, isUntil: true, operands: condition.operands(activation), at: condition.place)
    guard
      case .limit(_, _, let operands, _) = explained(failure, at: address).redacted(
        by: run.session.redactor)
    else { return [] }
    return operands
  }
}
