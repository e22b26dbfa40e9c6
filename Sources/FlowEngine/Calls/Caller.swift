public import FlowCore
public import FlowPlan

/// A call across the boundary between engine and components.
///
/// The storage is shared, because several events of a call carry it and each event goes to every
/// sink.
public struct Invocation: Sendable {
  /// The request to the component.
  ///
  /// Rare and large parts are kept elsewhere, so the usual request is small.
  public enum Target: Sendable {
    /// To exist: the component is opened with its settings.
    indirect case open(PlannedComponent, index: Int)
    /// To do something.
    case operation(OperationReference)
    /// To report an event. The answer is its payload.
    indirect case event(AwaitedEvent)
  }

  @usableFromInline struct Content: Sendable {
    @usableFromInline var address: Address
    @usableFromInline let target: Target
    @usableFromInline var input: Value
    var shown: Value?
    @usableFromInline var scope: Address?
    @usableFromInline let order: OrderScopes
    var lane = 0
    var isTied = false
    var role: PlannedRoleCall?
    var handed: HandedComponent?
    var step: Address?
    var turn = 1
    var isLate = false
    var after = 0
    var volatile: [ValuePath] = []
    var secret: [ValuePath] = []
  }

  @usableFromInline final class Storage: Sendable {
    @usableFromInline let content: Content

    init(_ content: Content) { self.content = content }
  }

  @usableFromInline var storage: Storage

  private var content: Content {
    get { storage.content }
    set { storage = Storage(newValue) }
  }

  /// A crossing at an address.
  public init(
    address: Address, target: Target, input: Value, scope: Address? = nil,
    order: OrderScopes = OrderScopes()
  ) {
    storage = Storage(
      Content(address: address, target: target, input: input, scope: scope, order: order))
  }

  /// Creates a call that a component makes in one of its tasks.
  init(
    address: Address, role: PlannedRoleCall, input: Value, scope: Address?, order: OrderScopes,
    lane: Int
  ) {
    storage = Storage(
      Content(
        address: address, target: .operation(role.operation), input: input, scope: scope,
        order: order, lane: lane, role: role,
        volatile: role.operation.volatile + role.varying.answer))
  }

  /// The address in the run.
  public package(set) var address: Address {
    @inlinable get { storage.content.address }
    set { content.address = newValue }
  }

  /// The request.
  @inlinable public var target: Target { storage.content.target }

  /// The settings or the input: a record of the target's type.
  public package(set) var input: Value {
    @inlinable get { storage.content.input }
    set { content.input = newValue }
  }

  /// The input without the credentials of a program, and without what is passed on and not recorded,
  /// or nil for the input itself.
  var shown: Value? {
    get { storage.content.shown }
    set { if newValue != nil || shown != nil { content.shown = newValue } }
  }

  /// The call as recordings have it.
  var asRecorded: Invocation {
    guard let shown else { return self }
    var copy = self
    (copy.input, copy.shown) = (shown, nil)
    return copy
  }

  /// The step whose scenario has the component, or nil for the main scenario.
  ///
  /// With the component's index it identifies one instance of the run.
  public internal(set) var scope: Address? {
    @inlinable get { storage.content.scope }
    set { content.scope = newValue }
  }

  /// The steps and branches around the call.
  @inlinable public var order: OrderScopes { storage.content.order }

  /// The number of the calling task among the tasks of the component's call, from 0.
  ///
  /// Calls of one task follow each other. Used for calls that components make.
  package var lane: Int {
    get { storage.content.lane }
    set { if newValue != lane { content.lane = newValue } }
  }

  /// True if an equal call at the same time had another answer, so the two cannot be told apart.
  package var isTied: Bool {
    get { storage.content.isTied }
    set { if newValue != isTied { content.isTied = newValue } }
  }

  /// The fields that a component passes and reads in a call of another one, or nil for a step's
  /// call.
  package var role: PlannedRoleCall? { storage.content.role }

  /// The component that another scenario has handed over in place of the target's, or nil.
  var handed: HandedComponent? {
    get { storage.content.handed }
    set { content.handed = newValue }
  }

  /// The parts of its answers that differ from run to run, without the fields declared as volatile.
  package internal(set) var volatile: [ValuePath] {
    get { storage.content.volatile }
    set { if !newValue.isEmpty || !volatile.isEmpty { content.volatile = newValue } }
  }

  /// The step during which a request from outside arrived, or nil for another call.
  package var step: Address? {
    get { storage.content.step }
    set { content.step = newValue }
  }

  /// True if the request must come in its recorded order.
  package var keepsOrder: Bool { role?.varying.keepsOrder ?? true }

  /// The group of a request from outside among those of its step, from 1, or 0 for one in any order.
  ///
  /// Set by recorders, when they know all of them.
  package var turn: Int {
    get { storage.content.turn }
    set { if newValue != turn { content.turn = newValue } }
  }

