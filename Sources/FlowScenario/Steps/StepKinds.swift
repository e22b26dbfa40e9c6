internal import FlowPlan

extension StepKind {
  /// Every kind, in the order in which messages list them.
  static let all = PlannedAction.Kind.allCases.flatMap(written)

  /// Returns the kinds of written steps that become actions of a kind.
  private static func written(_ action: PlannedAction.Kind) -> [StepKind] {
    switch action {
    case .call: [WrittenCall.kind]
    case .loop: [WrittenLoop.eachKind, WrittenLoop.repeatedKind]
    case .block: [WrittenBlock.kind]
    case .parallel: [WrittenParallel.kind]
    case .set: [WrittenSet.kind]
    case .assert: [WrittenAssert.kind]
    case .wait: [WrittenWait.kind]
    case .await: [WrittenAwait.kind]
    case .scenario: [WrittenSubscenario.kind]
    }
  }

  /// The ids that steps cannot have, because the paths of other steps start with them.
  ///
  /// Two steps with one path would look the same in a transcript.
  static let reservedIDs = Set(all.map(\.key)).subtracting([WrittenCall.kind.key])
    .union(["components", "else", "finally", "invariants"])
}

/// A kind of step, as schemas and editors see it.
package struct StepSyntax: Sendable {
  /// The key that makes a step one of this kind.
  package let head: Key
  /// All keys of such a step.
  package let keys: KeySet
  /// True if the key of any other kind beside its own decides.
  package let yields: Bool

  /// Every kind, in the order in which messages list them.
  package static let all = StepKind.all.map { kind in
    let own = Set(kind.companions)
    let common = Key.ofEveryStep.filter { !own.contains($0.name) }
    return StepSyntax(
      head: kind.head, keys: KeySet([kind.head] + kind.own + common), yields: kind.yields)
  }
}
