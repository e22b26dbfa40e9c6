internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction

extension PlannedLoop {
  /// Returns the cases of a `for`, one for each element, or none if its iterations are not cases.
  func loopCases(
    over elements: [Value], in execution: Execution, at address: Address
  ) throws(StepFailure) -> [LoopCase] {
    if cases == nil { return [] }
    var (copy, names, found) = (execution, CaseNames(), [LoopCase]())
    for (index, element) in elements.enumerated() {
      copy.values.open(self, index, element)
      if let next = try nextCase(index, &names, in: copy, at: address) { found.append(next) }
      copy.values.closeLevel()
    }
    return found
  }

  /// Returns the present iteration as a case, or nil if it is none.
  func nextCase(
    _ index: Int, _ names: inout CaseNames, in execution: Execution, at address: Address
  ) throws(StepFailure) -> LoopCase? {
    guard let cases else { return nil }
    let text = try execution.values.evaluate(cases).interpolated
    let written = execution.run.redactor.redacted(text)
    let name = names.unique(written.isEmpty ? "iteration \(index + 1)" : written)
    return LoopCase(
      address: address.iteration(index),
      name: execution.loopCase.map { "\($0.name) / \(name)" } ?? name)
  }
}
