internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
private import Synchronization

/// The recorded calls of a run, each served once, and the differences of the run from them.
final class RecordedCalls: Sendable {
  private struct State {
    var finder: CallFinder
    var order = CausalOrder()
    /// The order of the requests from outside.
    var requests: RequestOrder
    var mismatches: [ReplayMismatch] = []
    var received = ReceivedEvents()
    /// The values that varied in the answers of live components.
    var varied: VariedValues
    /// The calls that were missing at the end of their scopes.
    var missed: Set<Int> = []
    /// The recorded scopes of requests from outside that have begun.
    var scopes: Set<Address> = []
    /// The addresses of the calls of live components.
    var liveCalls: Set<Address> = []
    /// The numbers of the steps' calls with their recorded inputs, except for varied values.
    var steady: Set<Int> = []
    /// The changed inputs of the steps' calls that were not compared, by the numbers of the calls.
    var others: [Int: [FieldChange]] = [:]
    /// The first served call that is indistinguishable from one with another answer.
    var tied: Int?
    /// The first call whose hidden string may be one of several.
    var unsure: Int?
  }

  private let calls: CallList
  private let redactor: Redactor
  private let options: Options
  private let state: Mutex<State>
  /// The made calls, and those held back.
  let progress: ReplayProgress
  /// The readings of answers that their senders left.
  let cutReadings: CutReadings

  /// The reporting of differences, and the tolerated ones.
  struct Options: Sendable {
    /// The advice for an intended difference, added to each report.
    var advice: String
    /// The differences that are noted and fail nothing.
    var allowed: Set<ToleratedDeparture> = []
    /// True if calls must come in their recorded order.
    var keepsOrder = false
    /// True if the events received by steps must be among the reported ones.
    var comparesEvents = false
    /// True if the calls of steps must have the recorded inputs.
    ///
    /// False for a run with live components whose scenario is known to ask what was recorded: then other
    /// inputs follow from the answers, which are compared at the end.
    var comparesSteps = true
    /// The numbers of the steps' calls whose inputs are compared nevertheless.
    var steady: Set<Int> = []
    /// True if calls fail that did not when they were recorded, so that others come in another
    /// order.
    var hasFaults = false
    /// The calls that live components may leave out or repeat.
    var optional = OptionalCalls(nil)
  }

  /// Creates the calls in the order of their starts.
  ///
  /// `redactor` hides secrets in the calls of the run.
  init(_ calls: CallList, _ redactor: Redactor, options: Options) {
    self.calls = calls
    self.redactor = redactor
    self.options = options
    progress = ReplayProgress(of: calls.count)
    cutReadings = CutReadings(calls, options.optional)
    state = Mutex(
      State(
        finder: CallFinder(calls), requests: RequestOrder(calls),
        varied: VariedValues(canVary: redactor.isOwn)))
  }

  /// The departures so far, in the order of the run.
  var mismatches: [ReplayMismatch] { state.withLock { state in state.mismatches } }

  /// The values that varied in the answers of live components.
  var varied: VariedValues { state.withLock { state in state.varied } }

  /// The numbers of the steps' calls that had their recorded inputs, except for varied values.
  var steady: Set<Int> { state.withLock { state in state.steady } }

  /// The served calls of steps with another input than the recorded one, in recorded order.
  var servedOtherwise: [(call: Transcript.Call, changes: [FieldChange])] {
    let others = state.withLock { state in state.others }
    return others.keys.sorted().map { (calls[$0], others[$0] ?? []) }
  }

  /// The reason that a run with all the recorded calls proves nothing, or nil.
  var inconclusive: Diagnostic? {
    let (tied, unsure) = state.withLock { state in (state.tied, state.unsure) }
    return tied.map { .tied(calls[$0]) } ?? unsure.map { .unsure(calls[$0]) }
  }

  /// Returns true if a call besides its opening is recorded of a component.
  func use(_ component: String, besides opening: Transcript.Call) -> Bool {
    calls.contains { $0.component == component && $0.line != opening.line }
  }

