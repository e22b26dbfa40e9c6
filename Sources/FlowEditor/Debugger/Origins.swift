internal import FlowCore
internal import FlowEngine
internal import FlowExpression
internal import FlowPlan

// The steps and the answers that values come from, found by the mechanism of failures.

extension DebugSession {
  /// The lines about the origins of the values that an expression reads at the present place.
  ///
  /// Empty for an expression that reads none.
  package func origins(of text: String) async throws(ValuesInSight.Problem) -> [String] {
    guard let number = moment, let values else {
      throw ValuesInSight.Problem(text: "there are no values here")
    }
    let reads = try values.reads(of: text)
    guard let scope = await scope(at: number) else {
      throw ValuesInSight.Problem(text: "the origin is no longer known")
    }
    let file = timeline.moments[number].plan.file
    return scope.origins(of: reads).flatMap { $0.redacted(by: redactor).lines(in: file) }
  }

  /// The moment as the run knows it.
  ///
  /// Of a recorded run only the values are kept, so it is replayed once more up to there.
  private func scope(at number: Int) async -> OriginScope? {
    if let kept = gate.scope(at: number) { return kept }
    guard !isLive else { return nil }
    let again = DebugGate(keepingScopeOf: number)
    _ = await target.replay(loaded.plan, again)
    return again.scope(at: number)
  }
}
