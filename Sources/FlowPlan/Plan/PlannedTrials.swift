package import FlowCore
internal import FlowExpression

/// The trials of a scenario whose components answer by chance, as planned.
package struct PlannedTrials: Sendable {
  /// The possible numbers of trials.
  package static let counts = 1...1_000

  /// The most trials, 1 or more.
  package let runs: Int
  /// The number of trials that must pass, 1 to `runs`.
  package let pass: Int
  /// The condition that must hold before a further trial, or nil for none.
  package let limit: TrialLimit?
  /// The place of its key.
  package let place: Place

  package init(runs: Int, pass: Int, limit: TrialLimit?, place: Place) {
    (self.runs, self.pass, self.limit, self.place) = (runs, pass, limit, place)
  }
}

/// A condition on the quantities that the calls of all trials have used.
package struct TrialLimit: Sendable {
  /// The name of the quantities in the condition.
  package static let variable = "usage"

  /// The condition, which reads the inputs and `usage`.
  package let condition: PlannedExpression
  /// The lists of quantities in `usage`, by their names.
  private let usage: RecordType
  /// The level of the variable `usage`, above that of the inputs.
  private let level: Int

  package init(_ condition: PlannedExpression, on usage: RecordType, atLevel level: Int) {
    (self.condition, self.usage, self.level) = (condition, usage, level)
  }

  /// Evaluates the condition before a further trial.
  ///
  /// - Parameters:
  ///   - used: The quantities in the order of the calls, by their names, as decimals.
  ///   - inputs: The values of the plan's inputs.
  /// - Returns: True if the trial may start.
  /// - Throws: `EvaluationFailure` if the condition has no value.
  package func holds(
    _ used: [String: [Value]], inputs: [Value]
  ) throws(EvaluationFailure) -> Bool {
    try condition.evaluate(activation(used, inputs)) == .bool(true)
  }

  /// The parts of the condition with their values.
  package func operands(_ used: [String: [Value]], inputs: [Value]) -> [OperandText] {
    condition.operands(activation(used, inputs))
  }

  /// The names of the quantities that the condition reads, in the order of their declaration.
  package var names: [String] {
    let reads = condition.reads.filter { $0.slot.level == level }
    let read = reads.compactMap { read in
      if case .field(let name)? = read.path.steps.first { name } else { nil }
    }
    return usage.fields.map(\.name).filter { read.count < reads.count || read.contains($0) }
  }

  private func activation(_ used: [String: [Value]], _ inputs: [Value]) -> Activation {
    let lists = usage.fields.map { Value.list(used[$0.name] ?? []) }
    let between = Array(repeating: [Value?](), count: level - 1)
    return Activation(levels: [inputs] + between + [[.record(RecordValue(usage, lists))]])
  }
}
