package import FlowCore
package import FlowEngine

extension Transcript {
  /// Returns the beginning of the recorded run as the journal of a new run, which goes on live.
  ///
  /// `calls` are the addresses of the steps' calls that were answered, once for each call.
  package func beginning(_ calls: [Address], run: String) -> Journal {
    var counts: [Address: Int] = [:]
    for call in calls { counts[call.recorded, default: 0] += 1 }
    var kept: Set<Address> = []
    let rest = self.calls.keeping { number in
      let address = self.calls.address(of: number)
      // Calls that a component made follow the call during which it made them.
      guard address.calls.isEmpty else { return kept.contains(address.step.recorded) }
      kept.remove(address.recorded)
      guard let count = counts[address.recorded], count > 0 else { return false }
      counts[address.recorded] = count - 1
      kept.insert(address.recorded)
      return true
    }
    return Journal(
      header: header, run: run, passed: nil, outputs: .plain(.object([])), date: nil, length: 0,
      tornBytes: 0, checksum: nil, calls: rest, timers: [:])
  }
}

/// The timers of a run whose beginning is served, in which nothing waits.
package struct ServedTimers: Timers {
  private let isServing: @Sendable () -> Bool

  /// Creates the timers.
  ///
  /// `isServing` returns true until the recorded part has ended.
  package init(_ isServing: @escaping @Sendable () -> Bool) { self.isServing = isServing }

  package func begin(_ timer: RunTimer, at address: Address, for whole: Duration) -> Duration {
    isServing() ? .zero : whole
  }

  package func cancel(_ timer: RunTimer, at address: Address) {}
}
