internal import FlowCore
internal import FlowScenario

/// Finds the scenarios of a folder for a parameterised test.
///
///     @Test(arguments: try Scenarios.all(in: "Scenarios"))
///     func `a scenario replays`(_ scenario: ScenarioFile) async throws {
///       try await scenario.replay(registry)
///     }
public enum Scenarios {
  /// The scenarios in a folder and the folders below it, by the bytes of their paths; never none.
  ///
  /// They are the files that `flow test` finds: names in `.yaml` or `.yml` whose root has the keys `flow`
  /// and `steps`, those of other projects too. Names that begin with a point and links to folders are passed by.
  ///
  /// - Parameters:
  ///   - folder: Relative to the folder of `file`, or absolute.
  ///   - excluded: Files and folders that are left out, relative to `folder`.
  ///   - file: The test's file.
  /// - Returns: The scenarios, each a case of a parameterised test.
  /// - Throws: `ScenarioFileError` when there is no such folder, nothing to leave out, or no scenario.
  public static func all(
    in folder: String, excluding excluded: [String] = [], from file: String = #filePath
  ) throws(ScenarioFileError) -> [ScenarioFile] {
    let root = Path.resolved(folder, beside: file)
    guard FileSystem.isDirectory(root) else { throw .missingFolder(root) }
    let paths = excluded.map { Path.joined(root, Path.plain($0)) }
    for (name, path) in zip(excluded, paths) where !FileSystem.exists(path) {
      throw .nothingToExclude(name, root)
    }
    let found: [FoundFile]
    do throws(FileError) {
      // Each scenario knows its own project; none is to be missing because a folder has become one.
      found = try ScenarioFinder(excluding: paths, entersProjects: true).files(at: [root]).files
    } catch {
      throw .unreadableFolder(root, "\(error)")
    }
    let scenarios = found.filter(\.isScenario).map { file in
      ScenarioFile(path: file.path, name: Path.inside(file.path, of: root) ?? file.path)
    }
    guard !scenarios.isEmpty else { throw .noScenarios(root) }
    return scenarios
  }
}

extension FoundFile {
  /// Whether it is a scenario, be it one with mistakes; what cannot be read is told when it is run.
  fileprivate var isScenario: Bool {
    guard let source = try? ScenarioSource(reading: path) else { return true }
    return source.isScenario
  }
}
