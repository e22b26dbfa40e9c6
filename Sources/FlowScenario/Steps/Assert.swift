internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `assert`: checks that expressions are true.
struct WrittenAssert: WrittenAction {
  static let kind = StepKind(
    Key(
      "assert", "The expression that must be true, or a list of such expressions.",
      .either([.expression, .list(.expression, mayBeEmpty: false)]), isRequired: true),
    isInTranscripts: false
  ) { reader in
    reader.demandContent("assert")
    // One alone needs no list.
    if let node = reader["assert"], node.kind == .scalar {
      return WrittenAssert(assertions: [node])
    }
    return WrittenAssert(assertions: reader.items("assert"))
  }

  let assertions: [Node]

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    let compiler = planner.expressions
    let planned = assertions.compactMap {
      compiler.expression($0, .bool, owner: "an assertion", planner.scope.environment)
    }
    return (.assert(PlannedAssert(assertions: planned)), .record(.empty))
  }
}
