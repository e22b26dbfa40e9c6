internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// One step as written.
final class Step {
  let node: Node
  let id: Node?
  /// Its part of a path when it has no id.
  let word: String
  let name: Node?
  let condition: Node?
  let timeout: Node?
  let retry: Node?
  let continuesOnError: Node?
  let failsFast: Node?
  let comparison: Node?
  /// The steps of `finally`, often none.
  let finally: [Node]
  let action: any WrittenAction
  /// The unknown keys of the step.
  let unknown: [Node.Entry]

  init?(reading node: Node, _ diagnostics: DiagnosticCollector) {
    guard
      let reader = MappingReader(node, owner: "a step", keys: StepKind.keys, diagnostics),
      let kind = StepKind.kind(of: reader), let action = kind.read(reader)
    else { return nil }
    self.node = node
    self.action = action
    word = action.word ?? kind.key
    unknown = reader.unknown
    name = reader.textNode("name")
    condition = reader["if"]
    timeout = reader["timeout"]
    retry = reader["retry"]
    continuesOnError = reader["continue-on-error"]
    failsFast = reader["fail-fast"]
    comparison = reader["compare"]
    reader.demandContent("finally")
    finally = reader.items("finally")
    id = reader.textNode("id")
    if let id { _ = Name.check(id, owner: "a step", reserved: StepKind.reservedIDs, diagnostics) }
  }
}

extension MappingReader {
  var body: [Node]? {
    guard required("do") != nil else { return nil }
    demandContent("do")
    return items("do")
  }
}

extension Node {
  var nestedSteps: [NestedSteps] {
    let finally = nestedSteps("finally").map { [$0] } ?? []
    // As in nearly all steps: whatever kind it is of, nothing is inside.
    if self["do"] == nil, self["parallel"] == nil { return finally }
    return (StepKind.kind(of: self)?.nested(self) ?? []) + finally
  }

  func nestedSteps(_ key: String) -> NestedSteps? {
    self[key].map { NestedSteps(steps: Array($0.items)) }
  }

  var isInTranscripts: Bool { StepKind.kind(of: self)?.isInTranscripts ?? true }
}

/// The options of a step with expressions, compiled before the step's action.
struct ComputedOptions {
  let name: Template?
  let timeout: OptionValue<Duration>?
  let attempts: OptionValue<Int>?
  let backoff: OptionValue<Duration>?
}

/// A reader of the options of steps.
struct OptionReader {
  let diagnostics: DiagnosticCollector
  /// The compiler of their expressions.
  let templates: TemplateCompiler