  /// Returns the next call at the same address, or nil.
  ///
  /// `isLive` is true if the component will be called itself, including the calls it makes.
  ///
  /// - Throws: `BoundaryFailure` when it called another operation, had another input, or was
  ///   recorded before what the run has done already.
  func next(
    for invocation: Invocation, isLive: Bool = false
  ) throws -> (number: Int, call: Transcript.Call)? {
    let (index, earlier): (Int?, CausalOrder.Mark?) = state.withLock { state in
      guard
        let finding = state.finder.take(invocation, &state.varied)
          ?? state.finder.takeAgain(invocation, options.optional)
      else { return (nil, nil) }
      let index = finding.number
      if isLive { state.liveCalls.insert(calls.address(of: index)) }
      progress.note(index)
      state.received.note(calls, index, invocation)
      if finding.isUnsure { state.unsure = state.unsure ?? index }
      guard isOrdered(invocation), !finding.isRepeated else { return (index, nil) }
      return (index, state.order.add(calls, finding, invocation))
    }
    guard let index else { return nil }
    let recorded = try compared(index, invocation)
    // A component that is called has seen the other input.
    if isLive { state.withLock { state in _ = state.others.removeValue(forKey: index) } }
    try compareArrival(of: invocation, with: recorded, index)
    // Which of equal requests at the same time gets which answer is free.
    if !isLive, recorded.marks.isTied, recorded.marks.arrival == nil {
      state.withLock { state in state.tied = state.tied ?? index }
    }
    if let earlier {
      throw failure(.otherOrder(invocation, recorded, after: calls[earlier.call]))
    }
    return (index, recorded)
  }

  /// Checks the values of a call that stay the same, and notes the moment of a request from outside.
  private func compareArrival(
    of invocation: Invocation, with recorded: Transcript.Call, _ number: Int
  ) throws {
    if invocation.variesInput {
      let conflicts = state.withLock { state in
        state.varied.same.pair(recorded.input, invocation.inputJSON)
      }
      if !conflicts.isEmpty { try report(.otherValues(invocation, recorded, conflicts)) }
    }
    guard let arrival = recorded.marks.arrival else { return }
    state.withLock { state in
      state.requests.take(
        number, in: calls.address(of: number).scope, arrival, invocation,
        keepsOrder: options.keepsOrder
      ) {
        options.optional.contains(at: calls.address(of: $0), in: calls)
      }
    }
  }

  /// The recorded requests from outside that a step's answer waited for, and were not made.
  ///
  /// None that are known to be missing.
  func requests(during step: Address) -> [Int] {
    left(
      of: state.withLock { state in
        state.requests.calls(during: step).filter { !state.missed.contains($0) }
      })
  }

  /// The recorded requests from outside that came during a step or later, and were not made.
  func lateRequests(during step: Address) -> [Int] {
    left(of: state.withLock { state in state.requests.late(during: step) })
  }

  /// The requests from outside that no step's answer waited for, and that were not made.
  var lateRequests: [Int] { left(of: state.withLock { state in state.requests.allLate }) }

  /// The calls of components that were not made.
  var leftOfComponents: [Int] { left(of: calls.indices.filter(calls.isOfComponent)) }

  /// The cause that a step's requests are not the recorded ones.
  ///
  /// - Parameters:
  ///   - requests: Those that the step's answer waited for.
  ///   - step: The step, which has its answer.
  ///   - failure: The reason that one of the step's requests had no answer, or nil. A request that was
  ///     left out comes before one that is not recorded. Others may be missing because this one had
  ///     no answer.
  /// - Returns: The cause, or nil.
  func cause(
    among requests: [Int], of step: Address, _ failure: BoundaryFailure?
  ) -> BoundaryFailure? {
    let isAdded = failure.map(isOfAddedCall) ?? false
    let missing = left(
      of: isAdded ? state.withLock { state in state.requests.skipped(during: step) } : requests)
    if let failure, missing.isEmpty || !isAdded { return failure }
    if !missing.isEmpty {
      do { try report(.notCalled(missing.map { calls[$0] })) } catch {
        return error as? BoundaryFailure
      }
    }
    return failure ?? departure { $0.step?.recorded == step.recorded }
  }

