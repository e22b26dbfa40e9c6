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
    /// The number of the run among the trials of its scenario, from 1, or nil for a single run.
    package var trial: Int?

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
        if style.trial ?? 1 == 1 { state.buffer += title(run) + "\n" }
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
    let trial = style.trial.map { "trial \($0) " } ?? ""
    var text = "\(trial)\(verdict) in \(time): steps \(parts.joined(separator: ", "))\n"
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

/// The progress of a step with its own line on the console.
struct StepProgress {
  /// A failed step inside of it, or the step itself.
  private struct Failure {
    let address: Address
    let reason: String
    let attempts: Int
  }

  let address: Address
  let step: PlannedStep
  /// The number of started steps inside of it.
  private(set) var innerSteps = 0
  private var calls = 0
  private var past: [ConsoleReport.Past: Int] = [:]
  /// The number of calls by each running step with a `retry`.
  private var attempts: [Address: Int] = [:]
  /// The number of the present attempt of each block with a `retry`.
  private var blocks: [Address: Int] = [:]
  private var failures: [Failure] = []
  private var told = 0
  private var untold = 0

  // A loop may go on after thousands of failures.
  private static let mostTold = 10

  init(_ address: Address, _ step: PlannedStep) {
    self.address = address
    self.step = step
    if step.options?.retry != nil { attempts[address] = 0 }
    if step.countsAttempts { blocks[address] = 0 }
  }

  // MARK: - What happens

  mutating func begin(_ address: Address, _ step: PlannedStep) {
    innerSteps += 1
    noteAttempt(at: address)
    if step.options?.retry != nil { attempts[address] = 0 }
    if step.countsAttempts { blocks[address] = 0 }
  }

  /// Notes the attempt of a block around a starting step, and forgets the failures of earlier ones.
  private mutating func noteAttempt(at inner: Address) {
    for (block, attempt) in blocks where inner.belongs(to: block) {
      guard let number = inner.iterations.dropFirst(block.iterations.count).first,
        number > attempt
      else { continue }
      (blocks[block], attempts[block]) = (number, number)
      if number > 1 { failures.removeAll { $0.address.belongs(to: block) } }
    }
  }

  mutating func invoke(_ invocation: Invocation) {
    if let count = attempts[invocation.address] { attempts[invocation.address] = count + 1 }
  }

  mutating func complete(_ invocation: Invocation) {
    if case .open = invocation.target { return }
    if invocation.address.caller == nil { calls += 1 }
  }

  mutating func note(_ address: Address, _ kind: ConsoleReport.Past) {
    if address.caller == nil { past[kind, default: 0] += 1 }
  }

  /// Notes the end of a step: this one, or one inside of it.
  ///
  /// Returns the reasons for its failure, a sentence for each step, if the scenario continues and no
  /// other text contains them.
  mutating func end(_ address: Address, _ step: PlannedStep, _ outcome: StepState) -> [String] {
    defer { if address != self.address { (attempts[address], blocks[address]) = (nil, nil) } }
    guard case .failed(let failure) = outcome else { return [] }
    if let reason = failure.reason(at: address), failures.count < Self.mostTold {
      failures.append(
        Failure(address: address, reason: reason, attempts: attempts[address] ?? 0))
    }
    guard failure.isContinued(by: step.options) else { return [] }
    let over = failures.filter { $0.address.belongs(to: address) }
    failures.removeAll { $0.address.belongs(to: address) }
    let shown = over.prefix(Self.mostTold - told)
    told += shown.count
    untold += over.count - shown.count
    return shown.map(sentence)
  }

  private func sentence(_ failure: Failure) -> String {
    let isInner = failure.address != address && failure.attempts > 1
    return failure.reason + (isInner ? " (\(failure.attempts) attempts)" : "")
  }

  // MARK: - What the line says

  /// The details in parentheses before the time: `4 steps`, `served`, `3 attempts`.
  var details: [String] {
    // As nearly every step.
    if innerSteps == 0 && past.isEmpty && attempts.isEmpty { return [] }
    return (innerSteps > 0 ? [counted(innerSteps, "step")] : []) + pastTexts
      + (attempts[address, default: 0] > 1 ? ["\(attempts[address, default: 0]) attempts"] : [])
  }

  /// The number of failures left out, in words, or nil.
  var rest: String? {
    untold > 0 ? "and \(counted(untold, "more step")) failed" : nil
  }

  private var pastTexts: [String] {
    ConsoleReport.Past.allCases.compactMap { kind in
      guard let count = past[kind] else { return nil }
      // A call that was repeated and got no answer is not among the calls, so there may be more.
      return count >= calls
        ? kind.rawValue : "\(count) of \(counted(calls, "call")) \(kind.rawValue)"
    }
  }
}

/// The line printed for an event by `-v` and `-vv`.
///
///     spend#1: event balance.changed {balance: 87.50}
///     spend#1: balance.subtract {amount: 12.50} -> {balance: 87.50}
enum EventLine {
  // Keeps a line with an input and an answer readable.
  private static let longestValue = 400

  /// Returns the line, or nil for an event not printed in this detail.
  static func text(of event: Event, in detail: ConsoleReport.Detail) -> String? {
    switch event {
    case .completed(let invocation, let outcome):
      if case .event = invocation.target, detail < .events { return nil }
      return detail < .calls ? nil : "\(title(invocation)) -> \(answer(outcome, invocation))"
    case .invoked(let invocation):
      guard case .event = invocation.target, detail >= .events else { return nil }
      return "\(invocation.address): waits for \(invocation.name)"
    case .emitted(let address, let event, let payload):
      return detail < .events ? nil : "\(address): event \(event) \(text(payload))"
    case .stepStarted(let address, let step):
      guard detail >= .events else { return nil }
      switch step.action.content.waiting {
      case .time(let duration): return "\(address): waits \(duration.text())"
      case .nothing, .answer, .event: return nil
      }
    case .computed(let address, let value):
      return detail < .calls ? nil : "\(address): \(value.line(limit: longestValue))"
    case .runStarted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .stepEnded, .runEnded:
      return nil
    }
  }

  /// Returns `spend#1: balance.subtract {amount: 30}`, without a name already in the address.
  private static func title(_ invocation: Invocation) -> String {
    let address = "\(invocation.address)"
    let last = address.split(separator: "/").last ?? ""
    let name = last.hasPrefix(invocation.name) ? "" : ": \(invocation.name)"
    if case .event = invocation.target { return address + name }
    let hasInput = !invocation.inputType.fields.isEmpty
    let input = hasInput ? " " + text(invocation.input.withoutAbsentFields) : ""
    return address + name + input
  }

  private static func answer(_ outcome: Outcome, _ invocation: Invocation) -> String {
    switch outcome {
    case .answer(let value):
      if case .open = invocation.target { return "opened" }
      return text(value.withoutOtherForms())
    case .error(let error): return "error '\(error.code.name)': \(error.message.onOneLine)"
    case .cancelled: return "cancelled"
    }
  }

  private static func text(_ value: Value) -> String { value.summary(limit: longestValue) }
}
