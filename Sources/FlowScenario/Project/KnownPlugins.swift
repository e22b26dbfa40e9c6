package import FlowCore
internal import FlowPlan
internal import FlowSystem
private import Synchronization

/// The plugins that scenarios can name: those of the registry, and those of their projects.
///
/// A project's `flow.yaml` and `flow.lock` are read when a scenario names a plugin that is not in
/// the registry, each once.
package final class KnownPlugins: Sendable {
  /// The plugins of all projects.
  package let registry: Registry
  private let projects = Mutex<[String: ProjectPlugins]>([:])

  /// Creates the plugins for one loading.
  package init(_ registry: Registry) { self.registry = registry }

  /// The plugin of this name, in a file, or nil.
  ///
  /// - Throws: `PluginError` for a plugin that cannot be used.
  func plugin(_ name: String, in file: String) throws(PluginError) -> RegisteredPlugin? {
    do throws(RegistryError) {
      if let plugin = try registry.plugin(named: name) { return plugin }
    } catch {
      throw PluginError(message: "\(error)")
    }
    return try project(of: file)?.plugin(name, registry)
  }

  /// The names of all plugins that a file can use.
  func names(in file: String) -> [String] {
    // A project file with mistakes was reported.
    let project = (try? project(of: file)) ?? nil
    return registry.names + (project?.names ?? [])
  }

  /// The plugins of the project in a folder or around it, in the order of its file.
  ///
  /// - Throws: `PluginError` for the first plugin that cannot be used.
  package func declaredPlugins(around folder: String) throws(PluginError) -> [RegisteredPlugin] {
    var plugins: [RegisteredPlugin] = []
    guard let project = try project(around: folder) else { return [] }
    for name in project.names {
      if let plugin = try project.plugin(name, registry) { plugins.append(plugin) }
    }
    return plugins
  }

  /// The usable plugins of the project in a folder or around it, in the order of its file, and the
  /// problems of the others.
  ///
  /// - Throws: `PluginError` for a project file or a lock file that cannot be read.
  package func usablePlugins(
    around folder: String
  ) throws(PluginError) -> (plugins: [RegisteredPlugin], problems: [PluginError]) {
    var (plugins, problems): ([RegisteredPlugin], [PluginError]) = ([], [])
    guard let project = try project(around: folder) else { return ([], []) }
    for name in project.names {
      do throws(PluginError) {
        if let plugin = try project.plugin(name, registry) { plugins.append(plugin) }
      } catch {
        problems.append(error)
      }
    }
    return (plugins, problems)
  }

  /// The plugin of the project in a folder or around it, or nil if it declares none of this name.
  ///
  /// - Throws: `PluginError` for a plugin that cannot be used.
  package func declaredPlugin(
    _ name: String, around folder: String
  ) throws(PluginError) -> RegisteredPlugin? {
    try project(around: folder)?.plugin(name, registry)
  }

  private func project(of file: String) throws(PluginError) -> ProjectPlugins? {
    let folder = file.folder
    return try project(around: folder.isEmpty ? "." : folder)
  }

  private func project(around folder: String) throws(PluginError) -> ProjectPlugins? {
    if registry.familyKeys.isEmpty { return nil }
    return try projects.withLock { projects throws(PluginError) in
      if let known = projects[folder] { return known }
      guard let project = try ProjectPlugins(around: folder, registry) else { return nil }
      projects[folder] = project
      return project
    }
  }
}

/// The declared plugins of one project.
private final class ProjectPlugins: Sendable {
  private let folder: String
  private let declarations: [ProjectFile.PluginDeclaration]
  private let lock: LockFile?

  init?(around folder: String, _ registry: Registry) throws(PluginError) {
    do throws(ScenarioError) {
      guard let path = try ProjectFile.path(around: folder) else { return nil }
      self.folder = Path.folder(of: path)
      let file = try ProjectFile(reading: Path.shown(path), registry: registry)
      declarations = file.plugins
    } catch {
      throw PluginError(error)
    }
    do throws(LockFileError) {
      lock = declarations.isEmpty ? nil : try LockFile(inFolder: self.folder)
    } catch {
      throw PluginError(message: error.message, code: .unlockedPlugin)
    }
  }

  var names: [String] { declarations.map(\.name.value) }

  func plugin(_ name: String, _ registry: Registry) throws(PluginError) -> RegisteredPlugin? {
    guard let declaration = declarations.first(where: { $0.name.value == name }),
      let family = registry.family(declaration.family)
    else { return nil }
    guard let entry = lock?.entries[name] else { throw .unlocked(name) }
    do {
      return try family.plugin(name, declaration.fields, in: Directory(folder), lock: entry)
        .limited(to: registry.network)
    } catch {
      throw .unusable(name, "\(error)")
    }
  }
}
