public import FlowCore
public import FlowEngine
internal import FlowPlan
internal import FlowRedaction
private import Synchronization

/// Serves recorded answers in place of the components.
///
/// Strict: a call that was not recorded, a call with another input, and a recorded call that never
/// came are failures. Calls are found by their address and come in their recorded order, as far as the
/// scenario orders them: `compare` on its steps says how.
public final class ReplayingCaller: Caller {
  private let calls: RecordedCalls
  private let clock: VirtualClock
  private let sinks: EventSinks
  private let live: (any Caller)?
  /// Returns the secret of a name.
  private let secret: @Sendable (String) -> String?
  /// Brings later reports to live components, or nil if none follow.
  private let late: LateReports?
  private let options: Options
  /// Asks components for calls that are not recorded, or nil if none is asked.
  private let asked: AskedCalls?
  /// The placeholders of unknown hidden strings in served answers and in inputs.
  private let hidden: Mutex<Set<String>>
  /// The openings of live components that nothing is sent to, and whose settings need unknown
  /// secrets.
  private let unopened = Mutex<[Opening: Invocation]>([:])
  /// The longest wait for the recorded requests from outside during a step.
  private let patience: Duration

  /// A component in the scope of its opening.
  private struct Opening: Hashable {
    let scope: Address?
    let component: Int
  }

  /// The strictness of a replay.
  public struct Options: Sendable {
    /// The advice for an intended difference, added to each report.
    public var advice = "if the change is intended, record again with '--record'"
    /// The tolerated differences, which are noted and fail nothing.
    ///
    /// An unexpected call has no answer and always fails.
    public var allowed: Set<ToleratedDeparture> = []
    /// The components that are opened and called, while all others are served from the transcript.
    public var live: Set<String> = []
    /// The date of today if components are asked for reads that are not recorded, or nil.
    package var asking: Timestamp?
    /// Called before a component is asked for an answer that is not recorded.
    package var noteAsked: @Sendable (Address) -> Void = { _ in }
    /// True if the calls of steps must have the recorded inputs, in the recorded order.
    package var comparesSteps = true
    /// The parts compared nevertheless, or nil for none.
    package var steady: SteadyParts?
    /// True if calls fail that did not when they were recorded.
    ///
    /// Others may then come later or in another order, as attempts do.
    package var hasFaults = false
    /// The files that the recorded run read, or nil if they are not compared.
    var sources: StaleSources?
    /// The strictest.
    public init() {}
  }

  /// Creates a caller that answers calls from a transcript, as strict as the options.
  ///
  /// - Parameters:
  ///   - transcript: The answers.
  ///   - session: The run, in virtual time.
  ///   - options: The tolerated differences, and the advice about others.
  /// - Precondition: The session is in virtual time, because calls that were cut off when recorded
  ///   wait in it.
  package init(_ transcript: Transcript, in session: Session, options: Options = Options()) {
    guard let time = session.virtualTime else {
      preconditionFailure("'\(session.plan.file)' is replayed in real time")
    }
    transcript.leaveVisible(by: session.sinks.redactor, in: session.plan)
    calls = RecordedCalls(
      transcript.calls, session.sinks.redactor,
      options: .init(
        advice: options.advice, allowed: options.allowed, keepsOrder: true,
        comparesEvents: !transcript.isAltered, comparesSteps: options.comparesSteps,
        steady: options.steady?.calls ?? [], hasFaults: options.hasFaults,
        optional: OptionalCalls(session.plan)))
    // Altered answers and faults prevent calls, each of which would be waited for.
    let preventsCalls = transcript.isAltered || options.allowed.contains(.unused)
    patience = preventsCalls ? Patience.requestsInDoubt : Patience.requests
    clock = time.clock
    sinks = session.sinks
    secret = session.secret
    let live = options.live.isEmpty ? nil : session.live()
    self.live = live
    let follows = session.plan.allComponents.contains { component in
      component.roles.contains { !$0.events.isEmpty }
    }
    asked = options.asking.flatMap { date in
      live.map {
        AskedCalls(
          transcript, of: session.plan, .init(caller: $0, names: options.live, date: date))
      }
    }
    late =
      live == nil || !follows ? nil : LateReports(transcript.calls, session.events.streams)
    self.options = options
    hidden = Mutex([])
  }

