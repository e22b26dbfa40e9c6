package import FlowCore
package import FlowEngine
internal import FlowScenario
internal import FlowSystem
private import Synchronization

/// Reports a run to people while it goes on: a line for each step of the scenario, then a summary.
///
/// Steps inside of other steps are counted in the line of the outermost one. On a terminal the line of the running
/// step is redrawn in place.
package final class ConsoleReport: EventSink {
  /// How the report looks.
  package struct Style: Sendable {
    /// Redraws the running step's line; for a terminal only.
    package var isLive = false
    /// Uses colours.
    package var hasColors = false
    /// Writes no lines for steps that passed.
    package var isQuiet = false

    package init() {}
  }

  private struct State {
    var buffer = ""
    var current: (address: Address, step: PlannedStep)?
    var innerSteps = 0
    var drawn = Duration.zero
  }

  private let style: Style
  private let write: @Sendable (String) -> Void
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  // Text is written in pieces of this many bytes unless a terminal shows it.
  private static let chunk = 32 << 10
  // A live line is redrawn at most this often.
  private static let redrawInterval = Duration.milliseconds(50)

  /// A report in a style; the clock measures the time between two drawings of a live line.
  package init(
    style: Style, clock: some Clock<Duration> = ContinuousClock(),
    write: @escaping @Sendable (String) -> Void
  ) {
    self.style = style
    self.write = write
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// Notes the event and writes what there is to say.
  package func receive(_ event: Event) {
    state.withLock { state in
      switch event {
      case .runStarted(let run): state.buffer += title(run) + "\n"
      case .stepStarted(let address, let step): started((address, step), &state)
      case .stepEnded(let address, let step, let outcome, let elapsed):
        // What happens inside of the current step is counted in its line.
        if let current = state.current, current.address != address { return }
        ended(step, outcome, elapsed, &state)
      case .runEnded(let result): state.buffer += summary(result)
      case .branchStarted, .branchEnded, .invoked, .emitted, .completed: return
      }
      flush(&state, isLast: event.isLast)
    }
  }

  /// Writes a component's log line above the running step.
  package func log(_ address: Address, _ message: String) {
    state.withLock { state in
      let line = "    \(address): \(message.escaped)\n"
      state.buffer += style.isLive ? "\r\u{1B}[K" + line : line
      if style.isLive { draw(&state) }
      flush(&state, isLast: style.isLive)
    }
  }

  // MARK: - Steps

  private func started(_ step: (address: Address, step: PlannedStep), _ state: inout State) {
    if state.current == nil {
      state.current = step
      state.innerSteps = 0
    } else {
      state.innerSteps += 1
    }
    if style.isLive { redraw(&state) }
  }

  private func redraw(_ state: inout State) {
    let now = elapsed()
    guard state.innerSteps == 0 || now - state.drawn > Self.redrawInterval else { return }
    state.drawn = now
    draw(&state)
  }

  private func draw(_ state: inout State) {
    guard let step = state.current?.step else { return }
    let count = state.innerSteps > 0 ? " (\(steps(state)))" : ""
    state.buffer += "\r\u{1B}[K  \(paint("…", .dim)) \(label(step))\(count)"
  }

  private func steps(_ state: State) -> String {
    "\(state.innerSteps) \(state.innerSteps == 1 ? "step" : "steps")"
  }

  private func ended(
    _ step: PlannedStep, _ outcome: StepState, _ elapsed: Duration, _ state: inout State
  ) {
    if style.isLive { state.buffer += "\r\u{1B}[K" }
    let count = state.innerSteps > 0 ? "\(steps(state)), " : ""
    state.current = nil
    switch outcome {
    case .passed:
      // An invariant that holds after each step says nothing.
      if style.isQuiet || step.isInvariant { return }
      state.buffer += line(mark("✓", "passed", .green), step, count + elapsed.reportText)
    case .failed: state.buffer += line(mark("✗", "failed", .red), step, count + elapsed.reportText)
    case .notRun(.condition):
      if style.isQuiet { return }
      state.buffer += line(mark("-", "not run", .dim), step, "its condition is false")
    case .notRun(.earlierFailure): state.buffer += line(mark("-", "not run", .dim), step, "")
    }
    state.innerSteps = 0
  }

  private func line(_ mark: String, _ step: PlannedStep, _ detail: String) -> String {
    "  \(mark) \(label(step))" + (detail.isEmpty ? "" : "  " + paint("(\(detail))", .dim)) + "\n"
  }

  private func label(_ step: PlannedStep) -> String { Self.label(step.label) }
  /// A name of the scenario's on one line and of bearable length.
  private static func label(_ name: String) -> String { (name.shortened(to: 120)).escaped }

  // MARK: - Beginning and end

  private func title(_ run: RunDescription) -> String {
    paint(Self.label(run.plan.name ?? run.plan.file), .bold)
  }

  private func summary(_ result: RunReport) -> String {
    let counts = result.counts
    var parts = ["\(counts.passed) passed"]
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if counts.notRun > 0 { parts.append("\(counts.notRun) not run") }
    let verdict = result.passed ? paint("passed", .green) : paint("failed", .red)
    var text =
      "\(verdict) in \(result.elapsed.reportText): steps \(parts.joined(separator: ", "))\n"
    for output in result.outputs {
      text += "  \(output.name): \(output.value.summary(limit: 200))\n"
    }
    return text
  }

  private func flush(_ state: inout State, isLast: Bool) {
    guard style.isLive || isLast || state.buffer.utf8.count >= Self.chunk else { return }
    if !state.buffer.isEmpty { write(state.buffer) }
    state.buffer = ""
  }

  // MARK: - Style

  private enum Paint: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
  }

  private func mark(_ sign: String, _ word: String, _ color: Paint) -> String {
    style.isLive ? paint(sign, color) : word
  }

  private func paint(_ text: String, _ paint: Paint) -> String {
    style.hasColors ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension Event {
  fileprivate var isLast: Bool { if case .runEnded = self { true } else { false } }
}

extension PlannedStep {
  /// Whether it is one of a scenario's invariants.
  fileprivate var isInvariant: Bool {
    path.utf8.starts(with: "invariants/".utf8) || path.contains("/invariants/")
  }
}
