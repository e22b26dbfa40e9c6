internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `for` and `repeat`: steps that run again and again.
struct WrittenLoop: WrittenAction {
  static let eachKind = StepKind(
    Key(
      "for", "The variable of the loop.", .name(reserved: Name.reservedForVariables),
      isRequired: true),
    companions: [
      Key(
        "in", "The list whose elements the variable takes.", .either([.expression, .list(.value)]),
        isRequired: true),
      .body, .outputs,
      Key("parallel", "The number of iterations at once. Default: 1.", .whole(widths)), .failFast,
      .cases, .retryOfBlock, .finally, .comparison,
    ],
    nested: Self.nested
  ) { reader in
    guard let steps = reader.body, let variable = reader.textNode("for"),
      let list = reader.required("in")
    else { return nil }
    let kind = Kind.each(variable: variable, list: list, parallel: reader["parallel"])
    return WrittenLoop(
      kind: kind, steps: steps, cases: reader["cases"], outputs: outputs(reader))
  }

  static let repeatedKind = StepKind(
    Key("repeat", "When the loop ends.", .keys(ends), isRequired: true),
    companions: [.body, .outputs, .cases, .retryOfBlock, .finally, .comparison],
    nested: Self.nested
  ) { reader in
    guard let steps = reader.body, let head = reader["repeat"],
      let inner = MappingReader(
        head, owner: "'repeat'", keys: ends.names, reader.diagnostics),
      let condition = condition(inner)
    else { return nil }
    let kind = Kind.repeated(condition, limit: inner.required("limit"))
    return WrittenLoop(
      kind: kind, steps: steps, cases: reader["cases"], outputs: outputs(reader))
  }

  fileprivate static let ends = KeySet(
    [
      Key("until", "The loop ends when this expression is true after an iteration.", .expression),
      Key("while", "The loop ends when this expression is false before one.", .expression),
      Key(
        "limit", "The most iterations, after which the step fails.", .computed(.whole(limits)),
        isRequired: true),
    ], oneOf: [["until"], ["while"]])

  enum Kind {
    case each(variable: Node, list: Node, parallel: Node?)
    case repeated(Condition, limit: Node?)
  }

  enum Condition {
    case until(Node)
    case `while`(Node)
  }

  let kind: Kind
  let steps: [Node]
  let cases: Node?
  let outputs: [Scenario.Output]

  var mayRunNothing: Bool { true }

  private static func nested(_ step: Node) -> [NestedSteps] {
    var body = step.nestedSteps("do")
    body?.scope = .loop
    return body.map { [$0] } ?? []
  }

  private static func outputs(_ reader: MappingReader) -> [Scenario.Output] {
    Scenario.outputs(reader.entries("outputs"), reader.diagnostics)
  }

  private static func condition(_ reader: MappingReader) -> Condition? {
    switch (reader["until"], reader["while"]) {
    case (let until?, nil): return .until(until)
    case (nil, let condition?): return .while(condition)
    case (nil, nil):
      if reader.mistyped.isDisjoint(with: ["until", "while"]) {
        reader.diagnostics.add(.noCondition, at: reader.node.span.firstCharacter)
      }
      return nil
    case (_?, _?):
      return reader.diagnostics.reject(
        .notAllowed("while", with: "until"), at: reader.place(of: "while"))
    }
  }

  // MARK: - Planning

