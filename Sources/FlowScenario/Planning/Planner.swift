internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// Resolves a scenario against the registry, step by step in file order.
struct Planner {
  let library: ScenarioLibrary
  let diagnostics: DiagnosticCollector
  let components: DeclaredComponents
  let use = DefiniteAssignment()
  var scope: Scope
  private let findsWarnings: Bool
  private let contracts: ContractCache
  /// The number of blocks around the present step after whose failure steps may read its error.
  private var errorReaders = 0
  let expressions: ExpressionCompiler
  private let answers: ExpressionCompiler

  /// Creates a planner of one scenario.
  ///
  /// Warnings cost time, so a run does without them.
  init(
    _ scenario: Scenario, knowing known: LoaderKnowledge, library: ScenarioLibrary,
    diagnostics: DiagnosticCollector, findsWarnings: Bool
  ) {
    self.library = library
    let index = library.newIndex(of: diagnostics.file)
    scope = Scope(index)
    contracts = known.contracts
    self.diagnostics = diagnostics
    self.findsWarnings = findsWarnings
    components = DeclaredComponents(known.plugins, diagnostics, index)
    expressions = ExpressionCompiler(
      diagnostics: diagnostics, use: use, steps: StepIndex(scenario) { $0.nestedSteps },
      library: library, index: index, findsWarnings: findsWarnings)
    answers = ExpressionCompiler(forAnswers: expressions)
  }

  var templates: TemplateCompiler { TemplateCompiler(expressions, scope.environment) }
  /// The templates for expected answers.
  var answerTemplates: TemplateCompiler { TemplateCompiler(answers, scope.environment) }
  var options: OptionReader { OptionReader(diagnostics: diagnostics, templates: templates) }

  /// Returns the templates of a record with some fields misplaced beside `with` or under an unknown
  /// key.
  func templates(misplaced entries: [Node.Entry], of type: RecordType) -> TemplateCompiler {
    var templates = templates
    for entry in entries {
      let name = entry.key.text
      if let field = type.field(name) {
        diagnostics.note(Problem.belongsUnderWith(name), code: .unknownKey, at: entry.key.span)
        if field.isSecret { diagnostics.keep(secret: entry.value, of: name) }
        templates.misplaced.insert(name)
      } else if entry.value.kind == .mapping {
        // A misspelt 'with', reported already.
        for inner in entry.value.entries {
          guard let field = type.field(inner.key.text) else { continue }
          if field.isSecret { diagnostics.keep(secret: inner.value, of: field.name) }
          templates.misplaced.insert(field.name)
        }
      }
    }
    return templates
  }

  /// The plan.
  ///
  /// Throws all problems of the file if one of them is an error.
  mutating func plan(_ scenario: Scenario, digest: String) throws(ScenarioError) -> Plan {
    scope.reserve(scenario.steps.count)
    openBlock()
    let inputs = scenario.inputs.compactMap { input($0) }
    let inputNames = scope.environment
    scope.index?.beginComponents()
    for declaration in scenario.components { declare(declaration) }
    Roles(scenario.components, components, diagnostics).fill()
    openBlock()
    // First, so they know no step: they run before most of them, too.
    let invariants = invariants(scenario.invariants)
    errorReaders = scenario.finally.isEmpty ? 0 : 1
    let steps = block(scenario.steps, path: "")
    let finally = finally(scenario.finally, path: "finally/", after: (0, 0), steps)
    scope.index?.beginOutputs()
    let outputs = outputs(scenario.outputs)
    let trials = scenario.trials.flatMap { entry in
      let included = (invariants.steps + steps + finally).includedPlugins
      return DeclaredTrials(expressions, options).trials(
        entry, inputNames, on: components.planned.map(\.plugin) + included)
    }
    warnUnused(scenario)
    warnClosed(scenario, invariants.steps + steps + finally)
    if let index = scope.index { library.keep(index.index) }
    try diagnostics.throwIfAny()
    if scenario.steps.isEmpty { diagnostics.add(.nothingToRun("'steps'"), at: scenario.stepsSpan) }
    return Plan(
      file: diagnostics.file, path: library.path, digest: digest, name: scenario.name,
      place: Place(scenario.span), tags: scenario.tags, inputs: inputs,
      components: components.planned, openingOrder: components.openingOrder, invariants: invariants,
      steps: steps, finally: finally, variableCount: scope.slotCount, outputs: outputs,
      trials: trials, inputsPlace: scenario.inputsKey.map(Place.init),
      outputsPlace: scenario.outputsKey.map(Place.init), documents: DocumentReader.reading)
  }