  /// Notes the placeholders of unknown hidden strings in the inputs of the run.
  package func use(_ inputs: [Value]) {
    hidden.withLock { hidden in
      for input in inputs { hidden.formUnion(Redactor.placeholders(in: input)) }
    }
  }

  /// The differences of the run from the transcript so far, in order, including allowed ones.
  public var mismatches: [ReplayMismatch] { calls.mismatches }

  /// The values that varied in the answers of live components.
  var varied: VariedValues { calls.varied }

  /// The numbers of the steps' calls that had their recorded inputs, except for varied values.
  var steady: Set<Int> { calls.steady }

  /// A sentence about the recorded answers that were served for other inputs, or nil without any.
  var servedOtherwise: String? {
    let served = calls.servedOtherwise.map { call, changes in
      "'\(call.address)' (\(changes.prefix(Self.mostPlaces).map(\.path).joined(separator: ", ")))"
    }
    if served.isEmpty { return nil }
    let rest = served.count - Self.mostPlaces
    let more = rest > 0 ? " and \(rest) more" : ""
    return "these answers were recorded for other inputs, which follow from live answers: "
      + "\(served.prefix(Self.mostPlaces).joined(separator: ", "))\(more)"
  }

  private static let mostPlaces = 5

  /// The calls answered by asking a component.
  var added: Additions { asked?.added ?? Additions() }

  /// The reason that the run proves nothing, or nil.
  var inconclusive: Diagnostic? { calls.inconclusive }

  /// Returns true if a recorded call at an address is to be made, and is not one of an absent
  /// component.
  func isExpected(at address: Address) -> Bool { calls.isExpected(at: address) }

  /// The recorded answer to the same call at the same address.
  public func call(_ invocation: Invocation) async throws -> Outcome {
    if invocation.isFromOutside, let conversation = invocation.address.conversation {
      calls.progress.noteRequest(of: conversation)
    }
    if let live, options.live.contains(invocation.componentName) {
      return try await call(invocation, live)
    }
    let (given, invocation) = (invocation, calls.renumbered(sinks.redacted(invocation)))
    guard let (number, recorded) = try calls.next(for: invocation), let answer = recorded.answer,
      !isEndOfReading(answer, invocation)
    else {
      if invocation.continuesRequest { try await untilLeft(invocation) }
      try await untilCutOff(invocation)
      return try await ask(given, invocation)
    }
    if calls.cutReadings.contains(recorded) { try await Task.sleep(for: Patience.piece) }
    if let conversation = invocation.address.conversation, recorded.marks.after > 0 {
      await calls.progress.untilSaid(recorded.marks.after, in: conversation)
      try Task.checkCancellation()
    }
    if let sources = options.sources {
      try calls.report(stale: sources.files(of: invocation.address.place), of: invocation)
    }
    try await asked?.open(given, isKnown: unknownParts(of: given).isEmpty)
    let reports = try calls.emit(recorded, invocation, sinks)
    late?.begin(number)
    if invocation.isFromOutside { late?.beginRequest() }
    late?.serve(reports, of: number)
    let outcome = try calls.outcome(of: calls.echoed(answer, recorded, invocation), invocation)
    try calls.checkAwaited(outcome, recorded, invocation)
    if case .answer(let value) = outcome {
      sinks.redactor.registerPlaceholders(in: value)
      calls.serve(value)
    }
    guard case .cancelled = outcome else {
      await bringLateReports(after: number)
      if invocation.isFromOutside { late?.endRequest() }
      return revealed(outcome)
    }
    _ = late?.answer(number)
    try await clock.untilStuck()
    if invocation.address.calls.isEmpty { throw CancellationError() }
    throw calls.failure(.notCancelled(invocation, recorded))
  }

