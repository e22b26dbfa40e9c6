import FlowSystem
import Testing

/// Texts compared by their scalars.
@Suite struct TextTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: String
    let second: String
    let areIdentical: Bool
  }

  static let pairs = [
    Pair(testDescription: "none", first: "", second: "", areIdentical: true),
    Pair(testDescription: "ASCII", first: "step#1", second: "step#1", areIdentical: true),
    Pair(testDescription: "other ASCII", first: "step#1", second: "step#2", areIdentical: false),
    Pair(testDescription: "an accent", first: "é", second: "é", areIdentical: true),
    Pair(testDescription: "a sign of its own", first: "K", second: "\u{212A}", areIdentical: false),
    Pair(
      testDescription: "an accent in two parts", first: "caf\u{E9}", second: "cafe\u{301}",
      areIdentical: false),
    Pair(
      testDescription: "two accents in another order", first: "e\u{301}\u{323}",
      second: "e\u{323}\u{301}", areIdentical: false),
  ]

  @Test(arguments: pairs) func `texts of the same scalars are identical`(_ pair: Pair) {
    #expect(pair.first.isIdentical(to: pair.second) == pair.areIdentical)
    #expect(pair.second.isIdentical(to: pair.first) == pair.areIdentical)
  }
}
