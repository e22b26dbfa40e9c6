/// The recorded calls inside of a step whose branches are compared exactly, and who waits to make one.
///
/// Which branch comes first is a matter of time, which is another one when calls are answered at once. So each
/// call waits for those that began before it when they were recorded.
struct Turns {
  /// The calls in their recorded order.
  private let calls: [Int]
  /// How many at the beginning have been made.
  private var position = 0
  private var waiting: [Int: AsyncStream<Never>.Continuation] = [:]

  /// Some calls, by their numbers in the transcript.
  init(_ calls: [Int]) {
    self.calls = calls
  }

  /// Whether all of them have been made.
  var isOver: Bool { position == calls.count }

  /// Finishes the continuation when it is a call's turn, which may be now.
  mutating func await(
    _ call: Int, _ made: [Bool], _ continuation: AsyncStream<Never>.Continuation
  ) {
    waiting[call] = continuation
    advance(made)
  }

  /// Looks which calls have been made, and gives the next one its turn.
  mutating func advance(_ made: [Bool]) {
    while position < calls.count, made[calls[position]] { position += 1 }
    if position < calls.count { waiting.removeValue(forKey: calls[position])?.finish() }
  }
}
