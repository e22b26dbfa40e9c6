internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `wait`: lets time pass.
struct WrittenWait: WrittenAction {
  static let kind = StepKind(
    Key("wait", "The time to let pass, such as 200ms.", .computed(.duration), isRequired: true),
    isInTranscripts: false
  ) { reader in
    reader["wait"].map(WrittenWait.init)
  }

  let duration: Node

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    if case .duration(let time)? = Value(duration, as: .duration), time < .zero {
      planner.diagnostics.add(.negative(duration.text, owner: "'wait'"), at: duration.span)
    }
    return planner.templates.value(duration, as: .duration, owner: "'wait'").map {
      (.wait(PlannedWait(duration: $0.template)), .record(.empty))
    }
  }
}
