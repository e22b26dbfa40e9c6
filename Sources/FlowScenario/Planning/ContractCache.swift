internal import FlowCore
private import Synchronization

/// The plugins and the descriptions that a loader has read, shared by all of its scenarios.
struct LoaderKnowledge: Sendable {
  let plugins: KnownPlugins
  let contracts = ContractCache()
}

/// The rules of descriptions that a loader has read.
///
/// All scenarios of a folder usually name one description, and a large one takes a while to read.
final class ContractCache: Sendable {
  private struct Key: Hashable {
    let plugin: String
    /// The folder of the file whose settings name the description.
    let folder: String
    let settings: KnownFields
  }

  private let known = Mutex<[Key: any CallContract]>([:])

  /// Returns the rules that a plugin reads by settings, or nil if these name no description, and
  /// true if they were read now.
  ///
  /// Throws the errors of the plugin.
  func contract(
    of plugin: RegisteredPlugin, _ settings: KnownFields, in folder: String,
    reading read: @escaping (String) throws -> Document
  ) throws -> (rules: any CallContract, isNew: Bool)? {
    guard let reader = plugin.contractReader else { return nil }
    let key = Key(plugin: plugin.plugin.name, folder: folder, settings: settings)
    if let contract = known.withLock({ $0[key] }) { return (contract, false) }
    // Outside of the lock: two tasks may read one description, and others go on.
    guard let contract = try reader(settings, read) else { return nil }
    known.withLock { $0[key] = contract }
    return (contract, true)
  }
}
