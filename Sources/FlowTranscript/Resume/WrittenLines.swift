internal import FlowCore
internal import FlowEngine

/// The lines of a journal that a resumed run has not come to again.
struct WrittenLines {
  private struct Counts {
    var invoked = 0
    var completed = 0
    var emitted = 0

    var isEmpty: Bool { invoked + completed + emitted == 0 }

    /// Adds the lines of a call so many times.
    mutating func add(_ call: Transcript.Call, _ times: Int) {
      invoked += times
      completed += call.answer == nil ? 0 : times
      emitted += call.emitted.count * times
    }
  }

  private var hasHeader: Bool
  private var counts: [Address: Counts] = [:]

  /// Creates the lines of a journal, or none for nil.
  init(_ journal: Journal?) {
    hasHeader = journal != nil
    for call in journal?.calls ?? CallList() {
      counts[call.address, default: Counts()].add(call, 1)
    }
  }

  /// Takes out all lines of a call.
  mutating func remove(_ call: Transcript.Call) {
    counts[call.address]?.add(call, -1)
    if counts[call.address]?.isEmpty == true { counts[call.address] = nil }
  }

  /// Returns true if an event has a line, and removes that line.
  mutating func contains(_ event: Event) -> Bool {
    switch event {
    case .runStarted:
      defer { hasHeader = false }
      return hasHeader
    case .invoked(let invocation): return take(\.invoked, invocation.address)
    case .completed(let invocation, _): return take(\.completed, invocation.address)
    case .emitted(let address, _, _): return take(\.emitted, address)
    case .branchStarted, .branchEnded, .caseStarted, .caseEnded, .stepStarted, .stepEnded,
      .computed, .runEnded:
      return false
    }
  }

  private mutating func take(
    _ kind: WritableKeyPath<Counts, Int>, _ address: Address
  ) -> Bool {
    guard !counts.isEmpty else { return false }
    let name = address.recorded
    guard var counts = counts[name], counts[keyPath: kind] > 0 else { return false }
    counts[keyPath: kind] -= 1
    self.counts[name] = counts.isEmpty ? nil : counts
    return true
  }
}
