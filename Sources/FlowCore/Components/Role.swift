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
  /// What the component is used for, one sentence.
  public let summary: String
  /// Whether a scenario may leave it out.
  public let isOptional: Bool

  /// A role of this name, which scenarios must fill unless it is optional.
  public init(_ name: String, _ summary: String, optional isOptional: Bool = false) {
    self.name = name
    self.summary = summary
    self.isOptional = isOptional
  }

  /// An operation that the component in this role must offer.
  ///
  /// Its fields may have fewer parameters than the component's own, as far as those have defaults, and its answer
  /// may have fewer fields; names and types agree.
  ///
  /// - Parameters:
  ///   - operation: The operation's name.
  ///   - parameter: The fields of its input that are given, in the order of the arguments of the call.
  ///   - output: The fields of its answer that are read; `.none` for nothing.
  ///   - errors: The codes that the caller handles; the component may answer with no others.
  /// - Returns: The call, to be listed in the plugin's `uses` and made in its operations.
  public func call<each Input: FieldValue, Output: Sendable>(
    _ operation: String, _ parameter: repeat Parameter<each Input>, answers output: Record<Output>,
    errors: [ErrorCode] = []
  ) -> RoleCall<Output, repeat each Input> {
    let type = RecordType(repeat each parameter)
    return RoleCall(self, operation, takes: type, answers: output, errors: errors) {
      (input: repeat each Input) in
      var values: [Value] = []
      repeat values.append((each input).encoded)
      return .record(RecordValue(type, values))
    }
  }

  /// An operation whose input is a record; the rest as above.
  public func call<Input: Sendable, Output: Sendable>(
    _ operation: String, input: Record<Input>, answers output: Record<Output>,
    errors: [ErrorCode] = []
  ) -> RoleCall<Output, Input> {
    RoleCall(self, operation, takes: input.type, answers: output, errors: errors) {
      input.encode($0)
    }
  }

  /// An event that the component in this role must report.
  ///
  /// - Parameters:
  ///   - event: The event's name.
  ///   - payload: The fields that are read; the component's own event may have more.
  /// - Returns: The event, to be listed in the plugin's `uses` and followed in its operations and tasks.
  public func event<Payload: Sendable>(
    _ event: String, _ payload: Record<Payload>
  ) -> RoleEvent<Payload> {
    RoleEvent(self, event, payload)
  }

  /// Whether the scenario has filled it for the component that this is the context of.
  public func isFilled(in context: Context) -> Bool {
    context.isFilled(name)
  }
}

/// A call that a component makes of the component in one of its roles.
public struct RoleCall<Output: Sendable, each Input: Sendable>: DeclaredRoleUse {
  /// What the role must offer.
  public let requirement: RoleRequirement
  private let encode: @Sendable (repeat each Input) -> Value
  private let output: Record<Output>

  init(
    _ role: Role, _ operation: String, takes input: RecordType, answers output: Record<Output>,
    errors: [ErrorCode], encode: @escaping @Sendable (repeat each Input) -> Value
  ) {
    requirement = RoleRequirement(
      kind: .operation, role: role, member: operation, input: input, output: output.type,
      errors: errors)
    self.encode = encode
    self.output = output
  }

  /// Makes the call, as a part of the call whose context this is.
  ///
  /// It is recorded with the input and the answer, and is cancelled with its caller. A label tells it apart from equal
  /// calls that are made at the same time and may be answered otherwise: nothing else could, in a replay.
  ///
  /// - Parameters:
  ///   - input: The fields of the input.
  ///   - label: Part of the call's address; letters, digits, `-` and `_`, at most 64.
  ///   - context: That of the call, or of the task, that makes it.
  /// - Returns: What is read of the answer.
  /// - Throws: `ComponentError` with the code that the component answered with, which is a declared one or
  ///   `unexpected`; `CancellationError`.
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
  /// What the role must offer.
  public let requirement: RoleRequirement
  private let payload: Record<Payload>

  fileprivate init(_ role: Role, _ event: String, _ payload: Record<Payload>) {
    requirement = RoleRequirement(
      kind: .event, role: role, member: event, input: .empty, output: payload.type, errors: [])
    self.payload = payload
  }