  /// Returns true for the failure of a call that resembles no recorded one.
  private func isOfAddedCall(_ failure: BoundaryFailure) -> Bool {
    guard failure.code == .unrecordedCall else { return false }
    return state.withLock { state in
      state.mismatches.contains {
        $0.diagnostic.message == failure.message && $0.nearest?.isServed ?? true
      }
    }
  }

  /// Returns the first request in another order or during another step for which a condition holds, or
  /// nil.
  private func departure(
    where holds: (Invocation) -> Bool = { _ in true }
  ) -> BoundaryFailure? {
    if options.hasFaults { return nil }
    let departures = state.withLock { state in state.requests.takeDepartures(where: holds) }
    guard let first = departures.first else { return nil }
    let recorded = calls[first.call]
    if let missing = first.missing {
      return failure(.early(first.invocation, recorded, before: calls[missing]))
    }
    return failure(.otherStep(first.invocation, recorded, recorded.marks.arrival?.step))
  }

  /// Returns a served answer in which today's values replace the recorded ones that vary in the
  /// input.
  func echoed(
    _ answer: Transcript.Answer, _ recorded: Transcript.Call, _ invocation: Invocation
  ) -> Transcript.Answer {
    guard invocation.variesInput, case .output(let output) = answer else { return answer }
    var given = VariedValues()
    given.same = state.withLock { state in state.varied.same }
    given.learn(from: recorded.varyingInput(of: invocation), invocation.inputJSON)
    return .output(.plain(given.translated(output.served)))
  }

  /// Returns true if the input of a call is compared.
  private func isCompared(_ invocation: Invocation) -> Bool {
    options.comparesSteps || invocation.address.caller != nil
  }

  private func isCompared(_ call: Int) -> Bool {
    options.comparesSteps || calls.isOfComponent(call) || options.steady.contains(call)
  }

  private func isOrdered(_ invocation: Invocation) -> Bool {
    options.keepsOrder && !options.hasFaults && isCompared(invocation)
  }

  /// Returns the recorded call of a number, after comparing it with the present one.
  ///
  /// - Throws: `BoundaryFailure` when it called another operation or had another input.
  func compared(_ number: Int, _ invocation: Invocation) throws -> Transcript.Call {
    let recorded = calls[number]
    guard recorded.name == invocation.name else {
      throw failure(.otherOperation(invocation, recorded))
    }
    try compareInput(of: invocation, with: recorded, number)
    return recorded
  }

  /// Waits until all recorded calls inside of a step have been made, or the task is cancelled.
  ///
  /// Calls of a `finally` do not count, since it may run only after a failure.
  func untilMade(inside step: Address) async {
    await progress.untilMade(left(inside: step))
  }

  private func left(inside step: Address) -> [Int] {
    let inside = state.withLock { state in state.finder.inside(step) }
    return left(of: inside).filter { !calls.address(of: $0).isInFinally(inside: step) }
  }

  /// Checks that a step waiting for an event accepts the recorded one, and notes the event as
  /// received.
  func checkAwaited(
    _ outcome: Outcome, _ recorded: Transcript.Call, _ invocation: Invocation
  ) throws {
    guard case .event(let awaited) = invocation.target, case .answer(let payload) = outcome else {
      return
    }
    if try !awaited.accepts(payload) { throw failure(.notAwaited(invocation, payload)) }
    state.withLock { state in state.received.receive(recorded, invocation) }
  }

  /// Returns a failure for a call that is not recorded.
  ///
  /// `refusal` is the reason that the component is not asked.
  func notRecorded(_ invocation: Invocation, refusal: String? = nil) -> BoundaryFailure {
    // Remaining recorded calls of the same operation are the likeliest renamed steps.
    let near = left.filter { invocation.isLike($0) }.prefix(3).map(\.address)
    let candidate = calls.nearest(to: invocation, left: left)
    return failure(
      .notRecorded(
        invocation, near: near, candidate, refusal: refusal,
        varying: advice(on: candidate, of: invocation)))
  }

