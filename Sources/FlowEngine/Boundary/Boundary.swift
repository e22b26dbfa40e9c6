internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import Synchronization

/// The crossing of calls to components: calls of steps, and calls that components make of each
/// other.
final class Boundary: Sendable {
  private let sinks: EventSinks
  /// The requests from outside of the run, or nil if no component passes any on.
  private let outside: OutsideCalls?
  /// The credentials in these requests.
  private let credentials: ProgramCredentials
  private let state = Mutex(State())

  init(_ sinks: EventSinks, outside: OutsideCalls? = nil) {
    self.sinks = sinks
    self.outside = outside
    credentials = ProgramCredentials(sinks.redactor)
  }

  /// Sends calls to a caller from now on.
  ///
  /// `requests` returns the recorded requests from outside after a step's call.
  func open(_ caller: any Caller, _ requests: RecordedRequests? = nil) {
    state.withLock { state in
      state.answering = Answering(caller)
      state.requests = requests
    }
  }

  /// Sets the recorded calls that calls of components are matched with from now on.
  func find(_ recorded: any CallNumbers, settle: @escaping @Sendable () async -> Void) {
    state.withLock { $0.recorded = Recorded(recorded, settle: settle) }
  }

  /// Notes that the steps of a scenario have ended, of which `outer` is the step in another one.
  func endSteps(within outer: Address?) { outside?.endSteps(within: outer) }

  /// Releases the caller: it holds the values of the run, and the run holds this.
  func close() {
    state.withLock { state in
      state.answering = nil
      state.recorded = nil
      state.requests = nil
    }
  }

  /// Makes a call, and sends the sinks an event before and after it.
  ///
  /// - Throws: `BoundaryFailure` if the call, or a call that the component made meanwhile, has no
  ///   answer, and the errors of `caller`.
  func cross(_ invocation: Invocation, through caller: any Caller) async throws -> Outcome {
    let invocation = invocation.scope == nil ? invocation : ofInstance(invocation)
    guard let outside, invocation.address.calls.isEmpty else {
      return try await crossAlone(invocation, through: caller)
    }
    outside.begin(invocation.address)
    defer { outside.end(invocation.address) }
    return try await crossAlone(invocation, through: caller)
  }

  /// Makes a call without a look at requests from outside.
  private func crossAlone(
    _ invocation: Invocation, through caller: any Caller
  ) async throws -> Outcome {
    let judge = RoleCallJudge(invocation)
    let isLateFromStart = isLate(invocation)
    if outside != nil, invocation.address.calls.isEmpty { credentials.note(invocation.input) }
    let recorded = invocation.asRecorded
    sinks.receive(.invoked(recorded))
    do {
      if let failure = judge?.failureOfRequest { throw failure }
      // Most calls make no others, so they skip the function that looks after inner calls.
      let (answer, failure) =
        invocation.usesRoles
        ? try await answer(invocation, caller) : (try await caller.call(invocation), nil)
      var outcome = answer.bounded.with(fieldsOf: invocation.outputType)
      if invocation.outputType.hasSecrets || !invocation.secret.isEmpty {
        outcome = hidingSecrets(of: outcome, invocation)
      }
      if outside != nil, case .answer(let value) = outcome { credentials.note(value) }
      let cause = await requestFailure(after: invocation)
      sinks.receive(.completed(recorded.late(isLate(invocation)), outcome))
      if let failure = cause ?? failure ?? judge?.failure(of: outcome) { throw failure }
      return outcome
    } catch let failure as BoundaryFailure {
      throw failure
    } catch {
      // The end of a program and that of its request are noticed in any order.
      sinks.receive(.completed(recorded.late(isLateFromStart), .cancelled))
      throw error
    }
  }

  private func isLate(_ invocation: Invocation) -> Bool {
    guard let outside, invocation.isFromOutside else { return false }
    return outside.isLate(in: invocation.step)
  }

  /// Waits for the requests from outside that belong to a step's call.
  ///
  /// Returns the reason that one had no answer, or nil. It is the cause of all that follows from it,
  /// such as the program's own answer to the step.
  private func requestFailure(after invocation: Invocation) async -> BoundaryFailure? {
    guard let outside, invocation.address.calls.isEmpty else { return nil }
    return await outside.settle(after: invocation, state.withLock(\.requests))
  }

