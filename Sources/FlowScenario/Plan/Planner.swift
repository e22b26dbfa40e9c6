internal import FlowCore
internal import FlowExpression
internal import FlowYAML

/// Resolves a scenario against the registry, step by step in file order.
struct Planner {
  private let registry: Registry
  let problems: Problems
  var scope = Scope()
  private var components: [PlannedComponent] = []
  private var componentIndices: [String: Int] = [:]
  /// Components whose declaration is wrong; their steps are not called wrong as well.
  private var brokenComponents: Set<String> = []
  private var operations: [String: OperationReference] = [:]

  init(registry: Registry, problems: Problems) {
    self.registry = registry
    self.problems = problems
  }

  var templates: TemplateCompiler {
    TemplateCompiler(problems: problems, environment: scope.environment)
  }

  /// The plan; throws every problem of the file.
  mutating func plan(_ scenario: Scenario, digest: String) throws(ScenarioError) -> Plan {
    scope.reserve(scenario.steps.count)
    scope.open()
    let inputs = scenario.inputs.compactMap { input($0) }
    for declaration in scenario.components { declare(declaration) }
    scope.open()
    var body = PlannedBody()
    body.steps = block(scenario.steps, path: "")
    body.finally = block(scenario.finally, path: "finally/")
    body.outputs = outputs(scenario.outputs)
    body.variableCount = scope.slotCount
    try problems.throwIfAny()
    return Plan(
      file: problems.file, digest: digest, scenario: scenario, inputs: inputs,
      components: components, body: body)
  }

  /// The named results of a scenario or a loop body, in the present scope.
  func outputs(_ outputs: [Scenario.Output]) -> [PlannedOutput] {
    outputs.compactMap { output in
      templates.value(output.value, as: .dynamic, owner: "the output '\(output.name)'").map {
        PlannedOutput(name: output.name, value: $0.template, type: $0.type)
      }
    }
  }

  // MARK: - Inputs

  private mutating func input(_ input: Scenario.Input) -> PlannedInput? {
    guard let node = input.type else { return nil }
    guard let type = ValueType(scenarioText: node.text) else {
      let near = Suggestion.nearest(to: node.text, among: ValueType.scenarioNames)
      problems.add(.unknownType(node.text, near: near), at: node.span)
      // The rest of the file is checked as if the input were known.
      scope.declare("inputs.\(input.name)", .dyn)
      return nil
    }
    let defaultValue = input.defaultValue.flatMap {
      templates.value($0, as: type, owner: "the default of '\(input.name)'")?.template.constant
    }
    scope.declare("inputs.\(input.name)", ExpressionType(type))
    return PlannedInput(
      name: input.name, type: type, defaultValue: defaultValue, summary: input.summary)
  }

  // MARK: - Components

  private mutating func declare(_ declaration: Scenario.ComponentDeclaration) {
    guard let node = declaration.plugin else {
      brokenComponents.insert(declaration.name)
      return
    }
    guard let plugin = registry.plugin(named: node.text) else {
      let known = registry.plugins.map(\.plugin.name)
      problems.add(
        .unknownPlugin(node.text, near: Suggestion.nearest(to: node.text, among: known)),
        at: node.span)
      brokenComponents.insert(declaration.name)
      return
    }
    let settings = templates.record(
      declaration.settings, plugin.settings, owner: "'\(declaration.name)'",
      missingAt: declaration.span)
    componentIndices[declaration.name] = components.count
    components.append(
      PlannedComponent(
        name: declaration.name, plugin: plugin, settings: settings ?? .constant(.null),
        place: Place(declaration.span)))
  }

  /// The operation that `uses:` names; nil after a problem.
  mutating func operation(_ node: Node) -> OperationReference? {
    if let known = operations[node.text] { return known }
    let parts = node.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let component = String(parts.first ?? "")
    guard let index = componentIndices[component] else {
      if brokenComponents.contains(component) { return nil }
      let near = Suggestion.nearest(to: component, among: componentIndices.keys)
      problems.add(.unknownComponent(component, near: near), at: node.span)
      return nil
    }
    let plugin = components[index].plugin
    let names = plugin.operations.map(\.name)
    guard parts.count == 2, !parts[1].isEmpty else {
      problems.add(.noOperation(node.text, component: component, known: names), at: node.span)
      return nil
    }
    guard let operation = plugin.operationIndex(String(parts[1])) else {
      reportUnknownOperation(String(parts[1]), of: component, names, at: node.span)
      return nil
    }
    let reference = OperationReference(
      component: index, index: operation, name: node.text,
      description: plugin.operations[operation])
    operations[node.text] = reference
    return reference
  }

  private func reportUnknownOperation(
    _ name: String, of component: String, _ names: [String], at span: Span
  ) {
    let elsewhere = components.filter { $0.plugin.operationIndex(name) != nil }
    problems.add(
      .unknownOperation(
        name, component: component, near: Suggestion.nearest(to: name, among: names),
        elsewhere: elsewhere.map { "\($0.name).\(name)" }), at: span)
  }
}
