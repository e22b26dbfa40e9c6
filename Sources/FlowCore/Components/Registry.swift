internal import FlowSystem
private import Synchronization

/// The components that scenarios can use: one literal list in the executable.
///
///     let registry = try Registry([Balance.self, Catalog.self])
public struct Registry: Sendable {
  private let entries: [Entry]
  private let indices: [String: Int]
  private let families: [RegisteredFamily]
  package private(set) var network = Network.unlimited
  private var loading: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

  /// Registers each type under its plugin's name.
  ///
  /// - Parameters:
  ///   - components: The types of components.
  ///   - families: The kinds of plugins that a project can declare in its flow.yaml.
  /// - Throws: `RegistryError` when two share a name, or a declaration cannot work.
  public init(
    _ components: [any Component.Type], families: [any PluginFamily.Type] = []
  ) throws(RegistryError) {
    try self.init(onDemand: components, families: families)
    _ = try plugins
  }

  /// Registers each type under its plugin's name.
  ///
  /// A declaration is read on first use.
  ///
  /// - Throws: `RegistryError` if two share a name. Other problems of a declaration are thrown when
  ///   it is read.
  package init(
    onDemand components: [any Component.Type], families: [any PluginFamily.Type] = []
  ) throws(RegistryError) {
    try self.init(components.map { Entry(erasing: $0) }, families.map { RegisteredFamily($0) })
  }

  /// Registers plugins under their names.
  ///
  /// - Throws: `RegistryError` when two share a name, or a declaration cannot work.
  package init(
    plugins: [RegisteredPlugin], families: [any PluginFamily.Type] = []
  ) throws(RegistryError) {
    try self.init(plugins.map { Entry($0) }, families.map { RegisteredFamily($0) })
    _ = try self.plugins
  }

  private init(_ entries: [Entry], _ families: [RegisteredFamily]) throws(RegistryError) {
    self.families = families
    var indices: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      if let other = indices.updateValue(index, forKey: entry.name) {
        throw .duplicatePlugin(entry.name, entries[other].typeName, entry.typeName)
      }
    }
    self.entries = entries
    self.indices = indices
  }

  /// The keys of the families of plugins, in the order of the list.
  package var familyKeys: [String] { families.map(\.key) }

  /// Returns the family with a key, or nil.
  package func family(_ key: String) -> RegisteredFamily? { families.first { $0.key == key } }

  /// The names of the plugins, in the order of the list.
  package var names: [String] { entries.map(\.name) }

  /// The plugins in the order of the list.
  package var plugins: [RegisteredPlugin] {
    get throws(RegistryError) {
      var plugins: [RegisteredPlugin] = []
      for entry in entries { plugins.append(try entry.plugin.limited(to: network)) }
      return plugins
    }
  }

  /// The declared plugins, with the examples at the end.
  package var pluginsBeforeExamples: [RegisteredPlugin] {
    get throws(RegistryError) {
      let plugins = try plugins
      return plugins.filter { !$0.plugin.isExample } + plugins.filter(\.plugin.isExample)
    }
  }

  /// The plugin of this name.
  package func plugin(named name: String) throws(RegistryError) -> RegisteredPlugin? {
    guard let index = indices[name] else { return nil }
    return try entries[index].plugin(loading: loading).limited(to: network)
  }

  /// Returns the plugins with components that may connect only to these hosts, within their former
  /// ones.
  package func limited(to network: Network) -> Registry {
    var copy = self
    copy.network = self.network.limited(to: network)
    return copy
  }

  /// Returns the plugins, each of which loads what it needs by this function when it is first looked
  /// up.
  package func loading(
    by begin: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> Registry {
    var copy = self
    copy.loading = begin
    return copy
  }

  /// One component of the list, declared on first use.
  private final class Entry: Sendable {
    let name: String
    let typeName: String
    private let declare: @Sendable () -> RegisteredPlugin
    private let load: @Sendable () -> Void
    private let made: Mutex<Result<RegisteredPlugin, RegistryError>?>

    init<Concrete: Component>(erasing type: Concrete.Type) {
      name = type.pluginName
      typeName = "\(type)"
      declare = { RegisteredPlugin(erasing: type) }
      load = { type.load() }
      made = Mutex(nil)
    }

    init(_ plugin: RegisteredPlugin) {
      name = plugin.plugin.name
      typeName = plugin.typeName
      declare = { plugin }
      load = {}
      do throws(RegistryError) {
        try plugin.validate()
        made = Mutex(.success(plugin))
      } catch {
        made = Mutex(.failure(error))
      }
    }

    var plugin: RegisteredPlugin {
      get throws(RegistryError) { try plugin(loading: nil) }
    }

    /// Returns the plugin, which loads what it needs by a function before it is declared.
    func plugin(
      loading begin: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
    ) throws(RegistryError) -> RegisteredPlugin {
      try made.withLock { made in
        if let made { return made }
        begin?(load)
        let result = make()
        made = result
        return result
      }.get()
    }

    private func make() -> Result<RegisteredPlugin, RegistryError> {
      let plugin = declare()
      do throws(RegistryError) {
        if plugin.plugin.name != name { throw .otherName(name, plugin: plugin.plugin.name) }
        try plugin.validate()
        return .success(plugin)
      } catch {
        return .failure(error)
      }
    }
  }
}

