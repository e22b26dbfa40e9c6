internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `scenario`: runs another scenario.
struct WrittenSubscenario: WrittenAction {
  static let kind = StepKind(
    Key(
      "scenario", "The path of the scenario to run, from the folder of this one.", .text,
      isRequired: true),
    companions: [
      Key("with", "The inputs of the other scenario.", .inputs),
      .retryOfBlock, .comparison,
      Key(
        "components", "Components of this scenario in place of those of the other one.",
        .entries(.text)),
    ]
  ) {
    reader in
    reader.textNode("scenario").map {
      WrittenSubscenario(
        file: $0, input: reader["with"], components: reader.entries("components"))
    }
  }

  let file: Node
  let input: Node?
  let components: [Node.Entry]

  /// The problems of a scenario's input values.
  private static let inputCodes: Set<DiagnosticCode> = [
    .unknownField, .missingField, .wrongFieldType, .wrongExpressionType,
  ]

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    if Interpolation.contains(file.text) {
      let problem = Problem.wrongKind(
        owner: "'scenario'", expected: "a path", actual: "an expression")
      return reject(problem, planner)
    }
    let inclusion = planner.library.include(file.text, at: file.span)
    if let index = planner.scope.index {
      var included: Plan?
      if case .plan(let plan) = inclusion { included = plan }
      index.include(
        included, planner.library.file(of: file.text), at: file.span,
        input: input.map { Array($0.entries) } ?? [], components: components)
    }
    switch inclusion {
    case .problem(let problem): return reject(problem, planner)
    case .broken(let secretInputs):
      planner.keepSecrets(in: input, and: secretInputs)
      return nil
    case .plan(let plan):
      let input = input(of: plan, besides: context.step.unknown, planner)
      let planned = PlannedScenario(
        plan: plan, input: input ?? .constant(.null), handed: handed(to: plan, planner),
        place: Place(file.span))
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

  /// The components that the other scenario uses in place of its own, with the same plugins.
  private func handed(to plan: Plan, _ planner: Planner) -> [Int: HandedComponent] {
    var handed: [Int: HandedComponent] = [:]
    for entry in components {
      let (name, diagnostics) = (entry.key.text, planner.diagnostics)
      guard let inner = plan.components.firstIndex(where: { $0.name == name }) else {
        diagnostics.add(
          .unknownComponent(name, of: plan.path, among: plan.components.map(\.name)),
          at: entry.key.span)
        continue
      }
      guard entry.value.isText(owner: "the component for '\(name)'", diagnostics),
        let outer = planner.components.use(entry.value)
      else { continue }
      let (own, other) = (planner.components.planned[outer], plan.components[inner])
      guard own.plugin.plugin.name == other.plugin.plugin.name else {
        diagnostics.add(
          .otherPlugin(
            own.name, own.plugin.plugin.name, for: name, other.plugin.plugin.name, of: plan.path),
          at: entry.value.span)
        continue
      }
      handed[inner] = HandedComponent(
        index: outer, name: own.name, volatile: own.volatile)
    }
    return handed
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
