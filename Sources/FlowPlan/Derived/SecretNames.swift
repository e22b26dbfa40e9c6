internal import FlowCore
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
  ///
  /// `given` has the secrets behind the values that the step around the scenario gives its inputs.
  package init(of plan: Plan, given: [String: String] = [:]) {
    for input in plan.inputs {
      let name = given[input.name] ?? (input.isSecret ? input.name : nil)
      if let name { inputs["inputs.\(input.name)"] = name }
    }
    if inputs.isEmpty, plan.scenarios.isEmpty { return }
    let steps = plan.invariants.steps + plan.steps + plan.finally
    // A variable may be set behind the step that reads it, in a loop.
    var count = -1
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
      add(step.answerName, from: loop.outputs.flatMap(\.value.expressions))
    case .scenario(let scenario): add(step.answerName, from: scenario)
    case .call, .block, .parallel, .assert, .wait, .await: break
    }
  }

  private mutating func add(_ name: String, from expressions: [PlannedExpression]) {
    guard let secret = secret(in: expressions) else { return }
    inputs[name] = inputs[name] ?? secret
  }

  /// Adds the answer of an inner scenario if it is computed from secrets.
  private mutating func add(_ name: String, from scenario: PlannedScenario) {
    let inner = SecretNames(of: scenario.plan, given: given(to: scenario))
    guard let secret = inner.secret(in: scenario.plan.outputs.flatMap(\.value.expressions)) else {
      return
    }
    inputs[name] = inputs[name] ?? secret
  }

  /// The secrets behind the inputs that a step gives another scenario, by their names.
  package func given(to scenario: PlannedScenario) -> [String: String] {
    guard case .record(let type, let fields) = scenario.input else { return [:] }
    var given: [String: String] = [:]
    for (field, value) in zip(type.fields, fields) {
      given[field.name] = secret(in: value.expressions)
    }
    return given
  }

  /// The secret input behind expressions, or nil.
  private func secret(in expressions: [PlannedExpression]) -> String? {
    names(in: expressions).first.flatMap { inputs[$0] }
  }

  /// Returns those of the names that expressions read, in text order.
  package func names(in expressions: [PlannedExpression]) -> [String] {
    if inputs.isEmpty { return [] }
    return expressions.flatMap(\.expression.references).map(\.name).filter { inputs[$0] != nil }
  }

  /// Returns the secret input behind a name, or nil.
  package func input(behind name: String) -> String? { inputs[name] }
}

extension PlannedStep {
  /// The name of its answer in expressions, if it has an id.
  fileprivate var answerName: String {
    "steps.\(path.split(separator: "/").last.map(String.init) ?? path)"
  }
}
