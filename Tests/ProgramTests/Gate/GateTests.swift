import Foundation
import TestKit
import Testing

/// Changes of suites that people make, and what `flow mutate --against` says about them.
///
/// Those of suites that were imported from public files need `FLOW_IMPORTED`, the name of a folder.
/// CONTRIBUTING.md says what is in it.
@Suite struct GateTests {
  private static func changes(_ file: String, imported: Bool = false) throws -> [SuiteChange] {
    try SuiteChange.all(in: file).filter { $0.suite.hasPrefix("hurl-") == imported }
  }

  @Test(arguments: try changes("weakenings.txt"))
  func `a weakening is named with the line that noticed and the change`(
    _ change: SuiteChange
  ) throws {
    try Self.expectLoss(change)
  }

  @Test(arguments: try changes("refactorings.txt"))
  func `a refactoring raises no alarm`(_ change: SuiteChange) throws {
    try Self.expectNoLoss(change)
  }

  @Test(
    .enabled(
      if: ChangedSuite.imported != nil,
      "no change of an imported suite was judged: FLOW_IMPORTED names no folder"))
  func `the changes of imported suites are judged like these`() throws {
    for change in try Self.changes("weakenings.txt", imported: true) {
      try Self.expectLoss(change)
    }
    for change in try Self.changes("refactorings.txt", imported: true) {
      try Self.expectNoLoss(change)
    }
  }

  @Test func `there are a hundred of each`() throws {
    #expect(try SuiteChange.all(in: "weakenings.txt").count >= 100)
    #expect(try SuiteChange.all(in: "refactorings.txt").count >= 100)
  }

  private static func expectNoLoss(_ change: SuiteChange) throws {
    let suite = try ChangedSuite(before: change)
    try suite.apply()

    let gate = try suite.gate()

    #expect(gate.report.lost.isEmpty, "\(change.testDescription): \(gate.output)")
    #expect(gate.code == 0)
    #expect(gate.report.alterations > 0)
  }

  private static func expectLoss(_ change: SuiteChange) throws {
    let suite = try ChangedSuite(before: change)
    let expected = try suite.lines(with: change.noticedText)
    try suite.apply()
    let difference = try suite.difference()

    let gate = try suite.gate()

    let context = "\(change.testDescription): \(gate.output)"
    #expect(gate.code == 1, "\(context)")
    let lines = Set(
      gate.report.lost.compactMap { loss in loss.noticedBy.map { "\($0.file):\($0.line)" } })
    #expect(!lines.isDisjoint(with: expected), "\(context) does not name \(expected.sorted())")
    for loss in gate.report.lost {
      let lost = try #require(loss.change, "\(context)")
      #expect(!(lost.removed + lost.added).isEmpty, "\(context)")
      #expect(difference.removed.isSuperset(of: trimmed(lost.removed)), "\(context)")
      #expect(difference.added.isSuperset(of: trimmed(lost.added)), "\(context)")
      guard !lost.added.isEmpty else { continue }
      let text = try suite.folder.text(lost.file).components(separatedBy: "\n")
      #expect(trimmed(lost.added).contains(trimmed([text[lost.line - 1]])[0]), "\(context)")
    }
  }

  private static func trimmed(_ lines: [String]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
