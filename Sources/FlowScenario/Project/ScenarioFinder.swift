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

/// Walks folders for files that may be scenarios: those whose names end in `.yaml` or `.yml`.
///
/// Names that begin with a point and links to folders are passed by.
package struct ScenarioFinder {
  /// The deepest folder that is walked, counted from the one that was named.
  private static let deepest = 64

  private let excluded: [String]

  /// A finder that leaves out what stands at or below these paths.
  package init(excluding paths: [String]) {
    // What is not there cannot be found either.
    excluded = paths.compactMap { FileSystem.realPath($0) }
  }

  /// The files at and below the paths, each once, by the bytes of their paths.
  ///
  /// - Throws: `FileError` when a folder cannot be read.
  package func files(at paths: [String]) throws(FileError) -> [FoundFile] {
    var files: [FoundFile] = []
    for path in paths.map(Path.plain) {
      let full = FileSystem.realPath(path) ?? path
      if FileSystem.isDirectory(path) {
        try walk(path, full, depth: 0, into: &files)
      } else {
        files.append(FoundFile(path: path, fullPath: full, isNamed: true))
      }
    }
    var known: Set<String> = []
    // A file that was named comes before the same one in a folder.
    let named = files.filter(\.isNamed) + files.filter { !$0.isNamed }
    return named.filter { known.insert($0.fullPath).inserted }.sorted {
      $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
    }
  }

  private func walk(
    _ folder: String, _ full: String, depth: Int, into files: inout [FoundFile]
  ) throws(FileError) {
    for entry in try FileSystem.entries(of: folder) where !entry.name.hasPrefix(".") {
      let path = Path.joined(folder, entry.name)
      let fullPath = Path.joined(full, entry.name)
      if excluded.contains(fullPath) { continue }
      switch entry.kind {
      case .file where entry.name.hasSuffix(".yaml") || entry.name.hasSuffix(".yml"):
        files.append(FoundFile(path: path, fullPath: fullPath, isNamed: false))
      case .folder where depth < Self.deepest:
        try walk(path, fullPath, depth: depth + 1, into: &files)
      default: continue
      }
    }
  }
}