  /// The line to declare what seems to vary from the nearest call, if this one is not used, or none.
  private func advice(
    on candidate: ReplayMismatch.Candidate?, of invocation: Invocation
  ) -> [String] {
    guard let candidate, !candidate.isServed, let caller = invocation.address.caller?.outsideLane,
      let owner = calls.latest(at: caller).map({ calls[$0].component })
    else { return [] }
    return ReplayFailure.declaration(onDrawn: candidate.fields, of: invocation, owner)
  }

  /// Checks that every recorded call was made, and that the received events were reported.
  func finish() throws {
    let left = left
    // A call that is not made reports nothing, which is allowed here.
    if !left.isEmpty { return try report(.notCalled(left)) }
    if let departure = departure() { throw departure }
    guard options.comparesEvents,
      let (recorded, invocation) = state.withLock({ state in
        state.received.firstUnreported(calls)
      })
    else {
      return
    }
    throw failure(.notReported(recorded, invocation))
  }

  /// Reports the recorded calls inside of a step that were not made, if there are any.
  func checkMade(inside step: Address) throws {
    let missing = left(inside: step).filter(isCompared)
    if !missing.isEmpty { try report(.notCalled(missing.map { calls[$0] })) }
  }

  /// The calls of steps that were not made.
  var leftOfSteps: [Transcript.Call] {
    progress.left(of: calls.indices.filter { !calls.isOfComponent($0) }).map { calls[$0] }
  }

  private var left: [Transcript.Call] {
    left(of: calls.indices).filter(isCompared).map { calls[$0] }
  }

  /// The calls that were not made, without those of absent components.
  private func left(of numbers: some Sequence<Int>) -> [Int] {
    let left = progress.left(of: numbers)
    return calls.hasCallsOfComponents
      ? left.filter { isExpected(at: calls.address(of: $0)) } : left
  }

  /// Returns true if a recorded call at an address is to be made, and is not one of an absent
  /// component.
  func isExpected(at address: Address) -> Bool {
    guard let caller = address.caller?.outsideLane else { return true }
    return state.withLock { state in
      state.liveCalls.contains(caller) && address.scope.map(state.scopes.contains) ?? true
    } && !options.optional.contains(at: address, in: calls)
  }

  /// Returns true for a recorded conversation with a program.
  func has(_ conversation: Address) -> Bool {
    !calls.made(by: .task(conversation.untagged)).isEmpty
  }

  /// Notes that a scope of requests from outside has begun, whose recorded calls are expected now.
  func begin(_ scope: Address) {
    state.withLock { state in _ = state.scopes.insert(calls.recordedScope(of: scope)) }
  }

  /// Reports the recorded calls of a scope that were not made, or were made in another order.
  ///
  /// `wait` is done for some that are left, until they are made or too late.
  func departure(
    in scope: Address, _ wait: @Sendable ([Int]) async -> Void
  ) async -> BoundaryFailure? {
    let own = calls.made(by: .task(calls.recordedScope(of: scope)))
    let due = left(of: own)
    if !due.isEmpty { await wait(due) }
    let missing = left(of: own)
    if missing.isEmpty { return departure { $0.address.scope == scope } }
    state.withLock { state in state.missed.formUnion(missing) }
    do { try report(.notCalled(missing.map { calls[$0] })) } catch {
      return error as? BoundaryFailure
    }
    return nil
  }

