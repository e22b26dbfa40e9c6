internal import FlowCore

/// Those who wait until some recorded calls have been made.
struct CallWatches {
  private struct Watch {
    /// The calls that have not been made; one or more.
    var left: Set<Int>
    /// Finished when the last one is made.
    let continuation: AsyncStream<Never>.Continuation
  }

  private var watches: [Watch] = []

  /// Somebody more, who hears at once when no call is left.
  mutating func add(_ left: [Int], _ continuation: AsyncStream<Never>.Continuation) {
    if left.isEmpty { return continuation.finish() }
    watches.append(Watch(left: Set(left), continuation: continuation))
  }

  /// Notes that a call was made.
  mutating func note(_ call: Int) {
    // As in nearly all runs.
    if watches.isEmpty { return }
    for index in watches.indices where watches[index].left.remove(call) != nil {
      if watches[index].left.isEmpty { watches[index].continuation.finish() }
    }
    watches.removeAll(where: \.left.isEmpty)
  }
}
