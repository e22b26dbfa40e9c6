internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// A reader of `trials:`, how often a scenario runs where something is live.
struct DeclaredTrials {
  private let expressions: ExpressionCompiler
  private let options: OptionReader

  init(_ expressions: ExpressionCompiler, _ options: OptionReader) {
    (self.expressions, self.options) = (expressions, options)
  }

  /// Returns the trials, or nil after a problem.
  ///
  /// `environment` has the inputs. The limit sees these, and the quantities of the components.
  func trials(
    _ entry: Node.Entry, _ environment: Environment, on plugins: [RegisteredPlugin]
  ) -> PlannedTrials? {
    guard
      let reader = MappingReader(
        entry.value, owner: "'trials'", keys: KeySet.trials.names, expressions.diagnostics)
    else { return nil }
    let runs = reader.required("runs").flatMap { options.whole($0, "'runs'", PlannedTrials.counts) }
    let most = runs ?? PlannedTrials.counts.upperBound
    let pass = reader.required("pass").flatMap { options.whole($0, "'pass'", 1...most) }
    let limit = reader["limit"].flatMap { self.limit($0, environment, on: plugins.usage) }
    guard let runs, let pass else { return nil }
    return PlannedTrials(runs: runs, pass: pass, limit: limit, place: Place(entry.key.span))
  }

  private func limit(
    _ node: Node, _ environment: Environment, on usage: RecordType
  ) -> TrialLimit? {
    let variable = ExpressionCompiler.Variable(TrialLimit.variable, .record(usage))
    return expressions.condition(node, on: variable, owner: "'limit'", environment).map {
      TrialLimit($0.condition, on: usage, atLevel: $0.level)
    }
  }
}
