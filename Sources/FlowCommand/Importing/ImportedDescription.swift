internal import FlowCore
internal import FlowImport
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The files of an imported description, and its path for the scenarios that it becomes.
extension CommandContext {
  /// Has an import read further files of a description: those of its project, or of its folder.
  func describe(_ source: inout ImportSource, _ request: ImportRequest) {
    let isStandardInput = request.file == StandardInput.operand
    let folder = isStandardInput ? "." : Path.folder(of: request.file)
    let directory = Directory(folder, inside: ProjectFolder.path(around: folder))
    let (name, bytes) = (String(source.name.split(separator: "/").last ?? ""), source.bytes)
    source.read = { path in
      try path == name
        ? DocumentReader.document(path, bytes) : DocumentReader.read(directory, path)
    }
    guard !isStandardInput, let file = FileSystem.realPath(request.file) else { return }
    source.contract = Self.way(to: file, from: request.folder)
  }

  /// Returns the path of a file from a folder of scenarios, or nil if these cannot read it, because
  /// it is out of their project.
  static func way(to file: String, from folder: String) -> String? {
    let full = fullPath(folder)
    if Path.inside(file, of: full) == nil {
      guard let project = ProjectFolder.path(around: nearest(to: full)),
        Path.inside(full, of: project) != nil, Path.inside(file, of: project) != nil
      else { return nil }
    }
    return Path.way(from: full, to: file)
  }

  /// Returns the full path of a folder that the import may have to make.
  private static func fullPath(_ folder: String) -> String {
    let outer = nearest(to: folder)
    guard let full = FileSystem.realPath(outer) else { return folder }
    let rest = outer == "." ? Path.plain(folder) : Path.inside(Path.plain(folder), of: outer) ?? "."
    return rest == "." ? full : Path.joined(full, rest)
  }

  /// Returns the nearest existing folder around a path.
  private static func nearest(to path: String) -> String {
    var path = Path.plain(path)
    while path != ".", path != "/", FileSystem.realPath(path) == nil {
      path = Path.folder(of: path)
    }
    return path
  }
}

extension ImportRequest {
  /// The folder of the scenarios.
  fileprivate var folder: String {
    guard let output else { return "." }
    return isFolder ? output : Path.folder(of: output)
  }
}
