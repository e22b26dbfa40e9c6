/// A kind of plugin that a project declares by data, in `plugins` of its flow.yaml.
///
///     plugins:
///       clock: {mcp: [python3, -m, mcp_server_time], state: none}
///
/// The family makes a plugin of each declaration. It knows the operations from the plugin's entry in
/// flow.lock, which `flow plugin lock` writes, so nothing has to be started to check a scenario.
public protocol PluginFamily: Sendable {
  /// The fields of a declaration.
  associatedtype Declaration: Sendable
  /// The components of the family's plugins.
  associatedtype Instance: PluginInstance

  /// The key by which a declaration is recognised, the name of one of its fields.
  static var key: String { get }

  /// The fields of a declaration.
  static var declaration: Record<Declaration> { get }

  /// Throws the problem of a declaration, as far as it can be found without its program.
  ///
  /// Called by all commands that read flow.yaml.
  static func check(_ declaration: Declaration) throws

  /// Creates a plugin from its declaration and from its entry in flow.lock.
  ///
  /// Called when a scenario names the plugin, offline.
  ///
  /// - Throws: Any error whose description names the problem of the entry.
  static func plugin(
    _ declared: DeclaredPlugin<Declaration>, lock entry: Value
  ) throws -> Plugin<Instance>

  /// Returns the entry for flow.lock, from the running program.
  ///
  /// Called by `flow plugin lock`, with the project's folder as the directory of the context.
  ///
  /// - Throws: Any error whose description names the problem.
  static func describe(
    _ declared: DeclaredPlugin<Declaration>, _ context: Context
  ) async throws -> Value
}

/// A plugin as a project declares it.
public struct DeclaredPlugin<Declaration: Sendable>: Sendable {
  /// The name in `plugin:`.
  public let name: String
  /// The fields of the declaration.
  public let declaration: Declaration
  /// The folder of flow.yaml.
  public let folder: Directory

  /// Creates a declared plugin.
  public init(name: String, declaration: Declaration, folder: Directory) {
    self.name = name
    self.declaration = declaration
    self.folder = folder
  }
}

/// A family's type, erased.
package struct RegisteredFamily: Sendable {
  package let key: String
  /// Throws the problem of a declaration.
  package let check: @Sendable (Value) throws -> Void
  // Read on first use: few projects declare plugins.
  private let fields: @Sendable () -> RecordType
  private let make: @Sendable (String, Value, Directory, Value) throws -> RegisteredPlugin
  private let read: @Sendable (String, Value, Directory, Context) async throws -> Value

  init<Family: PluginFamily>(_ family: Family.Type) {
    key = family.key
    fields = { family.declaration.type }
    check = { try family.check(family.declaration.decode($0)) }
    make = { name, value, folder, entry in
      RegisteredPlugin(
        erasing: try family.plugin(Self.declared(family, name, value, folder), lock: entry))
    }
    read = { name, value, folder, context in
      try await family.describe(Self.declared(family, name, value, folder), context)
    }
  }

  /// The fields of a declaration.
  package var declaration: RecordType { fields() }

  private static func declared<Family: PluginFamily>(
    _ family: Family.Type, _ name: String, _ value: Value, _ folder: Directory
  ) throws -> DeclaredPlugin<Family.Declaration> {
    DeclaredPlugin(
      name: name, declaration: try family.declaration.decode(value), folder: folder)
  }

  /// Creates the plugin of a declaration from its entry in flow.lock.
  ///
  /// - Throws: `RegistryError`, `DecodeError`, or the family's own error.
  package func plugin(
    _ name: String, _ declaration: Value, in folder: Directory, lock entry: Value
  ) throws -> RegisteredPlugin {
    let plugin = try make(name, declaration, folder, entry)
    try plugin.validate()
    return plugin
  }

  /// Returns the entry of a declaration for flow.lock.
  package func describe(
    _ name: String, _ declaration: Value, in folder: Directory, _ context: Context
  ) async throws -> Value {
    try await read(name, declaration, folder, context)
  }
}