  /// True for a request from outside that its step's answer may not have waited for.
  ///
  /// It may belong to a later step in another run. Known when the request ends.
  package var isLate: Bool {
    get { storage.content.isLate }
    set { if newValue != isLate { content.isLate = newValue } }
  }

  /// The number of requests of its conversation that had come before its answer, of a call that
  /// continues one, or 0.
  ///
  /// Set by recorders, when it ends.
  package var after: Int {
    get { storage.content.after }
    set { if newValue != after { content.after = newValue } }
  }

  /// The call as a late one, or as one that is not.
  func late(_ isLate: Bool) -> Invocation {
    var copy = self
    copy.isLate = isLate
    return copy
  }

  /// True if parts of the input vary from run to run.
  package var variesInput: Bool { role?.varying.variesInput ?? false }

  /// True if the call is a request from outside of the run.
  package var isFromOutside: Bool { role?.isFromOutside ?? false }

  /// True if the call reads on for a request from outside, as long as its sender does.
  package var continuesRequest: Bool { role?.continuesRequest ?? false }

  /// The parts of its answers that are hidden from then on, without the fields declared as secret.
  package var secret: [ValuePath] {
    get { storage.content.secret }
    set { if !newValue.isEmpty { content.secret = newValue } }
  }

  /// `balance.load`, or `balance` when the component is opened.
  public var name: String {
    if let handed {
      return handed.name + name(of: target).drop { $0 != "." }
    }
    return name(of: target)
  }

  private func name(of target: Target) -> String {
    switch target {
    case .open(let component, _): component.name
    case .operation(let operation): operation.name
    case .event(let event): event.reference.name
    }
  }

  /// The name of the called component, the part of the name before the point.
  package var componentName: String {
    if handed == nil, case .operation(let operation) = target { return operation.componentName }
    return name.componentName
  }

  /// The plugin of the component, as its scenario declares it, or nil for an awaited event.
  package var plugin: RegisteredPlugin? {
    switch target {
    case .open(let component, _): component.plugin
    case .operation(let operation): operation.plugin
    case .event: nil
    }
  }

  /// The position of the called component in the plan, from 0.
  public var component: Int {
    if let handed { return handed.index }
    return switch target {
    case .open(_, let index): index
    case .operation(let operation): operation.component
    case .event(let event): event.reference.component
    }
  }

  /// The type of the input.
  public var inputType: RecordType {
    if let role { return role.inputType }
    return switch target {
    case .open(let component, _): component.settingsType
    case .operation(let operation): operation.description.input
    case .event: .empty
    }
  }

  /// The type of the answer.
  public var outputType: RecordType {
    if let role { return role.outputType }
    return switch target {
    case .open: .empty
    case .operation(let operation): operation.description.output
    case .event(let event): event.reference.description.payload
    }
  }
}

extension Invocation {
  /// True if the component may call others during the call.
  var usesRoles: Bool {
    switch target {
    case .open(let component, _): !component.roles.isEmpty
    case .operation(let operation):
      handed == nil ? operation.usesRoles : !operation.plugin.roles.isEmpty
    case .event: false
    }
  }
}

extension Invocation.Target {
  /// The error codes of the operation, without `unexpected`, or nil where none are declared, as
  /// when a component is opened.
  package var errors: [ErrorCode]? {
    switch self {
    case .open: nil
    case .operation(let operation): operation.description.errors
    case .event: []
    }
  }

  /// True if the answer may be an error with this code.
  package func canFail(with code: ErrorCode) -> Bool {
    code == .unexpected || errors?.contains(code) ?? true
  }
}

/// An event awaited by a step.
public struct AwaitedEvent: Sendable {
  /// The event and its component.
  public let reference: EventReference
  /// Returns true for a payload that ends the wait.
  ///
  /// Throws `EvaluationFailure` if the step's condition has no value for the payload.
  public let accepts: @Sendable (Value) throws(EvaluationFailure) -> Bool
}

/// The result of a call.
public enum Outcome: Sendable {
  /// The component did the work. A record of the operation's output type.
  case answer(Value)
  /// The component refused or failed, with its own error.
  indirect case error(ComponentError)
  /// The call was stopped before its answer, for example by a timeout. Sent to sinks, never
  /// returned.
  case cancelled
}

extension Outcome {
  /// The outcome with the fields that a type of its answer makes of the others.
  ///
  /// A component answers with a type of its own, which knows nothing of those of its scenario.
  func with(fieldsOf type: RecordType) -> Outcome {
    guard !type.computedFields.isEmpty, case .answer(.record(let record)) = self,
      record.type !== type, record.type.hasFieldNames(of: type)
    else { return self }
    return .answer(.record(RecordValue(type, record.values)))
  }

