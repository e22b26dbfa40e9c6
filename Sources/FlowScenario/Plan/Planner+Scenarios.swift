internal import FlowCore
internal import FlowExpression
internal import FlowYAML

extension Planner {
  /// What is wrong with a value that a scenario is given.
  private static let inputCodes: Set<DiagnosticCode> = [
    .unknownField, .missingField, .wrongFieldType, .wrongExpressionType,
  ]

  /// The other scenario's plan and what it is given; nil after a problem.
  mutating func plan(
    _ inclusion: Step.Inclusion, besides unknown: [Node.Entry]
  ) -> (PlannedAction, ExpressionType)? {
    let node = inclusion.file
    if Interpolation.contains(node.text) {
      problems.add(
        .wrongKind(owner: "'scenario'", expected: "a path", actual: "an expression"), at: node.span)
      keepSecrets(in: inclusion.input)
      return nil
    }
    switch library.include(node.text, at: node.span) {
    case .problem(let problem):
      problems.add(problem, at: node.span)
      keepSecrets(in: inclusion.input)
      return nil
    case .broken(let secretInputs):
      keepSecrets(in: inclusion.input, and: secretInputs)
      return nil
    case .plan(let plan):
      if !scenarios.contains(where: { $0 === plan }) { scenarios.append(plan) }
      let input = input(inclusion, of: plan, besides: unknown)
      let planned = PlannedScenario(
        plan: plan, input: input ?? .constant(.null), place: Place(node.span))
      return (.scenario(planned), .record(plan.outputType))
    }
  }

  /// The inputs of the other scenario, checked like the input of a call.
  private func input(
    _ inclusion: Step.Inclusion, of plan: Plan, besides unknown: [Node.Entry]
  ) -> Template? {
    let count = problems.diagnostics.count
    let input = templates(misplaced: unknown, of: plan.inputType).record(
      inclusion.input, plan.inputType, owner: "'\(plan.path)'", missingAt: inclusion.file.span)
    let note = Problem.declarationNote("inputs", of: plan, at: plan.inputsPlace)
    problems.note(note, codes: Self.inputCodes, since: count)
    return input
  }
}