  /// Waits for the sender of a request from outside to leave, who reads on behind the recorded answer.
  ///
  /// In a conversation the other side has nothing more to say, as often for a long time.
  private func untilLeft(_ invocation: Invocation) async throws {
    guard let conversation = invocation.address.conversation, calls.has(conversation) else {
      return try await Task.sleep(for: patience)
    }
    await calls.progress.untilSaid(.max, in: conversation)
    try Task.checkCancellation()
  }

  /// Returns true if the sender of a request from outside left while its answer was read on.
  private func isEndOfReading(_ answer: Transcript.Answer, _ invocation: Invocation) -> Bool {
    if case .cancelled = answer { invocation.continuesRequest } else { false }
  }

  /// Asks the component for a call that is not recorded, if components are asked.
  private func ask(_ invocation: Invocation, _ redacted: Invocation) async throws -> Outcome {
    guard let asked else { throw calls.notRecorded(redacted) }
    do {
      try checkRevealed(invocation)
      options.noteAsked(invocation.address)
      return try await asked.answer(invocation, redacted)
    } catch let refusal as AskedCalls.Refusal {
      throw calls.notRecorded(redacted, refusal: refusal.reason)
    }
  }

  /// Calls a live component if its call is recorded.
  ///
  /// Its answer is compared at the end of the run.
  private func call(_ invocation: Invocation, _ live: any Caller) async throws -> Outcome {
    let opening = Opening(scope: invocation.scope, component: invocation.component)
    if let unopened = unopened.withLock({ $0[opening] }) { try checkRevealed(unopened) }
    let redacted = calls.renumbered(sinks.redacted(invocation))
    guard let (number, recorded) = try calls.next(for: redacted, isLive: true) else {
      try await untilCutOff(redacted)
      let isConsequence = !options.comparesSteps && invocation.address.caller == nil
      guard isConsequence || invocation.continuesRequest else {
        return try await ask(invocation, redacted)
      }
      // The reason is in an earlier answer, as with one more attempt.
      try checkRevealed(invocation)
      return try await live.call(invocation)
    }
    if isNeedless(invocation, recorded) {
      unopened.withLock { $0[opening] = invocation }
      return .answer(.record(RecordValue(.empty, [])))
    }
    try checkRevealed(invocation)
    late?.begin(number)
    if invocation.isFromOutside { late?.beginRequest() }
    do {
      let outcome = try await live.call(invocation)
      if case .answer(let answer) = outcome {
        hideLikewise(answer, recorded, invocation)
        calls.learn(sinks.redactor.redacted(answer), invocation, of: number)
      }
      await bringLateReports(after: number)
      if invocation.isFromOutside { late?.endRequest() }
      return outcome
    } catch {
      // Cancelled, it waits for nothing.
      _ = late?.answer(number)
      throw error
    }
  }

  /// Hides the texts of a live answer in the places of hidden recorded ones.
  ///
  /// Which of them are secrets may show only later, when they are passed on.
  private func hideLikewise(_ answer: Value, _ recorded: Transcript.Call, _ invocation: Invocation)
  {
    guard case .output(let output)? = recorded.answer,
      let then = try? Value(output.served, as: .record(invocation.outputType))
    else { return }
    sinks.redactor.hideTexts(in: answer, like: then)
  }

  /// Returns a served answer with known secrets in place of their placeholders, if live components
  /// may get it.
  ///
  /// The replacement is done here and not at the call of a live component, because a placeholder in
  /// that component's own answer is ordinary text.
  private func revealed(_ outcome: Outcome) -> Outcome {
    guard live != nil, case .answer(let value) = outcome, Redactor.hasPlaceholder(value) else {
      return outcome
    }
    let known = sinks.redactor.restoringKnown(value)
    hidden.withLock { $0.formUnion(Redactor.placeholders(in: known)) }
    return .answer(known)
  }

  /// Checks that no placeholder of an unknown secret is passed to a live component.
  ///
  /// For a component without outside effects a placeholder is ordinary text, but it must not leave
  /// the process.
  private func checkRevealed(_ invocation: Invocation) throws {
    let unknown = unknownParts(of: invocation)
    guard !unknown.isEmpty, let reaches = invocation.plugin?.plugin.reaches else { return }
    let remedies = unknown.sorted().map { Redactor.remedy(for: $0, given: secret) }
    throw calls.failure(.hidden(invocation, remedies: remedies.unique, reaches))
  }

