internal import FlowCore
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// Finds the scenarios of a folder for a parameterised test.
///
///     @Test(arguments: try Scenarios.all(in: "Scenarios"))
///     func `a scenario replays`(_ scenario: ScenarioFile) async throws {
///       try await scenario.replay(registry)
///     }
public enum Scenarios {
  /// The scenarios in a folder and the folders below it, by the bytes of their paths; never none.
  ///
  /// They are the files that `flow test` finds: names in `.yaml` or `.yml` with a transcript beside them, or whose
  /// root has the key `flow`, those of other projects too. Names that begin with a point and links to folders are
  /// passed by. Of a transcript without its scenario the missing file is a case, so that it fails.
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
    let found: FoundFiles
    do throws(FileError) {
      // Each scenario knows its own project; none is to be missing because a folder has become one.
      found = try ScenarioFinder(excluding: paths, entersProjects: true).files(at: [root])
    } catch {
      throw .unreadableFolder(root, "\(error)")
    }
    let scenarios = found.scenarioPaths.map { path in
      ScenarioFile(path: path, name: Path.inside(path, of: root) ?? path)
    }
    guard !scenarios.isEmpty else { throw .noScenarios(root) }
    return scenarios
  }
}

extension FoundFiles {
  /// The paths of the scenarios, and of those that are gone while their transcripts are there.
  fileprivate var scenarioPaths: [String] {
    let missing = lonelyTranscripts.map(\.path).filter { !TranscriptReader.namesScenario($0) }
      .compactMap { ScenarioFinder.scenarios(of: $0).first }
    return (files.filter(\.isScenario).map(\.path) + missing).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }
}

extension FoundFile {
  /// Whether it is a scenario, be it one with mistakes; what cannot be read is told when it is run.
  fileprivate var isScenario: Bool {
    guard let source = try? ScenarioSource(reading: path) else { return true }
    return isMeant(source)
  }
}
