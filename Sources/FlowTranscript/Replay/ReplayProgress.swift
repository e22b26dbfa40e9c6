internal import FlowCore
internal import FlowEngine

/// The recorded calls that a replayed run has made, and its calls that are held back.
final class ReplayProgress: Sendable {
  private struct State {
    /// True for each call that was made, by its number.
    var made: [Bool]
    /// The number of calls held back at an address.
    var held: [Address: Int] = [:]
    /// The number of requests of each conversation with a program.
    var said: [Address: Int] = [:]

    /// Returns true if a call of a step, or inside of it, is held back.
    func isHolding(at step: Address) -> Bool {
      // As in nearly all runs.
      !held.isEmpty && held.keys.contains { $0.belongs(to: step) }
    }
  }

  /// The event that a task waits for.
  private enum Request: Sendable {
    /// All of these calls are made, at least one.
    case made(Set<Int>)
    /// No call of a step is held back.
    case released(Address)
    /// A conversation has as many requests.
    case said(Address, Int)
  }

  private let state: Monitor<State, Request, Void>

  /// Creates the progress of a run that has made none of so many calls.
  init(of count: Int) { state = Monitor(State(made: Array(repeating: false, count: count))) }

  /// Notes that a call was made.
  func note(_ call: Int) {
    state.withLock { state, tasks in
      state.made[call] = true
      // As in nearly all runs.
      if tasks.isEmpty { return }
      tasks.resume { request in
        guard case .made(var left) = request, left.remove(call) != nil else { return nil }
        request = .made(left)
        return left.isEmpty ? .success(()) : nil
      }
    }
  }

  /// The calls that were not made, in the given order.
  func left(of calls: some Sequence<Int>) -> [Int] {
    state.withLock { state, _ in calls.filter { !state.made[$0] } }
  }

  /// Waits until calls have been made, or the task is cancelled.
  func untilMade(_ calls: [Int]) async {
    try? await state.wait(for: .made(Set(calls))) { state in
      calls.allSatisfy { state.made[$0] } ? .success(()) : nil
    }
  }

  /// Notes a request of a conversation, recorded or not.
  func noteRequest(of conversation: Address) {
    state.withLock { state, tasks in
      let count = (state.said[conversation] ?? 0) + 1
      state.said[conversation] = count
      tasks.resume { request in
        guard case .said(conversation, let due) = request, count >= due else { return nil }
        return .success(())
      }
    }
  }

  /// Waits until a conversation has as many requests, or the task is cancelled.
  func untilSaid(_ count: Int, in conversation: Address) async {
    try? await state.wait(for: .said(conversation, count)) { state in
      state.said[conversation] ?? 0 >= count ? .success(()) : nil
    }
  }

  /// Performs a wait while a call is held back.
  func holding(_ address: Address, _ wait: () async throws -> Void) async rethrows {
    state.withLock { state, _ in state.held[address, default: 0] += 1 }
    defer { release(address) }
    try await wait()
  }

  private func release(_ address: Address) {
    state.withLock { state, tasks in
      state.held[address, default: 1] -= 1
      if state.held[address] == 0 { state.held[address] = nil }
      tasks.resume { request in
        guard case .released(let step) = request, !state.isHolding(at: step) else { return nil }
        return .success(())
      }
    }
  }

  /// Returns true if a call of a step, or inside of it, is held back.
  func isHolding(at step: Address) -> Bool {
    state.withLock { state, _ in state.isHolding(at: step) }
  }

  /// Waits until no call of a step, or inside of it, is held back, or the task is cancelled.
  func untilReleased(at step: Address) async {
    try? await state.wait(for: .released(step)) { $0.isHolding(at: step) ? nil : .success(()) }
  }
}
