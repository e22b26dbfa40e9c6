package import FlowCore
package import FlowEngine
internal import FlowPlan
internal import FlowSystem
private import Synchronization

/// Reports a run to people while it goes on: a line for each step of the scenario, then a summary.
///
/// Steps inside of other steps are counted in the line of the outermost one.
///
///     Spend and browse
///       passed The balance opens  (0.14 ms)
///       passed Some of it is spent  (0.07 ms)
///       passed A balance never goes below zero  (0.17 ms)
///       passed The catalog is paged to its end  (3 steps, 0.38 ms)
///       …
///     passed in 43 ms: steps 183 passed
///       remaining: 87.50
package final class ConsoleReport: EventSink {
  /// The amount of printed detail, each case including the ones before it.
  package enum Detail: Int, Sendable, Comparable {
    /// Only the steps that did not pass.
    case failures
    /// All steps.
    case steps
    /// Every call with its input and answer.
    case calls
    /// Events and waits.
    case events

    /// Returns true if the left detail prints less.
    package static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
  }

  /// The treatment of a journaled call by a resumed run.
  package enum Past: String, Sendable, CaseIterable {
    /// The recorded answer was served.
    case served
    /// The call was made again, to rebuild state that was in memory.
    case repeated
  }

  /// The look of the report.
  package struct Style: Sendable {
    /// True to write each line at once, with signs in place of words.
    ///
    /// For a terminal only.
    package var isTerminal = false
    /// Uses colours.
    package var hasColors = false
    /// The amount of printed detail.
    package var detail = Detail.steps

    package init() {}
  }

  private struct State {
    var buffer = ""
    var current: StepProgress?
    var isTimeVirtual = false
  }

  private let style: Style
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  // Text is written in pieces of this many bytes unless a terminal shows it.
  private static let chunk = 32 << 10

  /// Creates a report in a style.
  package init(style: Style, write: @escaping @Sendable (String) -> Void) {
    self.style = style
    self.write = write
  }

  /// True if each call is printed.
  package var hearsValues: Bool { style.detail >= .calls }

  /// Notes the event and writes its lines, if it has any.
  package func receive(_ event: Event) {
    state.withLock { state in
      if style.detail >= .calls, let line = EventLine.text(of: event, in: style.detail) {
        insert(line, &state)
      }
      switch event {
      case .runStarted(let run):
        state.isTimeVirtual = run.isTimeVirtual
        state.buffer += title(run) + "\n"
      case .stepStarted(let address, let step): started(address, step, &state)
      case .stepEnded(let address, let step, let outcome, let elapsed):
        ended(address, step, as: outcome, after: elapsed, &state)
      case .invoked(let invocation): state.current?.invoke(invocation)
      case .completed(let invocation, _): state.current?.complete(invocation)
      case .runEnded(let result): state.buffer += summary(result, state)
      case .caseEnded(let loopCase, let end, let elapsed):
        ended(loopCase, as: end, after: elapsed, &state)
      case .branchStarted, .branchEnded, .caseStarted, .emitted, .computed: return
      }
      flush(&state, isLast: event.isLast)
    }
  }

  /// Writes a component's log line before the line of the running step.
  package func log(_ address: Address, _ message: String) {
    state.withLock { state in
      insert("\(address): \(message.onOneLine)", &state)
      flush(&state, isLast: style.isTerminal)
    }
  }

  /// Writes a line of a running program, when calls are printed.
  package func show(_ address: Address, _ line: String) {
    if style.detail < .calls { return }
    state.withLock { state in
      insert("\(address) | \(line.shortened(to: Self.longestLine).onOneLine)", &state)
      flush(&state, isLast: true)
    }
  }

  // As long as a line of a program is read on a screen.
  private static let longestLine = 400

  /// Notes the treatment of a journaled call by a resumed run, for the line of its step.
  package func note(_ past: Past, _ address: Address) {
    state.withLock { $0.current?.note(address, past) }
  }

  private func insert(_ line: String, _ state: inout State) { state.buffer += "    \(line)\n" }

  // MARK: - Steps

  private func started(_ address: Address, _ step: PlannedStep, _ state: inout State) {
    if state.current == nil { return state.current = StepProgress(address, step) }
    state.current?.begin(address, step)
  }

  private func ended(
    _ address: Address, _ step: PlannedStep, as outcome: StepState, after elapsed: Duration,
    _ state: inout State
  ) {
    let reasons = state.current?.end(address, step, outcome) ?? []
    // What happens inside of the current step is counted in its line.
    if let current = state.current, current.address != address {
      for reason in reasons { insert(reason, &state) }
      return
    }
    let progress = state.current
    state.current = nil
    state.buffer += line(step, outcome, (progress?.details ?? []) + [elapsed.reportText])
    for reason in reasons + (progress?.rest.map { [$0] } ?? []) {
      state.buffer += "    \(reason)\n"
    }
  }

  /// Writes the line of a case, before the line of its loop.
  private func ended(
    _ loopCase: LoopCase, as end: RunReport.Case.State, after elapsed: Duration,
    _ state: inout State
  ) {
    if style.detail == .failures && end != .failed { return }
    let name = Self.label(loopCase.name)
    let time = end == .notRun ? "" : "  " + paint("(\(elapsed.reportText))", .dim)
    let mark =
      switch end {
      case .passed: mark("✓", "passed", .green)
      case .failed: mark("✗", "failed", .red)
      case .notRun: mark("-", "not run", .dim)
      }
    insert("\(mark) \(name)\(time)", &state)
  }

  private func line(_ step: PlannedStep, _ outcome: StepState, _ details: [String]) -> String {
    let isQuiet = style.detail == .failures
    switch outcome {
    case .passed:
      // An invariant that holds after each step prints nothing.
      if isQuiet || step.isInvariant { return "" }
      return line(mark("✓", "passed", .green), step, details)
    case .failed(let failure):
      let continues = failure.isContinued(by: step.options) ? ["continue-on-error"] : []
      return line(mark("✗", "failed", .red), step, continues + details)
    case .notRun(.condition):
      return isQuiet ? "" : line(mark("-", "not run", .dim), step, ["its condition is false"])
    case .notRun(.earlierFailure): return line(mark("-", "not run", .dim), step, [])
    }
  }

  private func line(_ mark: String, _ step: PlannedStep, _ details: [String]) -> String {
    let detail = details.joined(separator: ", ")
    return "  \(mark) \(label(step))" + (detail.isEmpty ? "" : "  " + paint("(\(detail))", .dim))
      + "\n"
  }

  private func label(_ step: PlannedStep) -> String { Self.label(step.label) }
  /// Returns a name of the scenario, shortened and on one line.
  private static func label(_ name: String) -> String { name.shortened(to: 120).onOneLine }

  // MARK: - Beginning and end

  private func title(_ run: RunDescription) -> String {
    paint(Self.label(run.plan.name ?? run.plan.file), .bold)
  }

  private func summary(_ result: RunReport, _ state: State) -> String {
    let counts = result.counts
    var parts = ["\(counts.passed) passed"]
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if counts.notRun > 0 { parts.append("\(counts.notRun) not run") }
    let verdict = result.passed ? paint("passed", .green) : paint("failed", .red)
    let time = result.elapsed.reportText + (state.isTimeVirtual ? " of virtual time" : "")
    var text = "\(verdict) in \(time): steps \(parts.joined(separator: ", "))\n"
    for output in result.outputs {
      text += "  \(output.name): \(output.value.summary(limit: 200))\n"
    }
    return text
  }

  private func flush(_ state: inout State, isLast: Bool) {
    guard style.isTerminal || isLast || state.buffer.utf8.count >= Self.chunk else { return }
    if !state.buffer.isEmpty { write(state.buffer) }
    state.buffer = ""
  }

  // MARK: - Style

  private func mark(_ sign: String, _ word: String, _ color: Paint) -> String {
    paint(style.isTerminal ? sign : word, color)
  }

  private func paint(_ text: String, _ paint: Paint) -> String {
    text.painted(paint, if: style.hasColors)
  }
}

extension Event {
  fileprivate var isLast: Bool { if case .runEnded = self { true } else { false } }
}

extension PlannedStep {
  /// True for an invariant of the main scenario.
  ///
  /// The invariants of other scenarios are inside of a step.
  fileprivate var isInvariant: Bool { path.utf8.starts(with: "invariants/".utf8) }
}
