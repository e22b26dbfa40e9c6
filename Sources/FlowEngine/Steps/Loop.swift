internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// `for` and `repeat`, one iteration after another.
///
/// A parallel `for` is in `Parallel.swift`.
extension PlannedLoop: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    guard case .each(let list) = kind else {
      return try await `repeat`(in: &execution, at: address)
    }
    guard case .list(let elements) = try execution.values.evaluate(list) else {
      let place = list.expressions.first?.place
      throw .evaluation(EvaluationFailure(message: "'in' is not a list", place: place))
    }
    let cases = try loopCases(over: elements, in: execution, at: address)
    if let concurrency {
      return try await iterate(
        over: elements, cases, atOnce: concurrency, in: &execution, at: address)
    }
    return try await iterate(over: elements, cases, in: &execution, at: address)
  }

  private func iterate(
    over elements: [Value], _ cases: [LoopCase], in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    var columns = [[Value]](repeating: [], count: outputs.count)
    let before = execution.report.failures.count
    var failure: StepFailure?
    for (index, element) in elements.enumerated() {
      do throws(StepFailure) {
        let loopCase = cases.isEmpty ? nil : cases[index]
        columns.addRow(
          try await iterate((index, element), loopCase, in: &execution, at: address))
      } catch {
        guard !failsFast, error.letsGoOn(execution.report.failures.dropFirst(before)) else {
          execution.skip(cases.dropFirst(index + 1))
          throw error
        }
        // No step reports the failure of an iteration's output.
        if failure?.isUnreported != true { failure = error }
      }
    }
    if let failure { throw failure }
    return answer(columns)
  }

  /// Runs the loop while its condition allows it.
  ///
  /// The limit counts iterations, not conditions.
  private func `repeat`(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    var columns = [[Value]](repeating: [], count: outputs.count)
    let limit = try limit.map(execution.values.evaluate) ?? .max
    var (index, names) = (0, CaseNames())
    while true {
      let place = address.iteration(index)
      execution.values.open(self, index)
      defer { execution.values.closeLevel() }
      await execution.noteLevel(place)
      if case .while(let condition, _) = kind {
        let condition = LoopCondition(condition, limit, in: execution.values, address, place)
        guard try condition.holds(.while) else { return answer(columns) }
        if index == limit { throw condition.exhausted(isUntil: false) }
        condition.tell(iteration: index + 1)
      }
      let loopCase = try nextCase(index, &names, in: execution, at: address)
      columns.addRow(try await body(loopCase, in: &execution, at: place))
      if case .until(let condition, _) = kind {
        let condition = LoopCondition(condition, limit, in: execution.values, address, place)
        if try condition.holds(.until) { return answer(columns) }
        if index + 1 == limit { throw condition.exhausted(isUntil: true) }
        condition.tell(iteration: index + 2)
      }
      index += 1
    }
  }

  /// Runs the steps once with their own variables and returns the values of the loop's outputs.
  func iterate(
    _ item: (index: Int, element: Value), _ loopCase: LoopCase?, in execution: inout Execution,
    at address: Address
  ) async throws(StepFailure) -> [Value] {
    execution.values.open(self, item.index, item.element)
    defer { execution.values.closeLevel() }
    let place = address.iteration(item.index)
    await execution.noteLevel(place)
    if let watch = execution.run.parts.watch, let variable {
      watch(.entered(place, variable: variable, item.element))
      defer { watch(.left(place)) }
      return try await body(loopCase, in: &execution, at: place)
    }
    return try await body(loopCase, in: &execution, at: place)
  }

  /// Runs an iteration, which may be a case.
  private func body(
    _ loopCase: LoopCase?, in execution: inout Execution, at place: Address
  ) async throws(StepFailure) -> [Value] {
    guard let loopCase else { return try await runSteps(in: &execution, at: place) }
    let elapsed = execution.run.parts.elapsed
    let (start, before) = (elapsed(), execution.report.failures.count)
    let outer = execution.enter(loopCase)
    do throws(StepFailure) {
      let values = try await runSteps(in: &execution, at: place)
      execution.leave(loopCase, to: outer, nil, after: before, elapsed() - start)
      return values
    } catch {
      execution.leave(loopCase, to: outer, error, after: before, elapsed() - start)
      throw error
    }
  }

  private func runSteps(
    in execution: inout Execution, at place: Address
  ) async throws(StepFailure) -> [Value] {
    guard await execution.block(steps, place.iterations) else { throw .inner }
    var outcomes: [Value] = []
    for (index, output) in outputs.enumerated() {
      // No copy of the values may live on here, or each note copies all assignments.
      outcomes.append(
        try execution.values.explaining(at: place) { () throws(StepFailure) in
          try execution.values.evaluate(output, at: place)
        })
      execution.values.note(output, index, at: place)
    }
    return outcomes
  }

  /// The answer of the loop: for each output the values of all iterations.
  func answer(_ columns: [[Value]]) -> Value {
    .record(RecordValue(output, columns.map(Value.list)))
  }
}

/// The condition of a `repeat` in one iteration.
private struct LoopCondition {
  private let condition: PlannedExpression
  private let limit: Int
  private let values: ScenarioValues
  private let loop: Address
  /// The loop in the iteration.
  private let place: Address

  init(
    _ condition: PlannedExpression, _ limit: Int, in values: ScenarioValues, _ loop: Address,
    _ place: Address
  ) {
    self.condition = condition
    self.limit = limit
    self.values = values
    self.loop = loop
    self.place = place
  }

  func holds(_ use: ComputedValue.Use) throws(StepFailure) -> Bool {
    try values.explaining(at: place) { () throws(StepFailure) in
      try values.isTrue(condition, use, at: loop)
    }
  }

  /// The failure of a loop that reached its limit.
  func exhausted(isUntil: Bool, limit: Int? = nil) -> StepFailure {
    values.explained(
      .limit(
        limit ?? self.limit, isUntil: isUntil, operands: condition.operands(values.activation),
        at: condition.place),
      at: place)
  }

  /// Tells that the loop goes on.
  func tell(iteration number: Int) {
    values.run.tell(iteration: number, of: limit, in: loop, exhausted(isUntil: true, limit: 1))
  }
}

extension [[Value]] {
  /// Adds a row, an element to each column.
  fileprivate mutating func addRow(_ row: [Value]) {
    for (column, value) in row.enumerated() { self[column].append(value) }
  }
}
