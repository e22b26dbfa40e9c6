internal import FlowCore

/// The recorded calls inside of a step whose branches are compared exactly, and who waits to make one.
///
/// Which branch comes first is a matter of time, which is another one when calls are answered at once. So each
/// call waits for those that began before it when they were recorded.
struct Turns {
  /// The calls in their recorded order.
  private let calls: [Int]
  /// How many at the beginning have been made.
  private var position = 0
  private var made: Set<Int> = []
  private var waiting: [Int: AsyncStream<Never>.Continuation] = [:]

  /// Some calls, by their numbers in the transcript, none of which has been made.
  init(_ calls: [Int]) {
    self.calls = calls
  }

  /// Finishes the continuation when it is a call's turn, which may be now.
  mutating func await(_ call: Int, _ continuation: AsyncStream<Never>.Continuation) {
    if position < calls.count, calls[position] == call { return continuation.finish() }
    waiting[call] = continuation
  }

  /// Notes that a call was made.
  mutating func note(_ call: Int) {
    made.insert(call)
    while position < calls.count, made.remove(calls[position]) != nil { position += 1 }
    if position < calls.count { waiting.removeValue(forKey: calls[position])?.finish() }
  }
}
