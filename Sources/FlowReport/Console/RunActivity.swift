package import FlowCore
package import FlowEngine
internal import FlowPlan
internal import FlowRedaction
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
    /// The run, or nil before its start.
    var run: RunDescription?
    /// The attempts and iterations of running steps.
    var repetitions: [Address: Repetition] = [:]
    /// The variables of running iterations, in the order of their start.
    var variables: [(address: Address, name: String, value: Value)] = []
    /// The last lines of running programs.
    var lines: [(address: Address, line: String)] = []
    /// The last answers.
    var answers: [(address: Address, value: Value)] = []
  }

  // More branches at once than anybody reads.
  fileprivate static let mostEntries = 200
  fileprivate static let mostLogged = 10
  fileprivate static let (mostLines, mostAnswers, mostVariables) = (3, 3, 10)

  private let showsLines: Bool
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Creates the activity of a run that has not started, with the clock for its durations.
  ///
  /// `showsLines` is false if the lines of programs are printed above the rows.
  package init(showsLines: Bool = true, clock: some Clock<Duration> = ContinuousClock()) {
    self.showsLines = showsLines
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
    case .completed(let invocation, let outcome):
      guard invocation.isStep else { return end(invocation.address, isStep: false) }
      guard case .answer(let value) = outcome else { return }
      state.withLock { $0.answers.add((invocation.address, value), atMost: Self.mostAnswers) }
    case .stepEnded(let address, _, _, _): end(address, isStep: true)
    case .runStarted(let run): state.withLock { $0 = State(began: elapsed(), run: run) }
    case .emitted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .computed, .runEnded:
      return
    }
  }

  /// Notes news about a running step.
  package func receive(_ news: RunNews) {
    state.withLock { state in
      switch news {
      case .line(let address, let line):
        state.lines.add((address, line.shortened(to: 400)), atMost: Self.mostLines)
      case .attempt(let address, let number, let limit, let reason):
        state.repetitions[address] = .attempt(number, limit: limit, reason: reason)
      case .iteration(let address, let number, let limit, let operands):
        state.repetitions[address] = .iteration(number, limit: limit, operands)
      case .entered(let address, let name, let value):
        state.variables.append((address, name, value))
      case .left(let address):
        guard let index = state.variables.lastIndex(where: { $0.address == address }) else {
          return
        }
        state.variables.remove(at: index)
      }
    }
  }

  /// Notes a component's log line.
  package func log(_ address: Address, _ message: String) {
    state.withLock { $0.log.add((address, message), atMost: Self.mostLogged) }
  }

  private func begin(_ address: Address, _ work: Work) {
    let entry = Entry(address: address, work: work, began: elapsed())
    state.withLock { $0.entries.append(entry) }
  }

  private func end(_ address: Address, isStep: Bool) {
    state.withLock { state in
      if isStep {
        state.endedSteps += 1
        if !state.repetitions.isEmpty { state.repetitions[address] = nil }
      }
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

  /// Returns the rows of a live region: the running step, the places of its branches, and the last
  /// lines of its programs.
  package func rows(in size: LiveRegion.Size) -> [String] {
    let (state, now) = (state.withLock { $0 }, elapsed())
    let label = state.outermost.map { $0.label.shortened(to: 120).onOneLine } ?? "…"
    let done = "\(state.endedSteps) \(state.endedSteps == 1 ? "step" : "steps") done"
    let places = state.places(at: now, showsFiles: false) + (showsLines ? state.shownLines : [])
    return ["  \((now - state.began).clockText)  \(label)  (\(done))"]
      + places.limited(in: size).map { "    \($0)" }
  }

  /// Returns the places in the run of a file: the file, a line for each branch, the values in
  /// sight, and the latest lines of programs and of logs.
  package func places(of file: String) -> [String] {
    let (state, now) = (state.withLock { $0 }, elapsed())
    let places = state.places(at: now, showsFiles: true)
    let lines =
      (places.isEmpty ? ["between two steps"] : places) + state.values
      + state.shownLines
      + state.shownLog
    return ["\(file.onOneLine), \((now - state.began).clockText)"] + lines.map { "  \($0)" }
  }
}

/// The repetition of a running step.
private enum Repetition {
  case attempt(Int, limit: Int, reason: String?)
  case iteration(Int, limit: Int?, [OperandText])

  /// `attempt 4 of 10 (status: expected 200, got 503)`.
  var text: String {
    switch self {
    case .attempt(let number, let limit, let reason):
      "attempt \(number) of \(limit)"
        + (reason.map { " (\($0.shortened(to: Self.longest).onOneLine))" } ?? "")
    case .iteration(let number, let limit, let operands):
      "iteration \(number)" + (limit.map { " of \($0)" } ?? "") + Self.values(operands)
    }
  }

  // As long as a row of a wide window.
  private static let longest = 160

  private static func values(_ operands: [OperandText]) -> String {
    if operands.isEmpty { return "" }
    let texts = operands.prefix(3).map { "\($0.text.onOneLine) is \($0.value.shortened(to: 80))" }
    return " (\(texts.joined(separator: ", ").onOneLine))"
  }
}

extension Array {
  /// Adds an element, and removes the first one when there are more than allowed.
  fileprivate mutating func add(_ element: Element, atMost limit: Int) {
    if count == limit { removeFirst() }
    append(element)
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

  /// Returns the innermost running entries, and the repeated steps around them, a line each.
  fileprivate func places(at now: Duration, showsFiles: Bool) -> [String] {
    let shown = entries.suffix(RunActivity.mostEntries)
    return shown.indices.filter { index in
      repetitions[shown[index].address] != nil && shown[index].isStep
        || !shown[(index + 1)...].contains { $0.isInside(shown[index]) }
    }.map { index in
      let entry = shown[index]
      let repetition = entry.isStep ? repetitions[entry.address]?.text : nil
      return entry.text(at: now) + (repetition.map { hidden(", \($0)") } ?? "")
        + (showsFiles ? place(of: entry) : "")
    }
  }

  /// The file and line of a step: `, shop.yaml:14`.
  private func place(of entry: RunActivity.Entry) -> String {
    guard case .step(let step) = entry.work, let plan = run?.plan else { return "" }
    let file = plan.scenario(around: entry.address.path).plan.file
    return ", \(file.onOneLine):\(step.place.span(in: file).start.line)"
  }

  /// The variables of the loops around the running steps, and the last answers, a line each.
  fileprivate var values: [String] {
    variables.suffix(RunActivity.mostVariables).map { variable in
      let secret = run?.plan.scenario(around: variable.address.path).secrets
        .input(behind: variable.name)
      let value = secret.map { Redactor.placeholder(for: $0) } ?? text(variable.value)
      return "\("\(variable.address)".escaped): \(variable.name) is \(value)"
    } + answers.map { "\("\($0.address)".escaped) answered \(text($0.value))" }
  }

  private func text(_ value: Value) -> String {
    // A secret may have become known since.
    (run?.redactor.redacted(value) ?? value).summary(limit: 200)
  }

  /// Hides the secrets of a text that have become known since.
  private func hidden(_ text: String) -> String { run?.redactor.redacted(text) ?? text }

  /// The last lines of running programs.
  fileprivate var shownLines: [String] {
    lines.map { "\("\($0.address)".escaped) | \(hidden($0.line).onOneLine)" }
  }

  /// The last log lines.
  fileprivate var shownLog: [String] {
    log.map { "\("\($0.address)".escaped) logged: \(hidden($0.message).onOneLine)" }
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
