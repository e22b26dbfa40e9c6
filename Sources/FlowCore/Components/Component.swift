/// A subject of scenarios: a model, a service, a screen, a tool.
///
/// Conform an actor, a struct, or a final class that is `Sendable`, and name it in the list of the
/// executable's `Registry`. The rules of the protocol:
///
/// 1. Everything it does is an operation. Every failure a scenario may meet is a declared code.
/// 2. It sleeps, draws random numbers, reads the date and starts tasks only through its `Context`.
///    Work outside the run's time, such as a request, goes into `Context.outside`.
/// 3. Nothing outlives it: `close` closes everything that it opened.
public protocol Component: PluginInstance {
  /// The declaration of everything that a scenario sees of it, and of its opening.
  ///
  /// Read once.
  static var plugin: Plugin<Self> { get }

  /// The name of the plugin, by default that of the declaration.
  ///
  /// A type that states it here, and uses it in its declaration, is declared only when a scenario
  /// uses it. This makes `flow` start faster.
  static var pluginName: String { get }

  /// Loads what its components will need, such as libraries of the system.
  ///
  /// Called on another thread while a scenario that names the plugin and will run is still read. A
  /// problem is that of the opening of a component, which finds it again. Does nothing by default.
  static func load()
}

extension Component {
  /// Does nothing by default.
  public static func load() {}

  /// The name that the plugin declares.
  public static var pluginName: String { plugin.description.name }
}

/// An open component, of a type with a plugin of its own or of a family's plugin.
public protocol PluginInstance: Sendable {
  /// Returns what helps to explain a failed step, such as a picture of a page, or nil.
  ///
  /// Called after a step's call has failed, before the next step, if a report shows values. It is not
  /// recorded: through this context, calls of roles reach live components alone. It has ten seconds,
  /// and is cancelled then. Returns nil by default.
  func evidence(_ context: Context) async -> Value?

  /// Notes the failures that nothing has noticed yet, such as the end of a program a moment ago.
  ///
  /// Called once at the end of the run, or of the component's scenario, before any component of it
  /// is closed: what happens from then on may be a consequence of closing. It is also called after a
  /// failure and after a cancellation, which does not reach it. It is not called for an object
  /// provided by a test. Does nothing by default.
  func prepareToClose() async

  /// Closes everything opened by the component.
  ///
  /// Called once at the end of the run, or of the component's scenario, after its tasks have ended.
  /// It is also called after a failure and after a cancellation, which does not reach it. It is not
  /// called for an object provided by a test. Does nothing by default.
  func close() async
}

extension PluginInstance {
  /// Nil by default.
  public func evidence(_ context: Context) async -> Value? { nil }

  /// Does nothing by default.
  public func prepareToClose() async {}

  /// Does nothing by default.
  public func close() async {}
}

/// Reads the rules for a component's calls from files that its settings name.
package typealias ContractReader =
  @Sendable (
    _ settings: KnownFields, _ read: @escaping (String) throws -> Document
  ) throws -> (any CallContract)?

/// Finds the properties of a component that follow from its settings.
package typealias TraitsReader =
  @Sendable (_ settings: KnownFields, _ sources: TraitSources) throws -> ComponentTraits?

/// The place of a component's state, which determines how a run is resumed.
///
/// A wrong one repeats or loses effects when a run is resumed.
public enum ComponentState: String, Sendable {
  /// No state is kept from one operation to the next.
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
///         settings: Parameter<Int>("limit", "The maximum count.", default: 10),
///         events: [reached],
///         operations: [
///           Operation(
///             "add", "Adds to the count.", Parameter<Int>("amount", "The number to add.", default: 1),
///             answers: count, errors: [.negative, .full]
///           ) { counter, context, amount in try await counter.add(amount, context) }
///         ]
///       ) { _, limit in Counter(limit: limit) }
///     }
public struct Plugin<Owner: PluginInstance>: Sendable {
  package private(set) var description: PluginDescription
  package let settings: RecordType
  package let roles: [RoleRequirement]
  package let events: [EventDescription]
  package let operations: [Operation<Owner>]
  let state: @Sendable (Value) throws -> ComponentState
  private(set) var check: @Sendable (Value) throws -> Void = { _ in }
  private(set) var reaches: @Sendable (Value) throws -> Set<Reach>
  private(set) var contract: ContractReader?
  private(set) var contractSetting: @Sendable (KnownFields, String) -> String = { _, _ in "contract"
  }
  private(set) var traits: TraitsReader?
  let open: @Sendable (Value, Context) async throws -> Owner

  /// Declares a component whose settings are parameters of `open`.
  ///
  /// - Parameters:
  ///   - name: The name in `plugin:`, lower case.
  ///   - version: The plugin's version, compared with that in a transcript.
  ///   - summary: Its purpose, one sentence.
  ///   - state: The place of its state, whatever the settings.
  ///   - reaches: Everything that it reaches outside flow, nothing by default. A run can forbid it.
  ///     Anything undeclared is denied: without `.files`, `Context.directory` refuses every path.
  ///   - setting: The fields of `with:`, in the order of the parameters of `open`.
  ///   - uses: The calls and events of other components, which scenarios hand over in `using:`.
  ///   - events: The events that it may report, in the order `flow list` prints.
  ///   - operations: The operations for scenarios, in the order `flow list` prints.
  ///   - open: Called once a run for each declaration in `components:`, in file order, before the
  ///     first step. An error fails the run.
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