  /// The answer, and the failure of a call that the component made meanwhile.
  private func answer(
    _ invocation: Invocation, _ caller: any Caller
  ) async throws -> (Outcome, BoundaryFailure?) {
    let address = invocation.address
    state.withLock {
      $0.begin(CallOwner(invocation.order, first: TaskNumber.current), at: address)
    }
    let result: Result<Outcome, any Error>
    do { result = .success(try await caller.call(invocation)) } catch { result = .failure(error) }
    let (failure, late) = state.withLock { state in
      let owner = state.removeOwner(at: address)
      return (owner?.failure, owner?.lateCall(at: address))
    }
    // Without an answer, the inner failure is the result of the call.
    if case .failure = result, let failure { throw failure }
    return (try result.get(), failure ?? late)
  }

  /// Hides the secrets of an answer from now on.
  ///
  /// A secret that cannot be hidden fails the call, since it would be shown later.
  private func hidingSecrets(of outcome: Outcome, _ invocation: Invocation) -> Outcome {
    guard case .answer(let answer) = outcome else { return outcome }
    let component = invocation.componentName
    do {
      try sinks.redactor.hideSecrets(in: answer, of: component)
      for path in invocation.secret {
        let name = Redactor.name(ofField: path.field, of: component)
        for value in path.values(in: answer) {
          try sinks.redactor.hideTexts(in: value, named: name)
        }
      }
    } catch {
      return .error(ComponentError(.unexpected, "\(error)"))
    }
    return outcome
  }

  // MARK: - Components of other scenarios

  /// Gives the scenario of a step access to components of the scenario around it.
  func hand(_ components: [Int: HandedComponent], to step: Address, from outer: Address?) {
    if components.isEmpty { return }
    state.withLock { state in
      // What was handed over may have been handed over before.
      let known = outer.flatMap { state.handed[$0] } ?? [:]
      state.handed[step] = components.mapValues {
        known[$0.index] ?? Instance(component: $0, scope: outer)
      }
    }
  }

  func takeBack(from step: Address) { state.withLock { $0.handed[step] = nil } }

  /// Returns the call, addressed to the component that was handed over if there is one.
  func ofInstance(_ invocation: Invocation) -> Invocation {
    guard let scope = invocation.scope,
      let instance = state.withLock({ $0.handed[scope]?[invocation.component] })
    else { return invocation }
    var copy = invocation
    (copy.handed, copy.scope) = (instance.component, instance.scope)
    if case .operation(let operation) = invocation.target {
      copy.volatile += instance.component.volatile[operation.description.name] ?? []
    }
    return copy
  }

  // MARK: - Calls of components

  /// The components in the roles of a component opened in a scope.
  ///
  /// `streams` brings their reports.
  func roles(
    of component: PlannedComponent, in scope: Address?, _ streams: ReportStreams
  ) -> FilledRoles {
    let calls = component.roles.flatMap(\.calls.values)
    let reports = reports(to: component, in: scope, streams)
    let boundary = self
    // With a list of captures the closure would change executors for every call (Swift 6.3).
    return FilledRoles(
      Dictionary(component.roles.map { ($0.name, $0.traits) }, uniquingKeysWith: { $1 }),
      reports: reports,
      constant: { calls.first(answering: $0)?.varying.constant($2, of: $1) ?? $2 }, begin: begin,
      end: end, departures: departures
    ) { address, requirement, name, input in
      guard let call = calls.first(answering: requirement) else {
        throw ComponentError(.unexpected, component.reason(against: requirement))
      }
      let given = call.given(input)
      return call.read(try await boundary.ask(call, name, given, by: address, in: scope))
    }
  }

  /// The reports of the components in roles, by the names of the requirements.
  private func reports(
    to reader: PlannedComponent, in scope: Address?, _ streams: ReportStreams
  ) -> [String: ReportSource] {
    var reports: [String: ReportSource] = [:]
    for role in reader.roles {
      let handed = state.withLock { state in scope.flatMap { state.handed[$0]?[role.component] } }
      for (name, event) in role.events {
        let component = handed?.component.name ?? event.reference.name.componentName
        let key = EventQueue.Key(scope: handed.map(\.scope) ?? scope, name: "\(component).\(name)")
        reports["\(role.name).\(name)"] = streams.source(
          of: key, to: reader.name, in: scope
        ) {
          event.payload(of: $0)
        }
      }
    }
    return reports
  }

  /// Repeats a recorded call of a component, under its recorded number.
  func ask(
    again recorded: Address.Call, _ call: PlannedRoleCall, _ input: Value,
    at address: Address, in scope: Address?
  ) async throws {
    _ = try await ask(
      call, recorded.name, call.given(input), by: address, in: scope, as: recorded)
  }

