/// Something that scenarios can talk to: a model, a service, a screen, a tool.
///
/// Conform an actor (or a struct, or a final class that is `Sendable`), and name it in the list of
/// the executable's `Registry`. What the protocol asks for:
///
/// 1. Everything it does is an operation; every failure a scenario may meet is a declared code.
/// 2. It sleeps, draws random numbers, reads the date and starts tasks through its `Context` only, and does what goes on
///    outside of the run's time, such as a request, in `Context.outside`.
/// 3. Nothing outlives it: what it opened is closed by `close`.
public protocol Component: Sendable {
  /// Everything that a scenario sees of it, and how it is opened. Read once.
  static var plugin: Plugin<Self> { get }

  /// The name of the plugin, which is what its declaration says unless the type gives it here.
  ///
  /// A type that does, and uses it in its declaration, is declared only when a scenario uses it: `flow` starts faster
  /// then.
  static var pluginName: String { get }

  /// Closes what the component has opened.
  ///
  /// Called once at the end of the run, or of the scenario that the component belongs to, after the tasks that
  /// it started have ended; also after a failure, and after a cancellation, which does not reach it. Not called for an
  /// object that a test brings along. Does nothing by default.
  func close() async
}

extension Component {
  /// The name that the plugin declares.
  public static var pluginName: String { plugin.description.name }

  /// Nothing is open.
  public func close() async {}
}

/// Where a component keeps its state, which resuming a run needs to know.
///
/// A wrong one repeats or loses effects when a run is resumed.
public enum ComponentState: String, Sendable {
  /// Nothing is kept from one operation to the next.
  case none
  /// In memory: gone with the process, rebuilt by repeating its recorded calls.
  case memory
  /// Outside of the process: a file, a server, a device.
  case external
}

/// The declaration of a component: what a scenario sees of it, and how it is opened.
///
///     public actor Counter: Component {
///       public static let plugin = Plugin(
///         "counter", version: "1.0", "Counts up to a limit.", state: .memory,
///         settings: Parameter<Int>("limit", "The greatest count.", default: 10),
///         events: [reached],
///         operations: [
///           Operation(
///             "add", "Counts on.", Parameter<Int>("amount", "How far to count on.", default: 1),
///             answers: count, errors: [.negative, .full]
///           ) { counter, context, amount in try await counter.add(amount, context) }
///         ]
///       ) { _, limit in Counter(limit: limit) }
///     }
public struct Plugin<Owner: Component>: Sendable {
  package let description: PluginDescription
  package let settings: RecordType
  package let roles: [RoleRequirement]
  package let events: [EventDescription]
  package let operations: [Operation<Owner>]
  let state: @Sendable (Value) throws -> ComponentState
  private(set) var check: @Sendable (Value) throws -> Void = { _ in }
  private(set) var reaches: @Sendable (Value) throws -> Set<Reach>
  let open: @Sendable (Value, Context) async throws -> Owner

  /// A component whose settings are parameters of `open`.
  ///
  /// - Parameters:
  ///   - name: The name in `plugin:`, lower case.
  ///   - version: The plugin's version, compared with a transcript's.
  ///   - summary: What it does, one sentence.
  ///   - state: Where its state lives, whatever the settings.
  ///   - reaches: What it reaches outside of flow, at the most; nothing unless said. A run can forbid it, and what is
  ///     not declared is not given: without `.files`, `Context.directory` refuses every path.
  ///   - setting: The fields of `with:`, in the order of the parameters of `open`.
  ///   - uses: What it calls and follows of other components, which scenarios hand over in `using:`.
  ///   - events: What it may report by itself, in the order `flow list` prints.
  ///   - operations: What scenarios can ask of it, in the order `flow list` prints.
  ///   - open: Called once a run for each declaration in `components:`, in file order, before the first step;
  ///     throwing fails the run.
  public init<each Setting: FieldValue>(
    _ name: String, version: String, _ summary: String, state: ComponentState,
    reaches: Set<Reach> = [], settings setting: repeat Parameter<each Setting>,
    uses: [any DeclaredRoleUse] = [], events: [any DeclaredEvent] = [],
    operations: [Operation<Owner>],
    open: @escaping @Sendable (Context, repeat each Setting) async throws -> Owner
  ) {
    let type = RecordType(repeat each setting)
    self.init(
      PluginDescription(
        name: name, version: version, summary: summary, state: state, reaches: reaches),
      settings: type,
      uses: uses, events: events, operations: operations
    ) { value in
      _ = try FieldReader(value, as: type)
      return state
    } open: { value, context in
      var reader = try FieldReader(value, as: type)
      return try await open(context, repeat try reader.next((each Setting).self))
    }
  }

  /// A component whose settings decide where its state lives; the rest as above.
  ///
  /// `state` says where the state of a component with these settings lives. Called when it is opened in a run that has
  /// a journal, or that is resumed.
  public init<each Setting: FieldValue>(
    _ name: String, version: String, _ summary: String,
    state: @escaping @Sendable (repeat each Setting) -> ComponentState,
    reaches: Set<Reach> = [], settings setting: repeat Parameter<each Setting>,
    uses: [any DeclaredRoleUse] = [], events: [any DeclaredEvent] = [],
    operations: [Operation<Owner>],
    open: @escaping @Sendable (Context, repeat each Setting) async throws -> Owner
  ) {
    let type = RecordType(repeat each setting)
    self.init(
      PluginDescription(
        name: name, version: version, summary: summary, state: nil, reaches: reaches),
      settings: type,
      uses: uses, events: events, operations: operations
    ) { value in
      var reader = try FieldReader(value, as: type)
      return state(repeat try reader.next((each Setting).self))
    } open: { value, context in
      var reader = try FieldReader(value, as: type)
      return try await open(context, repeat try reader.next((each Setting).self))
    }
  }