  /// Declares a component whose settings determine the place of its state, otherwise as above.
  ///
  /// `state` returns the place for settings. Called when the component is opened in a run with a
  /// journal, or in a resumed one.
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

  /// Declares a component with a record of settings, for more settings than suit a closure,
  /// otherwise as above.
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

  /// Declares a component with a record of settings that determine the place of its state,
  /// otherwise as above.
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
  /// Returns the plugin with a check of settings that needs no component.
  ///
  /// An error names the problem.
  ///
  /// `flow check` calls it for settings whose values are known before the run, and a run calls it
  /// before `open`. The parameters are those of `open`, without the context.
  ///
  /// - Precondition: The parameters have the types of the settings, in their order.
  public func checking<each Setting: FieldValue>(
    _ check: @escaping @Sendable (repeat each Setting) throws -> Void
  ) -> Plugin {
    expectSettings(repeat (each Setting).self)
    return checking(erased: { [settings] value in
      var reader = try FieldReader(value, as: settings)
      try check(repeat try reader.next((each Setting).self))
    })
  }

  /// Returns the plugin with a check of its record of settings.
  public func checking<Settings: Sendable>(
    _ settings: Record<Settings>, _ check: @escaping @Sendable (Settings) throws -> Void
  ) -> Plugin {
    checking(erased: { value in try check(try settings.decode(value)) })
  }

  /// Returns the plugin with settings that determine which of its declared kinds its components
  /// reach.
  ///
  /// The other kinds are denied to such a component, and a run that forbids them can open it.
  ///
  /// - Precondition: The parameters have the types of the settings, in their order.
  public func reaching<each Setting: FieldValue>(
    _ reaches: @escaping @Sendable (repeat each Setting) -> Set<Reach>
  ) -> Plugin {
    expectSettings(repeat (each Setting).self)
    return reaching(erased: { [settings] value in
      var reader = try FieldReader(value, as: settings)
      return reaches(repeat try reader.next((each Setting).self))
    })
  }

  /// Returns the plugin with a record of settings that determines the reached kinds.
  public func reaching<Settings: Sendable>(
    _ settings: Record<Settings>, _ reaches: @escaping @Sendable (Settings) -> Set<Reach>
  ) -> Plugin {
    reaching(erased: { value in reaches(try settings.decode(value)) })
  }

  /// Returns the plugin with rules for the calls of its components, from files that the settings
  /// name.
  ///
  /// - Parameters:
  ///   - setting: Returns the name of the setting in which a description takes the place of that of
  ///     the settings, by its file. By default it is `contract`.
  ///   - contract: Returns the rules, or nil if the settings name no file. Called once for each
  ///     declaration, before the run, with the settings known then and a reader of YAML and JSON
  ///     files of the scenario's folder. An error names the problem, and refuses the scenario.
  /// - Returns: The plugin with the rules.
  public func contracted(
    in setting: @escaping @Sendable (_ settings: KnownFields, _ file: String) -> String = { _, _ in
      "contract"
    },
    by contract:
      @escaping @Sendable (
        _ settings: KnownFields, _ read: @escaping (String) throws -> Document
      ) throws -> (any CallContract)?
  ) -> Plugin {
    var copy = self
    copy.contract = contract
    copy.contractSetting = setting
    return copy
  }

  /// Returns the plugin with properties of its components that follow from their settings, such as
  /// those of an API that a preset describes.
  ///
  /// - Parameter traits: Returns the properties, or nil if the settings choose none. Called once for each
  ///   declaration, before the run, with the settings known then and the files that may have the
  ///   properties. An error names the problem, and refuses the scenario.
  /// - Returns: The plugin with the properties.
  public func characterized(
    by traits:
      @escaping @Sendable (
        _ settings: KnownFields, _ sources: TraitSources
      ) throws -> ComponentTraits?
  ) -> Plugin {
    var copy = self
    copy.traits = traits
    return copy
  }

  /// The plugin, declared as an example that imitates a real system.
  ///
  /// `flow list` and completions show it after the plugins for real systems.
  public var example: Plugin {
    var copy = self
    copy.description.isExample = true
    return copy
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

/// The name, version and purpose of a plugin.
public struct PluginDescription: Sendable {
  /// The name in `plugin:` and `uses:`, lower case.
  public let name: String
  /// The plugin's version, compared with a transcript's.
  public let version: String
  /// Its purpose, one sentence.
  public let summary: String
  /// The place of its state, or nil if the settings determine it.
  public let state: ComponentState?
  /// Everything that it reaches outside flow.
  public let reaches: Set<Reach>
  /// True for an example that imitates a real system.
  public internal(set) var isExample: Bool = false
}
