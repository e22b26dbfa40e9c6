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
    guard let outputs = try? JSONParser.parse(writer.bytes[...]), outputs != self.outputs else {
      return []
    }
    return [
      Diagnostic(
        "F3008", "the outputs have changed", at: nil,
        notes: Self.differences(self.outputs, outputs))
    ]
  }

  private static func differences(_ recorded: JSON, _ now: JSON) -> [String] {
    guard case .object(let first) = recorded, case .object(let second) = now else { return [] }
    let names = first.map(\.name) + second.map(\.name).filter { recorded[$0] == nil }
    return names.filter { recorded[$0] != now[$0] }.map { name in
      "\(name): recorded \(text(recorded[name])), now \(text(now[name]))"
    }
  }

  private static func text(_ json: JSON?) -> String {
    guard let json else { return "nothing" }
    return (try? Value(dynamic: json)).map { $0.summary() } ?? "what cannot be read"
  }
}
