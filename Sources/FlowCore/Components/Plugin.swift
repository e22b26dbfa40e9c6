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
  package let events: [EventDescription]
  package let operations: [Operation<Owner>]
  let state: @Sendable (Value) throws -> ComponentState
  let open: @Sendable (Value, Context) async throws -> Owner

  /// A component whose settings are parameters of `open`.
  ///
  /// - Parameters:
  ///   - name: The name in `plugin:`, lower case.
  ///   - version: The plugin's version, compared with a transcript's.
  ///   - summary: What it does, one sentence.
  ///   - state: Where its state lives, whatever the settings.
  ///   - setting: The fields of `with:`, in the order of the parameters of `open`.
  ///   - events: What it may report by itself, in the order `flow list` prints.
  ///   - operations: What scenarios can ask of it, in the order `flow list` prints.
  ///   - open: Called once a run for each declaration in `components:`, in file order, before the first step;
  ///     throwing fails the run.
  public init<each Setting: FieldValue>(
    _ name: String, version: String, _ summary: String, state: ComponentState,
    settings setting: repeat Parameter<each Setting>, events: [any DeclaredEvent] = [],
    operations: [Operation<Owner>],
    open: @escaping @Sendable (Context, repeat each Setting) async throws -> Owner
  ) {
    let type = RecordType(repeat each setting)
    self.init(
      PluginDescription(name: name, version: version, summary: summary, state: state), type,
      events, operations
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
    settings setting: repeat Parameter<each Setting>, events: [any DeclaredEvent] = [],
    operations: [Operation<Owner>],
    open: @escaping @Sendable (Context, repeat each Setting) async throws -> Owner
  ) {
    let type = RecordType(repeat each setting)
    self.init(
      PluginDescription(name: name, version: version, summary: summary, state: nil), type,
      events, operations
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
    settings: Record<Settings>, events: [any DeclaredEvent] = [],
    operations: [Operation<Owner>],
    open: @escaping @Sendable (Context, Settings) async throws -> Owner
  ) {
    self.init(
      PluginDescription(name: name, version: version, summary: summary, state: state),
      settings.type, events, operations
    ) { value in
      _ = try settings.decode(value)
      return state
    } open: { value, context in
      try await open(context, try settings.decode(value))
    }
  }

  private init(
    _ description: PluginDescription, _ settings: RecordType, _ events: [any DeclaredEvent],
    _ operations: [Operation<Owner>],
    state: @escaping @Sendable (Value) throws -> ComponentState,
    open: @escaping @Sendable (Value, Context) async throws -> Owner
  ) {
    self.description = description
    self.settings = settings
    self.events = events.map(\.description)
    self.operations = operations
    self.state = state
    self.open = open
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
}