  /// What the component in the role reports, from the moment when the component that uses it is opened.
  ///
  /// Each report is given once, whoever asks; of those that wait the latest 10,000 are kept. The sequence ends with
  /// the component, and for a task or a call that is cancelled, for that one alone. For a role that is not filled it is
  /// empty.
  public func reports(in context: Context) -> RoleReports<Payload> {
    RoleReports(values: context.reports(requirement), payload: payload, name: requirement.name)
  }
}

/// The reports of a `RoleEvent`, in their order.
public struct RoleReports<Payload: Sendable>: AsyncSequence, Sendable {
  fileprivate let values: ReportSource
  fileprivate let payload: Record<Payload>
  fileprivate let name: String

  /// Begins with the earliest report that was not given.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: values, payload: payload, name: name)
  }

  /// Gives one report after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: ReportSource
    fileprivate let payload: Record<Payload>
    fileprivate let name: String

    /// The next report; nil at the end.
    ///
    /// - Throws: `ComponentError` with `unexpected` for a payload that the record's types refuse.
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

/// What a component uses of another one, as a plugin lists it: a `RoleCall` or a `RoleEvent` alone.
public protocol DeclaredRoleUse: Sendable {
  /// What the role must offer. Read once, when the registry is made.
  var requirement: RoleRequirement { get }
}

/// What the component in a role must offer, without its Swift types.
///
/// A class, since every call of a component passes one on.
public final class RoleRequirement: Sendable {
  /// What can be used.
  public enum Kind: Sendable {
    /// It is called.
    case operation
    /// It is reported.
    case event
  }

  /// What it is.
  public let kind: Kind
  /// The role.
  public let role: Role
  /// The name of the operation or event.
  public let member: String
  /// The fields of the input that are given; none for an event.
  public let input: RecordType
  /// The fields of the answer or the payload that are read.
  public let output: RecordType
  /// The codes that the caller handles.
  public let errors: [ErrorCode]

  /// `store.subtract`.
  package let name: String

  init(
    kind: Kind, role: Role, member: String, input: RecordType, output: RecordType,
    errors: [ErrorCode]
  ) {
    (self.kind, self.role, self.member) = (kind, role, member)
    (self.input, self.output, self.errors) = (input, output, errors)
    name = "\(role.name).\(member)"
  }

  /// Whether a call in an address is one of this, with a label or without.
  package func isName(of call: Address.Call) -> Bool {
    call.name == name || call.name.hasPrefix(name + ".")
  }
}

/// What a component reads of an event of one of its roles.
package struct ReportSource: Sendable {
  /// Waits for the next report; nil at the end, and for a task that is cancelled.
  let next: @Sendable () async -> Value?

  /// Reports as a closure gives them.
  package init(next: @escaping @Sendable () async -> Value?) { self.next = next }
}

/// The components that a scenario has handed to another one.
package struct FilledRoles: Sendable {
  /// Makes a call for what is called at an address, under a name: the requirement's, and the label that the call has.
  ///
  /// The answer has the requirement's type.
  package typealias Ask = @Sendable (Address, RoleRequirement, String, Value) async throws -> Value

  /// The roles that are filled.
  package let filled: Set<String>
  /// Makes a call of the component in a role.
  package let ask: Ask
  /// What components in roles report, by the names of the requirements.
  let reports: [String: ReportSource]
  /// Called before a task of this address begins, which may call.
  let begin: @Sendable (Address) -> Void
  /// Called when it has ended.
  let end: @Sendable (Address) -> Void

  /// Roles that are filled by what `ask` calls; `begin` and `end` are called around a task that may call.
  package init(
    _ filled: Set<String>, reports: [String: ReportSource] = [:],
    begin: @escaping @Sendable (Address) -> Void = { _ in },
    end: @escaping @Sendable (Address) -> Void = { _ in }, ask: @escaping Ask
  ) {
    self.filled = filled
    self.reports = reports
    self.begin = begin
    self.end = end
    self.ask = ask
  }

  /// No roles.
  package init() {
    self.init([]) { _, requirement, _, _ in
      throw ComponentError(.unexpected, "the role '\(requirement.role.name)' is not filled")
    }
  }
}
