package import FlowCore
package import FlowEngine
package import FlowPlan
internal import FlowRedaction
package import FlowSystem
private import Synchronization

/// The events of a run as a tree of spans: its steps, and their calls of components.
///
/// Events hold no secrets, so its values hold none. Spans beyond the limit are only counted.
package struct RunTrace: Sendable {
  /// A step, a call or an event, with its duration.
  package struct Span: Sendable {
    /// The kind of a span.
    package enum Kind: Sendable {
      /// A step of the scenario.
      ///
      /// Boxed, since spans are copied often.
      indirect case step(PlannedStep)
      /// A call of a component, or its opening.
      case call(component: String, operation: String)
      /// A step waits for a component to report something.
      case wait(event: String)
      /// A component's spontaneous event.
      case report(event: String)
      /// An iteration of a loop with `cases`.
      case iteration
    }

    /// The end of a span.
    package enum State: String, Sendable, CaseIterable {
      /// The span has not ended yet.
      case running
      case passed
      case failed
      /// Its condition was false, or an earlier step failed.
      case notRun = "not run"
      /// The run was stopped, or the waiting part of it.
      case cancelled
    }

    /// The kind of the span.
    package let kind: Kind
    /// The place in the run: `browse/page#3`.
    package let address: Address
    /// The name in reports: the step's name, or `balance.subtract`.
    package fileprivate(set) var title: String
    /// The index of the span around it.
    package let parent: Int?
    /// The time from the start of the run to its start, by the run's own clock.
    package let start: Duration
    /// Its duration.
    package fileprivate(set) var elapsed = Duration.zero
    /// Its end.
    package fileprivate(set) var state = State.running
    /// The input of a call, or the payload of a report.
    ///
    /// Only its start, if the trace keeps no more.
    package fileprivate(set) var input: Value?
    /// The answer of a call, shortened in the same way, or nil if it is not kept.
    package fileprivate(set) var outcome: Outcome?
    /// True if its values were too large to keep.
    package fileprivate(set) var leavesOutValues = false
    /// The input and the answer in the form of JSON Lines, or nil if the trace does not keep them.
    fileprivate(set) var lines: (input: ScratchPiece?, answer: ScratchPiece?) = (nil, nil)
    /// The values that the scenario computed at a step, if the trace keeps values.
    package fileprivate(set) var computed = ComputedValues()
    /// The failure of a step by itself, not by a step inside of it.
    package fileprivate(set) var failure: StepFailure?

    /// True for a step, false for a step's call of a component.
    var isStep: Bool { if case .step = kind { true } else { false } }
  }

  /// The spans in the order of their start.
  package fileprivate(set) var spans: [Span] = []
  /// The number of further spans left out.
  package fileprivate(set) var omitted = 0
  /// The outputs of the scenario, if the trace keeps values.
  package fileprivate(set) var outputs = ComputedValues()
  /// The plan of the run, or nil before its start.
  package fileprivate(set) var plan: Plan?
  /// True if the time is virtual and passes only when nothing is left to do.
  package fileprivate(set) var isTimeVirtual = false
  /// The end of the run, or nil before it.
  package fileprivate(set) var end: RunReport?
  /// The reason why values are missing in JSON Lines, or nil.
  package fileprivate(set) var failure: FileError?

  /// Creates an empty trace.
  package init() {}

  /// The same with all its spans only counted.
  package var withoutSpans: RunTrace {
    var copy = self
    copy.omitted += spans.count
    copy.spans = []
    return copy
  }

  /// Returns the trace with secrets hidden in the texts of the scenario, which do not come from
  /// values.
  func redacted(by redactor: Redactor) -> RunTrace {
    var copy = self
    copy.outputs = outputs.redacted(by: redactor)
    for index in spans.indices {
      copy.spans[index].computed = spans[index].computed.redacted(by: redactor)
      copy.spans[index].title = redactor.redacted(spans[index].title)
      if let failure = spans[index].failure {
        copy.spans[index].failure = failure.redacted(by: redactor)
      }
    }
    return copy
  }
}

