internal import FlowCore
package import FlowEngine
internal import FlowExpression
package import FlowPlan

/// Judges altered answers without a replay, where only the expectation of their step reads them.
///
/// The rest of a run depends on an answer by the expressions that read it (`ReadParts`) alone. Where
/// none of them reads the altered value, the run fails as soon as its step does, and else does what
/// it did before.
package struct AnswerTrials: Sendable {
  /// The result of a trial.
  package enum TrialResult: Sendable {
    /// Nothing sees the alteration.
    case unnoticed
    /// The step fails.
    case noticed(StepFailure, AnswerJudgement)
  }

  private let transcript: Transcript
  private let judgements: [String: AnswerJudgement]
  private let reads: ReadParts
  private let plan: Plan

  /// Creates trials of a recording whose unaltered replay made these judgements.
  package init(_ transcript: Transcript, _ plan: Plan, _ judgements: NotedJudgements) {
    self.transcript = transcript
    self.judgements = judgements.known
    reads = ReadParts(plan)
    self.plan = plan
  }

  /// Returns the result of an alteration, or nil if only a replay shows it.
  package func result(of alteration: Alteration) -> TrialResult? {
    let address = alteration.address
    // A component that is not called reads nothing.
    if address.caller != nil { return .unnoticed }
    guard alteration.attempt == nil, let judgement = judgements["\(address)"],
      judgement.invocation.secret.isEmpty, !isHidden(alteration, judgement),
      !isReadElsewhere(alteration, judgement),
      case .output(let output)? = transcript.answer(alteredBy: alteration),
      let answer = try? Value(output.served, as: .record(judgement.invocation.outputType))
    else { return nil }
    guard let failure = judgement.failure(of: answer) else { return .unnoticed }
    return failsAtOnce(address.path) ? .noticed(failure, judgement) : nil
  }

  /// Returns true if the failure of a step fails the run, without another attempt.
  private func failsAtOnce(_ path: String) -> Bool {
    let way = plan.way(to: path)
    guard let step = way.step else { return false }
    return (way.around + [step]).allSatisfy(\.failsAtOnce)
  }

  /// Returns true if the altered value is a secret, which may be hidden elsewhere.
  private func isHidden(_ alteration: Alteration, _ judgement: AnswerJudgement) -> Bool {
    ValueType.record(judgement.invocation.outputType)
      .hasSecrets(along: alteration.partOfAnswer[...])
  }

  /// Returns true if anything but the expectation of its step may read an altered value.
  private func isReadElsewhere(_ alteration: Alteration, _ judgement: AnswerJudgement) -> Bool {
    let computed = Set(judgement.invocation.outputType.computedFields.map(\.name))
    let place = alteration.partOfAnswer
    return reads.partsElsewhere(at: alteration.address.path).contains { part in
      let steps = part.path.steps
      // Such a field may be made of any other.
      if case .field(let name)? = steps.first, computed.contains(name) { return true }
      return zip(steps, place).allSatisfy { $0 == $1 }
    }
  }
}

extension ValueType {
  /// Returns true if a part of a value is hidden, around a place or inside of it.
  fileprivate func hasSecrets(along path: ArraySlice<FieldPath.Step>) -> Bool {
    guard hasSecrets, let step = path.first else { return hasSecrets }
    switch (self, step) {
    case (.record(let record), .field(let name)):
      guard let field = record.fields.first(where: { $0.name == name }) else { return true }
      return field.isSecret || field.type.hasSecrets(along: path.dropFirst())
    case (.list(let element), .index), (.map(let element), .field):
      return element.hasSecrets(along: path.dropFirst())
    case (.optional(let wrapped), _): return wrapped.hasSecrets(along: path)
    default: return true
    }
  }
}

extension PlannedStep {
  /// True if a failure inside of it is one of the scenario.
  fileprivate var failsAtOnce: Bool {
    if case .parallel = action { return false }
    return options?.retry == nil && options?.continuesOnError != true
  }
}