/// The problem of a list of components that cannot be registered.
public enum RegistryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two types have plugins of one name.
  case duplicatePlugin(String, String, String)
  /// A plugin, an operation, an event, a field or an error has a name that scenarios cannot write.
  case invalidName(String, plugin: String)
  /// A type has another `pluginName` than its plugin.
  case otherName(String, plugin: String)
  /// Two operations or two events of a plugin, or two errors of an operation, share a name.
  case duplicateName(String, plugin: String)
  /// An operation answers with a field called `error`, which `expect` uses for error codes.
  case reservedField(operation: String, plugin: String)
  /// A secret field is neither text nor optional text.
  case secretField(String, plugin: String)

  /// The message, with the names of both parties.
  public var description: String {
    switch self {
    case .duplicatePlugin(let name, let first, let second):
      "two components are called '\(name)': \(first) and \(second)"
    case .invalidName(let name, let plugin):
      "the plugin '\(plugin)' declares the name '\(name.escaped)'; "
        + "a name is a letter, followed by letters, digits, '_' and '-'"
    case .otherName(let name, let plugin):
      "the plugin '\(plugin)' belongs to a type whose pluginName is '\(name)'"
    case .duplicateName(let name, let plugin):
      "the plugin '\(plugin)' declares '\(name)' twice"
    case .secretField(let field, let plugin):
      "the secret field '\(field)' of the plugin '\(plugin)' is not a string"
    case .reservedField(let operation, let plugin):
      "'\(plugin).\(operation)' answers a field 'error', which is kept for error codes"
    }
  }
}