/// Makes the trace of a run.
package final class RunTracer: EventSink {
  /// The most spans kept.
  ///
  /// The spans of failed steps are kept beyond it, up to the same number.
  fileprivate static let capacity = 10_000

  fileprivate struct State {
    var trace = RunTrace()
    var elapsed: @Sendable () -> Duration = { .zero }
    var beginning = Duration.zero
    var running = RunningSpans()
    /// Finds the secrets learnt since the first event.
    var late: LateSecrets?
    let (options, values): (TraceOptions, WrittenValues?)
    var room = ExcerptRoom()
    /// The spans with values inside of each running step.
    var valued: [Int: [Int]] = [:]
    /// The values computed for steps that have not started, such as their names.
    var early: [Address: ComputedValues] = [:]
  }

  /// True if values are kept.
  package let hearsValues: Bool
  private let state: Mutex<State>

  /// Creates a trace of a run that has not started.
  package init(_ options: TraceOptions = TraceOptions()) {
    hearsValues = options.keepsExcerpts || options.keepsLines || options.keepsValues
    let values = options.keepsLines ? WrittenValues(in: options.folder) : nil
    state = Mutex(State(options: options, values: values))
  }

  /// The spans up to now.
  package var trace: RunTrace {
    state.withLock { state in
      var trace = state.trace
      if let late = state.late?.redactor { state.hideValues(of: &trace, by: late) }
      trace.failure = state.values?.failure
      return trace
    }
  }

  /// Notes the event.
  package func receive(_ event: Event) {
    state.withLock { state in
      switch event {
      case .runStarted(let run): state.begin(run)
      case .stepStarted(let address, let step):
        // At its end, a span beyond the limit is counted, or kept if it failed.
        if state.isFull { return }
        state.running.steps[address] = state.add(.step(step), address, step.label)
        state.keepEarlyValues(of: address, at: state.running.steps[address])
      case .stepEnded(let address, let step, let end, let elapsed):
        state.endStep(address, step, end, after: elapsed)
      case .invoked(let invocation): state.invoke(invocation)
      case .completed(let invocation, let outcome): state.complete(invocation, outcome)
      case .emitted(let address, let event, let payload):
        guard let index = state.add(.report(event: event), address, event) else { return }
        state.trace.spans[index].state = .passed
        state.keep(input: payload, of: index)
        state.settle(index, hasFailed: false)
      case .runEnded(let report): state.trace.end = report
      case .caseStarted(let loopCase):
        state.running.steps[loopCase.address] = state.add(
          .iteration, loopCase.address, loopCase.name)
      case .caseEnded(let loopCase, let end, let elapsed):
        state.endCase(loopCase, end, after: elapsed)
      case .computed(let address, let value): state.compute(value, address)
      case .branchStarted, .branchEnded: break
      }
    }
  }
}

extension RunTracer.State {
  fileprivate var now: Duration { elapsed() - beginning }
  fileprivate var isFull: Bool { trace.spans.count >= RunTracer.capacity }

  fileprivate mutating func begin(_ run: RunDescription) {
    elapsed = run.elapsed
    beginning = run.elapsed()
    trace.isTimeVirtual = run.isTimeVirtual
    trace.plan = run.plan
    late = LateSecrets(run.redactor)
  }

  /// Hides secrets in values that were kept before the run knew them.
  fileprivate func hideValues(of trace: inout RunTrace, by redactor: Redactor) {
    for index in trace.spans.indices {
      let span = trace.spans[index]
      trace.spans[index].input = span.input.map(redactor.redacted)
      if case .answer(let answer) = span.outcome {
        trace.spans[index].outcome = .answer(redactor.redacted(answer))
      }
      trace.spans[index].lines = (
        span.lines.input.flatMap { values?.hidden($0, by: redactor) },
        span.lines.answer.flatMap { values?.hidden($0, by: redactor) }
      )
      trace.spans[index].computed.hideLines(of: values, by: redactor)
    }
    trace.outputs.hideLines(of: values, by: redactor)
  }

