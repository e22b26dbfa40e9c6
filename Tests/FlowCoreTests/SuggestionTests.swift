import FlowCore
import Testing

struct SuggestionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let known: [String]
    let expected: [String]

    init(_ name: String, _ known: [String], _ expected: [String]) {
      self.name = name
      self.known = known
      self.expected = expected
    }

    var testDescription: String { String(name.prefix(20)) }
  }

  static let near = [
    Case("balence", ["balance", "catalog"], ["balance"]),
    Case("blance", ["balance"], ["balance"]), Case("ballance", ["balance"], ["balance"]),
    Case("abl", ["abd", "bal"], ["abd", "bal"]), Case("Balance", ["balance"], ["balance"]),
    Case("balnace", ["balance"], ["balance"]), Case("BALNCE", ["balance"], ["balance"]),
    Case("page", ["pages", "pace", "image"], ["pace", "pages"]),
    Case("ab", ["ax", "ay"], ["ax", "ay"]), Case("titel", ["title", "tile"], ["title"]),
  ]

  @Test(arguments: near)
  func `the nearest names are offered`(_ row: Case) {
    #expect(Suggestion.nearest(to: row.name, among: row.known) == row.expected)
  }

  static let far = [
    Case("colour", ["balance", "catalog"], []), Case("abc", ["xyz"], []), Case("", ["balance"], []),
    Case("balance", [], []), Case("abcdef", ["abcxyz"], []), Case("a", ["balance"], []),
  ]

  @Test(arguments: far)
  func `no name is offered when none is near`(_ row: Case) {
    #expect(Suggestion.nearest(to: row.name, among: row.known) == row.expected)
  }

  @Test(arguments: [["balanxy", "balanc"], ["balanc", "balanxy"]])
  func `a nearer name hides the others, wherever it stands`(_ known: [String]) {
    #expect(Suggestion.nearest(to: "balance", among: known) == ["balanc"])
  }

  @Test
  func `at most four names are offered, sorted and once`() {
    let names = ["af", "ae", "ad", "ac", "ab", "ab"]

    #expect(Suggestion.nearest(to: "ax", among: names) == ["ab", "ac", "ad", "ae"])
    #expect(Suggestion.nearest(to: "ab", among: names) == ["ab"])
  }

  @Test
  func `names longer than 64 bytes are neither compared nor offered`() {
    let longest = String(repeating: "a", count: 64)

    #expect(Suggestion.nearest(to: longest, among: [longest]) == [longest])
    #expect(Suggestion.nearest(to: longest, among: [longest + "a"]) == [])
    #expect(Suggestion.nearest(to: longest + "a", among: [longest]) == [])
  }

  @Test(arguments: [
    Row("none", [String](), nil), Row("one", ["a"], "did you mean 'a'?"),
    Row("three", ["a", "b", "c"], "did you mean 'a' or 'b' or 'c'?"),
  ])
  func `the offer is a question`(_ row: Row<[String], String?>) {
    #expect(Suggestion.phrase(row.input) == row.expected)
  }
}
