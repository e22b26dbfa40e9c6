internal import FlowSystem

/// The components that scenarios can use: one literal list in the executable.
///
///     let registry = try Registry([Balance.self, Catalog.self])
public struct Registry: Sendable {
  /// The plugins in the order of the list.
  package let plugins: [RegisteredPlugin]
  private let indices: [String: Int]

  /// Registers each type under its plugin's name.
  ///
  /// - Throws: `RegistryError` when two share a name, or a declaration cannot work.
  public init(_ components: [any Component.Type]) throws(RegistryError) {
    try self.init(plugins: components.map { RegisteredPlugin(erasing: $0) })
  }

  /// Registers plugins under their names.
  ///
  /// - Throws: `RegistryError` when two share a name, or a declaration cannot work.
  package init(plugins candidates: [RegisteredPlugin]) throws(RegistryError) {
    var plugins: [RegisteredPlugin] = []
    var indices: [String: Int] = [:]
    for plugin in candidates {
      if let other = indices[plugin.plugin.name] {
        throw .duplicatePlugin(plugin.plugin.name, plugins[other].typeName, plugin.typeName)
      }
      try plugin.validate()
      indices[plugin.plugin.name] = plugins.count
      plugins.append(plugin)
    }
    self.plugins = plugins
    self.indices = indices
  }

  /// The plugin of this name.
  package func plugin(named name: String) -> RegisteredPlugin? {
    indices[name].map { plugins[$0] }
  }
}

/// A list of components that cannot be registered.
public enum RegistryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two types have plugins of one name.
  case duplicatePlugin(String, String, String)
  /// A plugin, an operation, an event or a field has a name that scenarios cannot write.
  case invalidName(String, plugin: String)
  /// Two operations or two events of a plugin share a name.
  case duplicateName(String, plugin: String)
  /// An operation answers a field called `error`, which `expect` keeps for error codes.
  case reservedField(operation: String, plugin: String)
  /// A secret field is neither text nor optional text.
  case secretField(String, plugin: String)

  /// What is wrong, with the names of both parties.
  public var description: String {
    switch self {
    case .duplicatePlugin(let name, let first, let second):
      "two components are called '\(name)': \(first) and \(second)"
    case .invalidName(let name, let plugin):
      "the plugin '\(plugin)' declares the name '\(name.escaped)'; "
        + "names are a letter, then letters, digits, '_' and '-'"
    case .duplicateName(let name, let plugin):
      "the plugin '\(plugin)' declares '\(name)' twice"
    case .secretField(let field, let plugin):
      "the secret field '\(field)' of the plugin '\(plugin)' is no string"
    case .reservedField(let operation, let plugin):
      "'\(plugin).\(operation)' answers a field 'error', which is kept for error codes"
    }
  }
}