  private mutating func invariants(_ nodes: [Node]) -> PlannedInvariants {
    if nodes.isEmpty { return PlannedInvariants() }
    openBlock()
    let steps = block(nodes, path: "invariants/")
    return PlannedInvariants(steps: steps, variableCount: closeBlock(nodes))
  }

  mutating func openBlock() {
    scope.open()
    use.open()
  }

  /// Closes the innermost block, which had these steps.
  ///
  /// Returns the number of its variables.
  mutating func closeBlock(_ nodes: [Node]) -> Int {
    warnUnusedIDs(in: nodes)
    use.close()
    return scope.close()
  }

  func outputs(_ outputs: [Scenario.Output]) -> [PlannedOutput] {
    outputs.map { output in
      let value = templates.value(output.value, as: .dynamic, owner: "the output '\(output.name)'")
      // A broken output keeps its name, so its uses are not reported as well.
      return PlannedOutput(
        name: output.name, value: value?.template ?? .constant(.null),
        type: value?.type ?? .dynamic)
    }
  }

  // MARK: - Warnings

  private func warnClosed(_ scenario: Scenario, _ steps: [PlannedStep]) {
    guard findsWarnings else { return }
    for (name, problem) in components.planned.closedInReplays(steps) {
      diagnostics.add(problem, at: scenario.components.first { $0.name == name }?.span)
    }
  }

  private func warnUnused(_ scenario: Scenario) {
    guard findsWarnings else { return }
    for input in scenario.inputs {
      guard let slot = scope.environment["inputs.\(input.name)"]?.slot, !use.isUsed(slot) else {
        continue
      }
      diagnostics.add(.unusedInput(input.name), at: input.span)
    }
    for declaration in scenario.components where components.isUnused(declaration.name) {
      diagnostics.add(.unusedComponent(declaration.name), at: declaration.span)
    }
    warnUnusedIDs(in: scenario.steps + scenario.finally)
  }

  /// Warns about unused ids of steps and blocks in the present scope.
  private func warnUnusedIDs(in nodes: [Node]) {
    guard findsWarnings else { return }
    for node in nodes {
      if !node.isInTranscripts, let id = node["id"],
        let slot = scope.environment["steps.\(id.text)"]?.slot, slot.level == scope.level,
        !use.isUsed(slot), !isErrorUsed(of: id.text)
      {
        diagnostics.add(.unusedID(id.text), at: id.span)
      }
      for nested in node.nestedSteps {
        if case .loop = nested.scope { continue }
        warnUnusedIDs(in: nested.steps)
      }
    }
  }

  private func isErrorUsed(of id: String) -> Bool {
    scope.environment["steps.\(id).error"].map { use.isUsed($0.slot) } ?? false
  }

  // MARK: - Declarations

  private mutating func input(_ input: Scenario.Input) -> PlannedInput? {
    guard let type = type(of: input) else {
      // The rest of the file is checked as if the input were known.
      scope.declare("inputs.\(input.name)", .dyn, at: input.span)
      return nil
    }
    let defaultValue = input.defaultValue.flatMap { constant($0, type, of: input.name) }
    scope.declare("inputs.\(input.name)", ExpressionType(type), at: input.span)
    return PlannedInput(
      name: input.name, type: type, defaultValue: defaultValue, summary: input.summary,
      isSecret: isSecret(input, type))
  }

  private func type(of input: Scenario.Input) -> ValueType? {
    guard let node = input.type else { return nil }
    if let type = ValueType(scenarioText: node.text) { return type }
    return diagnostics.reject(
      .unknownType(node.text, near: ValueType.names(near: node.text)), at: node.span)
  }

  private func constant(_ node: Node, _ type: ValueType, of input: String) -> Value? {
    let owner = "the default of '\(input)'"
    guard let template = templates.value(node, as: type, owner: owner)?.template else { return nil }
    if template.constant == nil {
      diagnostics.add(
        .wrongKind(owner: owner, expected: "a value", actual: "an expression"), at: node.span)
    }
    return template.constant
  }

  /// Returns true for an input with `secret: true`.
  ///
  /// Reports one that cannot be secret.
  private func isSecret(_ input: Scenario.Input, _ type: ValueType) -> Bool {
    let owner = "'secret' of the input '\(input.name)'"
    guard input.secret?.flag(owner: owner, diagnostics) == true else { return false }
    if type != .string { diagnostics.add(.secretType(input.name, type), at: input.type?.span) }
    if let value = input.defaultValue {
      diagnostics.add(.secretDefault(input.name), at: value.span)
    }
    return true
  }

