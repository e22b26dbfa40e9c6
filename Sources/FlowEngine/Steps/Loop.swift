import FlowCore
import FlowExpression
import FlowPlan

// `for` and `repeat`, one iteration after another. A parallel `for` is in `Parallel.swift`.

extension Execution {
  /// Runs a loop and returns a list for each of its outputs.
  mutating func runLoop(
    _ loop: PlannedLoop, _ address: Address
  ) async throws(StepFailure) -> Value {
    guard case .each(let list) = loop.kind else { return try await repeated(loop, address) }
    guard case .list(let elements) = try evaluate(list) else {
      let place = list.expressions.first?.place
      throw .evaluation(EvaluationFailure(message: "'in' is not a list", place: place))
    }
    let cases = try cases(of: loop, over: elements, at: address)
    if let concurrency = loop.concurrency {
      return try await iterateConcurrently(
        loop, over: elements, cases, atOnce: concurrency, at: address)
    }
    return try await iterate(loop, over: elements, cases, at: address)
  }

  private mutating func iterate(
    _ loop: PlannedLoop, over elements: [Value], _ cases: [LoopCase], at address: Address
  ) async throws(StepFailure) -> Value {
    var columns = [[Value]](repeating: [], count: loop.outputs.count)
    let before = report.failures.count
    var failure: StepFailure?
    for (index, element) in elements.enumerated() {
      do throws(StepFailure) {
        let loopCase = cases.isEmpty ? nil : cases[index]
        columns.addRow(
          try await iterate(loop, index: index, element: element, loopCase, at: address))
      } catch {
        guard !loop.failsFast, goesOn(after: error, report.failures.dropFirst(before)) else {
          skip(cases.dropFirst(index + 1))
          throw error
        }
        // No step reports the failure of an iteration's output.
        if failure?.isUnreported != true { failure = error }
      }
    }
    if let failure { throw failure }
    return loop.answer(columns)
  }

  /// Runs a loop while its condition allows it.
  ///
  /// The limit counts iterations, not conditions.
  private mutating func repeated(
    _ loop: PlannedLoop, _ address: Address
  ) async throws(StepFailure) -> Value {
    var columns = [[Value]](repeating: [], count: loop.outputs.count)
    let limit = try loop.limit.map(evaluate) ?? .max
    var (index, names) = (0, CaseNames())
    while true {
      enter(loop, index)
      defer { activation.levels.removeLast() }
      await noteLevel(iteration(index, of: address))
      if case .while(let condition, _) = loop.kind {
        let holds = try explaining(at: iteration(index, of: address)) { () throws(StepFailure) in
          try isTrue(condition, .while, at: address)
        }
        guard holds else { return loop.answer(columns) }
        if index == limit {
          throw exhausted(limit, isUntil: false, condition, at: iteration(index, of: address))
        }
        tell(iteration: index + 1, of: limit, condition, in: address, index)
      }
      let loopCase = try nextCase(of: loop, index, &names, at: address)
      columns.addRow(try await body(loop, index, loopCase, address))
      if case .until(let condition, _) = loop.kind {
        let holds = try explaining(at: iteration(index, of: address)) { () throws(StepFailure) in
          try isTrue(condition, .until, at: address)
        }
        if holds { return loop.answer(columns) }
        if index + 1 == limit {
          throw exhausted(limit, isUntil: true, condition, at: iteration(index, of: address))
        }
        tell(iteration: index + 2, of: limit, condition, in: address, index)
      }
      index += 1
    }
  }

  private func exhausted(
    _ limit: Int, isUntil: Bool, _ condition: PlannedExpression, at address: Address
  ) -> StepFailure {
    explained(
      .limit(
        limit, isUntil: isUntil, operands: condition.operands(activation), at: condition.place),
      at: address)
  }

  /// Runs the body once with its own variables and returns the values of the loop's outputs.
  mutating func iterate(
    _ loop: PlannedLoop, index: Int, element: Value, _ loopCase: LoopCase?, at address: Address
  ) async throws(StepFailure) -> [Value] {
    enter(loop, index)
    defer { activation.levels.removeLast() }
    activation.levels[loop.level][1] = element
    await noteLevel(iteration(index, of: address))
    if let watch = run.session.watch, let variable = loop.variable {
      let place = iteration(index, of: address)
      watch(.entered(place, variable: variable, element))
      defer { watch(.left(place)) }
      return try await body(loop, index, loopCase, address)
    }
    return try await body(loop, index, loopCase, address)
  }

  /// Opens the variables of an iteration.
  mutating func enter(_ loop: PlannedLoop, _ index: Int) {
    var variables = [Value?](repeating: nil, count: loop.variableCount)
    variables[0] = .int(index)
    activation.levels.append(variables)
  }

  /// Runs an iteration, which may be a case.
  private mutating func body(
    _ loop: PlannedLoop, _ index: Int, _ loopCase: LoopCase?, _ address: Address
  ) async throws(StepFailure) -> [Value] {
    guard let loopCase else { return try await steps(of: loop, index, address) }
    let (start, before, outer) = (run.session.elapsed(), report.failures.count, self.loopCase)
    run.sinks.receive(.caseStarted(loopCase))
    self.loopCase = loopCase
    defer { self.loopCase = outer }
    do throws(StepFailure) {
      let values = try await steps(of: loop, index, address)
      end(loopCase, nil, [], after: run.session.elapsed() - start)
      return values
    } catch {
      let inner = report.failures.dropFirst(before)
      end(loopCase, error, inner, after: run.session.elapsed() - start)
      throw error
    }
  }

  private mutating func steps(
    of loop: PlannedLoop, _ index: Int, _ address: Address
  ) async throws(StepFailure) -> [Value] {
    let place = iteration(index, of: address)
    guard await block(loop.steps, place.iterations) else { throw .inner }
    if loop.outputs.isEmpty { return [] }
    var values: [Value] = []
    for (index, output) in loop.outputs.enumerated() {
      values.append(
        try explaining(at: place) { () throws(StepFailure) in
          try evaluate(output, at: place)
        })
      note(output, index, at: place)
    }
    return values
  }
}

extension [[Value]] {
  /// Adds a row, an element to each column.
  fileprivate mutating func addRow(_ row: [Value]) {
    for (column, value) in row.enumerated() { self[column].append(value) }
  }
}

extension PlannedLoop {
  /// The answer of a loop: for each output the values of all iterations.
  func answer(_ columns: [[Value]]) -> Value {
    .record(RecordValue(output, columns.map(Value.list)))
  }
}
