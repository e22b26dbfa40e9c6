import FlowSystem
import FlowYAML
import Testing

@testable import FlowEditor

struct RepairedTextTests {
  @Test(arguments: [
    ("a key without a colon", "flow: 1\nsteps:\n  - uses\n    with: {}\n  - id: b\n"),
    ("an open quote", "flow: 1\nname: \"open\nsteps:\n  - id: b\n"),
    ("an open brace", "flow: 1\nsteps:\n  - {id: a, with: {\n  - id: b\n"),
    ("an open bracket at the end", "flow: 1\nsteps:\n  - id: b\n  - set: [1,\n"),
    ("a tab", "flow: 1\nsteps:\n\t- id: a\n  - id: b\n"),
    ("two mistakes", "flow: 1\nx\nsteps:\n  - id: \"a\n  - id: b\n"),
    ("a key twice", "flow: 1\nflow: 1\nsteps:\n  - id: b\n"),
  ])
  func `a broken line is left out, and the others stay`(_ id: String, _ text: String) throws {
    let bytes = Array(text.utf8)

    let repaired = try #require(RepairedText(bytes)?.bytes)

    #expect(repaired.count == bytes.count)
    let root = try Node(parsing: repaired)
    #expect(
      root["steps"]?.items.contains { $0["id"]?.text == "b" } == true,
      "\(String(decoding: repaired, as: UTF8.self))")
  }

  @Test func `names of a half-written scenario are known`() throws {
    let marked = MarkedText(
      """
      flow: 1
      components:
        balance: {plugin: balance}
      steps:
        - id: load
          uses: balance.load
        - uses: balance.sub
          with: {amount: "${{ steps.lo‸
        - id: last
          uses: balance.load

      """)
    var desk = try EditorDesk()
    try desk.open("a.yaml", marked.text)

    let list = desk.request(
      "textDocument/completion", desk.place("a.yaml", marked.line, marked.column))

    let labels = (list["items"]?.elements ?? []).compactMap { $0["label"]?.string }
    #expect(labels == ["load"])
  }
}