  private func declare(_ declaration: Scenario.ComponentDeclaration) {
    scope.index?.declare(component: declaration.name, at: declaration.span)
    defer {
      for node in [declaration.settings].compactMap(\.self) + declaration.unknown.map(\.value) {
        expressions.noteNames(inUnplanned: node, scope.environment)
      }
    }
    guard var plugin = components.plugin(of: declaration) else { return }
    var settings = templates(misplaced: declaration.unknown, of: plugin.settings).record(
      declaration.settings, plugin.settings, owner: "'\(declaration.name)'",
      missingAt: declaration.span)
    let declared = DeclaredTraits(declaration, diagnostics)
    if let written = settings, let traits = declared.traits(of: plugin, written, library) {
      plugin = plugin.characterized(by: traits)
      settings = written.filling(traits.settings)
    }
    if let constant = settings?.constant {
      do { try plugin.check(constant) } catch {
        let reason = (error as? ComponentError)?.message ?? "\(error)"
        diagnostics.add(
          .refusedSettings(reason, of: declaration.name), at: declaration.place(of: reason))
      }
    }
    var contracted = plugin
    if let settings,
      let contract = DeclaredContract(declaration, diagnostics, findsWarnings: findsWarnings)
        .rules(of: plugin, settings, contracts, library)
    {
      contracted = plugin.contracted(by: contract, at: library.location(of: contract.file))
    }
    let folder = library.path.folder
    var component = PlannedComponent(
      name: declaration.name, plugin: contracted, settings: settings ?? .constant(.null),
      place: Place(declaration.span), folder: folder.isEmpty ? nil : folder,
      isUsing: !declaration.using.isEmpty)
    let answers = DeclaredAnswers(
      declaration, plugin, lock: components.lock(of: plugin), diagnostics)
    component.volatile = declared.volatile(answers.volatile, plugin)
    component.comparedHeaders = answers.comparedHeaders
    component.isLive = answers.isLive
    component.keepsPrograms = answers.keepsPrograms
    components.declare(component)
  }

  /// Remembers the values of fields that may be secret, in a step whose operation is unknown.
  ///
  /// These are the secret fields of every operation of the file's components, the file's own secret
  /// inputs, and `others`. Remembering every text would hide ordinary words in all messages.
  func keepSecrets(in input: Node?, and others: Set<String> = []) {
    guard let input else { return }
    let names = diagnostics.secretInputs.union(others).union(components.secretFields)
    for entry in input.entries where names.contains(entry.key.text) {
      diagnostics.keep(secret: entry.value, of: entry.key.text)
    }
  }

  // MARK: - Steps

  /// Plans the steps of a block, in the present scope.
  ///
  /// `path` is the prefix of the steps' own parts, ending in `/` or empty.
  mutating func block(_ nodes: [Node], path: String) -> [PlannedStep] {
    var ordinals: [String: Int] = [:]
    var steps: [PlannedStep] = []
    steps.reserveCapacity(nodes.count)
    for node in nodes {
      guard let step = Step(reading: node, diagnostics) else {
        // An unreadable step keeps its id, as does one that cannot be planned.
        let number = scope.index?.begin(path + (node["id"]?.text ?? "?"), at: node.span)
        _ = declare(node["id"], .dyn)
        keepSecrets(in: node["with"])
        expressions.noteNames(inUnplanned: node, scope.environment)
        if let number { scope.index?.end(number) }
        continue
      }
      let path = path + Self.pathPart(of: step, &ordinals)
      let number = scope.index?.begin(path, at: node.span)
      if let planned = plan(step, path: path) { steps.append(planned) }
      expressions.noteNames(inUnplanned: node, scope.environment)
      if let number { scope.index?.end(number) }
    }
    return steps
  }

  /// The id, or the action's word and its ordinal among its like siblings.
  private static func pathPart(of step: Step, _ ordinals: inout [String: Int]) -> String {
    if let id = step.id { return id.text }
    let word = step.word
    let ordinal = ordinals[word, default: 0] + 1
    ordinals[word] = ordinal
    return ordinal == 1 ? word : "\(word)[\(ordinal)]"
  }

