internal import FlowCore

/// Finds the recorded calls inside of a step.
struct CallIndex {
  private let calls: CallList
  private lazy var places = calls.indices.map { Address(calls.address(of: $0)) }
  /// Numbers of calls, by the path of a step and the iterations around it.
  private var known: [String: [[Int]: [Int]]] = [:]

  init(_ calls: CallList) {
    self.calls = calls
  }

  /// The numbers of the calls inside of a step, in their recorded order.
  mutating func inside(_ step: Address) -> [Int] {
    // Once for all iterations, because a loop may ask for every one.
    if known[step.path] == nil {
      let (places, path) = (places, Address(path: step.path))
      let inside = calls.indices.filter { places[$0]?.belongs(to: path) == true }
      known[step.path] = Dictionary(grouping: inside) { call in
        Array(places[call]?.iterations.prefix(step.iterations.count) ?? [])
      }
    }
    return known[step.path]?[step.iterations] ?? []
  }
}