  /// The outcome, or an error if the answer is too large to be kept.
  var bounded: Outcome {
    guard case .answer(let value) = self, let excess = value.excess() else { return self }
    return .error(ComponentError(.unexpected, "the answer \(excess.message)"))
  }
}

/// The only place where components are called.
///
/// Only the caller knows if the answers are live or replayed.
///
/// The engine calls it once for each component before the first step of the component's scenario,
/// and then once for each call step, for several steps at once in parallel branches. A step that
/// waits for an event calls it too.
public protocol Caller: Sendable {
  /// Fulfils the request, and forwards the reports of the component meanwhile.
  ///
  /// - Throws: `BoundaryFailure` if no answer can be had, such as for a call that a transcript does
  ///   not contain. `CancellationError` if the run is cancelled.
  func call(_ invocation: Invocation) async throws -> Outcome

  /// Notes that a scope of requests from outside has begun: a part of what a program asks for.
  func begin(_ scope: Address)

  /// The calls that are expected in a scope and were not made, after a wait for them, or were made in
  /// another order, or nil.
  func departure(in scope: Address) async -> BoundaryFailure?

  /// Closes the components opened in a scope, and awaits the tasks that they started.
  ///
  /// Called once when the scenario of a step has ended, after its `finally`, even if its components
  /// could not be opened. Runs on the step's task, which may be cancelled, and for several scopes
  /// at once. Nothing is called in the scope afterwards.
  func close(_ scope: Address) async

  /// Closes everything that is still open. Called once, after the last step.
  ///
  /// - Throws: `BoundaryFailure` if something expected did not happen, such as a recorded call.
  func finish() async throws
}

extension Caller {
  /// Nothing: only a replay expects calls.
  public func begin(_ scope: Address) {}

  /// None.
  public func departure(in scope: Address) async -> BoundaryFailure? { nil }
}

/// A call without an answer, for a reason outside the component.
public struct BoundaryFailure: Error, Sendable, Hashable {
  /// A stable diagnostic code.
  public let code: DiagnosticCode
  /// The fault, in lower case and without a full stop.
  public internal(set) var message: String
  /// The values compared, expected and found, one line each.
  public internal(set) var notes: [String]

  /// A failure in these words.
  public init(code: DiagnosticCode, message: String, notes: [String]) {
    self.code = code
    self.message = message
    self.notes = notes
  }
}

/// The steps and branches around a call that determine its order among other calls.
public struct OrderScopes: Sendable, Hashable {
  /// One step or branch around calls.
  public enum Scope: Sendable, Hashable {
    /// A branch. Its calls come in any order relative to those of its sibling branches.
    case branch(Branch)
    /// A step with a rule for comparing the order of its calls.
    case step(Address, OrderRule)

    /// The step.
    public var address: Address {
      switch self {
      case .branch(let branch): branch.address
      case .step(let address, _): address
      }
    }
  }

  /// The scopes from the outside in, empty for most calls.
  public private(set) var scopes: [Scope] = []

  /// The order of a sequential run.
  public init() {}

  /// True inside a branch.
  package var isInBranch: Bool {
    scopes.contains { if case .branch = $0 { true } else { false } }
  }

  mutating func enter(_ scope: Scope) { scopes.append(scope) }

  mutating func leave() { scopes.removeLast() }
}

/// A part of a run with siblings that run at the same time: a branch of `parallel`, or an iteration
/// of a parallel `for`.
public struct Branch: Sendable, Hashable {
  /// The address of its step.
  public let address: Address
  /// Its position among the others, from 0, as the scenario orders them.
  public let index: Int
  /// The prefix of the addresses of its events: a path without the last `/`, and iterations.
  public let root: Address

  /// The branch of a name.
  init(of address: Address, index: Int, name: String) {
    self.address = address
    self.index = index
    root = Address(path: "\(address.path)/\(name)", iterations: address.iterations)
  }

  /// The iteration of an index, from 0.
  init(of address: Address, iteration index: Int) {
    self.address = address
    self.index = index
    root = Address(path: address.path, iterations: address.iterations + [index + 1])
  }

  /// True if the address is of a step inside this branch.
  public func contains(_ other: Address) -> Bool {
    other.belongs(to: root)
  }
}

/// Finds recorded calls of components by their callers, their names, the tags of their inputs and their tasks.
package protocol CallNumbers: Sendable {
  /// The number of a call, or nil, and the number of its task. Nil if nothing is recorded.
  func place(
    calledBy caller: Address, _ name: String, tag: UInt64, task: Int
  ) -> (number: Int?, lane: Int)?

  /// True if the only remaining call may belong to another task that has not made it yet.
  func isUnsure(calledBy caller: Address, _ name: String, tag: UInt64, task: Int) -> Bool
}
