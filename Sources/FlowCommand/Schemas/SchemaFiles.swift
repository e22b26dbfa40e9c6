internal import FlowCore
internal import FlowScenario
internal import FlowSystem

/// The files with the schemas of a project, which the comments of its files name.
enum SchemaFiles {
  /// The paths in the project's folder.
  static let scenario = ".flow/scenario.schema.json"
  static let project = ".flow/project.schema.json"

  /// The start of the comment by which editors find the schema of a file.
  static let comment = "# yaml-language-server: $schema="

  /// Returns the comment for a file in a folder of the project, such as `Scenarios`.
  static func comment(_ schema: String, in folder: String = "") -> String {
    let levels = folder.split(separator: "/").count
    return comment + String(repeating: "../", count: levels) + schema
  }
}

extension CommandContext {
  /// Returns the schemas for the plugins of the project in a folder or around it, or nil after
  /// printing a problem.
  func schemas(around folder: String) -> FileSchemas? {
    do {
      let declared = try KnownPlugins(registry).usablePlugins(around: folder)
      note(declared.problems.map(\.message))
      let plugins = try registry.pluginsBeforeExamples + declared.plugins
      return FileSchemas(plugins, families: registry.familyKeys.compactMap(registry.family))
    } catch let error as PluginError {
      process.say(error.message.onOneLine)
    } catch {
      process.say("\(error)")
    }
    return nil
  }

  /// Writes the schemas of a project.
  func writeSchemas(_ schemas: FileSchemas, in folder: String) throws(FileError) -> [String] {
    var written: [String] = []
    for (name, schema) in [
      (SchemaFiles.scenario, schemas.scenario), (SchemaFiles.project, schemas.project),
    ] {
      let path = Path.plain(Path.joined(folder, name))
      let text = Array((schema.text.shownJSON + "\n").utf8)
      // A file that cannot be read is replaced.
      if (try? FileSystem.contents(of: path, limit: text.count)) == text { continue }
      try FileSystem.makeFolders(Path.folder(of: path))
      try FileSystem.replace(path, with: text)
      written.append(path)
    }
    return written
  }

  /// Writes the schemas of a project again if its `flow.yaml` names them in a comment.
  ///
  /// A problem is a note, since nothing but editors reads them.
  func refreshSchemas(of project: Project) {
    guard let file = project.file, SchemaFiles.areNamed(in: file.file),
      let schemas = schemas(around: project.folder)
    else { return }
    do throws(FileError) {
      _ = try writeSchemas(schemas, in: project.folder)
    } catch {
      note(["\(error)"])
    }
  }
}

extension SchemaFiles {
  /// Returns true if a comment of a project file names its schema.
  fileprivate static func areNamed(in file: String) -> Bool {
    // The file was read already, and this says nothing about it.
    let content = (try? FileSystem.contents(of: file, limit: 1 << 20)) ?? []
    return String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline)
      .contains { $0.hasPrefix(comment(project)) }
  }
}
