public import FlowCore
package import FlowPlan
internal import FlowRedaction
internal import Synchronization

/// Calls the components themselves.
public final class LiveCaller: Caller {
  private let options: ContextServices.Options
  private let sinks: EventSinks
  private let events: EventQueue
  private let roles: Roles
  private let noteFailure: @Sendable (BoundaryFailure) -> Void
  private let pendingFailures: PendingFailures
  private let state = Mutex(State())

  /// Returns the components in the roles of a component opened in a scope.
  package typealias Roles = @Sendable (PlannedComponent, Address?) -> FilledRoles

  private let undeclared = UndeclaredReports()

  private struct State {
    /// The components of the main scenario.
    var components = OpenComponents()
    /// The components of the scenarios of steps.
    var scopes: [Address: OpenComponents] = [:]

    /// Changes the components of a scope, of which there may be none yet.
    mutating func change<Result>(
      in scope: Address?, _ body: (inout OpenComponents) -> Result
    ) -> Result {
      guard let scope else { return body(&components) }
      return body(&scopes[scope, default: OpenComponents()])
    }
  }

  /// Creates a caller whose components see the world described by `options`.
  ///
  /// `events` keeps their reports for the steps that wait for them. `noteFailure` receives failures
  /// that no answer reports, and `pendingFailures` those that may be withdrawn.
  package init(
    options: ContextServices.Options, sinks: EventSinks,
    events: EventQueue = EventQueue(),
    roles: @escaping Roles = { _, _ in FilledRoles() },
    noteFailure: @escaping @Sendable (BoundaryFailure) -> Void = { _ in },
    pendingFailures: PendingFailures = PendingFailures()
  ) {
    self.roles = roles
    self.noteFailure = noteFailure
    self.pendingFailures = pendingFailures
    self.options = options
    self.events = events
    self.sinks = sinks
  }

