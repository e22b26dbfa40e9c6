import FlowSystem
import FlowYAML
import Testing

struct LargeTextTests {
  @Test
  func `a scalar of ten megabytes is read whole`() throws {
    let word = String(repeating: "word ", count: 2_000_000) + "end"

    let node = try parse("a: \"\(word)\"\n")["a"]

    #expect(node?.text == word)
    #expect(node?.span.end == Position(line: 1, column: 10_000_009))
  }

  @Test
  func `a mapping of many keys finds the one that repeats`() {
    let keys = (0..<50_000).map { "key\($0): \($0)\n" }.joined()

    #expect(
      failure(keys + "key49998: again\n")
        == "50001:1: duplicate key 'key49998', first on line 49999")
  }

  @Test
  func `a mapping of many different keys is read in file order`() throws {
    let keys = (0..<50_000).map { "\($0)" }
    let text = keys.map { "\($0): x\n'\($0)': y\n" }.joined()

    let node = try parse(text)

    #expect(node.entries.count == 100_000)
    #expect(node.entries.enumerated().allSatisfy { $0.element.key.text == keys[$0.offset / 2] })
  }
}
