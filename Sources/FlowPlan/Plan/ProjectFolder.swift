internal import FlowSystem

/// The folder of a project, known by its file.
package enum ProjectFolder {
  /// The possible names of the project file, of which only one may be used.
  package static let fileNames = ["flow.yaml", "flow.yml"]

  /// The folder of the nearest project file in the folder of a path or around it, or nil.
  package static func path(around path: String) -> String? {
    guard var folder = FileSystem.realPath(path) ?? FileSystem.realPath(".") else { return nil }
    if !FileSystem.isDirectory(folder) { folder = Path.folder(of: folder) }
    while !fileNames.contains(where: { FileSystem.isOccupied(Path.joined(folder, $0)) }) {
      if folder == "/" { return nil }
      folder = Path.folder(of: folder)
    }
    return folder
  }
}
