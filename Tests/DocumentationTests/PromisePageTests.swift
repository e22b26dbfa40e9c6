import Foundation
import TestKit
import Testing

/// The page of promises and the tests that it names.
@Suite struct PromisePageTests {
  @Test func `each test on the page is a test of its target`() throws {
    var named = 0
    for line in try ProjectFiles.text("Docs/promises.md").split(separator: "\n") {
      guard let target = line.firstMatch(of: /`([A-Za-z]+Tests)`:/)?.1 else { continue }
      let sources = try Self.sources(of: String(target))
      for name in line.matches(of: /"([^"]+)"/).map(\.1) {
        named += 1
        #expect(sources.contains("func `\(name)`"), "\(target) has no test '\(name)'")
      }
    }
    #expect(named > 15)
  }

  /// All sources of a test target, of a module or of a plugin.
  private static func sources(of target: String) throws -> String {
    let plugin = target.replacing("PluginTests", with: "")
    let folder = plugin == target ? "Tests/\(target)" : "Plugins/\(plugin)/Tests"
    let root = ProjectFiles.root + "/" + folder
    let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted()
      .map { try ProjectFiles.text("\(folder)/\($0)") }.joined()
  }
}
