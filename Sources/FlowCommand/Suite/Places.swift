internal import FlowEngine
internal import FlowPlan
private import Synchronization

/// The places of the scenarios that run at once.
///
/// A scenario that waits for a server can leave its place to the next one: on two cores, two
/// scenarios work while others wait.
final class Places: Sendable {
  /// The limits of the scenarios that run at once.
  struct Limits: Sendable {
    /// The most scenarios that work, 1 or more.
    var working: Int
    /// True if those that wait for a server do not count.
    var leavesWaiting = false
    /// The most scenarios that use a live component, by its name.
    var atOnce: [String: Int] = [:]

    /// The most scenarios that use one server where those that wait do not count, unless `atOnce` has
    /// another number.
    ///
    /// As many connections as browsers open to a server, which servers are therefore used to.
    static let usualAtOnce = 6
    /// The most scenarios that work and wait.
    static let mostWithWaiting = 64
  }

  /// The live components of a scenario.
  struct Use: Sendable {
    var components: Set<String> = []
    /// Those that call servers.
    var servers: Set<String> = []
  }

  private struct State {
    /// The free places, below zero while more scenarios go on than have places.
    var free: Int
    var begun = 0
    var users: [String: Int] = [:]
    /// True if a place was left since the last news.
    var hasNews = false
    var isClosed = false
    var listener: CheckedContinuation<Void, Never>?
  }

  let limits: Limits
  private let state: Mutex<State>

  init(_ limits: Limits) {
    self.limits = limits
    state = Mutex(State(free: limits.working))
  }

  /// Takes a place for a scenario, or returns nil if it has to wait for one.
  func take(for use: Use) -> Place? {
    state.withLock { state in
      guard state.free > 0, !limits.leavesWaiting || state.begun < Limits.mostWithWaiting,
        use.components.allSatisfy({ state.users[$0, default: 0] < most(of: $0, in: use) })
      else { return nil }
      state.free -= 1
      state.begun += 1
      for name in use.components { state.users[name, default: 0] += 1 }
      return Place(in: self, use)
    }
  }

  private func most(of component: String, in use: Use) -> Int {
    let isServer = limits.leavesWaiting && use.servers.contains(component)
    return limits.atOnce[component] ?? (isServer ? Limits.usualAtOnce : .max)
  }

  /// Returns when a place was left since the last return, or at the end.
  func news() async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        defer { state.hasNews = false }
        if state.hasNews || state.isClosed { return true }
        state.listener = continuation
        return false
      }
      if isNow { continuation.resume() }
    }
  }

  /// Ends the waiting for news.
  func close() { tell { $0.isClosed = true } }

  fileprivate func leave() { tell { $0.free += 1 } }

  fileprivate func enter() { state.withLock { $0.free -= 1 } }

  fileprivate func end(_ use: Use) {
    tell { state in
      state.free += 1
      state.begun -= 1
      for name in use.components { state.users[name, default: 0] -= 1 }
    }
  }

  private func tell(_ change: (inout State) -> Void) {
    let listener = state.withLock { state in
      change(&state)
      defer { state.listener = nil }
      state.hasNews = state.listener == nil
      return state.listener
    }
    listener?.resume()
  }
}

/// The place of one scenario, which leaves it while it waits for a server.
final class Place: EventSink {
  private let places: Places
  private let use: Places.Use
  /// The number of its calls that wait for a server.
  private let waiting = Mutex(0)

  fileprivate init(in places: Places, _ use: Places.Use) { (self.places, self.use) = (places, use) }

  /// Notes the end of the scenario.
  func end() {
    // A cancelled run may leave calls without an end.
    if waiting.withLock({ $0 > 0 }) { places.enter() }
    places.end(use)
  }

  /// Notes starts and ends of calls.
  func receive(_ event: Event) {
    guard places.limits.leavesWaiting, !use.servers.isEmpty else { return }
    switch event {
    case .invoked(let call) where isOfServer(call):
      waiting.withLock { count in
        count += 1
        if count == 1 { places.leave() }
      }
    case .completed(let call, _) where isOfServer(call):
      waiting.withLock { count in
        count -= 1
        if count == 0 { places.enter() }
      }
    default: return
    }
  }

  private func isOfServer(_ call: Invocation) -> Bool {
    guard case .operation(let operation) = call.target else { return false }
    return use.servers.contains(operation.componentName)
  }
}