  private mutating func plan(_ step: Step, path: String) -> PlannedStep? {
    let condition = step.condition.flatMap { node in
      expressions.expression(node, .bool, owner: "'if'", scope.environment)
    }
    let first = Slot(level: scope.level, index: scope.slotCount)
    let assignedCount = use.assignedCount
    let isConditional = condition != nil && !step.action.choosesByCondition
    let facts = isConditional ? facts(condition, holds: true) : []
    use.assume(facts)
    let name = step.name.flatMap { expressions.text($0, scope.environment) }
    let computed = options.computed(of: step, name: name)
    let readers = (step.continuesOnError == nil ? 0 : 1) + (step.finally.isEmpty ? 0 : 1)
    errorReaders += readers
    let planned = step.action.plan(
      StepContext(step: step, path: path, condition: condition), by: &self)
    errorReaders -= readers
    let finally = finally(
      step.finally, path: path + "/finally/", after: (first.index, assignedCount),
      planned?.action.firstSteps ?? [])
    use.endAssumptions(facts.count)
    if isConditional || step.continuesOnError != nil || step.action.mayRunNothing {
      use.forgetAssigned(after: assignedCount, below: first)
    }
    guard let (action, output) = planned else {
      // A broken step keeps its id, so that the steps after it are checked as if it were whole.
      _ = declare(step.id, .dyn)
      return nil
    }
    let slot = declare(step.id, output)
    let error = slot.flatMap { _ in declareError(of: step, action, output) }
    let options = options.options(
      of: step, computed, condition: isConditional ? condition : nil, action, finally: finally)
    let own = scope.stretch(from: first.index)
    if isConditional { markAbsent(own, because: .condition(facts.first, own)) }
    if let slot, let code = action.expectedError { use.markAbsent(slot, because: .error(code)) }
    if options?.continuesOnError ?? false {
      markAbsent(own, because: .failure(own))
      use.allowErrors(in: first.index..<scope.slotCount, of: scope.level)
    }
    return PlannedStep(
      path: path, place: Place(step.node.span), slot: slot, errorSlot: error, action: action,
      options: options)
  }

  /// Declares the error of a step if something may read it.
  ///
  /// A field `error` of the step's answer takes precedence.
  private mutating func declareError(
    of step: Step, _ action: PlannedAction, _ output: ExpressionType
  ) -> Slot? {
    guard let id = step.id else { return nil }
    let isExpected = action.expectedError != nil
    let isReadable = isExpected || step.continuesOnError != nil || errorReaders > 0
    if case .record(let record) = output, !isExpected, record.field("error") != nil { return nil }
    guard isReadable else { return nil }
    let slot = scope.declare(
      "steps.\(id.text).error", .nullable(.record(PlannedStep.error)), at: id.span)
    use.declareError(slot, isAllowed: isExpected)
    return slot
  }

  /// The steps of a `finally` after steps from a slot and an `assignedCount` on.
  private mutating func finally(
    _ nodes: [Node], path: String, after start: (slot: Int, assigned: Int), _ steps: [PlannedStep]
  ) -> [PlannedStep] {
    if nodes.isEmpty { return [] }
    let end = scope.slotCount
    use.beginFinally(
      after: scope.stretch(from: start.slot), assignedAfter: start.assigned,
      certain: Set(steps.certainSlots.filter { $0.level == scope.level }.map(\.index)))
    let planned = block(nodes, path: path)
    use.endFinally(end..<scope.slotCount)
    return planned
  }

  private mutating func declare(_ id: Node?, _ type: ExpressionType) -> Slot? {
    guard let id else { return nil }
    let name = "steps." + id.text
    if let line = scope.line(of: name) {
      return diagnostics.reject(.duplicateID(id.text, first: line), at: id.span)
    }
    return scope.declare(name, type, at: id.span)
  }

  // MARK: - Conditions

  /// The facts known under a true, or false, condition, best wording first.
  ///
  /// If it reads a variable that may be set again, these are only the steps that have run.
  func facts(_ condition: PlannedExpression?, holds: Bool) -> [Fact] {
    guard let expression = condition?.expression else { return [] }
    let facts = expression.conditions(where: holds).map {
      Fact($0, reading: expression.references)
    }
    let variables = expression.references.filter { scope.variable($0.name) != nil }.map(\.slot)
    if variables.isEmpty { return facts }
    return facts.filter { $0.presentVariable.map { !variables.contains($0) } ?? false }
  }

  func markAbsent(
    _ steps: DefiniteAssignment.Stretch, because absence: DefiniteAssignment.Absence
  ) {
    for index in steps.slots {
      use.markAbsent(Slot(level: steps.level, index: index), because: absence)
    }
  }
}
