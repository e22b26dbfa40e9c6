internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import Synchronization

/// Where calls cross to components: those of steps, and those that components make of each other.
final class Boundary: Sendable {
  /// A call during which a component may call others.
  private struct Owner {
    /// What the call is inside of.
    let order: CallOrder
    /// How many equal calls it has made.
    var counts: [Question: Int] = [:]
    /// The numbers of the tasks that called, in the order in which they came.
    var lanes: [UInt64: Int] = [:]
    /// Why a call had no answer; the component cannot make it undone.
    var failure: BoundaryFailure?

    mutating func note(_ failure: BoundaryFailure) {
      if self.failure == nil { self.failure = failure }
    }

    /// Counts a call, in the lane of its task.
    ///
    /// - Throws: `ComponentError` when one before had no answer: what follows says nothing more.
    mutating func number(
      _ question: Question, _ task: UInt64
    ) throws(ComponentError) -> (number: Int, lane: Int, order: CallOrder) {
      if let failure { throw ComponentError(.unexpected, failure.message) }
      counts[question, default: 0] += 1
      let lane = lanes[task] ?? lanes.count
      lanes[task] = lane
      return (counts[question] ?? 1, lane, order)
    }
  }

  /// What equal calls share: the name, and the beginning of the digest of the input as it is recorded.
  private struct Question: Hashable {
    let name: String
    let input: UInt64
  }

  private struct State {
    var caller: (any Caller)?
    var owners: [Address: Owner] = [:]
    /// Why a call had no answer whose caller had ended.
    var failure: BoundaryFailure?

    /// Notes a call in a place where nothing is called any more, so that the run fails whatever comes of it.
    mutating func noteLateCall(of name: String, at address: Address) -> ComponentError {
      let message = "'\(name)' was called after the call at '\(address)' had ended"
      let advice = "call in a task of context.spawn, with the context that it is given"
      if failure == nil {
        failure = BoundaryFailure(code: .unexpectedError, message: message, notes: [advice])
      }
      return ComponentError(.unexpected, message)
    }
  }

  private let sinks: EventSinks
  private let state = Mutex(State())

  init(_ sinks: EventSinks) {
    self.sinks = sinks
  }

  /// Sends calls to a caller from now on.
  func open(_ caller: any Caller) { state.withLock { $0.caller = caller } }

  /// Lets go of the caller: it holds what the run was given, and the run holds this.
  func close() { state.withLock { $0.caller = nil } }

  /// Makes a call and tells the sinks, before and after.
  ///
  /// - Throws: `BoundaryFailure` when there is no answer to it or to a call that the component made meanwhile;
  ///   what the caller throws.
  func cross(_ invocation: Invocation, through caller: any Caller) async throws -> Outcome {
    sinks.receive(.invoked(invocation))
    do {
      var outcome = try await answer(invocation, caller).bounded
      if invocation.outputType.hasSecrets { outcome = hidingSecrets(of: outcome, invocation) }
      sinks.receive(.completed(invocation, outcome))
      return outcome
    } catch let failure as BoundaryFailure {
      throw failure
    } catch {
      sinks.receive(.completed(invocation, .cancelled))
      throw error
    }
  }

  private func answer(_ invocation: Invocation, _ caller: any Caller) async throws -> Outcome {
    if !invocation.usesRoles { return try await caller.call(invocation) }
    let address = invocation.address
    state.withLock {
      $0.owners[address] = Owner(order: invocation.order, lanes: [currentTaskID(): 0])
    }
    let result: Result<Outcome, any Error>
    do { result = .success(try await caller.call(invocation)) } catch { result = .failure(error) }
    let owner = state.withLock { $0.owners.removeValue(forKey: address) }
    if let failure = owner?.failure { throw failure }
    return try result.get()
  }

  /// Hides the secrets of an answer from now on; one that cannot be hidden is a fault of the component.
  private func hidingSecrets(of outcome: Outcome, _ invocation: Invocation) -> Outcome {
    guard case .answer(let answer) = outcome else { return outcome }
    do { try sinks.redactor.learn(answer, of: invocation.componentName) } catch {
      return .error(ComponentError(.unexpected, "\(error)"))
    }
    return outcome
  }

  // MARK: - Calls of components