  /// Adds a span, possibly started before now.
  ///
  /// Nil if the trace is full.
  fileprivate mutating func add(
    _ kind: RunTrace.Span.Kind, _ address: Address, _ title: String, ago: Duration = .zero,
    isFailure: Bool = false
  ) -> Int? {
    guard trace.spans.count < (isFailure ? 2 : 1) * RunTracer.capacity else {
      trace.omitted += 1
      return nil
    }
    trace.spans.append(
      RunTrace.Span(
        kind: kind, address: address, title: title, parent: running.parent(of: kind, address),
        start: now - ago))
    return trace.spans.count - 1
  }

  fileprivate mutating func endStep(
    _ address: Address, _ step: PlannedStep, _ end: StepState, after elapsed: Duration
  ) {
    var isFailure = false
    if case .failed = end { isFailure = true }
    let known = running.steps.removeValue(forKey: address)
    guard
      let index = known
        ?? add(.step(step), address, step.label, ago: elapsed, isFailure: isFailure)
    else {
      early[address] = nil
      return
    }
    keepEarlyValues(of: address, at: index)
    trace.spans[index].elapsed = elapsed
    switch end {
    case .passed: trace.spans[index].state = .passed
    case .notRun: trace.spans[index].state = .notRun
    case .failed(let failure):
      trace.spans[index].state = .failed
      if case .inner = failure {
      } else {
        trace.spans[index].failure = options.keepsValues ? failure : failure.excerpt(in: &room)
      }
    }
    for span in valued.removeValue(forKey: index) ?? [] { settle(span, hasFailed: isFailure) }
  }

  fileprivate mutating func endCase(
    _ loopCase: LoopCase, _ end: RunReport.Case.State, after elapsed: Duration
  ) {
    guard
      let index = running.steps.removeValue(forKey: loopCase.address)
        ?? add(.iteration, loopCase.address, loopCase.name, ago: elapsed)
    else { return }
    trace.spans[index].elapsed = elapsed
    trace.spans[index].state =
      switch end {
      case .passed: .passed
      case .failed: .failed
      case .notRun: .notRun
      }
  }

  fileprivate mutating func invoke(_ invocation: Invocation) {
    let component = invocation.componentName
    let kind: RunTrace.Span.Kind =
      switch invocation.target {
      case .open: .call(component: component, operation: "open")
      case .operation(let operation):
        .call(component: component, operation: operation.description.name)
      case .event: .wait(event: invocation.name)
      }
    guard let index = add(kind, invocation.address, invocation.name) else { return }
    running.calls[invocation.address] = index
    keep(input: invocation.input, of: index)
  }

  fileprivate mutating func complete(_ invocation: Invocation, _ outcome: Outcome) {
    guard let index = running.calls.removeValue(forKey: invocation.address) else { return }
    trace.spans[index].elapsed = now - trace.spans[index].start
    switch outcome {
    case .answer(let value):
      trace.spans[index].state = .passed
      keep(answer: value, of: index)
    case .error: trace.spans[index].state = .failed
    case .cancelled: trace.spans[index].state = .cancelled
    }
    if case .answer = outcome {} else { trace.spans[index].outcome = outcome }
    guard let step = step(around: index), trace.spans[step].state == .running else {
      let hasFailed = step(around: index).map { trace.spans[$0].state == .failed } ?? false
      return settle(index, hasFailed: hasFailed)
    }
    valued[step, default: []].append(index)
    if valued[step, default: []].count > Self.mostWhole { shorten(index) }
  }

  /// The most calls of a running step with whole values, so that those of most steps are cut only
  /// once.
  private static var mostWhole: Int { 16 }

  /// Keeps no more of the values of a span than a page shows of any step.
  private mutating func shorten(_ index: Int) {
    if options.keepsValues { return }
    trace.spans[index].input = trace.spans[index].input.map { room.excerpt($0) }
    guard case .answer(let answer) = trace.spans[index].outcome else { return }
    trace.spans[index].outcome = .answer(room.excerpt(answer))
  }

  fileprivate mutating func keep(input value: Value, of index: Int) {
    trace.spans[index].lines.input = values?.add(value)
    if options.keepsValues || options.keepsExcerpts { trace.spans[index].input = value }
  }

