internal import FlowCore
internal import FlowExpression
internal import FlowYAML

/// Resolves a scenario against the registry, step by step in file order.
struct Planner {
  private let registry: Registry
  private let findsWarnings: Bool
  private let steps: StepIndex
  let library: ScenarioLibrary
  let problems: Problems
  let use = VariableUse()
  var scope = Scope()
  private(set) var components: [PlannedComponent] = []
  private var componentIndices: [String: Int] = [:]
  private var usedComponents: Set<Int> = []
  /// Components whose declaration is wrong; their steps are not called wrong as well.
  private var brokenComponents: Set<String> = []
  private var operations: [String: OperationReference] = [:]
  var awaitedEvents: Set<String> = []
  var runsInParallel = false
  /// The plans of the included scenarios, each once.
  var scenarios: [Plan] = []

  /// A planner of one scenario; warnings cost time, so a run does without them.
  init(
    _ scenario: Scenario, registry: Registry, library: ScenarioLibrary, problems: Problems,
    findsWarnings: Bool
  ) {
    self.registry = registry
    self.library = library
    self.problems = problems
    self.findsWarnings = findsWarnings
    steps = StepIndex(scenario)
  }

  var expressions: ExpressionCompiler {
    ExpressionCompiler(
      problems: problems, use: use, steps: steps, library: library, findsWarnings: findsWarnings)
  }

  var templates: TemplateCompiler {
    TemplateCompiler(expressions, scope.environment)
  }

  /// Templates of a record, of which some fields stand beside `with` as unknown keys.
  func templates(misplaced entries: [Node.Entry], of type: RecordType) -> TemplateCompiler {
    var templates = templates
    for entry in entries {
      let name = entry.key.text
      guard let field = type.field(name) else { continue }
      problems.note(Problem.belongsUnderWith(name), code: .unknownKey, at: entry.key.span)
      if field.isSecret { problems.keep(secret: entry.value, of: name) }
      templates.misplaced.insert(name)
    }
    return templates
  }

  /// The plan; throws every problem of the file when one of them is an error.
  mutating func plan(_ scenario: Scenario, digest: String) throws(ScenarioError) -> Plan {
    scope.reserve(scenario.steps.count)
    openBlock()
    let inputs = scenario.inputs.compactMap { input($0) }
    for declaration in scenario.components { declare(declaration) }
    openBlock()
    let body = body(scenario)
    warnUnused(scenario)
    try problems.throwIfAny()
    let source = PlanSource(file: problems.file, path: library.path, digest: digest)
    return Plan(
      source, scenario: scenario, inputs: inputs, components: components, body: body)
  }

  private mutating func body(_ scenario: Scenario) -> PlannedBody {
    var body = PlannedBody()
    body.steps = block(scenario.steps, path: "")
    body.finally = finally(scenario.finally, path: "finally/", after: 0)
    body.outputs = outputs(scenario.outputs)
    body.variableCount = scope.slotCount
    body.awaitedEvents = awaitedEvents
    body.runsInParallel = runsInParallel
    body.scenarios = scenarios
    return body
  }

  mutating func openBlock() {
    scope.open()
    use.open()
  }

  /// Closes the innermost block, whose steps were these; tells how many variables it had.
  mutating func closeBlock(_ nodes: [Node]) -> Int {
    warnUnusedIDs(in: nodes)
    use.close()
    return scope.close()
  }

  // MARK: - Warnings

  private func warnUnused(_ scenario: Scenario) {
    guard findsWarnings else { return }
    for input in scenario.inputs {
      guard let slot = scope.environment["inputs.\(input.name)"]?.slot, !use.isUsed(slot) else {
        continue
      }
      problems.add(.unusedInput(input.name), at: input.span)
    }
    for declaration in scenario.components {
      guard let index = componentIndices[declaration.name], !usedComponents.contains(index) else {
        continue
      }
      problems.add(.unusedComponent(declaration.name), at: declaration.span)
    }
    warnUnusedIDs(in: scenario.steps + scenario.finally)
  }

  /// Warns of the ids of steps, and of those that are blocks of steps, in the present scope.
  private func warnUnusedIDs(in nodes: [Node]) {
    guard findsWarnings else { return }
    for node in nodes {
      if node.isAbsentFromTranscripts, let id = node["id"],
        let slot = scope.environment["steps.\(id.text)"]?.slot,
        slot.level == scope.level, !use.isUsed(slot)
      {
        problems.add(.unusedID(id.text), at: id.span)
      }
      warnUnusedIDs(in: node.stepsOfSameScope)
    }
  }

  /// The named results of a scenario or a loop body, in the present scope.
  func outputs(_ outputs: [Scenario.Output]) -> [PlannedOutput] {
    outputs.map { output in
      let value = templates.value(
        output.value, as: .dynamic, owner: "the output '\(output.name)'")
      // A broken output keeps its name, so that its uses are not called wrong as well.
      return PlannedOutput(
        name: output.name, value: value?.template ?? .constant(.null),
        type: value?.type ?? .dynamic)
    }
  }