  /// The components in the roles of one that is opened in a scope.
  func roles(of component: PlannedComponent, in scope: Address?) -> FilledRoles {
    let roles = Dictionary(uniqueKeysWithValues: component.roles.map { ($0.name, $0) })
    return FilledRoles(Set(roles.keys), begin: begin, end: end) {
      [self] address, requirement, input in
      guard let call = roles[requirement.role.name]?.calls[requirement.operation] else {
        throw ComponentError(.unexpected, "the role '\(requirement.role.name)' is not filled")
      }
      let (invocation, caller) = try invocation(
        call, requirement.name, call.given(input), by: address, in: scope)
      return try await ask(invocation, for: address, through: caller)
    }
  }

  /// Lets a task call that a component has started.
  private func begin(_ lane: Address) {
    state.withLock { state in
      let order = lane.caller.flatMap { state.owners[$0]?.order } ?? CallOrder()
      state.owners[lane] = Owner(order: order)
    }
  }

  /// Ends a task; what it could not be answered fails the call that started it, or else the run.
  private func end(_ lane: Address) {
    state.withLock { state in
      guard let failure = state.owners.removeValue(forKey: lane)?.failure else { return }
      if let caller = lane.caller, state.owners[caller] != nil {
        state.owners[caller]?.note(failure)
      } else if state.failure == nil {
        state.failure = failure
      }
    }
  }

  /// Why a call had no answer whose caller had ended; nil unless there was one.
  var failure: BoundaryFailure? { state.withLock { $0.failure } }

  private func ask(
    _ invocation: Invocation, for address: Address, through caller: any Caller
  ) async throws -> Value {
    do {
      switch try await cross(invocation, through: caller) {
      case .answer(let value): return value
      case .error(let error): throw error
      case .cancelled: throw CancellationError()
      }
    } catch let failure as BoundaryFailure {
      state.withLock { $0.owners[address]?.note(failure) }
      throw ComponentError(.unexpected, failure.message)
    }
  }

  /// A call with its address: the caller's, the name, and which one it is of those that are equal.
  private func invocation(
    _ call: PlannedRoleCall, _ name: String, _ input: Value, by address: Address,
    in scope: Address?
  ) throws -> (Invocation, any Caller) {
    if call.inputType.hasSecrets {
      try sinks.redactor.learn(input, of: call.operation.componentName)
    }
    let text = sinks.redactor.redacted(input).canonicalText
    let tag = SHA256(text).bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let question = Question(name: name, input: tag)
    let task = currentTaskID()
    return try state.withLock { state in
      guard let caller = state.caller, state.owners[address] != nil else {
        throw state.noteLateCall(of: name, at: address)
      }
      let (number, lane, order) = try state.owners[address, default: Owner(order: CallOrder())]
        .number(question, task)
      let invocation = Invocation(
        address: address.call(name, number: number, tag: tag), target: .operation(call.operation),
        input: input,
        scope: scope, order: order, lane: lane, role: call)
      return (invocation, caller)
    }
  }
}

extension Invocation {
  /// Whether the component may call others meanwhile.
  fileprivate var usesRoles: Bool {
    switch target {
    case .open(let component, _): !component.roles.isEmpty
    case .operation(let operation): !operation.plugin.roles.isEmpty
    case .event: false
    }
  }
}

extension Outcome {
  /// The outcome, or an error where the answer is too large to be kept.
  fileprivate var bounded: Outcome {
    guard case .answer(let value) = self, let excess = value.excess() else { return self }
    return .error(ComponentError(.unexpected, "the answer \(excess.message)"))
  }
}

// The calls of one task follow each other by the program's order, those of two tasks need not. Nothing else tells tasks
// apart: values of task-locals are inherited, and the memory of a task that has ended is used again. The function is
// the runtime's own (`swift_task_getJobTaskId`, swift/Runtime/Concurrency.h), which debuggers use.
@_silgen_name("swift_task_getJobTaskId")
private func taskID(of job: UnsafeRawPointer) -> UInt64

/// A number of the present task that no other task of the process has; 0 outside of tasks.
private func currentTaskID() -> UInt64 {
  unsafe withUnsafeCurrentTask { task in
    guard let task = unsafe task else { return 0 }
    return unsafe taskID(of: unsafeBitCast(task, to: UnsafeRawPointer.self))
  }
}
