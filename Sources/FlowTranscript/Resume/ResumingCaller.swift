public import FlowCore
public import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// Serves the recorded calls of a journal, then lets the run go on live.
///
/// A component is always opened live. One whose state is in memory is rebuilt by making its
/// recorded calls again, and has to answer as it did. A call that was invoked and not completed is
/// *unknown*.
public final class ResumingCaller: Caller {
  /// The options of a resumed run.
  public struct Options: Sendable {
    /// True to repeat unknown calls of operations that do not declare repetition to be safe.
    ///
    /// False by default.
    public var retriesUnknown: Bool
    /// True to make the calls of a component in memory in their recorded order, if steps run at the
    /// same time.
    ///
    /// Every recorded call must then be made again. False by default: steps one after another keep
    /// their order anyway.
    public var keepsOrder: Bool
    /// Stops the run before it does anything else when a step has passed without its recorded calls, as one of a
    /// changed scenario may.
    ///
    /// No by default: those of the same scenario make them.
    package var watchesSteps = false
    /// True to serve every recorded call, also those of components in memory, with hidden values as they
    /// are and in their recorded order.
    ///
    /// False by default: a trial has no components.
    var isTrial = false
    /// Called with the address of each recorded call that was not simply made now, before it is answered.
    package var notePast: @Sendable (Address, Past) -> Void = { _, _ in }

    /// Options with their defaults.
    public init(retriesUnknown: Bool = false, keepsOrder: Bool = false) {
      self.retriesUnknown = retriesUnknown
      self.keepsOrder = keepsOrder
    }
  }

  /// The treatment of a journal's call in a resumed run.
  package enum Past: Sendable {
    /// The recorded answer was served.
    case served
    /// The call was made again, to rebuild a state in memory.
    case repeated
  }

  private let calls: RecordedCalls
  private let inner: InnerCalls
  private let session: Session
  private let live: any Caller
  private let recorder: JournalRecorder
  private let options: Options
  /// The calls with an unknown outcome, unless they are made again.
  private let unknown: [String]
  /// The form of an answer to the first of them.
  private let firstForm: JSON

  /// Creates a caller that consults the recorder's journal before it calls components.
  ///
  /// - Parameters:
  ///   - journal: The calls so far, or nil for a new run.
  ///   - session: The run. The recorder must be one of its sinks, since nothing may be done that was not written.
  ///   - live: Calls the components. Nil for those of the session.
  ///   - recorder: Writes the calls from now on.
  ///   - options: The calls to repeat.
  package init(
    _ journal: Journal?, in session: Session, live: (any Caller)? = nil,
    recorder: JournalRecorder, options: Options = Options()
  ) {
    journal?.calls.leaveVisible(by: session.sinks.redactor, in: session.plan)
    calls = RecordedCalls(
      journal?.calls ?? CallList(), session.sinks.redactor,
      options: .init(
        advice: "the journal cannot be resumed with this scenario", keepsOrder: options.isTrial))
    inner = InnerCalls(journal?.calls ?? CallList())
    self.session = session
    self.live = live ?? session.live()
    self.recorder = recorder
    self.options = options
    let unknown =
      options.retriesUnknown ? nil : journal.map { UnknownCalls(of: $0.calls, in: session.plan) }
    self.unknown = unknown?.addresses ?? []
    firstForm = unknown?.firstForm ?? .object([])
    if options.watchesSteps, let journal { recorder.watchSteps(for: journal.calls) }
    session.number(as: inner)
    session.sinks.redactor.stopNumbering()
  }

  private var sinks: EventSinks { session.sinks }

  /// The differences of the run from the journal so far.
  var mismatches: [ReplayMismatch] { calls.mismatches }

  /// The recorded calls of steps that were not made.
  var leftOfSteps: [Transcript.Call] { calls.leftOfSteps }

  /// The waiting of the run, for the rest of a recorded time only, and without unrecorded effects.
  package var pacing: Pacing {
    Pacing(timers: JournalTimers(recorder: recorder)) { [recorder] in recorder.isStopped }
  }

  /// The recorded answer, or the component's.
  public func call(_ invocation: Invocation) async throws -> Outcome {
    if let error = recorder.failure {
      throw ResumeFailure.notWritten(invocation, "\(error)").failure
    }
    try checkSteps()
    // The call failed at the boundary in another branch.
    if recorder.isStopped { throw CancellationError() }
    do {
      guard let recorded = try recorded(invocation) else {
        try refuseBesideUnknown(invocation)
        return try await inOrder(nil, invocation) { try await live.call(invocation) }
      }
      return try await owning(recorded, invocation) { try await resume(recorded, invocation) }
    } catch let failure as BoundaryFailure {
      recorder.stop()
      throw failure
    }
  }

