internal import FlowCore

/// The calls that a replay holds back, and the timeouts that wait until it does not.
struct HeldCalls {
  private struct Timeout {
    let step: Address
    let continuation: AsyncStream<Never>.Continuation
  }

  /// How many calls are held back at an address.
  private var held: [Address: Int] = [:]
  private var timeouts: [Timeout] = []

  /// Whether a call of a step, or inside of it, is held back.
  func isHolding(at step: Address) -> Bool {
    // As in nearly all runs.
    !held.isEmpty && held.keys.contains { $0.belongs(to: step) }
  }

  /// Notes that a call is held back.
  mutating func hold(_ address: Address) { held[address, default: 0] += 1 }

  /// Notes that a call is held back no more.
  mutating func release(_ address: Address) {
    held[address, default: 1] -= 1
    if held[address] == 0 { held[address] = nil }
    let (waiting, ready) = (timeouts, timeouts.filter { !isHolding(at: $0.step) })
    if ready.isEmpty { return }
    timeouts = waiting.filter { isHolding(at: $0.step) }
    for timeout in ready { timeout.continuation.finish() }
  }

  /// Finishes the continuation when no call of a step is held back, which may be now.
  mutating func await(_ step: Address, _ continuation: AsyncStream<Never>.Continuation) {
    if !isHolding(at: step) { return continuation.finish() }
    timeouts.append(Timeout(step: step, continuation: continuation))
  }
}
