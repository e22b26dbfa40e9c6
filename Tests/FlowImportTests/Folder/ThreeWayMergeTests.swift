import Testing

@testable import FlowImport

/// Two versions of one text, merged.
@Suite struct ThreeWayMergeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Letters for lines.
    let base: String
    let ours: String
    let theirs: String
    /// The merged letters, or nil.
    let merged: String?
    var conflicts: [ThreeWayMerge.Conflict] = []

    init(
      _ name: String, _ base: String, _ ours: String, _ theirs: String, _ merged: String?,
      _ conflicts: [ThreeWayMerge.Conflict] = []
    ) {
      testDescription = name
      (self.base, self.ours, self.theirs) = (base, ours, theirs)
      (self.merged, self.conflicts) = (merged, conflicts)
    }
  }

  @Test(arguments: cases) func `changes of different lines are joined, and others are conflicts`(
    _ sample: Case
  ) {
    let merge = ThreeWayMerge(
      base: Self.lines(sample.base), ours: Self.lines(sample.ours),
      theirs: Self.lines(sample.theirs))

    #expect(merge.text == sample.merged.map(Self.lines))
    #expect(merge.conflicts == sample.conflicts)
  }

  private static func lines(_ letters: String) -> String {
    letters.map { "\($0)\n" }.joined()
  }

  static let cases: [Case] = [
    Case("nothing", "", "", "", ""),
    Case("equal", "abc", "abc", "abc", "abc"),
    Case("ours alone", "abc", "aXc", "abc", "aXc"),
    Case("theirs alone", "abc", "abc", "aXc", "aXc"),
    Case("the same on both sides", "abc", "aXc", "aXc", "aXc"),
    Case("inserted at different places", "abcd", "aXbcd", "abcYd", "aXbcYd"),
    Case("removed and inserted", "abcd", "bcd", "abcdY", "bcdY"),
    Case("removed on both sides", "abcd", "acd", "abd", nil, [.init(ours: 2..<3, theirs: 2..<3)]),
    Case("changed in two ways", "abc", "aXc", "aYc", nil, [.init(ours: 2..<3, theirs: 2..<3)]),
    Case(
      "inserted at one place", "ab", "aXb", "aYZb", nil, [.init(ours: 2..<3, theirs: 2..<4)]),
    Case("changed beside", "abcd", "aXcd", "abYd", nil, [.init(ours: 2..<4, theirs: 2..<4)]),
    Case(
      "removed and changed", "abcd", "ad", "aXcd", nil, [.init(ours: 2..<2, theirs: 2..<4)]),
    Case(
      "two conflicts", "abcde", "Xbcd1", "Ybcd2", nil,
      [.init(ours: 1..<2, theirs: 1..<2), .init(ours: 5..<6, theirs: 5..<6)]),
    Case("equal lines many times", "aaaa", "aaaaX", "Yaaaa", "YaaaaX"),
  ]

  @Test func `line ends and forms of letters are compared by their bytes`() {
    let merge = ThreeWayMerge(
      base: "e\u{301}\nb\n", ours: "\u{E9}\nb\n", theirs: "e\u{301}\nb\r\n")

    #expect(merge.text == nil)
  }

  @Test func `a text without a last line end keeps both changes`() {
    let merge = ThreeWayMerge(base: "a\nb\nc", ours: "X\nb\nc", theirs: "a\nb\nc\n")

    #expect(merge.text == "X\nb\nc\n")
  }
}
