internal import FlowCore
internal import FlowExpression

/// The answers that each expression of a scenario reads together.
///
/// Answers of two runs can stand in one recording unless an expression reads both of them.
package struct Readings: Sendable {
  /// The place of an expression.
  package enum Reader: Sendable, Hashable {
    /// The input of the call of a step at a path.
    case input(String)
    /// The outputs of the scenario.
    case outputs
    /// The value of a variable, which shows where the variable is read.
    case variable
    /// A condition, a check or anything else that no recording shows.
    case unseen
  }

  /// The answers that one expression reads.
  package struct Reading: Sendable, Hashable {
    /// The place of the expression.
    package let reader: Reader
    /// The paths of the steps with these answers.
    ///
    /// The empty path stands for all variables.
    package let steps: Set<String>
  }

  /// The readings.
  package private(set) var all: Set<Reading> = []

  /// Finds the readings in a plan.
  ///
  /// - Returns: Nil if it includes scenarios, since any answer may be read with any other through
  ///   their inputs and outputs.
  package init?(_ plan: Plan) {
    if !plan.scenarios.isEmpty { return nil }
    var finder = ReadingFinder()
    for step in plan.allSteps { finder.visit(step) }
    for output in plan.outputs { finder.read(output.value.expressions, by: .outputs) }
    all = finder.readings
  }
}

/// Finds the readings of one scenario.
private struct ReadingFinder {
  private(set) var readings: Set<Readings.Reading> = []
  /// The steps whose answers are in the slots now.
  private var owners: [Slot: String] = [:]

  mutating func visit(_ step: PlannedStep) {
    for block in step.blocks { for step in block.steps { visit(step) } }
    let options = step.options
    read((options?.condition.map { [$0] } ?? []) + (options?.expressions ?? []), by: .unseen)
    for slot in step.slots { owners[slot] = nil }
    switch step.action {
    case .call(let call):
      read(call.input.expressions, by: .input(step.path))
      if let slot = step.slot { owners[slot] = step.path }
      // It reads the answer of its own step with what its expressions read.
      if let expected = call.expectation { read(expected.expressions, by: .unseen, [step.path]) }
    case .await(let event):
      read(event.expressions, by: .unseen)
      if let slot = step.slot { owners[slot] = step.path }
    case .assert, .wait: read(step.action.content.expressions, by: .unseen)
    case .set: read(step.action.content.expressions, by: .variable, [""])
    case .loop, .block, .parallel, .scenario:
      read(step.action.content.expressions, by: .unseen, [""])
    }
  }

  /// Notes some expressions, which read the answers of `others`, too.
  mutating func read(
    _ expressions: [PlannedExpression], by reader: Readings.Reader, _ others: [String] = []
  ) {
    for expression in expressions {
      let steps = Set(others + steps(of: expression))
      if !steps.isEmpty { readings.insert(.init(reader: reader, steps: steps)) }
    }
  }

  private func steps(of expression: PlannedExpression) -> [String] {
    expression.expression.references.filter { $0.name != ExpectedValue.subject }.compactMap {
      // The inputs of the scenario are the same in both runs.
      owners[$0.slot] ?? ($0.slot.level == 0 ? nil : "")
    }
  }
}
