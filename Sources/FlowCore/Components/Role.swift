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
    return RoleCall(self, operation, type, output, errors) { (input: repeat each Input) in
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
    RoleCall(self, operation, input.type, output, errors) { input.encode($0) }
  }

  /// Whether the scenario has filled it for the component that this is the context of.
  public func isFilled(in context: Context) -> Bool {
    context.isFilled(name)
  }
}

/// A call that a component makes of the component in one of its roles.
public struct RoleCall<Output: Sendable, each Input: Sendable>: DeclaredRoleCall {
  /// What the role must offer.
  public let requirement: RoleRequirement
  private let encode: @Sendable (repeat each Input) -> Value
  private let output: Record<Output>

  init(
    _ role: Role, _ operation: String, _ input: RecordType, _ output: Record<Output>,
    _ errors: [ErrorCode], encode: @escaping @Sendable (repeat each Input) -> Value
  ) {
    requirement = RoleRequirement(
      role: role, operation: operation, input: input, output: output.type, errors: errors)
    self.encode = encode
    self.output = output
  }

  /// Makes the call, as a part of the call whose context this is.
  ///
  /// It is recorded with the input and the answer, and is cancelled with its caller.
  ///
  /// - Throws: `ComponentError` with the code that the component answered with, which is a declared one or
  ///   `unexpected`; `CancellationError`.
  public func callAsFunction(_ input: repeat each Input, in context: Context) async throws -> Output
  {
    let answer = try await context.ask(requirement, encode(repeat each input))
    do {
      return try output.decode(answer)
    } catch {
      throw ComponentError(
        .unexpected, "the answer of '\(requirement.name)' cannot be read: \(error)")
    }
  }
}

/// A call of any type, as a plugin lists it: a `RoleCall` alone.
public protocol DeclaredRoleCall: Sendable {
  /// What the role must offer. Read once, when the registry is made.
  var requirement: RoleRequirement { get }
}

/// An operation that the component in a role must offer, without its Swift types.
public struct RoleRequirement: Sendable {
  /// The role.
  public let role: Role
  /// The operation's name.
  public let operation: String
  /// The fields of the input that are given.
  public let input: RecordType
  /// The fields of the answer that are read.
  public let output: RecordType
  /// The codes that the caller handles.
  public let errors: [ErrorCode]

  /// `store.subtract`.
  package var name: String { "\(role.name).\(operation)" }
}

/// The components that a scenario has handed to another one.
package struct FilledRoles: Sendable {
  /// Makes a call for what is called at an address; the answer has the requirement's type.
  package typealias Ask = @Sendable (Address, RoleRequirement, Value) async throws -> Value

  /// The roles that are filled.
  package let filled: Set<String>
  /// Makes a call of the component in a role.
  package let ask: Ask
  /// Called before a task of this address begins, which may call.
  let begin: @Sendable (Address) -> Void
  /// Called when it has ended.
  let end: @Sendable (Address) -> Void

  /// Roles that are filled by what `ask` calls; `begin` and `end` are called around a task that may call.
  package init(
    _ filled: Set<String>, begin: @escaping @Sendable (Address) -> Void = { _ in },
    end: @escaping @Sendable (Address) -> Void = { _ in }, ask: @escaping Ask
  ) {
    self.filled = filled
    self.begin = begin
    self.end = end
    self.ask = ask
  }

  /// No roles.
  package init() {
    self.init([]) { _, requirement, _ in
      throw ComponentError(.unexpected, "the role '\(requirement.role.name)' is not filled")
    }
  }
}