  /// Refuses new calls outside if the run is going to stop at a call with an unknown outcome.
  private func refuseBesideUnknown(_ invocation: Invocation) throws {
    guard let first = unknown.first, !invocation.isWait, !invocation.isOpening,
      recorder.place(of: invocation) == .external
    else { return }
    throw ResumeFailure.unknown(first, form: firstForm, others: Array(unknown.dropFirst())).failure
  }

  /// Fails when a step has passed without its recorded calls.
  private func checkSteps() throws {
    guard let step = recorder.stepPassedTooEarly else { return }
    recorder.stop()
    try calls.checkMade(inside: step)
  }

  /// Releases the scope's components.
  public func close(_ scope: Address) async { await live.close(scope) }

  /// Releases the components and checks that every recorded call was made.
  public func finish() async throws {
    try await live.finish()
    try checkSteps()
    if recorder.isStopped { return }
    do { try calls.finish() } catch {
      recorder.stop()
      throw error
    }
  }

  /// Returns the recorded call, or nil.
  private func recorded(_ invocation: Invocation) throws -> Transcript.Call? {
    var redacted = sinks.redacted(invocation)
    if options.isTrial { redacted = calls.renumbered(redacted) }
    guard let caller = invocation.address.caller else { return try calls.next(for: redacted)?.call }
    switch inner.take(invocation, by: caller) {
    case .found(let number): return try calls.compared(number, redacted)
    case .new: return nil
    case .other(let expected): throw ResumeFailure.otherCall(redacted, expected).failure
    }
  }

  /// Resumes a call in which a component made others.
  private func owning(
    _ recorded: Transcript.Call, _ invocation: Invocation, _ resume: () async throws -> Outcome
  ) async throws -> Outcome {
    guard inner.begin(recorded, at: invocation.address) else { return try await resume() }
    let result: Result<Outcome, any Error>
    do { result = .success(try await resume()) } catch { result = .failure(error) }
    let left = inner.end(invocation.address)
    for call in left { recorder.skip(call) }
    let outcome = try result.get()
    // What was never answered need not be asked for when its caller was answered without.
    if let missing = left.first(where: { $0.isMissed(by: recorded) }) {
      throw ResumeFailure.notCalled(invocation, missing).failure
    }
    return outcome
  }

  /// Repeats the inner calls of a call that is served without its component.
  ///
  /// One of the components called there may keep its state in memory.
  private func askAgain(_ invocation: Invocation) async throws {
    let calls = inner.left(of: invocation.address).filter(\.hasEnded)
    guard !calls.isEmpty, let component = recorder.component(of: invocation) else { return }
    await withDiscardingTaskGroup { group in
      for call in calls {
        // Why it failed is noted at the boundary, or it is missed in the end.
        group.addTask { try? await self.ask(call, component, invocation) }
      }
    }
  }

  private func ask(
    _ call: Transcript.Call, _ component: PlannedComponent, _ invocation: Invocation
  ) async throws {
    guard let place = call.address.calls.last,
      let requirement = component.plugin.requirement(of: place),
      let planned = component.roles.first(where: { $0.name == requirement.role.name })?
        .calls[requirement.name]
    else { return }
    let hidden = try Value(call.input.json, as: .record(planned.inputType))
    guard let input = sinks.redactor.restored(hidden) ?? (options.isTrial ? hidden : nil) else {
      throw ResumeFailure.hidden(invocation).failure
    }
    try await session.ask(
      again: place, planned, input, at: invocation.address, in: invocation.scope)
  }

  private func resume(
    _ recorded: Transcript.Call, _ invocation: Invocation
  ) async throws -> Outcome {
    let place = recorder.place(of: invocation)
    if invocation.isWait { recorder.order.skip(recorded) }
    guard let answer = recorded.answer else {
      return try await inOrder(recorded, invocation) { try await again(invocation, place) }
    }
    let today = calls.echoed(answer, recorded, sinks.redacted(invocation))
    let hidden = try calls.outcome(of: today, invocation)
    if place == .memory, !options.isTrial, !invocation.isWait, !invocation.isOpening {
      options.notePast(invocation.address, .repeated)
      return try await inOrder(recorded, invocation) { try await rebuild(invocation, hidden) }
    }
    guard let before = restored(hidden) else {
      throw ResumeFailure.hidden(invocation).failure
    }
    if case .open = invocation.target { return try await reopen(invocation, before) }
    if case (.event, .answer(let payload)) = (invocation.target, before) {
      session.events.take(EventQueue.Key(scope: invocation.scope, name: invocation.name), payload)
    }
    try await askAgain(invocation)
    for report in try calls.emit(recorded, invocation, sinks) {
      session.events.add(report.key, report.payload)
    }
    options.notePast(invocation.address, .served)
    guard case .cancelled = before else { return before }
    try await session.untilCancelled()
    throw CancellationError()
  }

