package import FlowCore
package import FlowEngine
internal import FlowScenario
internal import FlowSystem
private import Synchronization

/// The running steps and open calls of a run at this moment, each with its start.
///
/// Every step and call of a run passes through here. So it keeps the parts of its texts until
/// somebody asks for them, and does not keep the call of a step in addition to the step.
///
///       1 min 3 s  Pay the order  (0 steps done)
///         pay/charge#2 waits for p.count, 1 min 1 s
package final class RunActivity: EventSink {
  fileprivate enum Work {
    case step(PlannedStep)
    /// A call from one component to another, by the name of the callee, since an invocation takes
    /// far more memory.
    case call(String)
    case opening
  }

  fileprivate struct Entry {
    let address: Address
    let work: Work
    let began: Duration
  }

  fileprivate struct State {
    /// The running work in the order of its start.
    var entries: [Entry] = []
    var endedSteps = 0
    var began = Duration.zero
    var log: [(address: Address, message: String)] = []
  }

  // More branches at once than anybody reads.
  fileprivate static let mostEntries = 200
  fileprivate static let mostLogged = 10

  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Creates the activity of a run that has not started, with the clock for its durations.
  package init(clock: some Clock<Duration> = ContinuousClock()) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// Notes starts and ends.
  package func receive(_ event: Event) {
    switch event {
    case .stepStarted(let address, let step): begin(address, .step(step))
    case .invoked(let invocation):
      if invocation.isStep { return }
      if case .open = invocation.target { return begin(invocation.address, .opening) }
      begin(invocation.address, .call(invocation.name))
    case .completed(let invocation, _):
      if !invocation.isStep { end(invocation.address, isStep: false) }
    case .stepEnded(let address, _, _, _): end(address, isStep: true)
    case .runStarted: state.withLock { $0 = State(began: elapsed()) }
    case .emitted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .computed, .runEnded:
      return
    }
  }

  /// Notes a component's log line.
  package func log(_ address: Address, _ message: String) {
    state.withLock { state in
      if state.log.count == Self.mostLogged { state.log.removeFirst() }
      state.log.append((address, message))
    }
  }

  private func begin(_ address: Address, _ work: Work) {
    let entry = Entry(address: address, work: work, began: elapsed())
    state.withLock { $0.entries.append(entry) }
  }

  private func end(_ address: Address, isStep: Bool) {
    state.withLock { state in
      if isStep { state.endedSteps += 1 }
      // The latest entry usually ends first. It is compared in place, since a closure would take
      // copies.
      var index = state.entries.count
      while index > 0 {
        index -= 1
        guard state.entries[index].isStep == isStep, state.entries[index].address == address
        else { continue }
        state.entries.remove(at: index)
        return
      }
    }
  }

  // MARK: - Texts

  /// Returns the rows of a live region: the running step and the places of its branches.
  package func rows(in size: LiveRegion.Size) -> [String] {
    let (state, now) = (state.withLock { $0 }, elapsed())
    let label = state.outermost.map { $0.label.shortened(to: 120).onOneLine } ?? "…"
    let done = "\(state.endedSteps) \(state.endedSteps == 1 ? "step" : "steps") done"
    return ["  \((now - state.began).clockText)  \(label)  (\(done))"]
      + state.places(at: now).limited(in: size).map { "    \($0)" }
  }

  /// Returns the places in the run of a file: the file, a line for each branch, and the latest log
  /// lines.
  package func places(of file: String) -> [String] {
    let (state, now) = (state.withLock { $0 }, elapsed())
    let places = state.places(at: now)
    let lines =
      (places.isEmpty ? ["between two steps"] : places)
      + state.log.map { "\("\($0.address)".escaped) logged: \($0.message.onOneLine)" }
    return ["\(file.onOneLine), \((now - state.began).clockText)"] + lines.map { "  \($0)" }
  }
}

extension Invocation {
  /// True for the call that a step makes, which is noted as the step.
  fileprivate var isStep: Bool {
    guard case .operation = target else { return false }
    return address.calls.isEmpty
  }
}

extension RunActivity.State {
  /// The running step of the scenario itself, or nil between two of them.
  fileprivate var outermost: PlannedStep? {
    for entry in entries { if case .step(let step) = entry.work { return step } }
    return nil
  }

  /// Returns the innermost running entries, a line each.
  fileprivate func places(at now: Duration) -> [String] {
    let shown = entries.suffix(RunActivity.mostEntries)
    return shown.indices.filter { index in
      !shown[(index + 1)...].contains { $0.isInside(shown[index]) }
    }.map { shown[$0].text(at: now) }
  }
}

extension RunActivity.Entry {
  fileprivate var isStep: Bool { if case .step = work { true } else { false } }

  fileprivate func isInside(_ other: Self) -> Bool {
    other.isStep ? address.belongs(to: other.address) : address.caller == other.address
  }

  /// Returns `pay/charge#2 waits for http.post, 3 s`, without a time below a second.
  fileprivate func text(at now: Duration) -> String {
    let elapsed = now - began
    let time = elapsed < .seconds(1) ? "" : ", \(elapsed.clockText)"
    return "\(address)".escaped + reason + time
  }

  private var reason: String {
    switch work {
    case .opening: return " is being opened"
    case .call(let name): return " waits for \(name)"
    case .step(let step):
      switch step.action.content.waiting {
      case .answer(let name): return " waits for \(name)"
      case .time(let duration): return " waits \(duration.text())"
      // The event has its own line.
      case .nothing, .event: return ""
      }
    }
  }
}

extension [String] {
  /// Returns the first 8 lines, or as many as fit below another row, and the number left out.
  func limited(in size: LiveRegion.Size) -> [String] {
    // A window always has a row. The last one is left to printed text.
    let room = Swift.max(0, size.rows - 2)
    let most = Swift.min(8, Swift.max(0, room - 1))
    if count <= Swift.min(8, room) { return self }
    return room == 0 ? [] : prefix(most) + ["and \(count - most) more"]
  }
}

extension Duration {
  /// The duration in whole seconds, as a clock shows it that is looked at: `12 s`, `3 min 20 s`.
  package var clockText: String {
    self < .seconds(60) ? "\(Swift.max(0, components.seconds)) s" : reportText
  }
}
