public import FlowCore
public import FlowEngine

extension Transcript {
  /// How the end of a replayed run departs from the recorded end; empty when it does not.
  public func departures(of result: RunResult) -> [Diagnostic] {
    guard passed == result.passed else {
      let (then, now) = passed ? ("passed", "failed") : ("failed", "passed")
      return [Diagnostic("F3007", "the recorded run \(then), this one \(now)", at: nil)]
    }
    var writer = JSONWriter()
    writer.outputs(result.outputs)
    // Our own writer's text always parses.
    guard let outputs = try? JSONParser.parse(writer.bytes[...]) else { return [] }
    let expected = self.outputs.matched(by: outputs, as: .dynamic)
    if outputs == expected { return [] }
    return [
      Diagnostic(
        "F3008", "the outputs have changed", at: nil,
        notes: FieldChange.between(expected, outputs).map(\.text))
    ]
  }
}
