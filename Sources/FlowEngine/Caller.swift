public import FlowCore
public import FlowScenario

/// One crossing of the boundary between engine and components.
///
/// Who hears of it shares it: several events of a call have it, and each of them goes to every sink.
public struct Invocation: Sendable {
  /// What is asked of the component.
  ///
  /// What is rare and large is kept elsewhere, so that the usual one is small.
  public enum Target: Sendable {
    /// To exist: the component is opened with its settings.
    indirect case open(PlannedComponent, index: Int)
    /// To do something.
    case operation(OperationReference)
    /// To report something; the answer is its payload.
    indirect case event(AwaitedEvent)
  }

  @usableFromInline struct Content: Sendable {
    @usableFromInline var address: Address
    @usableFromInline let target: Target
    @usableFromInline var input: Value
    @usableFromInline var scope: Address?
    @usableFromInline let order: OrderScopes
    var lane = 0
    var isTied = false
    var role: PlannedRoleCall?
    var handed: HandedComponent?
    var volatile: [VolatilePath] = []
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

  /// A call that a component makes in one of its tasks.
  init(
    address: Address, role: PlannedRoleCall, input: Value, scope: Address?, order: OrderScopes,
    lane: Int
  ) {
    storage = Storage(
      Content(
        address: address, target: .operation(role.operation), input: input, scope: scope,
        order: order, lane: lane, role: role))
  }

  /// Where in the run.
  public package(set) var address: Address {
    @inlinable get { storage.content.address }
    set { content.address = newValue }
  }

  /// What is asked.
  @inlinable public var target: Target { storage.content.target }

  /// The settings or the input: a record of the target's type.
  public package(set) var input: Value {
    @inlinable get { storage.content.input }
    set { content.input = newValue }
  }

  /// The step whose scenario the component belongs to; nil for the main scenario.
  ///
  /// Together with the component's index it tells one instance from all others of the run.
  public internal(set) var scope: Address? {
    @inlinable get { storage.content.scope }
    set { content.scope = newValue }
  }

  /// What the call is inside of.
  @inlinable public var order: OrderScopes { storage.content.order }

  /// For a call that a component makes, the number of its task among those of the component's call, from 0: calls of
  /// one task follow each other.
  package var lane: Int {
    get { storage.content.lane }
    set { if newValue != lane { content.lane = newValue } }
  }

  /// Whether an equal call at the same time was answered otherwise, so that nothing tells the two apart.
  package var isTied: Bool {
    get { storage.content.isTied }
    set { if newValue != isTied { content.isTied = newValue } }
  }

  /// For a call that a component makes, which fields it gives and reads.
  package var role: PlannedRoleCall? { storage.content.role }

  /// The component that another scenario has handed over, in the place of the target's; nil for none.
  var handed: HandedComponent? {
    get { storage.content.handed }
    set { content.handed = newValue }
  }

  /// What differs in its answers from run to run, besides the fields that the component declares so.
  package internal(set) var volatile: [VolatilePath] {
    get { storage.content.volatile }
    set { if !newValue.isEmpty || !volatile.isEmpty { content.volatile = newValue } }
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

  /// The name of the component that is asked: what stands before the point of the name.
  package var componentName: String {
    if handed == nil, case .operation(let operation) = target { return operation.componentName }
    return name.componentName
  }

  /// The plugin of the component, as its scenario declares it; nil where an event is waited for.
  package var plugin: RegisteredPlugin? {
    switch target {
    case .open(let component, _): component.plugin
    case .operation(let operation): operation.plugin
    case .event: nil
    }
  }

  /// The position of the component that is asked among the plan's, from 0.
  public var component: Int {
    if let handed { return handed.index }
    return switch target {
    case .open(_, let index): index
    case .operation(let operation): operation.component
    case .event(let event): event.reference.component
    }
  }

  /// The type of what is given.
  public var inputType: RecordType {
    if let role { return role.inputType }
    return switch target {
    case .open(let component, _): component.settingsType
    case .operation(let operation): operation.description.input
    case .event: .empty
    }
  }

  /// The type of what is answered.
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
  /// Whether the component may call others meanwhile.
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
  /// The codes of the errors that may be answered, besides `unexpected`; nil where none are declared, as when a
  /// component is opened.
  package var errors: [ErrorCode]? {
    switch self {
    case .open: nil
    case .operation(let operation): operation.description.errors
    case .event: []
    }
  }

  /// Whether a code may be answered.
  package func canFail(with code: ErrorCode) -> Bool {
    code == .unexpected || errors?.contains(code) ?? true
  }
}

/// Something that a step waits for.
public struct AwaitedEvent: Sendable {
  /// Which event of which component.
  public let reference: EventReference
  /// Whether a payload is the one that is waited for.
  ///
  /// Throws `EvaluationFailure` when the step's condition has no value for it.
  public let accepts: @Sendable (Value) throws(EvaluationFailure) -> Bool
}

/// What a component said.
public enum Outcome: Sendable {
  /// It did what was asked; a record of the operation's output type.
  case answer(Value)
  /// It did not, for a reason of its own.
  indirect case error(ComponentError)
  /// It was stopped before it could answer, as by a timeout. Told to the sinks; never returned.
  case cancelled
}

extension Outcome {
  /// The outcome, or an error where the answer is too large to be kept.
  var bounded: Outcome {
    guard case .answer(let value) = self, let excess = value.excess() else { return self }
    return .error(ComponentError(.unexpected, "the answer \(excess.message)"))
  }
}

/// The only place where components are called; live, replayed or otherwise is its secret.
///
/// The engine calls it once for each component before the first step of the component's scenario, and
/// then once for each call step, possibly for several at once. A step that waits for an event calls it too.
public protocol Caller: Sendable {
  /// Brings about what the invocation asks for, and what the component reports meanwhile.
  ///
  /// - Throws: `BoundaryFailure` when there is no answer to be had, such as a call that a
  ///   transcript does not contain; `CancellationError` when the run is cancelled.
  func call(_ invocation: Invocation) async throws -> Outcome

