internal import FlowCore
internal import FlowSystem
public import Testing

/// A scenario on disk, as a test names it.
///
///     let scenario = try ScenarioFile("Scenarios/spend.yaml")
///     try await scenario.replay(registry)
public struct ScenarioFile: Sendable, Hashable {
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
}

extension ScenarioFile: Identifiable {
  /// The name, by which a case of a parameterised test is known from run to run.
  public var id: String { name }
}

extension ScenarioFile: CustomTestStringConvertible {
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
