internal import FlowImport
internal import FlowSystem

/// The files of an imported folder.
extension CommandContext {
  private static var mostFiles: Int { 20_000 }
  private static var mostLevels: Int { 20 }
  private static var endings: Set<String> { ["bru", "yml", "yaml", "http", "rest"] }

  /// Reads the files of requests below a folder, in the order of their paths.
  ///
  /// Hidden folders, links and `node_modules` are left out.
  ///
  /// - Throws: `FileError` for a file that cannot be read, and for too many files.
  func requestFiles(below folder: String) throws(FileError) -> [ImportSource.File] {
    var (files, bytes) = ([ImportSource.File](), 0)
    for path in try paths(in: folder, below: "", level: 0).sorted() {
      let content = try FileSystem.contents(
        of: Path.joined(folder, path), limit: Import.largest - min(bytes, Import.largest - 1))
      bytes += content.count
      files.append(ImportSource.File(path: path, bytes: content))
      if files.count > Self.mostFiles {
        throw FileError(.tooLarge, path: folder, reason: "more than \(Self.mostFiles) files")
      }
    }
    return files
  }

  private func paths(
    in folder: String, below path: String, level: Int
  ) throws(FileError) -> [String] {
    if level > Self.mostLevels { return [] }
    var paths: [String] = []
    for entry in try FileSystem.entries(of: Path.joined(folder, path)) {
      let name = entry.name
      if name.hasPrefix(".") || name == "node_modules" { continue }
      let inner = path.isEmpty ? name : path + "/" + name
      switch entry.kind {
      case .folder: paths += try self.paths(in: folder, below: inner, level: level + 1)
      case .file where isRequest(name): paths.append(inner)
      default: break
      }
    }
    return paths
  }

  private func isRequest(_ name: String) -> Bool {
    name == "bruno.json"
      || Self.endings.contains(name.split(separator: ".").last?.lowercased() ?? "")
  }
}