  private func compareInput(
    of invocation: Invocation, with recorded: Transcript.Call, _ number: Int
  ) throws {
    let input = recorded.input(for: invocation)
    var json = input.json
    do {
      let value = try invocation.value(of: &json)
      if value.isSame(as: invocation.input) { return noteSame(invocation, number) }
    } catch {
      // A remaining pattern accepts something else.
      if !input.hasPatterns, isCompared(number) {
        return try report(.misfit(invocation, .input(recorded, error)))
      }
    }
    let changes = invocation.changes(from: json)
    // A record in a field of any type is read as a map of strings.
    if changes.isEmpty { return noteSame(invocation, number) }
    let isOfComponent = invocation.address.caller != nil
    guard isCompared(number) else {
      return state.withLock { state in
        var known = state.varied
        if known.isSame(json, invocation.inputJSON) || known.explains(changes, ofComponent: false) {
          state.steady.insert(number)
        }
        if case .operation = invocation.target { state.others[number] = changes }
        // For the numbers of its hidden strings.
        _ = state.varied.isSame(json, invocation.inputJSON)
        state.varied.ask(json, invocation.inputJSON)
      }
    }
    let unexplained = state.withLock { state in
      state.varied.isSame(json, invocation.inputJSON, ofComponent: isOfComponent)
        || state.varied.explains(changes, ofComponent: isOfComponent)
        ? [] : state.varied.translated(changes)
    }
    if unexplained.isEmpty { return }
    let explained = unexplained.map { $0.explained(by: redactor) }
    try report(.changedInput(invocation, recorded, explained))
  }

  private func noteSame(_ invocation: Invocation, _ number: Int) {
    if !options.comparesSteps { state.withLock { state in _ = state.steady.insert(number) } }
    guard Redactor.hasPlaceholder(invocation.input) else { return }
    state.withLock { state in state.varied.noteSame(invocation.inputJSON) }
  }

  /// Returns a call with the recorded placeholder numbers in its input, as far as they are known.
  func renumbered(_ invocation: Invocation) -> Invocation {
    guard Redactor.hasPlaceholder(invocation.input) else { return invocation }
    var copy = invocation
    copy.input = state.withLock { state in state.varied.renumbered(invocation.input) }
    return copy
  }

  /// Notes the placeholders in a served answer.
  func serve(_ answer: Value) {
    guard Redactor.hasPlaceholder(answer) else { return }
    state.withLock { state in state.varied.serve(answer) }
  }

  /// Notes the varied values in the redacted answer of a live component.
  func learn(_ answer: Value, _ invocation: Invocation, of number: Int) {
    guard case .output(var recorded)? = calls[number].answer,
      recorded.hasPatterns || !invocation.volatile.isEmpty
    else { return }
    let type = ValueType.record(invocation.outputType)
    let now = JSON(answer, as: type)
    var reader = RecordedValue.Reader()
    // These patterns are well formed.
    if let marked = try? reader.value(now.marking(invocation.volatile, as: type)) {
      recorded = recorded.takingPatterns(of: marked, as: type)
    }
    state.withLock { state in state.varied.learn(from: recorded, now) }
  }

  /// Notes the differences of an answer that a component gave again, which are in volatile fields
  /// alone.
  func learn(_ now: Value, inPlaceOf before: Value, as type: ValueType) {
    let changes = FieldChange.between(JSON(before, as: type), JSON(now, as: type), as: type)
    if changes.isEmpty { return }
    state.withLock { state in
      for change in changes { state.varied.learn(change) }
    }
  }

  /// Notes a difference.
  ///
  /// - Throws: `BoundaryFailure` unless it is allowed.
  private func report(_ departure: ReplayFailure) throws {
    let failure = failure(departure)
    guard let kind = departure.toleratedKind, options.allowed.contains(kind) else {
      throw failure
    }
  }

  /// Notes files that have changed since a call was recorded, or cannot be read any more.
  ///
  /// - Throws: `BoundaryFailure` unless that is allowed.
  func report(stale files: [StaleFile], of invocation: Invocation) throws {
    if !files.isEmpty { try report(.stale(invocation, files)) }
  }

  /// Notes a difference, and returns the failure in words.
  func failure(_ failure: ReplayFailure) -> BoundaryFailure {
    let isAllowed = failure.toleratedKind.map(options.allowed.contains) ?? false
    let words = failure.failure(advice: isAllowed ? nil : options.advice)
    var mismatches = failure.mismatches(words, isAllowed: isAllowed)
    state.withLock { state in
      if case .notCalled = failure, state.mismatches.contains(where: { !$0.isAllowed }) {
        for index in mismatches.indices { mismatches[index].isConsequence = true }
      }
      state.mismatches += mismatches
    }
    return words
  }
}