  /// Returns a recorded outcome with its secrets, or nil if one is unknown and needed.
  private func restored(_ hidden: Outcome) -> Outcome? {
    if let restored = hidden.restored(by: sinks.redactor) { return restored }
    guard options.isTrial, case .answer(let value) = hidden else { return nil }
    sinks.redactor.registerPlaceholders(in: value)
    calls.serve(value)
    return hidden
  }

  /// Makes a call of a component in memory after the calls recorded before it.
  private func inOrder(
    _ recorded: Transcript.Call?, _ invocation: Invocation, _ call: () async throws -> Outcome
  ) async throws -> Outcome {
    // An opened component is a new one, whatever its name.
    guard options.keepsOrder, !invocation.isWait, !invocation.isOpening,
      recorder.place(of: invocation) == .memory
    else { return try await call() }
    if recorded == nil, invocation.address.caller != nil,
      recorder.order.hasLeft(of: invocation.componentName)
    {
      // Other tasks of the component make their recorded calls first, unless they wait for this one.
      await session.settle()
    }
    try await recorder.order.begin(recorded, invocation)
    defer { recorder.order.end(recorded, of: invocation.componentName) }
    return try await call()
  }

  /// Opens a component again, and fails if something it needs has gone away since.
  private func reopen(_ invocation: Invocation, _ before: Outcome) async throws -> Outcome {
    let now = try await live.call(invocation)
    if case (.answer, .error(let error)) = (before, now) {
      throw ResumeFailure.notOpened(invocation, error).failure
    }
    return before
  }

  /// Makes a recorded call again to rebuild a state in memory.
  private func rebuild(_ invocation: Invocation, _ before: Outcome) async throws -> Outcome {
    let answer = try await live.call(invocation)
    let now = answer.hidden(by: sinks.redactor, invocation)
    guard now.isSame(as: before) else {
      throw ResumeFailure.otherAnswer(invocation, recorded: before, now: now).failure
    }
    // A port that the system chose is another one, and so is everything that was made of it.
    if case (.answer(let before), .answer(let now)) = (before, now) {
      calls.learn(now, inPlaceOf: before, as: .record(invocation.outputType))
    }
    return answer
  }

  /// Repeats a call with an unknown outcome.
  private func again(_ invocation: Invocation, _ place: ComponentState) async throws -> Outcome {
    // What it did to a state in memory is gone with that state, so it can only be done once.
    guard options.retriesUnknown || place == .memory || invocation.isSafeToRepeat else {
      let address = "\(invocation.address)"
      let form = GivenAnswer(
        to: invocation.address, invocation.outputType, in: session.plan
      ).template
      throw ResumeFailure.unknown(address, form: form, others: unknown.filter { $0 != address })
        .failure
    }
    return try await live.call(invocation)
  }
}

extension Invocation {
  fileprivate var isSafeToRepeat: Bool {
    switch target {
    case .open, .event: true
    case .operation(let operation): operation.description.isSafeToRepeat(input)
    }
  }

  fileprivate var isOpening: Bool {
    if case .open = target { return true }
    return false
  }
}

extension Outcome {
  /// Returns the recorded outcome with its secrets, or nil if one is unknown.
  fileprivate func restored(by redactor: Redactor) -> Outcome? {
    guard case .answer(let value) = self else { return self }
    return redactor.restored(value).map { .answer($0) }
  }

  /// Returns the outcome in recorded form, and hides its secrets from now on.
  fileprivate func hidden(by redactor: Redactor, _ invocation: Invocation) -> Outcome {
    // One that is too short is reported when the answer comes back to the step.
    let name = invocation.componentName
    if case .answer(let value) = self { try? redactor.hideSecrets(in: value, of: name) }
    return redacted(by: redactor, of: invocation.target)
  }

  /// Returns true if both outcomes agree, except for the wording of an error.
  fileprivate func isSame(as other: Outcome) -> Bool {
    switch (self, other) {
    case (.answer(let first), .answer(let second)):
      first.withoutVolatileFields.isSame(as: second.withoutVolatileFields)
    case (.error(let first), .error(let second)): first.code == second.code
    default: false
    }
  }
}
