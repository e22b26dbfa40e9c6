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
    let declared = try Self.declaredNames(paths.filter { $0.hasSuffix(".swift") })

    var named = 0
    for match in section.matches(of: /`([A-Z][A-Za-z]*(?:[\/.][A-Za-z.-]+)*)`/) {
      let name = String(match.1)
      // A file or a folder by the end of its path, or a member of a type.
      let isPath = paths.contains {
        "/\($0)/".contains("/\(name)/") || "/\($0)".hasSuffix("/\(name).swift")
      }
      let parts = name.split(separator: ".")
      let isDeclared = parts.allSatisfy { declared.contains(String($0)) }
      #expect(isPath || isDeclared, "there is no '\(name)'")
      named += 1
    }
    #expect(named > 40)
  }

  /// The names behind the words that declare a type or a member.
  private static func declaredNames(_ paths: [String]) throws -> Set<String> {
    let kinds = Set(["struct", "enum", "class", "actor", "protocol", "let", "var", "func"])
    var names: Set<String> = []
    for path in paths {
      let words = try ProjectFiles.text(path).split(whereSeparator: \.isWhitespace)
      for (word, next) in zip(words, words.dropFirst()) where kinds.contains(String(word)) {
        names.insert(String(next.prefix { $0.isLetter || $0.isNumber }))
      }
    }
    return names
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