  /// Opens a component or calls an open one.
  public func call(_ invocation: Invocation) async throws -> Outcome {
    // Also after a failure of its own, because another attempt has the same address.
    defer { undeclared.forget(invocation.address) }
    do {
      switch invocation.target {
      case .open(let component, let index):
        try await open(component, index, invocation)
        try undeclared.check(invocation.address)
        return .answer(.record(RecordValue(.empty, [])))
      case .operation(let operation):
        let answer =
          invocation.isFromOutside && invocation.address.conversation == nil
          ? try await pacedCall(operation, invocation) : try await call(operation, invocation)
        try undeclared.check(invocation.address)
        return .answer(answer)
      case .event(let event): return .answer(try await events.next(event, for: invocation))
      }
    } catch let error as ComponentError {
      return .error(Self.declared(error, by: invocation.target))
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch let failure as EvaluationFailure {
      // The condition of a waiting step belongs to the scenario, not to the component.
      throw failure
    } catch {
      return .error(ComponentError(Self.code(ofOtherErrorsBy: invocation.target), "\(error)"))
    }
  }

  /// Answers a request from outside after a short while at least.
  ///
  /// A program sends requests at the same time a moment after each other. A very fast answer to the
  /// first one would make the second one look like its consequence. In a conversation one follows the
  /// other.
  private func pacedCall(
    _ operation: OperationReference, _ invocation: Invocation
  ) async throws -> Value {
    let start = ContinuousClock.now
    let answer = try await call(operation, invocation)
    options.time.hold()
    defer { options.time.release() }
    try await Task.sleep(until: start + Patience.exchange, clock: .continuous)
    return answer
  }

  /// Returns the code for a thrown error without its own.
  private static func code(ofOtherErrorsBy target: Invocation.Target) -> ErrorCode {
    if case .open = target { return .settings }
    return .unexpected
  }

  /// The error, or `unexpected` if the operation does not declare the error's code.
  private static func declared(
    _ error: ComponentError, by target: Invocation.Target
  ) -> ComponentError {
    guard case .operation(let operation) = target, !target.canFail(with: error.code) else {
      return error
    }
    return ComponentError(
      .unexpected,
      "'\(operation.name)' does not declare the error '\(error.code.name)': \(error.message)")
  }

  /// Closes the components of a scope.
  public func close(_ scope: Address) async {
    guard state.withLock({ $0.scopes[scope] != nil }) else { return }
    await closeComponents(of: scope)
    state.withLock { $0.scopes[scope] = nil }
    events.forget(scope)
  }

  /// Closes the components of the main scenario.
  public func finish() async { await closeComponents(of: nil) }

  /// Closes the components of a scope one after the other, each after its tasks have ended.
  private func closeComponents(of scope: Address?) async {
    let open = state.withLock { state in state.change(in: scope) { $0.all } }
    guard let first = takeNext(of: scope) else { return }
    // In a separate task, out of reach for the cancellation of the run.
    await Task(executorPreference: options.tasks.executor) { [self] in
      for component in open { await component.prepareToClose() }
      var next: OpenComponents.Opening? = first
      while let opening = next {
        await close(opening, of: scope)
        next = takeNext(of: scope)
      }
    }.value
  }

  private func takeNext(of scope: Address?) -> OpenComponents.Opening? {
    state.withLock { state in state.change(in: scope) { $0.takeNext() } }
  }

  private func close(_ opening: OpenComponents.Opening, of scope: Address?) async {
    await opening.tasks.close()
    events.streams.end(in: scope, of: opening.component.name)
    // Not earlier, since a task may still need its component. A later call finds nothing open.
    let component = state.withLock { state in
      state.change(in: scope) { $0.remove(at: opening.index) }
    }
    await component?.close()
  }

  private func open(
    _ component: PlannedComponent, _ index: Int, _ invocation: Invocation
  ) async throws {
    var options = component.plugin.granted(
      try options(of: component, in: invocation.scope), settings: invocation.input)
    options.tasks = SpawnedTasks(besides: options.tasks)
    if options.kept?.includesAll == false, !component.isKept(with: invocation.input) {
      options.kept = nil
    }
    options.fail = { [noteFailure] in noteFailure(.noted($1, by: component.name)) }
    options.failAtEnd = { [pendingFailures] in pendingFailures.add($0, of: component.name) }
    if !component.roles.isEmpty { options.roles = roles(component, invocation.scope) }
    state.withLock { [tasks = options.tasks] state in
      state.change(in: invocation.scope) {
        $0.begin(component, index, settings: invocation.input, tasks: tasks)
      }
    }
    // Made once, since every report has one.
    let keys = component.plugin.events.reduce(into: [:]) { keys, event in
      keys[event.name] = Self.key(event.name, of: component, in: invocation.scope)
    }
    let services = ContextServices(options) {
      [sinks, events, undeclared, log = options.log] address, event, payload in
      guard let key = keys[event] else {
        let error = undeclared.note(event, of: component.plugin.plugin.name, at: address)
        // The log is the only trace of a task that continues after its call.
        return log(address, error.message)
      }
      // A secret that is too short is hidden in its field only.
      try? sinks.redactor.hideSecrets(in: payload, of: component.name)
      sinks.receive(.emitted(address, event: key.name, payload: payload))
      events.add(key, payload)
    }
    let context = Context(address: invocation.address, services: services)
    let live = try await component.plugin.open(invocation.input, context)
    let open = OpenComponent(
      component: live, services: services, planned: component, options: options)
    state.withLock { state in state.change(in: invocation.scope) { $0.add(open, at: index) } }
  }

  private static func key(
    _ event: String, of component: PlannedComponent, in scope: Address?
  ) -> EventQueue.Key {
    EventQueue.Key(scope: scope, name: "\(component.name).\(event)")
  }

  /// The world of a component: the folder of its scenario.
  private func options(
    of component: PlannedComponent, in scope: Address?
  ) throws -> ContextServices.Options {
    guard scope != nil, let folder = component.folder else { return options }
    var options = options
    options.directory = try options.directory.sibling(folder)
    return options
  }

  private func call(_ operation: OperationReference, _ invocation: Invocation) async throws -> Value
  {
    guard let open = component(invocation.component, in: invocation.scope) else {
      throw ComponentError(.unexpected, "the component is not open")
    }
    let context = Context(address: invocation.address, services: open.services)
    let call = open.component.calls[operation.index]
    guard let role = invocation.role else { return try await call(invocation.input, context) }
    return role.answer(try await call(role.input(invocation.input), context))
  }

  /// Returns what the component of a failed call shows of itself, or nil.
  ///
  /// Its calls of roles cross no boundary: nothing hears of them.
  func evidence(after invocation: Invocation) async -> Value? {
    guard let open = component(invocation.component, in: invocation.scope) else { return nil }
    let calls = open.planned.roles.flatMap(\.calls.values)
    let scope = invocation.scope
    var options = open.options
    options.log = { _, _ in }
    options.roles = FilledRoles(options.roles.filled) { [self] address, requirement, _, input in
      guard let call = calls.first(answering: requirement) else {
        throw ComponentError(.unexpected, open.planned.reason(against: requirement))
      }
      let inner = Invocation(
        address: address.call(requirement.name, number: 1), role: call, input: call.given(input),
        scope: scope, order: OrderScopes(), lane: 0)
      return call.read(try await self.call(call.operation, inner))
    }
    let context = Context(
      address: invocation.address, services: ContextServices(options) { _, _, _ in })
    options.time.hold()
    defer { options.time.release() }
    return await withTaskGroup(of: Value?.self) { group in
      group.addTask { await open.component.evidence(context) }
      group.addTask {
        try? await Task.sleep(for: Patience.evidence)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func component(_ index: Int, in scope: Address?) -> OpenComponent? {
    state.withLock { state in
      guard let scope else { return state.components[index] }
      return state.scopes[scope]?[index]
    }
  }
}

/// The calls during which a plugin reported an undeclared event.
///
/// No scenario can wait for such an event, and no replay can serve it.
private final class UndeclaredReports: Sendable {
  private let errors = Mutex<[Address: ComponentError]>([:])
  /// True if there ever was one.
  ///
  /// Hardly any run has one.
  private let hasAny = Atomic(false)

  /// Notes an event of a plugin and returns the error for it.
  func note(_ event: String, of plugin: String, at address: Address) -> ComponentError {
    let error = ComponentError(
      .unexpected,
      "the plugin '\(plugin)' reports the event '\(event)', which is not in its 'events'")
    errors.withLock { $0[address] = error }
    hasAny.store(true, ordering: .releasing)
    return error
  }

  /// Checks that no event was noted during the call.
  ///
  /// - Throws: `ComponentError` for an undeclared event.
  func check(_ address: Address) throws {
    guard hasAny.load(ordering: .acquiring) else { return }
    if let error = errors.withLock({ $0[address] }) { throw error }
  }

  /// Removes the note of an ended call.
  func forget(_ address: Address) {
    guard hasAny.load(ordering: .acquiring) else { return }
    errors.withLock { $0[address] = nil }
  }
}
