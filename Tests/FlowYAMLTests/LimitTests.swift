import FlowYAML
import Testing

struct LimitTests {
  struct Case: CustomTestStringConvertible {
    let id: String
    let limits: Limits
    let accepted: String
    let refused: String
    let error: String

    var testDescription: String { id }
  }

  static let cases = [
    Case(
      id: "depth of flow collections", limits: Limits(depth: 3),
      accepted: "[[[]]]", refused: "[[[{}]]]",
      error: "1:4: collections are nested deeper than 3 levels"),
    Case(
      id: "depth of block collections", limits: Limits(depth: 2),
      accepted: "- a: b\n", refused: "- a:\n  - b\n",
      error: "2:3: collections are nested deeper than 2 levels"),
    Case(
      id: "bytes", limits: Limits(bytes: 4),
      accepted: "a: b", refused: "a: bc", error: "the text is longer than 4 bytes"),
    Case(
      id: "nodes", limits: Limits(nodes: 3),
      accepted: "{a: b}", refused: "{a: b, c: d}", error: "1:8: the text has more than 3 nodes"),
    Case(
      id: "expansion", limits: Limits(expansion: 6),
      accepted: "[&a [1, 2], *a, *a]", refused: "[&a [1, 2], *a, *a, *a]",
      error: "1:21: aliases expand to more than 6 nodes"),
    Case(
      id: "expansion of aliases inside aliases", limits: Limits(expansion: 13),
      accepted: "[&a [1, 2], &b [*a, *a], *b]", refused: "[&a [1, 2], &b [*a, *a], *b, &c d, *c]",
      error: "1:36: aliases expand to more than 13 nodes"),
    Case(
      id: "expansion of a name given twice", limits: Limits(expansion: 2),
      accepted: "[&a [&a x, *a], *a]", refused: "[&a [&a x, *a], *a, *a]",
      error: "1:21: aliases expand to more than 2 nodes"),
  ]

  @Test(arguments: cases)
  func `a text up to a limit is read, one beyond it is refused`(_ testCase: Case) throws {
    _ = try parse(testCase.accepted, limits: testCase.limits)

    #expect(failure(testCase.refused, limits: testCase.limits) == testCase.error)
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "])
  func `nesting without end is refused at the limit`(_ opening: String) {
    let text = String(repeating: opening, count: 100_000 / opening.count)

    let error = failure(text)

    #expect(
      error.hasSuffix("collections are nested deeper than 128 levels")
        || error == "1:3: a key must be a scalar, not a mapping")
  }

  @Test
  func `aliases of aliases are refused before they are replaced`() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...30 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }

    #expect(failure(text) == "7:10: aliases expand to more than 1000000 nodes")
  }

  @Test
  func `the limits bound all documents of a stream together`() {
    #expect(throws: YAMLError.self) {
      try Node.all(parsing: Array("--- [a]\n--- [b]\n".utf8), limits: Limits(nodes: 3))
    }
  }
}