  private static let limits = 1...1_000_000_000
  private static let widths = 1...1_000

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    switch kind {
    case .each(let variable, let list, let parallel):
      let failsFast = context.step.failsFast.map { planner.options.flag($0, "'fail-fast'") } ?? true
      let concurrency = parallel.flatMap {
        planner.options.whole($0, "'parallel'", Self.widths)
      }
      let elements = Self.elements(list, planner)
      _ = Name.check(
        variable, owner: "a loop variable", reserved: Name.reservedForVariables,
        planner.diagnostics)
      let element = elements?.type.elementType ?? .dynamic
      planner.openBlock()
      if parallel != nil { planner.scope.beginBranch() }
      var body = body(at: context.path, (variable, element), &planner)
      (body.concurrency, body.failsFast) = (concurrency, failsFast)
      body.variableCount = planner.closeBlock(steps)
      if parallel != nil { planner.scope.endIteration() }
      return elements.map { Self.finish(body, .each($0.template), planner.library) }
    case .repeated(let condition, let limit):
      return repeated(condition, limit, at: context.path, &planner)
    }
  }

  /// The list of a `for`: an expression, or a written list.
  private static func elements(
    _ list: Node, _ planner: Planner
  ) -> (template: Template, type: ValueType)? {
    if isEmpty(list) { planner.diagnostics.add(.nothingToRun("'in'"), at: list.span) }
    if list.kind == .sequence {
      return planner.templates.value(list, as: .dynamic, owner: "'in'")
    }
    return planner.expressions.expression(
      list, .list(.dynamic), owner: "'in'", planner.scope.environment
    ).map { (.expression($0, as: .dynamic), $0.expression.type.valueType ?? .dynamic) }
  }

  /// The elements of a list in the scenario, or none.
  private var writtenElements: [Node] {
    guard case .each(_, let list, _) = kind, list.kind == .sequence else { return [] }
    return Array(list.items)
  }

  /// True for `[]`, also as an expression.
  private static func isEmpty(_ list: Node) -> Bool {
    if list.kind == .sequence { return list.items.isEmpty }
    return list.kind == .scalar && list.text.filter { !$0.isWhitespace } == "${{[]}}"
  }

  private func repeated(
    _ condition: Condition, _ limit: Node?, at path: String, _ planner: inout Planner
  ) -> PlannedResult? {
    let count = limit.flatMap { planner.options.anyWhole($0, "'limit'", Self.limits) }
    planner.openBlock()
    var body = body(at: path, nil, &planner)
    body.variableCount = planner.closeBlock(steps)
    guard let count, let planned = body.condition
    else { return nil }
    switch condition {
    case .until: return Self.finish(body, .until(planned, limit: count), planner.library)
    case .while: return Self.finish(body, .while(planned, limit: count), planner.library)
    }
  }

  private struct Body {
    var variable: String?
    var steps: [PlannedStep] = []
    var condition: PlannedExpression?
    var outputs: [PlannedOutput] = []
    var concurrency: Int?
    var failsFast = true
    var cases: Template?
    var casePlaces: PlannedLoop.CasePlaces?
    var level = 0
    var variableCount = 0
  }

  /// The body of the loop, in the block that was opened for it.
  private func body(
    at path: String, _ variable: (name: Node, type: ValueType)?, _ planner: inout Planner
  ) -> Body {
    var body = Body(variable: variable?.name.text, level: planner.scope.level)
    planner.scope.declare("loop.index", .int)
    if let (name, type) = variable {
      planner.scope.declare(name.text, ExpressionType(type), at: name.span)
    }
    body.cases = cases.flatMap { Self.name(ofCase: $0, planner) }
    body.casePlaces = cases.map {
      PlannedLoop.CasePlaces(name: Place($0.span), elements: writtenElements.map { Place($0.span) })
    }
    if case .repeated(.while(let node), _) = kind {
      body.condition = Self.condition(node, "'while'", planner)
    }
    body.steps = planner.block(steps, path: path + "/")
    if case .repeated(.until(let node), _) = kind {
      body.condition = Self.condition(node, "'until'", planner)
    }
    body.outputs = planner.outputs(outputs)
    return body
  }

  /// The name of an iteration: an expression for a string, or text around expressions.
  private static func name(ofCase node: Node, _ planner: Planner) -> Template? {
    guard node.kind == .scalar, Interpolation.contains(node.text) else {
      _ = planner.templates.expression(node, .string, owner: "'cases'")
      return nil
    }
    return planner.templates.value(node, as: .string, owner: "'cases'")?.template
  }

  private static func condition(
    _ node: Node, _ owner: String, _ planner: Planner
  ) -> PlannedExpression? {
    planner.expressions.expression(node, .bool, owner: owner, planner.scope.environment)
  }

  private static func finish(
    _ body: Body, _ kind: PlannedLoop.Kind, _ library: ScenarioLibrary
  ) -> PlannedResult {
    let output = RecordType(
      body.outputs.map {
        RecordType.Field(
          name: $0.name, type: .list($0.type), summary: "One element an iteration.",
          defaultValue: nil)
      })
    library.note(Problem.loopOutputsNote, onFieldsOf: output)
    let planned = PlannedLoop(
      kind: kind, variable: body.variable, steps: body.steps, level: body.level,
      variableCount: body.variableCount, outputs: body.outputs, output: output,
      concurrency: body.concurrency, failsFast: body.failsFast, cases: body.cases,
      casePlaces: body.casePlaces)
    return (.loop(planned), .record(output))
  }
}
