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

  @Test
  func `of more than a thousand names those of the nearest lengths are compared`() {
    let far = (1_000..<2_000).map { "four\($0)" }

    #expect(Suggestion.nearest(to: "name1", among: ["names1"] + far) == ["names1"])
    #expect(
      Suggestion.nearest(to: "name1234", among: ["names1234"] + far.dropLast()) == ["names1234"])
    #expect(Suggestion.nearest(to: "name1234", among: ["names1234"] + far) == [])
  }

  @Test
  func `what is left out of the comparison changes no offer`() {
    var generator = SeededGenerator(seed: 7, label: "words")
    let words = Set(
      (0..<200).map { _ in
        String(
          (0..<Int.random(in: 1...9, using: &generator)).map { _ in
            "abc".randomElement(using: &generator) ?? "a"
          })
      })

    for word in words {
      let others = words.subtracting([word])
      #expect(
        Suggestion.nearest(to: word, among: others) == plainlyNearest(to: word, among: others))
    }
  }

  @Test(arguments: [
    Row("none", [String](), nil), Row("one", ["a"], "did you mean 'a'?"),
    Row("three", ["a", "b", "c"], "did you mean 'a' or 'b' or 'c'?"),
  ])
  func `the offer is a question`(_ row: Row<[String], String?>) {
    #expect(Suggestion.phrase(row.input) == row.expected)
  }
}

/// The names that should be offered, by the whole matrix for each of them.
private func plainlyNearest(to name: String, among names: Set<String>) -> [String] {
  let near = names.map { (name: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
    .filter { $0.distance <= max(1, max($0.name.utf8.count, name.utf8.count) / 3) }
  let best = near.map(\.distance).min()
  return Array(near.filter { $0.distance == best }.map(\.name).sorted().prefix(4))
}

/// The optimal string alignment distance, by its definition.
private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var costs = [[Int]](repeating: Array(0...right.count), count: left.count + 1)
  for row in 0..<left.count {
    costs[row + 1][0] = row + 1
    for column in 0..<right.count {
      var cost = costs[row][column] + (left[row] == right[column] ? 0 : 1)
      cost = min(cost, costs[row][column + 1] + 1, costs[row + 1][column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, costs[row - 1][column - 1] + 1)
      }
      costs[row + 1][column + 1] = cost
    }
  }
  return costs[left.count][right.count]
}