  // MARK: - Inputs

  private mutating func input(_ input: Scenario.Input) -> PlannedInput? {
    guard let type = type(of: input) else {
      // The rest of the file is checked as if the input were known.
      scope.declare("inputs.\(input.name)", .dyn)
      return nil
    }
    let defaultValue = input.defaultValue.flatMap { constant($0, type, of: input.name) }
    scope.declare("inputs.\(input.name)", ExpressionType(type))
    return PlannedInput(
      name: input.name, type: type, defaultValue: defaultValue, summary: input.summary,
      isSecret: isSecret(input, type))
  }

  private func type(of input: Scenario.Input) -> ValueType? {
    guard let node = input.type else { return nil }
    if let type = ValueType(scenarioText: node.text) { return type }
    problems.add(.unknownType(node.text, near: ValueType.names(near: node.text)), at: node.span)
    return nil
  }

  private func constant(_ node: Node, _ type: ValueType, of input: String) -> Value? {
    let owner = "the default of '\(input)'"
    guard let template = templates.value(node, as: type, owner: owner)?.template else { return nil }
    if template.constant == nil {
      problems.add(
        .wrongKind(owner: owner, expected: "a value", actual: "an expression"), at: node.span)
    }
    return template.constant
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
    let settings = templates(misplaced: declaration.unknown, of: plugin.settings).record(
      declaration.settings, plugin.settings, owner: "'\(declaration.name)'",
      missingAt: declaration.span)
    componentIndices[declaration.name] = components.count
    let folder = library.path.folder
    components.append(
      PlannedComponent(
        name: declaration.name, plugin: plugin, settings: settings ?? .constant(.null),
        place: Place(declaration.span), folder: folder.isEmpty ? nil : folder))
  }

  /// The operation that `uses:` names; nil after a problem.
  mutating func operation(_ node: Node) -> OperationReference? {
    if let known = operations[node.text] {
      usedComponents.insert(known.component)
      return known
    }
    let parts = node.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let component = component(named: String(parts.first ?? ""), in: node, for: .operation)
    else { return nil }
    let plugin = component.plugin
    let names = plugin.operations.map(\.name)
    guard parts.count == 2, !parts[1].isEmpty else {
      problems.add(.noOperation(node.text, component: component.name, known: names), at: node.span)
      return nil
    }
    guard let operation = plugin.operationIndex(String(parts[1])) else {
      reportUnknownOperation(String(parts[1]), of: component.name, names, at: node.behindPoint)
      return nil
    }
    let reference = OperationReference(
      component: component.index, index: operation, name: node.text, plugin: plugin)
    operations[node.text] = reference
    return reference
  }

  /// The component that a text such as `balance.load` begins with; nil after a problem.
  mutating func component(
    named name: String, in node: Node, for member: Member
  ) -> (index: Int, name: String, plugin: RegisteredPlugin)? {
    guard let index = componentIndices[name] else {
      if !brokenComponents.contains(name) { reportUnknownComponent(name, in: node, for: member) }
      return nil
    }
    usedComponents.insert(index)
    return (index, name, components[index].plugin)
  }

  /// What of a component is named behind its own name and a point.
  enum Member { case operation, event }

  private func reportUnknownComponent(_ name: String, in node: Node, for member: Member) {
    let near = Suggestion.nearest(to: name, among: componentIndices.keys.sorted())
    guard name == node.text, near.isEmpty else {
      return problems.add(.unknownComponent(name, near: near), at: node.beforePoint)
    }
    let owners = components.filter { component in
      let plugin = component.plugin
      return switch member {
      case .operation: plugin.operationIndex(name) != nil
      case .event: plugin.events.contains { $0.name == name }
      }
    }
    let full = owners.map { "\($0.name).\(name)" }
    problems.add(
      member == .operation
        ? .noComponent(operation: name, near: full) : .noComponent(event: name, near: full),
      at: node.span)
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

extension Node {
  /// The stretch before the first point of a text such as `balance.load`.
  fileprivate var beforePoint: Span {
    guard let point = pointMark else { return span }
    return Span(start: span.start, end: point)
  }

  /// The stretch behind the first point.
  var behindPoint: Span {
    guard let point = pointMark else { return span }
    return Span(start: Mark(line: point.line, column: point.column + 1), end: span.end)
  }

  /// Where the first point stands; nil when the text is not written as it reads.
  private var pointMark: Mark? {
    guard isPlain, span.start.line == span.end.line,
      let offset = Array(text.unicodeScalars).firstIndex(of: ".")
    else { return nil }
    return Mark(line: span.start.line, column: span.start.column + offset)
  }
}
