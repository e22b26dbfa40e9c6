import FlowCore
import FlowScenario
import FlowSystem
import TestKit
import Testing

/// Files found in folders.
@Suite struct ScenarioFinderTests {
  /// Names that look alike: `é` as one scalar, and as `e` with an accent.
  private static let alike = ["caf\u{e9}.yaml", "cafe\u{301}.yaml"]

  // Other systems take the two names for one file.
  #if os(Linux)
    @Test func `names that look alike and differ in their bytes are two files`() throws {
      let folder = try TemporaryFolder()
      for name in Self.alike { try folder.write("flow: 1\n", to: name) }

      let found = try ScenarioFinder(excluding: []).files(at: [folder.directory.path])

      #expect(found.files.count == 2)
    }

    @Test func `an excluded file takes no other one along`() throws {
      let folder = try TemporaryFolder()
      for name in Self.alike { try folder.write("flow: 1\n", to: name) }
      let excluded = Path.joined(folder.directory.path, Self.alike[0])

      let found = try ScenarioFinder(excluding: [excluded]).files(at: [folder.directory.path])

      #expect(
        found.files.map { Array($0.path.utf8) } == [
          Array(Path.joined(folder.directory.path, Self.alike[1]).utf8)
        ])
    }
  #endif
}
