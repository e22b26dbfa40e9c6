import Foundation
import TestKit
import Testing

/// The places of tests, which mirror those of sources.
@Suite struct TestPlaceTests {
  /// The folders of tests without a folder of sources, each with its reason.
  private static let others = [
    "Tests/DocumentationTests": "the pages and their code",
    "Tests/FuzzTests": "broken and hostile input for every parser",
    "Tests/IntegrationTests": "the helpers of Integrations, in the runners of tests",
    "Tests/ProgramTests": "the built program, with all modules",
    "Tests/ScenarioTests": "the scenarios of the project, over all components",
    "Tests/SecretTests": "the secrets of every command, in all that it writes",
    "Tests/FlowCommandTests/Safety": "hostile files, closed streams and signals of every command",
    "Tests/FlowCommandTests/Secrets": "the ways of a secret through every command",
    "Tests/FlowTranscriptTests/Damage": "damaged files, refused by the reader or by the replay",
    "Tests/FlowTranscriptTests/Outside": "requests from outside: recorded, replayed and resumed",
    "Tests/FlowTranscriptTests/Roles": "components that use others: recorded, replayed and resumed",
    "Tests/FlowTranscriptTests/Tasks": "calls from several tasks: recorded, replayed and resumed",
  ]

  @Test func `a folder of tests mirrors a folder of sources`() throws {
    var unlike: Set<String> = []
    for target in try Self.targets() {
      let sources = try Self.files(in: target.sources).map(\.folder)
      for folder in Set(try Self.files(in: target.tests).map(\.folder)) {
        if sources.isEmpty {
          unlike.insert(target.tests)
        } else if !sources.contains(folder), !folder.isEmpty {
          unlike.insert(target.tests + "/" + folder)
        }
      }
    }

    #expect(unlike.sorted() == Self.others.keys.sorted())
  }

  @Test func `the tests of a source are in the folder of its name`() throws {
    var compared = 0
    for target in try Self.targets() {
      let sources = Dictionary(grouping: try Self.files(in: target.sources), by: \.name)
      for test in try Self.files(in: target.tests) where test.name.hasSuffix("Tests") {
        guard let places = sources[String(test.name.dropLast(5))]?.map(\.folder) else { continue }
        compared += 1
        let expected = places.map { "'\($0)'" }.joined(separator: " or ")
        #expect(places.contains(test.folder), "\(target.tests): \(test.name) is not in \(expected)")
      }
    }
    #expect(compared > 80)
  }

  /// The folders of the tests and the sources of each module and plugin.
  private static func targets() throws -> [(tests: String, sources: String)] {
    let modules = try names(in: "Tests").filter { $0.hasSuffix("Tests") }
      .map { (tests: "Tests/\($0)", sources: "Sources/\($0.dropLast(5))") }
    let plugins = try names(in: "Plugins")
      .map { (tests: "Plugins/\($0)/Tests", sources: "Plugins/\($0)/Sources") }
    return modules + plugins
  }

  private static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: ProjectFiles.root + "/" + folder)
  }

  /// The sources in a folder, each with its folder inside of this one, or none if it is missing.
  private static func files(in folder: String) throws -> [(folder: String, name: String)] {
    let root = ProjectFiles.root + "/" + folder
    let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".swift") }.map { path in
      let parts = path.dropLast(6).split(separator: "/")
      return (parts.dropLast().joined(separator: "/"), String(parts[parts.count - 1]))
    }
  }
}
