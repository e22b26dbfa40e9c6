import FlowCore
import FlowExpression
import FlowScenario

extension Execution {
  /// Runs a loop; the answer holds a list for each of its outputs.
  mutating func perform(
    _ loop: PlannedLoop, _ address: Address
  ) async throws(StepFailure) -> Value {
    var columns = [[Value]](repeating: [], count: loop.outputs.count)
    switch loop.kind {
    case .each(let expression):
      guard case .list(let elements) = try evaluate(expression) else {
        throw .evaluation(
          EvaluationFailure(message: "'in' is no list", place: expression.place))
      }
      for (index, element) in elements.enumerated() {
        _ = try await iterate(loop, index, element, address, &columns)
      }
    case .until(_, let limit): try await repeated(loop, limit, address, &columns)
    }
    return .record(RecordValue(loop.output, columns.map(Value.list)))
  }

  private mutating func repeated(
    _ loop: PlannedLoop, _ limit: Int, _ address: Address, _ columns: inout [[Value]]
  ) async throws(StepFailure) {
    guard case .until(let condition, _) = loop.kind else { return }
    for index in 0..<limit {
      if try await iterate(loop, index, nil, address, &columns) { return }
    }
    throw .limit(limit, at: condition.place)
  }

  /// Runs the body once in variables of its own; true when the loop's condition then holds.
  private mutating func iterate(
    _ loop: PlannedLoop, _ index: Int, _ element: Value?, _ address: Address,
    _ columns: inout [[Value]]
  ) async throws(StepFailure) -> Bool {
    var variables = [Value?](repeating: nil, count: loop.variableCount)
    variables[0] = .int(index)
    if let element { variables[1] = element }
    activation.levels.append(variables)
    defer { activation.levels.removeLast() }
    guard await block(loop.steps, address.iterations + [index + 1]) else { throw .inner }
    for (column, output) in loop.outputs.enumerated() {
      columns[column].append(try evaluate(output.value))
    }
    guard case .until(let condition, _) = loop.kind else { return false }
    return try evaluate(condition) == .bool(true)
  }
}
