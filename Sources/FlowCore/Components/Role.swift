/// A component that another one uses, by the name under which a scenario hands it over.
///
///     static let store = Role("store", "Where the balance is kept.")
///     static let subtract = store.call(
///       "subtract", Parameter<Int>("amount", "How much to take."), answers: balance)
///     // in the plugin:
///     uses: [subtract]
///     // in an operation:
///     let left = try await Self.subtract(amount, in: context)
///
/// In the scenario: `cart: {plugin: cart, using: {store: balance}}`.
public struct Role: Sendable {
  /// The name in `using:`, lower case.
  public let name: String
  /// The purpose of the component in this role, one sentence.
  public let summary: String
  /// True if a scenario may leave it out.
  public let isOptional: Bool
  /// True if it stands for all names that no other role of the plugin has.
  public let isOpen: Bool

  /// Creates a role, which scenarios must fill unless it is optional.
  public init(_ name: String, _ summary: String, optional isOptional: Bool = false) {
    (self.name, self.summary, self.isOptional, isOpen) = (name, summary, isOptional, false)
  }

  /// Creates roles under all names that no other role of the plugin has, each of them optional.
  ///
  /// The calls of one of them are declared again with its name: `Role("pay", …).call(…)`.
  public init(anyName summary: String) {
    (name, self.summary, isOptional, isOpen) = ("other", summary, true, true)
  }

  /// Returns true for a letter, followed by letters, digits, `_` and `-`.
  public static func isName(_ text: String) -> Bool { RegisteredPlugin.isValid(text) }

  /// The name for documents.
  package var title: String { isOpen ? "any other name" : name }

  /// An operation that the component in this role must have.
  ///
  /// The call may pass fewer parameters than the operation has, if the others have defaults, and
  /// read fewer fields of its answer. Names and types must agree.
  ///
  /// - Parameters:
  ///   - operation: The operation's name.
  ///   - parameter: The passed fields of its input, in the order of the call's arguments.
  ///   - output: The fields of its answer that are read, or `.none`.
  ///   - errors: The codes that the caller handles. The component may answer with no others.
  ///   - isFromOutside: True if each call passes on a request that arrives from outside of the run,
  ///     such as one of a program under test. It is recorded with the step during which it came. The
  ///     order of requests at the same time is not compared.
  ///   - continuesRequest: True if each call reads on for a request from outside, such as the next
  ///     piece of a streamed answer. Its sender ends that by leaving, so the number of calls is not
  ///     compared, and a replay answers the call after the last recorded one as a server that sends
  ///     nothing more.
  ///   - isInternal: True if the calls are a conversation that means nothing outside of the
  ///     component, such as the commands to a browser's driver: their number depends on time, and
  ///     their values name things of this run. A replay holds them exactly. A live run is compared by
  ///     what the component answers, without these calls.
  /// - Returns: The call, for the plugin's `uses` and its operations.
  public func call<each Input: FieldValue, Output: Sendable>(
    _ operation: String, _ parameter: repeat Parameter<each Input>, answers output: Record<Output>,
    errors: [ErrorCode] = [], fromOutside isFromOutside: Bool = false,
    continuingRequest continuesRequest: Bool = false, internally isInternal: Bool = false
  ) -> RoleCall<Output, repeat each Input> {
    let type = RecordType(repeat each parameter)
    let requirement = RoleRequirement(
      kind: .operation, role: self, member: operation, input: type, output: output.type,
      errors: errors, isFromOutside: isFromOutside,
      continuesRequest: continuesRequest, isInternal: isInternal)
    return RoleCall(requirement, answers: output) {
      (input: repeat each Input) in
      var values: [Value] = []
      repeat values.append((each input).encoded)
      return .record(RecordValue(type, values))
    }
  }

  /// Declares an operation whose input is a record, otherwise as above.
  public func call<Input: Sendable, Output: Sendable>(
    _ operation: String, input: Record<Input>, answers output: Record<Output>,
    errors: [ErrorCode] = [], fromOutside isFromOutside: Bool = false,
    continuingRequest continuesRequest: Bool = false, internally isInternal: Bool = false
  ) -> RoleCall<Output, Input> {
    let requirement = RoleRequirement(
      kind: .operation, role: self, member: operation, input: input.type, output: output.type,
      errors: errors, isFromOutside: isFromOutside,
      continuesRequest: continuesRequest, isInternal: isInternal)
    return RoleCall(requirement, answers: output) { input.encode($0) }
  }

  /// An event that the component in this role must report.
  ///
  /// - Parameters:
  ///   - event: The event's name.
  ///   - payload: The fields that are read. The component's own event may have more.
  /// - Returns: The event, for the plugin's `uses` and its operations and tasks.
  public func event<Payload: Sendable>(
    _ event: String, _ payload: Record<Payload>
  ) -> RoleEvent<Payload> {
    RoleEvent(self, event, payload)
  }

