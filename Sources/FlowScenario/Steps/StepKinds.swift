extension StepKind {
  /// Every kind, in the order in which messages list them.
  ///
  /// A new kind has its line here, its case in `PlannedAction` and its file in this folder and in the engine's.
  static let all = [
    WrittenCall.kind, WrittenLoop.eachKind, WrittenLoop.repeatedKind, WrittenBlock.kind,
    WrittenParallel.kind, WrittenSet.kind, WrittenAssert.kind, WrittenWait.kind, WrittenAwait.kind,
    WrittenSubscenario.kind,
  ]

  /// The ids that steps cannot have, because the paths of other steps start with them.
  ///
  /// Two steps with one path would look the same in a transcript.
  static let reservedIDs = Set(all.map(\.key)).subtracting([WrittenCall.kind.key])
    .union(["components", "else", "finally", "invariants"])
}