  /// A component with more settings than a closure reads well with: a record of them; the rest as above.
  public init<Settings: Sendable>(
    _ name: String, version: String, _ summary: String, state: ComponentState,
    reaches: Set<Reach> = [], settings: Record<Settings>, uses: [any DeclaredRoleUse] = [],
    events: [any DeclaredEvent] = [], operations: [Operation<Owner>],
    open: @escaping @Sendable (Context, Settings) async throws -> Owner
  ) {
    self.init(
      PluginDescription(
        name: name, version: version, summary: summary, state: state, reaches: reaches),
      settings: settings.type, uses: uses, events: events, operations: operations
    ) { value in
      _ = try settings.decode(value)
      return state
    } open: { value, context in
      try await open(context, try settings.decode(value))
    }
  }

  /// A component with a record of settings, which decide where its state lives; the rest as above.
  public init<Settings: Sendable>(
    _ name: String, version: String, _ summary: String,
    state: @escaping @Sendable (Settings) -> ComponentState, reaches: Set<Reach> = [],
    settings: Record<Settings>, uses: [any DeclaredRoleUse] = [],
    events: [any DeclaredEvent] = [], operations: [Operation<Owner>],
    open: @escaping @Sendable (Context, Settings) async throws -> Owner
  ) {
    self.init(
      PluginDescription(
        name: name, version: version, summary: summary, state: nil, reaches: reaches),
      settings: settings.type, uses: uses, events: events, operations: operations
    ) { value in
      state(try settings.decode(value))
    } open: { value, context in
      try await open(context, try settings.decode(value))
    }
  }

  private init(
    _ description: PluginDescription, settings: RecordType, uses: [any DeclaredRoleUse],
    events: [any DeclaredEvent], operations: [Operation<Owner>],
    state: @escaping @Sendable (Value) throws -> ComponentState,
    open: @escaping @Sendable (Value, Context) async throws -> Owner
  ) {
    self.description = description
    self.settings = settings
    roles = uses.map(\.requirement)
    self.events = events.map(\.description)
    self.operations = operations
    self.state = state
    reaches = { _ in description.reaches }
    self.open = open
  }
}

extension Plugin {
  /// The same plugin, with a check of settings that needs no component; throwing says what is wrong with them.
  ///
  /// `flow check` calls it for settings without expressions that depend on the run, and `open` comes only after it. The
  /// parameters are those of `open`, without the context.
  ///
  /// - Precondition: the parameters have the types of the settings, in their order.
  public func checking<each Setting: FieldValue>(
    _ check: @escaping @Sendable (repeat each Setting) throws -> Void
  ) -> Plugin {
    expectSettings(repeat (each Setting).self)
    return checking(erased: { [settings] value in
      var reader = try FieldReader(value, as: settings)
      try check(repeat try reader.next((each Setting).self))
    })
  }

  /// The same for a record of settings.
  public func checking<Settings: Sendable>(
    _ settings: Record<Settings>, _ check: @escaping @Sendable (Settings) throws -> Void
  ) -> Plugin {
    checking(erased: { value in try check(try settings.decode(value)) })
  }

  /// The same plugin, whose settings decide what of the declared kinds its components reach.
  ///
  /// What they do not reach then is not given to them, and a run that forbids it can open them.
  ///
  /// - Precondition: the parameters have the types of the settings, in their order.
  public func reaching<each Setting: FieldValue>(
    _ reaches: @escaping @Sendable (repeat each Setting) -> Set<Reach>
  ) -> Plugin {
    expectSettings(repeat (each Setting).self)
    return reaching(erased: { [settings] value in
      var reader = try FieldReader(value, as: settings)
      return reaches(repeat try reader.next((each Setting).self))
    })
  }

  /// The same for a record of settings.
  public func reaching<Settings: Sendable>(
    _ settings: Record<Settings>, _ reaches: @escaping @Sendable (Settings) -> Set<Reach>
  ) -> Plugin {
    reaching(erased: { value in reaches(try settings.decode(value)) })
  }

  private func checking(erased check: @escaping @Sendable (Value) throws -> Void) -> Plugin {
    var copy = self
    copy.check = check
    return copy
  }

  private func reaching(
    erased reaches: @escaping @Sendable (Value) throws -> Set<Reach>
  ) -> Plugin {
    var copy = self
    copy.reaches = { [description] in try reaches($0).intersection(description.reaches) }
    return copy
  }

  private func expectSettings<each Setting: FieldValue>(_ type: repeat (each Setting).Type) {
    var types: [ValueType] = []
    repeat types.append((each type).valueType)
    precondition(
      types == settings.fields.map(\.type),
      "the plugin '\(description.name)' has the settings \(settings.fields.map(\.type)), not \(types)"
    )
  }
}

/// What a plugin is called.
public struct PluginDescription: Sendable {
  /// The name in `plugin:` and `uses:`, lower case.
  public let name: String
  /// The plugin's version, compared with a transcript's.
  public let version: String
  /// What it does, one sentence.
  public let summary: String
  /// Where its state lives; nil where the settings decide that.
  public let state: ComponentState?
  /// What it reaches outside of flow, at the most.
  public let reaches: Set<Reach>
}
