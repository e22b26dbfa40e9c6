package import FlowCore

/// A file that may be a scenario.
package struct FoundFile: Sendable {
  /// The path as it is shown.
  package let path: String
  /// The path without links, by which the file is known.
  package let fullPath: String
  /// Whether the caller named the file; one that was found in a folder need not be a scenario.
  package let isNamed: Bool
}

/// What was found at and below some paths.
package struct FoundFiles: Sendable {
  /// The files, each once, by the bytes of their paths.
  package fileprivate(set) var files: [FoundFile] = []
  /// The folders that have a project file of their own and were not walked, as they are shown.
  package fileprivate(set) var projects: [String] = []
}

/// Walks folders for files that may be scenarios: those whose names end in `.yaml` or `.yml`.
///
/// Names that begin with a point and links to folders are passed by, and so are folders with a `flow.yaml`
/// below the one that was named: another project has settings of its own, and may hide other things.
package struct ScenarioFinder {
  /// How the names of scenarios end.
  package static let endings = [".yaml", ".yml"]
  /// The deepest folder that is walked, counted from the one that was named.
  private static let deepest = 64

  /// By their bytes: names that look alike are equal as strings, and two files.
  private let excluded: Set<[UInt8]>
  private let entersProjects: Bool

  /// A finder that leaves out what stands at or below these paths, and walks other projects if they are to be
  /// entered.
  package init(excluding paths: [String], entersProjects: Bool = false) {
    self.entersProjects = entersProjects
    // What is not there cannot be found either.
    excluded = Set(paths.compactMap { FileSystem.realPath($0) }.map { Array($0.utf8) })
  }

  /// The files at and below the paths.
  ///
  /// - Throws: `FileError` when a folder cannot be read.
  package func files(at paths: [String]) throws(FileError) -> FoundFiles {
    var found = FoundFiles()
    for path in paths.map(Path.plain) {
      let full = FileSystem.realPath(path) ?? path
      if FileSystem.isDirectory(path) {
        try walk(path, full, depth: 0, into: &found)
      } else {
        found.files.append(FoundFile(path: path, fullPath: full, isNamed: true))
      }
    }
    var known: Set<[UInt8]> = []
    // A file that was named comes before the same one in a folder.
    let named = found.files.filter(\.isNamed) + found.files.filter { !$0.isNamed }
    found.files = named.filter { known.insert(Array($0.fullPath.utf8)).inserted }.sorted {
      $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
    }
    return found
  }

  private func walk(
    _ folder: String, _ full: String, depth: Int, into found: inout FoundFiles
  ) throws(FileError) {
    let entries = try FileSystem.entries(of: folder)
    if depth > 0, !entersProjects, entries.contains(where: { $0.name == ProjectFile.name }) {
      return found.projects.append(folder)
    }
    for entry in entries where !entry.name.hasPrefix(".") {
      let path = Path.joined(folder, entry.name)
      let fullPath = Path.joined(full, entry.name)
      if excluded.contains(Array(fullPath.utf8)) { continue }
      switch entry.kind {
      case .file where Self.endings.contains(where: entry.name.hasSuffix):
        found.files.append(FoundFile(path: path, fullPath: fullPath, isNamed: false))
      case .folder where depth < Self.deepest:
        try walk(path, fullPath, depth: depth + 1, into: &found)
      default: continue
      }
    }
  }
}
