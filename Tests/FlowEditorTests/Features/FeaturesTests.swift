import FlowSystem
import TestKit
import Testing

@testable import FlowEditor

/// Code actions, outlines, folding, formatting, colours, hints and lenses.
struct FeaturesTests {
  private static let text = """
    flow: 1
    components:
      balance: {plugin: balance, with: {opening: 100.00}}
    steps:
      # Loads it.
      # Twice.
      - id: load
        uses: balance.lod
      - if: ${{ true }}
        do:
          - name: inner
            uses: balance.load
      - parallel:
          left:
            - uses: balance.load
          right:
            do: [{uses: balance.load}]

    """

  private func desk(_ text: String = FeaturesTests.text) throws -> EditorDesk {
    var desk = try EditorDesk()
    try desk.open("a.yaml", text)
    desk.work()
    return desk
  }

  @Test func `a fix of a problem is a code action`() throws {
    var desk = try desk()
    let place = EditorPosition(line: 7, character: 20)
    let params = JSON.fields([
      "textDocument": .fields(["uri": .string(desk.uri("a.yaml"))]),
      "range": EditorRange(place, place).json, "context": .fields(["diagnostics": .array([])]),
    ])

    let actions = desk.request("textDocument/codeAction", params)

    #expect(actions.elements.map { $0["title"]?.string } == ["replace lod by load"])
    #expect(
      actions.elements.first?.at("edit", "documentChanges")?.elements.first?["edits"]?.text
        == #"[{"range":{"start":{"line":7,"character":18},"end":{"line":7,"character":21}},"newText":"load"}]"#
    )
  }

  @Test func `a missing version is a code action, too`() throws {
    var desk = try desk("steps: []\n")
    let place = EditorPosition(line: 0, character: 0)
    let params = JSON.fields([
      "textDocument": .fields(["uri": .string(desk.uri("a.yaml"))]),
      "range": EditorRange(place, place).json,
      "context": .fields(["only": .array([.string("quickfix")])]),
    ])

    let actions = desk.request("textDocument/codeAction", params)

    #expect(actions.elements.map { $0["title"]?.string } == ["insert flow: 1"])
  }

  @Test func `the outline has sections, steps and branches`() throws {
    var desk = try desk()

    let symbols = desk.request("textDocument/documentSymbol", desk.document("a.yaml"))

    #expect(
      Self.outline(symbols.elements) == [
        "components", "  balance (balance)", "steps", "  load (balance.lod)", "  if",
        "    inner (balance.load)",
        "  parallel", "    left (branch)", "      balance.load", "    right (branch)",
        "      balance.load",
      ])
  }

  private static func outline(_ symbols: [JSON], _ indent: String = "") -> [String] {
    symbols.flatMap { symbol in
      let detail = symbol["detail"]?.string.map { " (\($0))" } ?? ""
      return [indent + (symbol["name"]?.string ?? "") + detail]
        + outline(symbol["children"]?.elements ?? [], indent + "  ")
    }
  }

  @Test func `collections and comments fold`() throws {
    var desk = try desk()

    let ranges = desk.request("textDocument/foldingRange", desk.document("a.yaml"))

    let shown = ranges.elements.map { range in
      "\(range["startLine"]?.int ?? -1)-\(range["endLine"]?.int ?? -1)\(range["kind"]?.string ?? "")"
    }
    #expect(shown.contains("3-16"))
    #expect(shown.contains("6-7"))
    #expect(shown.contains("9-11"))
    #expect(shown.contains("4-5comment"))
  }

  @Test(arguments: [
    ("flow: 1  \nsteps: []\t\n\n\n", "flow: 1\nsteps: []\n"),
    ("flow: 1\nsteps: []", "flow: 1\nsteps: []\n"),
    ("flow: 1\nsteps: []\n", "flow: 1\nsteps: []\n"),
    (
      "flow: 1\nsteps:\n  - name: |\n      a  \n      b\n    wait: 1s  \n",
      "flow: 1\nsteps:\n  - name: |\n      a  \n      b\n    wait: 1s\n"
    ),
    ("flow: 1\nsteps:\n  - wait: 1s\n  \n", "flow: 1\nsteps:\n  - wait: 1s\n"),
    (
      "flow: 1\nsteps: []  \nname: |+ \n  a \n\n\n",
      "flow: 1\nsteps: []\nname: |+\n  a \n\n\n"
    ),
    (
      "flow: 1\nname: |\n  a  \nsteps:\n" + String(repeating: "  - wait: 1s  \n", count: 300),
      "flow: 1\nname: |\n  a  \nsteps:\n" + String(repeating: "  - wait: 1s\n", count: 300)
    ),
    ("flow: 1\r\nsteps: []", "flow: 1\r\nsteps: []\r\n"), ("flow: [\n", "flow: [\n"), ("", ""),
  ])
  func `formatting changes the layout alone`(_ text: String, _ formatted: String) {
    let document = TextDocument(uri: "", path: "a.yaml", language: "flow", version: 1, text: text)

    let result = document.applying(Formatting(document).edits)

    #expect(String(decoding: result.bytes, as: UTF8.self) == formatted)
    #expect(Formatting(result).edits.isEmpty || formatted == text)
  }

  @Test func `words of the format and of expressions have colours`() throws {
    var desk = try desk("flow: 1\nsteps:\n  - uses: a.b\n    if: ${{ f(x, 'y') > 1 }}\n")

    let tokens = desk.request("textDocument/semanticTokens/full", desk.document("a.yaml"))

    let numbers = (tokens["data"]?.elements ?? []).compactMap(\.int)
    let kinds = stride(from: 0, to: numbers.count, by: 5).map {
      SemanticTokens.Kind.allCases[numbers[$0 + 3]].rawValue
    }
    #expect(
      kinds == [
        "property", "property", "property", "namespace", "method", "property", "function",
        "operator",
        "variable", "operator", "string", "operator", "operator", "number",
      ])
  }

  @Test func `recorded values are in hints, hovers and completions, and steps have lenses`() throws
  {
    var desk = try EditorDesk()
    let path = ScenarioFolder.path + "/shop.yaml"
    try desk.open(path, try ScenarioFolder.text("shop.yaml"))
    desk.work()

    let whole = EditorRange(
      EditorPosition(line: 0, character: 0), EditorPosition(line: 1_000, character: 0))
    let hints = desk.request(
      "textDocument/inlayHint",
      .fields([
        "textDocument": .fields(["uri": .string(desk.uri(path))]), "range": whole.json,
      ]))
    let lenses = desk.request("textDocument/codeLens", desk.document(path))

    let labels = hints.elements.compactMap { $0["label"]?.string }
    #expect(labels.contains { $0.hasPrefix("= {") }, "\(labels)")
    let commands = lenses.elements.compactMap { $0.at("command", "command")?.string }
    #expect(Array(commands.prefix(4)) == ["flow.run", "flow.record", "flow.replay", "flow.debug"])
    #expect(commands.contains("flow.runStep"))
  }
}