  /// Lets a task of a component make calls.
  private func begin(_ lane: Address) {
    let answering = state.withLock { state in
      let order = lane.caller.flatMap { state.owner(at: $0)?.order } ?? OrderScopes()
      state.begin(CallOwner(order), at: lane)
      return state.answering
    }
    if lane.calls.last?.isScope == true { answering?.caller.begin(lane) }
  }

  /// What was not as recorded in a scope of requests from outside, in words.
  private func departures(in scope: Address) async -> [String] {
    let (answering, failure) = state.withLock { state in
      (state.answering, state.owner(at: scope)?.failure)
    }
    // What is missing may follow from it.
    let found = failure == nil ? await answering?.caller.departure(in: scope) : nil
    if let found { note(found) }
    // The reader knows the scope.
    return (failure ?? found).map { [$0.text.replacing("\(scope)/", with: "")] } ?? []
  }

  /// Ends a task.
  ///
  /// An unanswered call of it fails the call that started the task, or else the run.
  private func end(_ lane: Address) {
    state.withLock { state in
      if let failure = state.removeOwner(at: lane)?.failure {
        state.note(failure, of: lane.caller)
      }
    }
  }

  /// Notes a failure that no answer reports: of the step during which it happens, and of the run.
  func note(_ failure: BoundaryFailure) {
    outside?.note(failure)
    state.withLock { state in
      if state.failure == nil { state.failure = failure }
    }
  }

  /// The reason for an unanswered call whose caller had ended, or the first noted failure, or nil.
  var failure: BoundaryFailure? { state.withLock { $0.failure } }

  private func ask(
    _ call: PlannedRoleCall, _ name: String, _ input: Value, by address: Address,
    in scope: Address?, as recorded: Address.Call? = nil
  ) async throws -> Value {
    try hideSecrets(in: input, of: call)
    let shown =
      call.isFromOutside
      ? credentials.hidden(input.withoutVolatileFields, of: call.operation.componentName) : input
    let question = CallQuestion(name: name, input: tag(of: shown, call.varying))
    let sure = try place(of: question, by: address, as: recorded)
    let place =
      if let sure { sure } else {
        try await settledPlace(of: question, by: address, as: recorded)
      }
    defer { state.withLock { _ in place.owner.end(name) } }
    var invocation = Invocation(
      address: address.call(name, number: place.number, tag: place.tag), role: call, input: input,
      scope: scope, order: place.owner.order, lane: place.lane)
    guard let outside, call.isFromOutside else { return try await answer(to: invocation, place) }
    invocation.shown = shown
    invocation.step = outside.arrive()
    do {
      let value = try await answer(to: invocation, place)
      outside.leave(invocation.step)
      return value
    } catch {
      outside.leave(invocation.step, place.owner.failure)
      throw error
    }
  }

  /// The answer to a call of a component.
  private func answer(to invocation: Invocation, _ place: Place) async throws -> Value {
    do {
      switch try await cross(invocation, through: place.answering.caller) {
      case .answer(let value): return value
      case .error(let error): throw error
      case .cancelled: throw CancellationError()
      }
    } catch let failure as BoundaryFailure {
      state.withLock { $0.note(failure, of: invocation.address.caller) }
      throw ComponentError(.unexpected, failure.message)
    }
  }

  /// Starts a call.
  ///
  /// Returns nil if another call may have to come first.
  private func place(
    of question: CallQuestion, by address: Address, as recorded: Address.Call?
  ) throws -> Place? {
    let task = TaskNumber.current
    return try state.withLock { state in
      state.isUnsure(question, at: address, by: task, as: recorded)
        ? nil : try state.begin(question, at: address, by: task, as: recorded)
    }
  }

  /// Begins a call, once no other one may come before it.
  private func settledPlace(
    of question: CallQuestion, by address: Address, as recorded: Address.Call?
  ) async throws -> Place {
    let task = TaskNumber.current
    await state.withLock { $0.recorded?.settle }?()
    return try state.withLock { state in
      try state.begin(question, at: address, by: task, as: recorded)
    }
  }

  /// The first bytes of the digest of the recorded input, which tell calls with different inputs
  /// apart.
  private func tag(of input: Value, _ varying: VaryingParts) -> UInt64 {
    sinks.redactor.redacted(varying.constant(input)).canonicalDigest
  }

  private func hideSecrets(in input: Value, of call: PlannedRoleCall) throws(ComponentError) {
    guard call.inputType.hasSecrets else { return }
    do { try sinks.redactor.hideSecrets(in: input, of: call.operation.componentName) } catch {
      throw ComponentError(.unexpected, "\(error)")
    }
  }
}
