internal import FlowCore
internal import FlowExpression
internal import FlowYAML

extension Planner {
  /// The most iterations that a `repeat` may ask for.
  private static let limits = 1...1_000_000_000
  /// The most iterations of a `for` that may run at once.
  private static let widths = 1...1_000

  mutating func plan(
    _ loop: Step.Loop, failsFast: Node?, path: String
  ) -> (PlannedAction, ExpressionType)? {
    switch loop.kind {
    case .each(let variable, let list, let parallel):
      if let failsFast, parallel == nil {
        problems.add(.needsParallel, at: failsFast.span)
      }
      let isParallel = parallel != nil
      if isParallel { runsInParallel = true }
      let failsFast = failsFast.map { flag($0, "'fail-fast'") } ?? true
      let concurrency = parallel.flatMap { whole($0, "'parallel'", Self.widths) }.map {
        Concurrency(limit: $0, failsFast: failsFast)
      }
      return each(variable, list, loop, path, isParallel, concurrency)
    case .repeated(let condition, let limit): return repeated(condition, limit, loop, path)
    }
  }

  private mutating func each(
    _ variable: Node, _ list: Node, _ loop: Step.Loop, _ path: String, _ isParallel: Bool,
    _ concurrency: Concurrency?
  ) -> (PlannedAction, ExpressionType)? {
    let elements = expressions.expression(
      list, .list(.dynamic), owner: "'in'", scope.environment)
    _ = Name.check(
      variable, owner: "a loop variable", reserved: Name.reservedForVariables, problems)
    let element = elements?.expression.type.valueType?.elementType ?? .dynamic
    openBlock()
    if isParallel { scope.beginBranch() }
    var body = body(of: loop, path: path, variable: (variable.text, element))
    body.concurrency = concurrency
    body.variableCount = closeBlock(loop.steps)
    if isParallel { scope.endIteration() }
    guard let elements else { return nil }
    return finish(body, loop, kind: .each(elements))
  }

  private mutating func repeated(
    _ condition: Step.Loop.Condition, _ limit: Node?, _ loop: Step.Loop, _ path: String
  ) -> (PlannedAction, ExpressionType)? {
    openBlock()
    var body = body(of: loop, path: path, condition: condition)
    body.variableCount = closeBlock(loop.steps)
    guard let limit else { return nil }
    guard case .int(let count)? = limit.scalar, Self.limits.contains(Int(count)) else {
      problems.add(
        .number(limit.kindPhrase, owner: "'limit'", range: Self.limits), at: limit.span)
      return nil
    }
    guard let planned = body.condition else { return nil }
    switch condition {
    case .until: return finish(body, loop, kind: .until(planned, limit: Int(count)))
    case .while: return finish(body, loop, kind: .while(planned, limit: Int(count)))
    }
  }

  // MARK: - Body

  private struct Body {
    var steps: [PlannedStep] = []
    var condition: PlannedExpression?
    var outputs: [PlannedOutput] = []
    var concurrency: Concurrency?
    var level = 0
    var variableCount = 0
  }

  /// The body of a loop, in the block that was opened for it.
  private mutating func body(
    of loop: Step.Loop, path: String, variable: (String, ValueType)? = nil,
    condition: Step.Loop.Condition? = nil
  ) -> Body {
    var body = Body()
    body.level = scope.level
    scope.declare("loop.index", .int)
    if let (name, type) = variable { scope.declare(name, ExpressionType(type)) }
    if case .while(let node)? = condition { body.condition = self.condition(node, "'while'") }
    body.steps = block(loop.steps, path: path + "/")
    if case .until(let node)? = condition { body.condition = self.condition(node, "'until'") }
    body.outputs = outputs(loop.outputs)
    return body
  }

  private func condition(_ node: Node, _ owner: String) -> PlannedExpression? {
    expressions.expression(node, .bool, owner: owner, scope.environment)
  }

  private func finish(
    _ body: Body, _ loop: Step.Loop, kind: PlannedLoop.Kind
  ) -> (PlannedAction, ExpressionType) {
    let output = RecordType(
      body.outputs.map {
        RecordType.Field(
          name: $0.name, type: .list($0.type), summary: "One element an iteration.",
          defaultValue: nil)
      })
    let planned = PlannedLoop(
      kind: kind, variable: loop.variable, steps: body.steps, level: body.level,
      variableCount: body.variableCount, outputs: body.outputs, output: output,
      concurrency: body.concurrency)
    return (.loop(planned), .record(output))
  }
}

extension Step.Loop {
  /// The name of a `for`'s variable; nil for a `repeat`.
  fileprivate var variable: String? {
    if case .each(let variable, _, _) = kind { return variable.text }
    return nil
  }
}
