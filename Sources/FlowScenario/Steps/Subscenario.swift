internal import FlowCore
internal import FlowExpression
internal import FlowYAML

/// `scenario`: runs another scenario.
struct WrittenSubscenario: WrittenAction {
  static let kind = StepKind(key: "scenario", companions: ["with", "compare"]) { reader in
    reader.textNode("scenario").map { WrittenSubscenario(file: $0, input: reader["with"]) }
  }

  let file: Node
  let input: Node?

  /// What is wrong with a value that a scenario is given.
  private static let inputCodes: Set<DiagnosticCode> = [
    .unknownField, .missingField, .wrongFieldType, .wrongExpressionType,
  ]

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    if Interpolation.contains(file.text) {
      let problem = Problem.wrongKind(
        owner: "'scenario'", expected: "a path", actual: "an expression")
      return reject(problem, planner)
    }
    switch planner.library.include(file.text, at: file.span) {
    case .problem(let problem): return reject(problem, planner)
    case .broken(let secretInputs):
      planner.keepSecrets(in: input, and: secretInputs)
      return nil
    case .plan(let plan):
      let input = input(of: plan, besides: context.step.unknown, planner)
      let planned = PlannedScenario(
        plan: plan, input: input ?? .constant(.null), place: Place(file.span))
      return (.scenario(planned), .record(plan.outputType))
    }
  }

  private func reject(_ problem: Problem, _ planner: Planner) -> PlannedResult? {
    planner.diagnostics.add(problem, at: file.span)
    planner.keepSecrets(in: input)
    return nil
  }

  /// The inputs of the other scenario, checked like the input of a call.
  private func input(
    of plan: Plan, besides unknown: [Node.Entry], _ planner: Planner
  ) -> Template? {
    let count = planner.diagnostics.all.count
    let input = planner.templates(misplaced: unknown, of: plan.inputType).record(
      input, plan.inputType, owner: "'\(plan.path)'", missingAt: file.span)
    let note = Problem.declarationNote(
      "inputs", of: plan.path, at: plan.inputsPlace?.span(in: plan.file))
    planner.diagnostics.note(note, codes: Self.inputCodes, since: count)
    return input
  }

  /// The values of `scenario:` in steps and in the steps inside of them, in file order.
  static func files(in steps: [Node]) -> [Node] {
    var found: [Node] = []
    for step in steps {
      if let file = step[kind.key], file.kind == .scalar { found.append(file) }
      for nested in step.nestedSteps { found += files(in: nested.steps) }
    }
    return found
  }
}

extension PlannedScenario: PlannedContent {
  package var templates: [Template] { [input] }
  package var lines: [String] {
    ["scenario: \(plan.path)" + (plan.inputs.isEmpty ? "" : " \(input.text())")]
  }
  package var summary: String { "scenario \(plan.path)" }
}
