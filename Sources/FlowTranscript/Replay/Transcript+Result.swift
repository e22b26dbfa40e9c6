internal import FlowCore
internal import FlowEngine

extension Transcript {
  /// How the end of a replayed run departs from the recorded end; `advice` says what to do when that is meant.
  func mismatches(of result: RunReport, advice: String) -> [ReplayMismatch] {
    guard passed == result.passed else {
      let (then, now) = passed ? ("passed", "failed") : ("failed", "passed")
      let diagnostic = Diagnostic(
        .otherEnd, "the recorded run \(then), this one \(now)", at: nil, notes: [advice])
      return [mismatch(.string(then), .string(now), [], diagnostic)]
    }
    var writer = JSONWriter()
    writer.outputs(result.outputs)
    // Our own writer's text always parses.
    guard let outputs = try? JSONParser.parse(writer.bytes[...]) else { return [] }
    let expected = self.outputs.matched(by: outputs, as: .dynamic)
    let fields = FieldChange.between(expected, outputs)
    if fields.isEmpty { return [] }
    let diagnostic = Diagnostic(
      .otherOutputs, "the outputs have changed", at: nil, notes: fields.noteLines + [advice])
    return [mismatch(self.outputs, outputs, fields, diagnostic)]
  }

  private func mismatch(
    _ expected: JSON, _ actual: JSON, _ fields: [FieldChange], _ diagnostic: Diagnostic
  ) -> ReplayMismatch {
    ReplayMismatch(
      subject: .end, address: "steps", line: nil, expected: expected, actual: actual,
      fields: fields, nearest: nil, diagnostic: diagnostic, isAllowed: false)
  }
}
