internal import FlowCore
internal import FlowEngine

/// The steps of a failed run that are run again when it goes on.
struct RetriedSteps {
  /// The addresses of the steps with recorded calls or timers, in the journal's order.
  private(set) var addresses: [String] = []
  /// True if one of them is not only in a `finally` block that runs again.
  private(set) var hasFailedCalls = false
  private let calls: CallList
  private let failures: FailedSteps

  /// Finds the steps in a journal whose replay failed at some steps.
  init(_ failures: FailedSteps, in journal: Journal) {
    (calls, self.failures) = (journal.calls, failures)
    let last = Self.last(in: calls)
    let failed = Set(
      failures.entries.filter { isMadeAgain($0, last: last) }.map(\.address.step))
    let regions = failures.entries.compactMap(\.region)
    let finally = failures.finallyBlocks
    var seen: Set<Address> = []
    let places =
      calls.indices.map { calls.address(of: $0).step }
      + journal.timers.keys.map(\.address.step).sorted { "\($0)" < "\($1)" }
    for step in places where !seen.contains(step) {
      let hasFailed = failed.contains(step) || regions.contains(where: step.belongs(to:))
      guard hasFailed || finally.contains(where: step.belongs(to:)) else { continue }
      seen.insert(step)
      addresses.append("\(step)")
      hasFailedCalls = hasFailedCalls || hasFailed
    }
  }

  /// Returns true if the call of a failed step is made again.
  ///
  /// One that has answered is not, if only the run around it came to an end.
  private func isMadeAgain(_ entry: FailedSteps.Entry, last: Int?) -> Bool {
    switch entry.failure {
    case .inner: return false
    case .cancelled, .timeout: return !hasAnswered(entry.address)
    case .boundary:
      // A changed scenario: the latest call was the failed one.
      return !hasAnswered(entry.address) || calls.latest(at: entry.address) == last
    default: return true
    }
  }

  private func hasAnswered(_ address: Address) -> Bool {
    guard let call = calls.latest(at: address), case .output? = calls[call].answer else {
      return false
    }
    return true
  }

  /// The last call of a step outside of `finally`, if no call was still running then.
  private static func last(in calls: CallList) -> Int? {
    calls.indices.last { number in
      let address = calls.address(of: number)
      return address.calls.isEmpty && !address.isInFinally()
    }
  }
}

extension FailedSteps.Entry {
  /// The part of the run in which all calls are made again, or nil for the step alone.
  ///
  /// A loop that reached its limit starts anew, and an invariant looks again.
  fileprivate var region: Address? {
    if isLoop { return address }
    let parts = address.path.split(separator: "/")
    guard isOwn, let index = parts.lastIndex(of: "invariants") else { return nil }
    return Address(path: parts[...index].joined(separator: "/"), iterations: address.iterations)
  }
}
