internal import FlowExpression

/// The names of a scenario whose values are computed from secret inputs.
///
/// The text of such a value need not contain the secret, so the redaction would not find it.
package struct SecretNames: Sendable {
  /// The secret input behind each name, as expressions have it: `inputs.pin`, `code`, `steps.rows`.
  private var inputs: [String: String] = [:]

  /// Creates no names.
  package init() {}

  /// Finds the names in a plan, without those of its inner scenarios.
  package init(of plan: Plan) {
    for input in plan.inputs where input.isSecret { inputs["inputs.\(input.name)"] = input.name }
    if inputs.isEmpty { return }
    let steps = plan.invariants.steps + plan.steps + plan.finally
    // A variable may be set behind the step that reads it, in a loop.
    var count = 0
    while inputs.count > count {
      count = inputs.count
      for step in steps { step.visit { add($0) } }
    }
  }

  private mutating func add(_ step: PlannedStep) {
    switch step.action {
    case .set(let set):
      for assignment in set.assignments {
        add(assignment.name, from: assignment.value.expressions)
      }
    case .loop(let loop):
      if case .each(let list) = loop.kind, let variable = loop.variable {
        add(variable, from: list.expressions)
      }
      let id = step.path.split(separator: "/").last.map(String.init) ?? step.path
      add("steps.\(id)", from: loop.outputs.flatMap(\.value.expressions))
    case .call, .block, .parallel, .assert, .wait, .await, .scenario: break
    }
  }

  private mutating func add(_ name: String, from expressions: [PlannedExpression]) {
    guard let secret = names(in: expressions).first.flatMap({ inputs[$0] }) else { return }
    inputs[name] = inputs[name] ?? secret
  }

  /// Returns those of the names that expressions read, in text order.
  package func names(in expressions: [PlannedExpression]) -> [String] {
    if inputs.isEmpty { return [] }
    return expressions.flatMap(\.expression.references).map(\.name).filter { inputs[$0] != nil }
  }

  /// Returns the secret input behind a name, or nil.
  package func input(behind name: String) -> String? { inputs[name] }
}