  private mutating func keep(answer value: Value, of index: Int) {
    trace.spans[index].lines.answer = values?.add(value)
    if options.keepsValues || options.keepsExcerpts {
      trace.spans[index].outcome = .answer(value)
    }
  }

  /// Keeps a value at its step, or for its step, or as an output of the scenario.
  fileprivate mutating func compute(_ computed: ComputedValue, _ address: Address) {
    var kept = computed
    if !options.keepsValues {
      let isOfFailure = computed.use == .evidence
      guard let excerpt = room.settled(computed.value, hasFailed: isOfFailure) else { return }
      kept.value = excerpt
    }
    kept.operands = computed.operands.map { $0.shortened(to: 400) }
    let entry = ComputedValues.Entry(value: kept, line: values?.add(computed.value))
    switch computed.use {
    case .output:
      if let index = running.steps[address] ?? running.iterated(at: address)
        ?? running.step(around: address)
      {
        trace.spans[index].computed.add(entry)
      } else {
        trace.outputs.add(entry)
      }
    case .set, .name, .condition, .while, .until, .expect, .assert, .evidence:
      if let index = running.steps[address] { return trace.spans[index].computed.add(entry) }
      early[address, default: ComputedValues()].add(entry)
    }
  }

  /// Moves the values that were computed for a step before its start to its span.
  fileprivate mutating func keepEarlyValues(of address: Address, at index: Int?) {
    guard !early.isEmpty, let values = early.removeValue(forKey: address), let index else { return }
    trace.spans[index].computed = values
  }

  /// Keeps no more of the values of a span than a page shows of a step that ended like this.
  fileprivate mutating func settle(_ index: Int, hasFailed: Bool) {
    if options.keepsValues { return }
    if let input = trace.spans[index].input {
      trace.spans[index].input = room.settled(input, hasFailed: hasFailed)
      if trace.spans[index].input == nil { trace.spans[index].leavesOutValues = true }
    }
    if case .answer(let answer) = trace.spans[index].outcome {
      trace.spans[index].outcome = room.settled(answer, hasFailed: hasFailed).map(Outcome.answer)
      if trace.spans[index].outcome == nil { trace.spans[index].leavesOutValues = true }
    }
  }

  /// Returns the innermost step around a span, or nil.
  private func step(around index: Int) -> Int? {
    var place = trace.spans[index].parent
    while let outer = place, !trace.spans[outer].isStep { place = trace.spans[outer].parent }
    return place
  }
}

/// The spans of a trace that have not ended, by their addresses.
struct RunningSpans {
  /// The steps, and the iterations with cases.
  var steps: [Address: Int] = [:]
  /// The calls, which may have the address of their step.
  var calls: [Address: Int] = [:]

  /// Returns the innermost span around a starting one.
  func parent(of kind: RunTrace.Span.Kind, _ address: Address) -> Int? {
    switch kind {
    case .step: return step(around: address)
    case .iteration: return iterated(at: address)
    case .call, .wait, .report: break
    }
    if case .report = kind, let call = calls[address] { return call }
    var place = address.caller
    while let caller = place {
      if let call = calls[caller] { return call }
      place = caller.caller
    }
    let own = Address(path: address.path, iterations: address.iterations)
    return steps[own] ?? step(around: own)
  }

  /// Returns the running loop of an iteration, or nil.
  func iterated(at address: Address) -> Int? {
    var iterations = address.iterations
    while iterations.popLast() != nil {
      if let index = steps[Address(path: address.path, iterations: iterations)] { return index }
    }
    return nil
  }

  /// Returns the step with another one in its blocks, in any iteration.
  func step(around address: Address) -> Int? {
    var path = address.path.utf8[...]
    while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
      path = path[..<slash]
      let outer = String(Substring(path))
      var iterations = address.iterations
      while true {
        if let index = steps[Address(path: outer, iterations: iterations)] { return index }
        if iterations.popLast() == nil { break }
      }
    }
    return nil
  }
}