  /// The options of a step, or nil for a plain one.
  func options(
    of step: Step, _ computed: ComputedOptions, condition: PlannedExpression?,
    _ action: PlannedAction, finally: [PlannedStep]
  ) -> StepOptions? {
    StepOptions(
      name: step.name?.text, nameText: computed.name, condition: condition,
      timeout: computed.timeout,
      retry: step.retry.flatMap { retry($0, computed, action) },
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

  static let attempts = 1...1_000_000
  static let factors = 1.0...1_000
  static let jitters = 0.0...1

  private func retry(
    _ node: Node, _ computed: ComputedOptions, _ action: PlannedAction
  ) -> PlannedRetry? {
    guard let reader = MappingReader(node, owner: "'retry'", keys: KeySet.retry.names, diagnostics)
    else { return nil }
    _ = reader.required("attempts")
    let codes = reader.items("on")
    if let call = action.call {
      for code in codes { _ = errorCode(code, owner: "an error code", of: call.operation) }
    } else if reader["on"] != nil {
      diagnostics.add(.codesOfBlock, at: reader.place(of: "on"))
    }
    let policy = RetryPolicy(
      attempts: computed.attempts?.constant ?? 1, backoff: computed.backoff?.constant ?? .zero,
      factor: reader["factor"].flatMap { number($0, "'factor'", Self.factors) } ?? 1,
      maximum: reader["max"].flatMap { duration($0, "'max'") },
      jitter: reader["jitter"].flatMap { number($0, "'jitter'", Self.jitters) } ?? 0,
      codes: codes.map(\.text))
    return PlannedRetry(
      attempts: computed.attempts ?? .written(1), backoff: computed.backoff ?? .written(.zero),
      policy: policy)
  }

  // MARK: - Values that may be computed

  /// Reads the options with expressions, which see what the step's `if` sees.
  func computed(of step: Step, name: Template?) -> ComputedOptions {
    ComputedOptions(
      name: name, timeout: step.timeout.flatMap { anyDuration($0, "'timeout'") },
      attempts: step.retry?["attempts"].flatMap { anyWhole($0, "'attempts'", Self.attempts) },
      backoff: step.retry?["backoff"].flatMap { anyDuration($0, "'backoff'") })
  }

  func anyDuration(_ node: Node, _ owner: String) -> OptionValue<Duration>? {
    guard Self.hasExpression(node) else { return duration(node, owner).map { .written($0) } }
    let bounds = OptionBounds(owner: owner, range: nil)
    return computed(node, .duration, bounds) {
      if case .duration(let time) = $0 { time } else { nil }
    }
  }

  func anyWhole(_ node: Node, _ owner: String, _ range: ClosedRange<Int>) -> OptionValue<Int>? {
    guard Self.hasExpression(node) else { return whole(node, owner, range).map { .written($0) } }
    let bounds = OptionBounds(owner: owner, range: range)
    return computed(node, .int, bounds) { if case .int(let number) = $0 { number } else { nil } }
  }

  private static func hasExpression(_ node: Node) -> Bool {
    node.kind == .scalar && Interpolation.contains(node.text)
  }

  /// Compiles an expression, and checks its value if it is a constant.
  private func computed<Value>(
    _ node: Node, _ type: ValueType, _ bounds: OptionBounds,
    _ read: (FlowCore.Value) -> Value?
  ) -> OptionValue<Value>? {
    guard let expression = templates.expression(node, type, owner: bounds.owner) else { return nil }
    guard let constant = expression.expression.constant else {
      return .computed(expression, bounds)
    }
    if let problem = bounds.problem(of: constant) {
      return diagnostics.reject(.outOfBounds(problem), at: node.span)
    }
    return read(constant).map { .written($0) }
  }

  func errorCode(_ node: Node, owner: String, of operation: OperationReference) -> String? {
    guard node.isText(owner: owner, diagnostics) else { return nil }
    let known = operation.description.errors.map(\.name)
    if known.contains(node.text) { return node.text }
    return diagnostics.reject(
      .unknownErrorCode(node.text, operation: operation.name, known: known), at: node.span)
  }

  // MARK: - Values that are written down

  private func duration(_ node: Node, _ owner: String) -> Duration? {
    guard case .duration(let duration)? = Value(node, as: .duration) else {
      return diagnostics.reject(
        .literalType(
          owner: owner, expected: .duration, actual: node.kindPhrase,
          near: ValueType.durations(near: node.text), notes: ValueType.duration.notes(on: node)),
        at: node.span)
    }
    if duration < .zero { diagnostics.add(.negative(node.text, owner: owner), at: node.span) }
    return duration
  }

  func whole(_ node: Node, _ owner: String, _ range: ClosedRange<Int>) -> Int? {
    if case .int(let number)? = node.scalar, range.contains(Int(number)) { return Int(number) }
    return diagnostics.reject(.number(node.kindPhrase, owner: owner, range: range), at: node.span)
  }

  private func number(_ node: Node, _ owner: String, _ range: ClosedRange<Double>) -> Double? {
    if case .double(let number)? = Value(node, as: .double), range.contains(number) {
      return number
    }
    diagnostics.add(
      node, is: owner, not: "a number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  func flag(_ node: Node, _ owner: String) -> Bool {
    if case .bool(let value)? = node.scalar { return value }
    diagnostics.add(
      .literalType(owner: owner, expected: .bool, actual: node.kindPhrase), at: node.span)
    return false
  }
}