  /// Returns the properties that follow from the settings of the component in the role, none for an
  /// unfilled one.
  public func traits(in context: Context) -> ComponentTraits { context.traits(of: name) }

  /// Returns true if the scenario has filled it for the component of this context.
  public func isFilled(in context: Context) -> Bool {
    context.isFilled(name)
  }
}

/// A call that a component makes of the component in one of its roles.
public struct RoleCall<Output: Sendable, each Input: Sendable>: DeclaredRoleUse {
  /// The requirement of the role.
  public let requirement: RoleRequirement
  private let encode: @Sendable (repeat each Input) -> Value
  private let output: Record<Output>

  init(
    _ requirement: RoleRequirement, answers output: Record<Output>,
    encode: @escaping @Sendable (repeat each Input) -> Value
  ) {
    self.requirement = requirement
    self.encode = encode
    self.output = output
  }

  /// Returns a text of a field of the input for a label, without what the scenario declares as
  /// varying: a label is a part of the address, by which a replay finds the call.
  public func constantText(_ text: String, of field: String, in context: Context) -> String {
    context.constant(requirement, field, text)
  }

  /// Makes the call, as a part of the context's call.
  ///
  /// It is recorded with its input and answer, and is cancelled with its caller. Equal calls at the
  /// same time may have different answers, and only a label tells them apart in a replay.
  ///
  /// - Parameters:
  ///   - input: The fields of the input.
  ///   - label: Part of the call's address. Letters, digits, `-` and `_`, at most 64.
  ///     `Context.label` makes one of any text.
  ///   - context: The context of the calling call or task.
  /// - Returns: The fields of the answer that are read.
  /// - Throws: `ComponentError` with the component's code, which is a declared one or `unexpected`.
  ///   `CancellationError`.
  public func callAsFunction(
    _ input: repeat each Input, as label: String? = nil, in context: Context
  ) async throws -> Output {
    let answer = try await context.ask(requirement, as: label, encode(repeat each input))
    do {
      return try output.decode(answer)
    } catch {
      throw ComponentError(
        .unexpected, "the answer of '\(requirement.name)' cannot be read: \(error)")
    }
  }
}

/// An event that a component follows, of the component in one of its roles.
///
///     static let changed = store.event("changed", Record<Int>("amount", "What is left."))
///     // in the plugin:
///     uses: [changed]
///     // when it is opened:
///     context.spawn("follow") { context in
///       for try await amount in changed.reports(in: context) { await cart.note(amount) }
///     }
public struct RoleEvent<Payload: Sendable>: DeclaredRoleUse {
  /// The requirement of the role.
  public let requirement: RoleRequirement
  private let payload: Record<Payload>

  fileprivate init(_ role: Role, _ event: String, _ payload: Record<Payload>) {
    requirement = RoleRequirement(
      kind: .event, role: role, member: event, input: .empty, output: payload.type, errors: [])
    self.payload = payload
  }

  /// The reports of the component in the role, from the opening of the component that uses it.
  ///
  /// Each report is returned once, to whichever reader asks. The latest 10,000 unread ones are
  /// kept. The sequence ends with the component, and for a cancelled task or call. It is empty for
  /// an unfilled role.
  public func reports(in context: Context) -> RoleReports<Payload> {
    RoleReports(values: context.reports(requirement), payload: payload, name: requirement.name)
  }

  /// Passes the reports of the component in the role to a function, in place of `reports`.
  ///
  /// A report is passed on before the call that made it has its answer, the unread ones at once.
  /// Nothing is passed on after the end of the component, or for an unfilled role.
  ///
  /// - Parameters:
  ///   - context: The context of the component that has the role.
  ///   - receive: Called on the thread of the report, so it must not wait.
  public func follow(in context: Context, _ receive: @escaping @Sendable (Payload) -> Void) {
    let (payload, name) = (payload, requirement.name)
    context.reports(requirement).follow { value in
      do { receive(try payload.decode(value)) } catch {
        context.fail(ComponentError(.unexpected, "the report '\(name)' cannot be read: \(error)"))
      }
    }
  }
}

/// The reports of a `RoleEvent`, in their order.
public struct RoleReports<Payload: Sendable>: AsyncSequence, Sendable {
  fileprivate let values: ReportSource
  fileprivate let payload: Record<Payload>
  fileprivate let name: String

  /// Starts with the earliest unread report.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: values, payload: payload, name: name)
  }

  /// Gives one report after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: ReportSource
    fileprivate let payload: Record<Payload>
    fileprivate let name: String

    /// The next report, or nil at the end.
    ///
    /// - Throws: `ComponentError` with `unexpected` for a payload that does not fit the record's
    ///   types.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(any Error) -> Payload? {
      guard let value = await values.next() else { return nil }
      do {
        return try payload.decode(value)
      } catch {
        throw ComponentError(.unexpected, "the report '\(name)' cannot be read: \(error)")
      }
    }
  }
}

