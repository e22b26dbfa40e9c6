internal import FlowCore
internal import FlowScenario

/// The project that a command works in: a folder, and its `flow.yaml` if it has one.
struct Project: Sendable {
  /// The folder, from which the paths of `flow.yaml` and of the state file lead on, as it is shown.
  let folder: String
  /// What `flow.yaml` says; nil for a project without one.
  let file: ProjectFile?

  /// The project of the first `flow.yaml` in the folder of a path or in one around it; without one, the
  /// working directory.
  ///
  /// - Throws: `ScenarioError` when the file that was found has mistakes, or a path of its scenarios leads
  ///   nowhere.
  init(around path: String) throws(ScenarioError) {
    guard let path = try ProjectFile.path(around: path) else {
      folder = "."
      file = nil
      return
    }
    folder = Path.shown(Path.folder(of: path))
    file = try ProjectFile(reading: Path.shown(path))
    let missing = file?.scenarios?.first { !FileSystem.exists(self.path($0.value)) }
    if let missing { throw ProjectFile.missing(missing) }
  }

  /// The first of some paths that belongs to another project; nil for none.
  func stranger(among paths: [String]) -> String? {
    let own = file == nil ? nil : FileSystem.realPath(folder)
    return paths.first { path in
      // Without a file of its own a path has no settings that could be others; what is not there is told later.
      guard FileSystem.exists(path), let other = ProjectFile.folder(around: path) else {
        return false
      }
      return other != own
    }
  }

  /// A path that the project's file has, as seen from the working directory.
  func path(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "/") ? text : Path.plain(Path.joined(folder, text))
  }
}