  /// Lets go of the components that were opened in a scope, and awaits what they started.
  ///
  /// Called once when the scenario of a step has come to its end, after its `finally` and whether or
  /// not its components could be opened; on the step's task, which may be cancelled, and for several
  /// scopes at once. Nothing is called in the scope afterwards.
  func close(_ scope: Address) async

  /// Called once after the last step; whatever was left open is closed.
  ///
  /// - Throws: `BoundaryFailure` when something expected did not happen, such as a recorded call.
  func finish() async throws
}

/// A call that could not be answered, for a reason outside of the component.
public struct BoundaryFailure: Error, Sendable, Hashable {
  /// A stable diagnostic code.
  public let code: DiagnosticCode
  /// What went wrong: lower case, no full stop.
  public internal(set) var message: String
  /// What was compared, expected and found, a line each.
  public internal(set) var notes: [String]

  /// A failure in these words.
  public init(code: DiagnosticCode, message: String, notes: [String]) {
    self.code = code
    self.message = message
    self.notes = notes
  }
}

/// What a call is inside of, as far as its order among other calls depends on it.
public struct OrderScopes: Sendable, Hashable {
  /// Something that holds calls.
  public enum Scope: Sendable, Hashable {
    /// A branch, whose calls come in any order among those of the branches beside it.
    case branch(Branch)
    /// A step that says how the order of its calls is compared.
    case step(Address, OrderRule)

    /// The step.
    public var address: Address {
      switch self {
      case .branch(let branch): branch.address
      case .step(let address, _): address
      }
    }
  }

  /// From the outside in; none for most calls.
  public private(set) var scopes: [Scope] = []

  /// The order of a sequential run.
  public init() {}

  /// Whether it goes on beside others.
  package var isInBranch: Bool {
    scopes.contains { if case .branch = $0 { true } else { false } }
  }

  mutating func enter(_ scope: Scope) { scopes.append(scope) }

  mutating func leave() { scopes.removeLast() }
}

/// A part of a run that goes on beside others: a branch of `parallel`, or an iteration of a `for`
/// whose iterations run at the same time.
public struct Branch: Sendable, Hashable {
  /// The address of the step that it is a part of.
  public let address: Address
  /// Its position among the others, from 0, as the scenario orders them.
  public let index: Int
  /// What the addresses of its events begin with: a path, without the last `/`, and iterations.
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

  /// Whether an address is of a step inside of this branch.
  public func contains(_ other: Address) -> Bool {
    other.belongs(to: root)
  }
}

/// Finds recorded calls of components by their callers, their names, the tags of their inputs and their tasks.
package protocol CallNumbers: Sendable {
  /// The number of a call, nil for none, and that of its task; nil where nothing is recorded.
  func place(
    calledBy caller: Address, _ name: String, tag: UInt64, task: Int
  ) -> (number: Int?, lane: Int)?

  /// Whether the only call that is left may be another task's, which has not come to it yet.
  func isUnsure(calledBy caller: Address, _ name: String, tag: UInt64, task: Int) -> Bool
}
