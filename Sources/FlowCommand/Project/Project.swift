internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

/// The project of a command: a folder, and its `flow.yaml` if present.
struct Project: Sendable {
  /// The folder, as shown in messages.
  ///
  /// Paths in `flow.yaml` and the path of the state file start here.
  let folder: String
  /// The content of `flow.yaml`, or nil for a project without one.
  let file: ProjectFile?

  /// Creates the project of the first `flow.yaml` in the folder of a path or in one around it.
  ///
  /// Without one the project is the working directory.
  init(around path: String, _ registry: Registry) throws(ScenarioError) {
    guard let path = try ProjectFile.path(around: path) else {
      folder = "."
      file = nil
      return
    }
    folder = Path.shown(Path.folder(of: path))
    file = try ProjectFile(
      reading: Path.shown(path), formats: ProjectSettings.outputs.map(\.name), registry: registry)
    let paths = (file?.scenarios ?? []) + (file?.live.compactMap(\.scenario) ?? [])
    let missing = paths.first { !FileSystem.exists(self.path($0.value)) }
    if let missing { throw ProjectFile.missing(missing) }
  }

  /// Returns the first of some paths in another project, or nil.
  func pathOfAnotherProject(in paths: [String]) -> String? {
    let own = file == nil ? nil : FileSystem.realPath(folder)
    return paths.first { path in
      // A path without a project file has no settings that could differ. A missing path is reported
      // later.
      guard FileSystem.exists(path), let other = ProjectFolder.path(around: path) else {
        return false
      }
      return other != own
    }
  }

  /// Returns a path in the project file as seen from the working directory.
  func path(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "/") ? text : Path.plain(Path.joined(folder, text))
  }
}