/// A component's type, erased.
///
/// The one place where the engine meets a concrete component.
package struct RegisteredPlugin: Sendable {
  package let plugin: PluginDescription
  /// The name of the type of its components, for messages to programmers.
  let typeName: String
  package let settings: RecordType
  package private(set) var operations: [OperationDescription]
  /// The operations for steps: without those that pass on the requests of other programs.
  package var ownOperations: [OperationDescription] { operations.filter { !$0.passesOn } }
  package let events: [EventDescription]
  /// Its calls and events of other components.
  package let roles: [RoleRequirement]
  package private(set) var open: @Sendable (Value, Context) async throws -> LiveComponent
  /// The hosts that its components may connect to.
  package private(set) var network = Network.unlimited
  /// Returns the place of a component's state.
  ///
  /// Throws for unfit settings, as its opening does.
  package let state: @Sendable (Value) throws -> ComponentState
  /// Throws the problem of settings, as far as it can be found without a component.
  package let check: @Sendable (Value) throws -> Void
  /// Returns the kinds that a component with these settings reaches, of the declared ones.
  package let reaches: @Sendable (Value) throws -> Set<Reach>
  /// Reads the rules for the calls of a component, or nil if it has none.
  package let contractReader: ContractReader?
  /// Returns the setting in which a description takes the place of that of the settings.
  package let contractSetting: @Sendable (KnownFields, String) -> String
  /// Finds the properties that follow from the settings of a component, or nil if none do.
  package let traitsReader: TraitsReader?
  /// The properties that follow from the settings of a component.
  package private(set) var traits = ComponentTraits()
  /// The rules for the calls of a component, or nil if it has none.
  package private(set) var contract: (any CallContract)?
  /// The path of the rules' description from the main scenario's folder, or nil without rules.
  package private(set) var contractPath: String?
  private let operationIndices: [String: Int]

  /// Registers a type whose components are created when a scenario opens them.
  init<Concrete: Component>(erasing component: Concrete.Type) {
    self.init(erasing: Concrete.plugin)
  }

  /// Registers a plugin that exists only at run time, such as one of a family.
  init<Instance: PluginInstance>(erasing plugin: Plugin<Instance>) {
    self.init(Instance.self, plugin) { value, context in
      do {
        try plugin.check(value)
        let instance = try await plugin.open(value, context)
        return LiveComponent(owning: instance, plugin.operations)
      } catch let error as any CodedError where !(error is ComponentError) {
        throw ComponentError(error.code, "\(error)")
      }
    }
  }

  /// Registers an existing component as the one that a scenario opens.
  package init<Concrete: Component>(erasing instance: Concrete) {
    let plugin = Concrete.plugin
    self.init(Concrete.self, plugin) { value, _ in
      // Settings that do not fit are a mistake of the scenario, though they are not read here.
      _ = try plugin.state(value)
      return LiveComponent(instance, plugin.operations)
    }
  }

  /// Registers a substitute for a type's components with the same declaration.
  ///
  /// `answer` receives the operation, the input laid out by its type, and the call's context.
  package init<Concrete: Component>(
    standingInFor component: Concrete.Type,
    answer: @escaping @Sendable (OperationDescription, Value, Context) async throws -> Value
  ) {
    let plugin = Concrete.plugin
    self.init(component, plugin) { value, _ in
      _ = try plugin.state(value)
      return LiveComponent(
        calls: plugin.operations.map { operation in
          { input, context in try await answer(operation.description, input, context) }
        })
    }
  }

  private init<Instance: PluginInstance>(
    _ type: Instance.Type, _ plugin: Plugin<Instance>,
    open: @escaping @Sendable (Value, Context) async throws -> LiveComponent
  ) {
    self.plugin = plugin.description
    typeName = "\(type)"
    settings = plugin.settings
    operations = plugin.operations.map(\.description)
    events = plugin.events
    roles = plugin.roles
    operationIndices = Dictionary(
      operations.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    state = plugin.state
    check = plugin.check
    reaches = plugin.reaches
    contractReader = plugin.contract
    contractSetting = plugin.contractSetting
    traitsReader = plugin.traits
    self.open = open
  }

  /// Returns the plugin with rules for the calls of its components.
  ///
  /// The path of their description starts at the main scenario's folder.
  package func contracted(by contract: any CallContract, at path: String) -> RegisteredPlugin {
    var copy = self
    (copy.contract, copy.contractPath) = (contract, path)
    return copy
  }

  /// Returns the plugin with properties that follow from the settings of a component.
  package func characterized(by traits: ComponentTraits) -> RegisteredPlugin {
    var copy = self
    copy.traits = traits
    copy.operations = operations.map {
      $0.with(traits.lists[$0.name] ?? [], output: traits.outputs[$0.name])
    }
    return copy
  }

  /// Returns a new meter of the calls of a component, or nil if they have no quantities.
  package func newMeter() -> (any CallMeter)? { traits.meter?() ?? FieldMeter(operations) }

  /// Returns the plugin with another way to open its components.
  package func opened(
    by open: @escaping @Sendable (Value, Context) async throws -> LiveComponent
  ) -> RegisteredPlugin {
    var copy = self
    copy.open = open
    return copy
  }

  /// Returns the plugin with components that may connect only to these hosts, within their former
  /// ones.
  package func limited(to network: Network) -> RegisteredPlugin {
    var copy = self
    copy.network = self.network.limited(to: network)
    return copy
  }

  /// The position of an operation, from 0.
  package func operationIndex(_ name: String) -> Int? {
    operationIndices[name]
  }

  /// The requirements of all roles, with those under a name of the scenario's choice for each of
  /// these names.
  package func requirements(using names: [String]) -> [RoleRequirement] {
    let closed = roles.filter { !$0.role.isOpen }
    let known = Set(closed.map(\.role.name))
    return closed
      + names.filter { !known.contains($0) && Self.isValid($0) }.flatMap { name in
        roles.filter(\.role.isOpen).map { $0.named(name) }
      }
  }

  /// The requirement of a call that a component of the plugin makes, or nil for another call.
  package func requirement(of call: Address.Call) -> RoleRequirement? {
    let name = String(call.name.prefix { $0 != "." })
    return requirements(using: [name]).first { $0.isName(of: call) }
  }

  func validate() throws(RegistryError) {
    let names =
      [plugin.name] + operations.map(\.name) + operations.flatMap { $0.errors.map(\.name) }
      + events.map(\.name) + roles.flatMap { [$0.role.name, $0.member] }
    let records =
      operations.flatMap { [$0.input, $0.output] } + roles.flatMap { [$0.input, $0.output] }
      + [settings] + events.map(\.payload)
    for name in names + records.flatMap(Self.fields(in:)).map(\.name) where !Self.isValid(name) {
      throw .invalidName(name, plugin: plugin.name)
    }
    let codes = operations.map { $0.errors.map(\.name) }
    for group in [operations.map(\.name), events.map(\.name), roles.map(\.name)] + codes {
      var seen: Set<String> = []
      for name in group where !seen.insert(name).inserted {
        throw .duplicateName(name, plugin: plugin.name)
      }
    }
    for field in records.flatMap(Self.fields(in:)) where field.isSecret && !field.type.canBeSecret {
      throw .secretField(field.name, plugin: plugin.name)
    }
    for operation in operations where operation.output.index(of: "error") != nil {
      throw .reservedField(operation: operation.name, plugin: plugin.name)
    }
  }

  /// The fields of a record and of the records inside it.
  private static func fields(in record: RecordType) -> [RecordType.Field] {
    record.fields.flatMap { [$0] + fields(in: $0.type) }
  }

  private static func fields(in type: ValueType) -> [RecordType.Field] {
    switch type {
    case .record(let record): fields(in: record)
    case .list(let element), .map(let element), .optional(let element): fields(in: element)
    default: []
    }
  }

  /// Returns true for a name that scenarios can write.
  package static func isValid(_ name: String) -> Bool {
    name.utf8.first?.isLetter == true
      && name.utf8.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: "-") }
  }
}

