internal import FlowCore
internal import FlowEngine
internal import FlowTranscript
private import Synchronization

/// The recorded answers that faults took away from their callers, each for one more attempt.
///
/// A recording has the answer once. A caller that asks again, as it may after a fault, gets it then,
/// so that the run has a verdict.
final class LostAnswers: Sendable {
  fileprivate struct Answer {
    let invocation: Invocation
    let outcome: Outcome
  }

  private struct State {
    var lost: [Answer] = []
    /// The answers to requests from outside, and to the calls that read them on, in order.
    var requests: [Answer] = []
  }

  private let state = Mutex(State())
  private let isServed: @Sendable (_ component: String) -> Bool

  /// Creates the answers of a run with faults.
  ///
  /// `isServed` returns true for a component whose answers are recorded. All others are asked again.
  init(isServed: @escaping @Sendable (_ component: String) -> Bool) { self.isServed = isServed }

  /// Keeps the answer to a call with a fault.
  ///
  /// A call that reads a request on goes on behind it, and is not made again.
  func keep(_ outcome: Outcome, of invocation: Invocation) {
    guard !invocation.continuesRequest, isServed(invocation.componentName) else { return }
    state.withLock { $0.lost.append(Answer(invocation: invocation, outcome: outcome)) }
  }

  /// Notes an answer that a call with a fault may read on, or that was read on before it.
  func note(_ outcome: Outcome, of invocation: Invocation) {
    guard invocation.isFromOutside || invocation.continuesRequest,
      isServed(invocation.componentName)
    else { return }
    state.withLock { $0.requests.append(Answer(invocation: invocation, outcome: outcome)) }
  }

  /// Keeps the answer to the request that a call with a fault reads on: its sender may ask again.
  func keepRequest(continuedBy invocation: Invocation) {
    guard invocation.continuesRequest else { return }
    state.withLock { state in
      let request = state.requests.last { $0.isRead(by: invocation) }
      if let request { state.lost.append(request) }
    }
  }

  /// Takes the answer to another attempt of a call, or returns nil.
  ///
  /// An answer that is read on begins again.
  func take(for invocation: Invocation) -> Outcome? {
    state.withLock { state in
      let index = state.lost.firstIndex { invocation.isAttempt(after: $0.invocation) }
      guard let answer = index.map({ state.lost.remove(at: $0) }) else { return nil }
      state.lost += state.requests.filter { answer.isRead(by: $0.invocation) }
      return answer.outcome
    }
  }
}

extension LostAnswers.Answer {
  /// True if a call reads the request on: what names it, as a stream's name does, is in the answer.
  fileprivate func isRead(by invocation: Invocation) -> Bool {
    guard invocation.continuesRequest, self.invocation.isFromOutside,
      case .answer(.record(let answer)) = outcome, case .record(let input) = invocation.input
    else { return false }
    return input.values.contains { $0 != .null && answer.values.contains($0) }
  }
}

extension Invocation {
  /// True if the call does what an earlier one did: as an attempt of its step, or in the words of
  /// its component.
  fileprivate func isAttempt(after earlier: Invocation) -> Bool {
    if address.caller == nil || earlier.address.caller == nil { return address == earlier.address }
    return asksTheSame(as: earlier)
  }
}
