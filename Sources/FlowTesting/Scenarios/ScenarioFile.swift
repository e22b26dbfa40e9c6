internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript
public import Testing

/// A scenario on disk, as a test names it.
///
///     let scenario = try ScenarioFile("Scenarios/spend.yaml")
///     try await scenario.replay(registry)
public struct ScenarioFile: Sendable, Hashable, Identifiable, CustomTestStringConvertible {
  /// The file's full path; what is wrong is told with it.
  public let path: String
  /// The path as the test sees it: from the folder that was searched, or as it was given.
  public let name: String

  /// The scenario at a path, which begins at the folder of the test's own file.
  ///
  /// - Parameters:
  ///   - path: Relative to the folder of `file`, or absolute.
  ///   - file: The test's file.
  /// - Throws: `ScenarioFileError` when nothing is there.
  public init(_ path: String, from file: String = #filePath) throws(ScenarioFileError) {
    let full = Path.resolved(path, beside: file)
    guard FileSystem.exists(full), !FileSystem.isDirectory(full) else {
      throw .missingScenario(full)
    }
    self.init(path: full, name: path)
  }

  init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// Where its transcript is, or would be: `shop.transcript.jsonl` beside `shop.yaml`.
  public var transcript: String { Path.transcript(of: path) }
  /// The name, by which a case of a parameterised test is known from run to run.
  public var id: String { name }
  /// The name.
  public var testDescription: String { name }
}

extension Path {
  /// A full path without `.` and `..`: absolute already, or relative to the folder of a file.
  static func resolved(_ path: String, beside file: String) -> String {
    let full = path.hasPrefix("/") ? path : joined(folder(of: file), path)
    var parts: [Substring] = []
    for part in full.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (full.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

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
  fileprivate var isScenario: Bool {
    guard let source = try? ScenarioSource(reading: path) else { return true }
    return isMeant(source)
  }
}

/// Scenarios that a test names and that are not there.
public enum ScenarioFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No file is at this path.
  case missingScenario(String)
  /// No folder is at this path.
  case missingFolder(String)
  /// The folder cannot be read; the second text says why.
  case unreadableFolder(String, String)
  /// The folder has no scenario: a test over its files would test nothing, and pass.
  case noScenarios(String)
  /// What should be left out is not in the folder.
  case nothingToExclude(String, String)

  /// What is missing, with the path that was looked at.
  public var description: String {
    switch self {
    case .missingScenario(let path):
      "there is no scenario at '\(path)'; a relative path starts at the folder of the test's file"
    case .missingFolder(let path):
      "there is no folder at '\(path)'; a relative path starts at the folder of the test's file"
    case .unreadableFolder(let path, let reason): "'\(path)' cannot be read: \(reason)"
    case .noScenarios(let path):
      "there is no scenario in '\(path)', so the test would test nothing"
    case .nothingToExclude(let name, let path): "'\(name)' is excluded but not in '\(path)'"
    }
  }
}