/// An open component: its operations, in the order the plugin declares them, and how it is closed.
package struct LiveComponent: Sendable {
  package let calls: [@Sendable (Value, Context) async throws -> Value]
  package private(set) var evidence: @Sendable (Context) async -> Value? = { _ in nil }
  package private(set) var prepareToClose: @Sendable () async -> Void = {}
  package private(set) var close: @Sendable () async -> Void = {}
}

extension ValueType {
  /// True for a type whose values can be recognised in a text.
  fileprivate var canBeSecret: Bool { self == .string || self == .optional(.string) }
}

extension LiveComponent {
  fileprivate init<Instance: PluginInstance>(
    _ instance: Instance, _ operations: [Operation<Instance>]
  ) {
    self.init(
      calls: operations.map { operation in
        { input, context in try await operation.call(instance, input, context) }
      })
    evidence = { await instance.evidence($0) }
  }

  /// Creates a component that the run closes.
  fileprivate init<Instance: PluginInstance>(
    owning instance: Instance, _ operations: [Operation<Instance>]
  ) {
    self.init(instance, operations)
    prepareToClose = { await instance.prepareToClose() }
    close = { await instance.close() }
  }
}

extension RegisteredPlugin {
  /// The world of a component with these settings, as far as its plugin declares that it reaches it.
  package func granted(
    _ options: ContextServices.Options, settings: Value
  ) -> ContextServices.Options {
    var options = options
    // Unreadable settings open nothing.
    let reaches = (try? reaches(settings)) ?? []
    options.network = reaches.contains(.network) ? network : .none
    if !reaches.contains(.files) { options.directory = options.directory.closed }
    options.contract = contract
    return options
  }
}
