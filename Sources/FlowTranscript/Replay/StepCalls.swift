internal import FlowCore

/// The recorded calls inside of the steps that somebody asks for.
struct StepCalls {
  private let calls: [Transcript.Call]
  /// Numbers of calls, by the path of a step and the iterations around it.
  private var known: [String: [[Int]: [Int]]] = [:]

  /// Nothing was asked yet.
  init(_ calls: [Transcript.Call]) {
    self.calls = calls
  }

  /// The numbers of the calls inside of a step, in their recorded order.
  mutating func inside(_ step: Address) -> [Int] {
    // Once for all iterations: a loop may ask for each of them.
    if known[step.path] == nil {
      known[step.path] = Dictionary(
        grouping: calls.indices.filter { step.iterations(of: calls[$0].address) != nil }
      ) { step.iterations(of: calls[$0].address) ?? [] }
    }
    return known[step.path]?[step.iterations] ?? []
  }
}
