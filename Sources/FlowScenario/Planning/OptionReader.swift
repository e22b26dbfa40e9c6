internal import FlowCore
internal import FlowYAML

/// Reads what steps have beside their action, which is written down and holds no expression.
struct OptionReader {
  let diagnostics: DiagnosticCollector

  /// What the step has beside its action; nil for a plain one.
  func options(
    of step: Step, _ condition: PlannedExpression?, _ action: PlannedAction,
    _ finally: [PlannedStep]
  ) -> StepOptions? {
    StepOptions(
      name: step.name, condition: condition,
      timeout: step.timeout.flatMap { duration($0, "'timeout'") },
      retry: step.retry.flatMap { retry($0, action) },
      continuesOnError: step.continuesOnError.map { flag($0, "'continue-on-error'") } ?? false,
      finally: finally, comparison: step.comparison.flatMap(comparison))
  }

  private func comparison(_ node: Node) -> OrderRule? {
    if node.isText(owner: "'compare'", diagnostics) {
      if let comparison = OrderRule(rawValue: node.text) { return comparison }
      let known = OrderRule.allCases.map(\.rawValue)
      diagnostics.add(.unknownComparison(node.text, among: known), at: node.span)
    }
    return nil
  }

  // MARK: - Retry

  private static let retryKeys = ["attempts", "backoff", "factor", "max", "jitter", "on"]

  private func retry(_ node: Node, _ action: PlannedAction) -> RetryPolicy? {
    guard let reader = MappingReader(node, owner: "'retry'", keys: Self.retryKeys, diagnostics),
      case .call(let call) = action
    else { return nil }
    let attempts = reader.required("attempts")
    let codes = reader.items("on")
    for code in codes { _ = errorCode(code, owner: "an error code", of: call.operation) }
    return RetryPolicy(
      attempts: attempts.flatMap { whole($0, "'attempts'", 1...1_000_000) } ?? 1,
      backoff: reader["backoff"].flatMap { duration($0, "'backoff'") } ?? .zero,
      factor: reader["factor"].flatMap { number($0, "'factor'", 1...1_000) } ?? 1,
      maximum: reader["max"].flatMap { duration($0, "'max'") },
      jitter: reader["jitter"].flatMap { number($0, "'jitter'", 0...1) } ?? 0,
      codes: codes.map(\.text))
  }

  /// The code of an error that an operation declares; nil after a problem.
  func errorCode(_ node: Node, owner: String, of operation: OperationReference) -> String? {
    guard node.isText(owner: owner, diagnostics) else { return nil }
    let known = operation.description.errors.map(\.name)
    if known.contains(node.text) { return node.text }
    diagnostics.add(
      .unknownErrorCode(node.text, operation: operation.name, known: known), at: node.span)
    return nil
  }

  // MARK: - Values that are written down

  /// A span of time of zero or more.
  private func duration(_ node: Node, _ owner: String) -> Duration? {
    guard case .duration(let duration)? = Value(node, as: .duration) else {
      diagnostics.add(
        .literalType(
          owner: owner, expected: .duration, actual: node.kindPhrase,
          near: ValueType.durations(near: node.text), notes: ValueType.duration.notes(on: node)),
        at: node.span)
      return nil
    }
    if duration < .zero { diagnostics.add(.negative(node.text, owner: owner), at: node.span) }
    return duration
  }

  /// A whole number of a range.
  func whole(_ node: Node, _ owner: String, _ range: ClosedRange<Int>) -> Int? {
    if case .int(let number)? = node.scalar, range.contains(Int(number)) { return Int(number) }
    diagnostics.add(.number(node.kindPhrase, owner: owner, range: range), at: node.span)
    return nil
  }

  private func number(_ node: Node, _ owner: String, _ range: ClosedRange<Double>) -> Double? {
    if case .double(let number)? = Value(node, as: .double), range.contains(number) {
      return number
    }
    diagnostics.add(
      .wrongKind(
        owner: owner, expected: "a number from \(range.lowerBound) to \(range.upperBound)",
        actual: node.kindPhrase), at: node.span)
    return nil
  }

  /// A truth value.
  func flag(_ node: Node, _ owner: String) -> Bool {
    if case .bool(let value)? = node.scalar { return value }
    diagnostics.add(
      .literalType(owner: owner, expected: .bool, actual: node.kindPhrase), at: node.span)
    return false
  }
}