/// A use of another component, as a plugin lists it: a `RoleCall` or a `RoleEvent`.
public protocol DeclaredRoleUse: Sendable {
  /// The requirement of the role.
  ///
  /// Read once, when the registry is created.
  var requirement: RoleRequirement { get }
}

/// An operation or event that the component in a role must have, without its Swift types.
///
/// A class, because every call of a component carries one.
public final class RoleRequirement: Sendable {
  /// The kind of a used member.
  public enum Kind: Sendable {
    /// An operation, which is called.
    case operation
    /// An event, which is reported.
    case event
  }

  /// The kind.
  public let kind: Kind
  /// The role.
  public let role: Role
  /// The name of the operation or event.
  public let member: String
  /// The passed fields of the input, none for an event.
  public let input: RecordType
  /// The fields of the answer or the payload that are read.
  public let output: RecordType
  /// The codes that the caller handles.
  public let errors: [ErrorCode]
  /// True if the calls pass on requests from outside of the run.
  public let isFromOutside: Bool
  /// True if the calls read on for such a request, as long as its sender does.
  public let continuesRequest: Bool
  /// True if the calls mean nothing outside of the component, so that live runs do not compare them.
  public let isInternal: Bool

  /// `store.subtract`.
  package let name: String

  /// The same requirement of a role with a name of the scenario's choice.
  func named(_ name: String) -> RoleRequirement {
    RoleRequirement(
      kind: kind, role: Role(name, role.summary, optional: true), member: member, input: input,
      output: output, errors: errors, isFromOutside: isFromOutside,
      continuesRequest: continuesRequest)
  }

  init(
    kind: Kind, role: Role, member: String, input: RecordType, output: RecordType,
    errors: [ErrorCode], isFromOutside: Bool = false, continuesRequest: Bool = false,
    isInternal: Bool = false
  ) {
    (self.kind, self.role, self.member) = (kind, role, member)
    (self.input, self.output, self.errors) = (input, output, errors)
    self.isFromOutside = isFromOutside
    self.continuesRequest = continuesRequest
    self.isInternal = isInternal
    name = "\(role.name).\(member)"
  }

  /// Returns true if a call in an address is one of this requirement, with or without a label.
  package func isName(of call: Address.Call) -> Bool {
    call.name == name || call.name.hasPrefix(name + ".")
  }
}

/// The source of an event's reports, as a component reads them.
package struct ReportSource: Sendable {
  /// Waits for the next report.
  ///
  /// Nil at the end, and for a cancelled task.
  let next: @Sendable () async -> Value?
  /// Passes the reports on to a function, in place of `next`.
  let follow: @Sendable (@escaping @Sendable (Value) -> Void) -> Void

  /// Creates a source of the reports that one closure returns, or another one passes on.
  package init(
    next: @escaping @Sendable () async -> Value?,
    follow: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> Void = { _ in }
  ) {
    (self.next, self.follow) = (next, follow)
  }
}

/// The components that a scenario has handed to another one.
package struct FilledRoles: Sendable {
  /// Makes a call for the caller at an address, under the requirement's name with the call's label.
  ///
  /// The answer has the requirement's type.
  package typealias Ask = @Sendable (Address, RoleRequirement, String, Value) async throws -> Value

  /// Returns what does not vary of a text in a field of this name.
  package typealias Constant = @Sendable (RoleRequirement, String, String) -> String

  /// The properties of the components in the filled roles, by the roles' names.
  package let filled: [String: ComponentTraits]
  /// Makes a call of the component in a role.
  package let ask: Ask
  /// The reports of components in roles, by the requirements' names.
  let reports: [String: ReportSource]
  /// Returns what does not vary from run to run of a text in a field of a call's input.
  let constant: Constant
  /// Called before a task with this address starts, which may make calls.
  let begin: @Sendable (Address) -> Void
  /// Called when it has ended.
  let end: @Sendable (Address) -> Void

  /// What was not as recorded in a scope of requests from outside, in words.
  let departures: @Sendable (Address) async -> [String]

  /// Creates roles filled by the components that `ask` calls.
  ///
  /// `begin` and `end` surround a task that may make calls.
  package init(
    _ filled: [String: ComponentTraits], reports: [String: ReportSource] = [:],
    constant: @escaping Constant = { _, _, text in text },
    begin: @escaping @Sendable (Address) -> Void = { _ in },
    end: @escaping @Sendable (Address) -> Void = { _ in },
    departures: @escaping @Sendable (Address) async -> [String] = { _ in [] }, ask: @escaping Ask
  ) {
    self.filled = filled
    self.reports = reports
    self.constant = constant
    self.begin = begin
    self.end = end
    self.departures = departures
    self.ask = ask
  }

  /// No roles.
  package init() {
    self.init([:]) { _, requirement, _, _ in
      throw ComponentError(.unexpected, "the role '\(requirement.role.name)' is not filled")
    }
  }
}
