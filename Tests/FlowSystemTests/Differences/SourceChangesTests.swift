import FlowSystem
import Testing

/// The places that differ between two versions of a text.
@Suite struct SourceChangesTests {
  private static let old = "a\nb\nc\nd\ne\n"

  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let new: String
    let changes: [String]
  }

  @Test(arguments: [
    Pair(testDescription: "the same", new: old, changes: []),
    Pair(testDescription: "another line", new: "a\nb\nC\nd\ne\n", changes: ["3..<4 -> 3..<4"]),
    Pair(testDescription: "a removed line", new: "a\nb\nd\ne\n", changes: ["3..<4 -> 3..<3"]),
    Pair(testDescription: "an added line", new: "a\nb\nx\nc\nd\ne\n", changes: ["3..<3 -> 3..<4"]),
    Pair(
      testDescription: "two places", new: "A\nb\nc\nd\n",
      changes: ["1..<2 -> 1..<2", "5..<6 -> 5..<5"]),
    Pair(testDescription: "nothing left", new: "", changes: ["1..<6 -> 1..<1"]),
  ])
  func `each change has the lines of both versions`(pair: Pair) {
    let changes = SourceChanges(from: Self.old, to: pair.new)

    #expect(changes.changes.map { "\($0.old) -> \($0.new)" } == pair.changes)
  }

  @Test func `a change is found by an earlier line, by a step, or as the nearest one`() throws {
    let changes = SourceChanges(from: Self.old, to: "a\nB\nc\nd\nx\ny\ne\n")
    let (second, last) = (try #require(changes.changes.first), try #require(changes.changes.last))

    #expect(changes.change(ofOld: 2) == second)
    #expect(changes.change(ofOld: 3) == nil)
    #expect(changes.change(in: 3...4, nil) == nil)
    #expect(changes.change(in: nil, 4...5) == last)
    #expect(changes.change(in: 2...3, 6...7) == second)
    #expect(changes.nearest(toOld: 4) == last)
    #expect(changes.nearest(toOld: 1) == second)
    #expect(changes.removed(by: second) == ["b"])
    #expect(changes.added(by: last) == ["x", "y"])
    #expect(changes.line(of: 2, in: second) == 2)
    #expect(changes.line(of: 5, in: last) == 5)
  }

  @Test func `the place of removed last lines is the last line`() throws {
    let changes = SourceChanges(from: Self.old, to: "a\nb\nc\n")

    #expect(changes.line(of: 4, in: try #require(changes.changes.last)) == 3)
    #expect(changes.line(of: 5, in: try #require(changes.changes.last)) == 3)
  }
}
