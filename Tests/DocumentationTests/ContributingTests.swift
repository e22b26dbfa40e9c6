import Foundation
import TestKit
import Testing

/// What CONTRIBUTING names for those who add something.
@Suite struct ContributingTests {
  @Test func `each file, folder and type that an entry names is there`() throws {
    let page = try ProjectFiles.text("CONTRIBUTING.md")
    let section = try #require(
      page.components(separatedBy: "\n## ").first { $0.hasPrefix("To add something") })
    let paths = Self.paths()
    let sources = try paths.filter { $0.hasSuffix(".swift") }.map(ProjectFiles.text).joined()

    var named = 0
    for match in section.matches(of: /`([A-Z][A-Za-z]*(?:[\/.][A-Za-z.-]+)*)`/) {
      let name = String(match.1)
      // A file or a folder by the end of its path, or a member of a type.
      let isPath = paths.contains {
        "/\($0)/".contains("/\(name)/") || "/\($0)".hasSuffix("/\(name).swift")
      }
      let parts = name.split(separator: ".")
      let isType = try sources.contains(
        Regex("(struct|enum|class|actor|protocol|extension) \(parts[0])\\b"))
      let isMember =
        try parts.count == 1 || sources.contains(Regex("(let|var|func) \(parts[1])\\b"))
      #expect(isPath || isType && isMember, "there is no '\(name)'")
      named += 1
    }
    #expect(named > 40)
  }

  /// The paths of the project's own files.
  private static func paths() -> [String] {
    ["Package.swift"]
      + ["Sources", "Plugins", "Tests", "Docs", "Scenarios", "Scripts"].flatMap { folder in
        let root = ProjectFiles.root + "/" + folder
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return files.map { "\(folder)/\($0)" }
      }
  }
}