  /// Returns true for the opening of a component whose settings need unknown secrets, if the recorded
  /// run opened it and sent nothing to it.
  private func isNeedless(_ invocation: Invocation, _ recorded: Transcript.Call) -> Bool {
    guard case .open(let component, _) = invocation.target, component.roles.isEmpty,
      case .output? = recorded.answer, !unknownParts(of: invocation).isEmpty
    else { return false }
    return !calls.use(component.name, besides: recorded)
  }

  /// Returns the placeholders of unknown secrets in an input, if the component reaches outside of
  /// flow.
  private func unknownParts(of invocation: Invocation) -> Set<String> {
    guard Redactor.hasPlaceholder(invocation.input),
      invocation.plugin?.plugin.reaches.isEmpty == false
    else { return [] }
    return hidden.withLock { $0.intersection(Redactor.placeholders(in: invocation.input)) }
  }

  /// Lets live components process the reports after a call, before the run goes on.
  private func bringLateReports(after call: Int) async {
    if late?.answer(call) == true { await clock.settle() }
  }

  /// The waiting of the run: answers come at once, and so do failures and the ends of timeouts.
  package var pacing: Pacing {
    Pacing(
      beforeCutOff: { [calls, clock] step in
        // What the branches had done when they were cut off, they do again.
        await clock.orIdle { await calls.untilMade(inside: step) }
        await clock.settle()
      },
      beforeTimeout: { [calls] step in
        guard calls.progress.isHolding(at: step) else { return nil }
        return { await calls.progress.untilReleased(at: step) }
      },
      requests: { [calls, patience, options] call in
        guard options.live.contains(call.componentName) else { return .none }
        // Those that an injected fault prevents do not come.
        if options.allowed.contains(.unused) { return .silence }
        let due = calls.requests(during: call.address)
        let late = calls.lateRequests(during: call.address)
        let requests = ExpectedRequests(
          due: { await calls.progress.untilMade(due) },
          late: { await calls.progress.untilMade(late) },
          cause: { calls.cause(among: due, of: call.address, $0) })
        return .requests(requests, within: patience)
      })
  }

  /// Waits with a call of a branch that is not recorded: the branch may have been cut off before it came here.
  private func untilCutOff(_ invocation: Invocation) async throws {
    guard invocation.order.isInBranch else { return }
    try await calls.progress.holding(invocation.address) { try await clock.untilIdle() }
  }

  /// Expects the recorded calls of a scope.
  public func begin(_ scope: Address) {
    calls.begin(scope)
    live?.begin(scope)
  }

  /// The recorded calls of a scope that were not made, or were made in another order.
  public func departure(in scope: Address) async -> BoundaryFailure? {
    if options.allowed.contains(.unused) { return nil }
    return await calls.departure(in: scope) {
      await wait(for: $0, min(patience, Patience.dueRequests))
    }
  }

  /// Releases the live components.
  public func close(_ scope: Address) async { await live?.close(scope) }

  /// Checks that every recorded call was made.
  public func finish() async throws {
    if live != nil { await untilLateRequests() }
    try await live?.finish()
    try calls.finish()
  }
}

extension ReplayingCaller {
  /// Waits for the requests from outside that no step waited for, while their programs still run, and
  /// for the calls of components that follow reports.
  private func untilLateRequests() async {
    let left = calls.lateRequests + (late == nil ? [] : calls.leftOfComponents)
    if left.isEmpty || calls.mismatches.contains(where: { !$0.isAllowed }) { return }
    await wait(for: left, patience)
  }

  /// Waits until recorded calls were made, or for the end of patience.
  private func wait(for left: [Int], _ patience: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [calls] in await calls.progress.untilMade(left) }
      group.addTask { try? await Task.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
  }
}

extension VirtualClock {
  /// Waits for some work until nothing else goes on, since the work cannot end after that.
  fileprivate func orIdle(_ work: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work() }
      group.addTask { try? await self.untilIdle() }
      await group.next()
      group.cancelAll()
    }
  }
}
