internal import FlowCore
package import FlowPlan
internal import Synchronization

/// The requests that arrive from outside of a run, such as those of a program under test.
///
/// No step determines their moments. A request belongs to the step during which it came, and a step
/// ends when its requests have come: after a short silence, or in a replay with the last recorded
/// one.
final class OutsideCalls: Sendable {
  private struct State {
    /// The calls of steps in progress, in the order of their starts.
    var steps: [Address] = []
    /// Those of them that have their answers, and wait for requests.
    var answered: Set<Address> = []
    /// The call of a step that started last.
    var latest: Address?
    /// The number of unanswered requests.
    var open = 0
    /// The moment of the last arrival or answer.
    var latestChange = ContinuousClock.now
    /// The first request of each step that had no answer.
    var failures: [Address: BoundaryFailure] = [:]

    /// The step in progress, the step around all those in progress, or between steps the latest one.
    var present: Address? {
      guard let first = steps.first else { return latest }
      return steps.dropFirst().reduce(first) { $0.enclosing($1) }
    }

    /// Returns true if nothing proves that a step's answer waited for a request that ends now.
    ///
    /// The proof is a call of the step, or inside of it, that still has no answer.
    func isLate(in step: Address?) -> Bool {
      guard let step else { return false }
      return !steps.contains { $0.belongs(to: step) && !answered.contains($0) }
    }

    mutating func note(_ failure: BoundaryFailure, of step: Address?) {
      if let step, failures[step] == nil { failures[step] = failure }
    }

    /// The answer to a waiting task, or nil to let it wait.
    func answer(to request: Request) -> Result<Void, any Error>? {
      switch request {
      case .answered: open == 0 ? .success(()) : nil
      case .failed(let step): failures[step] == nil ? nil : .success(())
      }
    }
  }

  /// The change that a task waits for.
  fileprivate enum Request: Sendable {
    /// No request is unanswered.
    case answered
    /// A request of this step had no answer.
    case failed(Address)
  }

  private let state = Monitor<State, Request, Void>(State())
  private let time: any HeldTime

  /// Creates a list without requests, which holds a run's time while a step waits for some.
  init(_ time: any HeldTime) { self.time = time }

  /// Notes the start of a step's call.
  func begin(_ step: Address) {
    state.withLock { state, _ in
      state.steps.append(step)
      state.latest = step
    }
  }

  /// Notes the end of a step's call.
  func end(_ step: Address) {
    state.withLock { state, _ in
      if let index = state.steps.lastIndex(of: step) { state.steps.remove(at: index) }
      state.answered.remove(step)
    }
  }

  /// Returns true if nothing proves that a step's answer waited for a request that comes or ends now.
  func isLate(in step: Address?) -> Bool { state.withLock { state, _ in state.isLate(in: step) } }

  /// Notes that the steps of a scenario have ended, of which `outer` is the step in another one.
  ///
  /// What comes now is set off by the closing of components. No step waits for it.
  func endSteps(within outer: Address?) { state.withLock { state, _ in state.latest = outer } }

  /// Notes an arrival, and returns the step that it belongs to.
  func arrive() -> Address? {
    state.withLock { state, _ in
      state.open += 1
      state.latestChange = .now
      return state.present
    }
  }

  /// Notes a failure that happens now.
  func note(_ failure: BoundaryFailure) {
    state.withLock { state, waiters in
      state.latestChange = .now
      state.note(failure, of: state.present)
      waiters.resume { state.answer(to: $0) }
    }
  }

  /// Notes the answer to a request of a step, or the reason for none.
  func leave(_ step: Address?, _ failure: BoundaryFailure? = nil) {
    state.withLock { state, waiters in
      state.open -= 1
      state.latestChange = .now
      if let failure { state.note(failure, of: step) }
      waiters.resume { state.answer(to: $0) }
    }
  }

  /// Waits until the requests of a step have come.
  ///
  /// - Parameters:
  ///   - call: The step's call, which has its answer.
  ///   - recorded: The recorded requests, or nil in a run that is not replayed.
  /// - Returns: The reason that one had no answer, or nil.
  func settle(
    after call: Invocation, _ recorded: RecordedRequests?
  ) async -> BoundaryFailure? {
    guard call.maySetOffRequests else { return nil }
    state.withLock { state, _ in _ = state.answered.insert(call.address) }
    let wait = recorded?(call) ?? .silence
    time.hold()
    defer { time.release() }
    switch wait {
    case .none: return nil
    case .silence: await untilSilent(for: Patience.silence)
    case .requests(let requests, let patience):
      await self.wait(
        for: requests.due, min(patience, Patience.dueRequests), during: call.address)
      await self.wait(
        for: requests.late, min(patience, Patience.lateRequests), during: call.address)
      await untilSilent(for: Patience.silenceInReplay)
      return requests.cause(takeFailure(of: call.address))
    }
    return takeFailure(of: call.address)
  }

  /// Takes the failure of a request during a step.
  ///
  /// One during a step around it and others is the cause for each of them.
  private func takeFailure(of step: Address) -> BoundaryFailure? {
    state.withLock { state, _ in
      if let own = state.failures.removeValue(forKey: step) { return own }
      return state.failures.first { $0.key.path == "steps" || step.belongs(to: $0.key) }?.value
    }
  }

  /// Waits for the recorded requests of a step, for the first one without an answer, or for the end
  /// of patience.
  private func wait(
    for expected: @escaping @Sendable () async -> Void, _ patience: Duration, during step: Address
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await expected() }
      group.addTask { [state] in
        try? await state.wait(for: .failed(step)) {
          $0.failures[step] == nil ? nil : .success(())
        }
      }
      group.addTask { try? await Task.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
  }

  private func untilSilent(for silence: Duration) async {
    while !Task.isCancelled {
      try? await state.wait(for: .answered) { $0.open == 0 ? .success(()) : nil }
      let rest = state.withLock { state, _ in
        state.open > 0 ? .zero : silence - (.now - state.latestChange)
      }
      if rest > .zero {
        try? await Task.sleep(for: rest)
      } else if state.withLock({ state, _ in state.open == 0 }) {
        return
      }
    }
  }
}

extension Invocation {
  /// True for a call that may let a program outside of the run do something.
  fileprivate var maySetOffRequests: Bool {
    guard case .operation(let operation) = target else { return false }
    return !operation.plugin.plugin.reaches.isEmpty
      && !operation.plugin.roles.contains(where: \.isFromOutside)
  }
}

extension Address {
  /// The innermost step around this step and another one.
  fileprivate func enclosing(_ other: Address) -> Address {
    if self == other { return self }
    var parts = zip(path.split(separator: "/"), other.path.split(separator: "/"))
      .prefix { $0 == $1 }.map(\.0)
    // One step in two iterations: the step around them is the loop.
    if path == other.path { parts.removeLast() }
    let same = zip(iterations, other.iterations).prefix { $0 == $1 }.map(\.0)
    return Address(path: parts.isEmpty ? "steps" : parts.joined(separator: "/"), iterations: same)
  }
}

extension Plan {
  /// True if some component passes on requests from outside of the run.
  package var passesOnRequests: Bool {
    // Requests may also come without a component in the role.
    allComponents.contains { $0.plugin.roles.contains(where: \.isFromOutside) }
  }
}
