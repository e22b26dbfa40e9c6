import FlowExpression
import Foundation
import Testing

/// Patterns compared with RE2 itself, by the table that `Scripts/re2-table` makes.
@Suite struct RE2Tests {
  struct Row: Decodable, Sendable {
    let pattern: String
    let text: String
    let refused: Bool?
    let matches: Bool?
    let spans: [[Int]]?
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: table.path()),
      "20,000 comparisons with RE2 are not run: \(table.path()) is absent (Scripts/re2-table)"))
  func `patterns match what they match in RE2, and what RE2 refuses is refused`() throws {
    let rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: Self.table))

    let differences = rows.compactMap(Self.difference)

    #expect(rows.count >= 20_000)
    #expect(Set(rows.map(\.pattern)).count > 15_000)
    #expect(
      differences.prefix(20).joined(separator: "\n") == "", "\(differences.count) rows differ")
  }

  private static let table: URL = {
    if let path = ProcessInfo.processInfo.environment["FLOW_CONFORMANCE"] {
      return URL(filePath: path).appending(path: "re2.json")
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return root.appending(path: "../shared/conformance/re2.json").standardized
  }()

  /// What a row says otherwise; nil for nothing, and for a pattern that takes more steps than are allowed, which
  /// is what stands in for RE2's linear time.
  private static func difference(_ row: Row) -> String? {
    let expected = row.matches.map { "\($0) \(row.spans.map { "\($0)" } ?? "")" } ?? "refused"
    guard let found = outcome(row), found != expected else { return nil }
    let subject = "\(row.pattern.debugDescription) on \(row.text.debugDescription)"
    return "\(subject): \(found), RE2: \(expected)"
  }

  private static func outcome(_ row: Row) -> String? {
    do {
      guard let matches = try Pattern(row.pattern).matches(row.text, steps: 1_000_000) else {
        return nil
      }
      let spans = try TextPattern(row.pattern).ranges(in: Array(row.text.utf8))
        .map { [$0.lowerBound, $0.upperBound] }
      return "\(matches) \(row.spans == nil ? "" : "\(spans)")"
    } catch {
      return "refused"
    }
  }
}
