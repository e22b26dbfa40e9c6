internal import FlowCore
internal import FlowEngine

/// Notices steps of a resumed run that ended without all of their recorded calls.
///
/// A step that failed may have been cut off, which proves nothing. A step that passed, or was left
/// out by its condition, will not make them any more.
struct PassedSteps {
  /// The number of recorded calls left inside of a step, by its path and its iterations.
  private var left: [Address: Int] = [:]
  /// The first step that ended too early.
  private(set) var tooEarly: Address?

  /// Counts the calls of a journal, all still to be made.
  init(_ calls: CallList) {
    for number in calls.indices {
      let address = calls.address(of: number)
      if address.calls.isEmpty { add(1, of: address) }
    }
  }

  /// Notes calls and the ends of steps.
  mutating func note(_ event: Event) {
    switch event {
    case .invoked(let invocation):
      let address = invocation.address.recorded
      if address.calls.isEmpty, left[address, default: 0] > 0 { add(-1, of: address) }
    case .stepEnded(let address, _, let state, _):
      let count = left[address, default: 0]
      if count == 0 { return }
      switch state {
      case .passed, .notRun(.condition): tooEarly = tooEarly ?? address
      case .failed, .notRun(.earlierFailure): add(-count, of: address)
      }
    default: return
    }
  }

  /// Adds to the remaining calls of a step, and of all steps around it.
  private mutating func add(_ count: Int, of address: Address) {
    var path = Substring(address.path)
    while true {
      for depth in 0...address.iterations.count {
        let step = Address(
          path: String(path), iterations: Array(address.iterations.prefix(depth)))
        left[step, default: 0] += count
      }
      guard let end = path.lastIndex(of: "/") else { return }
      path = path[..<end]
    }
  }
}
