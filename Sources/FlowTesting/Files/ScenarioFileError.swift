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
      "no scenario is at '\(path)'; a relative path begins at the folder of the test's file"
    case .missingFolder(let path):
      "no folder is at '\(path)'; a relative path begins at the folder of the test's file"
    case .unreadableFolder(let path, let reason): "'\(path)' cannot be read: \(reason)"
    case .noScenarios(let path):
      "no scenario is in '\(path)', so a test over its scenarios would test nothing"
    case .nothingToExclude(let name, let path): "'\(name)' is to be left out and not in '\(path)'"
    }
  }
}
