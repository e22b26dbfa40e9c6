internal import FlowCore
internal import FlowExpression
internal import FlowYAML

extension Planner {
  /// The most iterations that a `repeat` may ask for.
  private static let limits = 1...1_000_000_000

  mutating func plan(_ loop: Step.Loop, path: String) -> (PlannedAction, ExpressionType)? {
    switch loop.kind {
    case .each(let variable, let list): return each(variable, list, loop, path)
    case .repeated(let until, let limit): return repeated(until, limit, loop, path)
    }
  }

  private mutating func each(
    _ variable: Node, _ list: Node, _ loop: Step.Loop, _ path: String
  ) -> (PlannedAction, ExpressionType)? {
    let elements = expressions.expression(
      list, .list(.dynamic), owner: "'in'", scope.environment)
    _ = Name.check(
      variable, owner: "a loop variable", reserved: Name.reservedForVariables, problems)
    let element = elements?.expression.type.valueType?.elementType ?? .dynamic
    let body = body(of: loop, path: path, variable: (variable.text, element))
    guard let elements else { return nil }
    return finish(body, loop, kind: .each(elements))
  }

  private mutating func repeated(
    _ until: Node, _ limit: Node?, _ loop: Step.Loop, _ path: String
  ) -> (PlannedAction, ExpressionType)? {
    let body = body(of: loop, path: path, until: until)
    guard let limit else { return nil }
    guard case .int(let count)? = limit.scalar, Self.limits.contains(Int(count)) else {
      problems.add(
        .number(limit.kindPhrase, owner: "'limit'", range: Self.limits), at: limit.span)
      return nil
    }
    guard let condition = body.until else { return nil }
    return finish(body, loop, kind: .until(condition, limit: Int(count)))
  }

  // MARK: - Body

  private struct Body {
    var steps: [PlannedStep] = []
    var until: PlannedExpression?
    var outputs: [PlannedOutput] = []
    var level = 0
    var variableCount = 0
  }

  private mutating func body(
    of loop: Step.Loop, path: String, variable: (String, ValueType)? = nil, until: Node? = nil
  ) -> Body {
    var body = Body()
    openBlock()
    body.level = scope.level
    scope.declare("loop.index", .int)
    if let (name, type) = variable { scope.declare(name, ExpressionType(type)) }
    body.steps = block(loop.steps, path: path + "/")
    body.until = until.flatMap {
      expressions.expression(
        $0, .bool, owner: "'until'", scope.environment)
    }
    body.outputs = outputs(loop.outputs)
    body.variableCount = closeBlock(loop.steps)
    return body
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
      variableCount: body.variableCount, outputs: body.outputs, output: output)
    return (.loop(planned), .record(output))
  }
}

extension Step.Loop {
  /// The name of a `for`'s variable; nil for a `repeat`.
  fileprivate var variable: String? {
    if case .each(let variable, _) = kind { return variable.text }
    return nil
  }
}
