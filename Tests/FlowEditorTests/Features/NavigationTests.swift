import FlowSystem
import Foundation
import TestKit
import Testing

@testable import FlowEditor

/// Hovers, definitions, references and other names.
struct NavigationTests {
  private static let main = """
    flow: 1
    components:
      balance: {plugin: balance, with: {opening: 100.00}}
    steps:
      - id: load
        uses: balance.load
      - id: part
        scenario: parts/spend.yaml
        with: {amount: 12.50}
      - set: {rest: "${{ steps.load.balance - 12.50 }}"}
      - assert: ${{ rest > 0 && has(steps.load.balance) && steps.part.spent == 12.50 }}

    """
  private static let part = """
    flow: 1
    inputs:
      amount: {type: decimal}
    steps:
      - assert: ${{ inputs.amount > 0 }}
    outputs:
      spent: ${{ inputs.amount }}

    """

  private func desk() throws -> EditorDesk {
    var desk = try EditorDesk([
      "flow.yaml": "flow: 1\n", "main.yaml": Self.main, "parts/spend.yaml": Self.part,
    ])
    try desk.open("main.yaml")
    desk.work()
    #expect(desk.listed("main.yaml") == [])
    return desk
  }

  /// A place in the main text: the line of a text and the column of a part of it.
  private func at(_ text: String, _ desk: EditorDesk, in name: String = "main.yaml") -> JSON {
    let marked = MarkedText(text)
    let whole = name == "main.yaml" ? Self.main : Self.part
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let line = lines.firstIndex { $0.contains(marked.text) } ?? 0
    let start = lines[line].range(of: marked.text)?.lowerBound ?? lines[line].startIndex
    let column = lines[line][..<start].utf8.count + marked.column
    return desk.place(name, line, column)
  }

  @Test(arguments: [
    ("uses: balance.lo‸ad", "`balance.load`: () -> (balance: decimal)"),
    ("us‸es: balance.load", "`uses`: operation\n\nThe operation to call, such as balance.load."),
    ("with: {am‸ount", "`amount`: decimal, required"),
    ("- steps‸.load", ""),
    ("steps.load.bal‸ance - 12", "`balance`: decimal\n\n"),
    ("{rest‸: ", "`rest`: decimal"),
    ("assert: ${{ re‸st", "`rest`: decimal"),
    ("has‸(", "`has`: has(field) -> bool"),
    ("plugin: bal‸ance", "`balance`: plugin"),
  ])
  func `a hover has type and documentation`(_ place: String, _ text: String) throws {
    var desk = try desk()

    let hover = desk.request("textDocument/hover", at(place, desk))

    let value = hover.at("contents", "value")?.string ?? ""
    #expect(text.isEmpty || value.hasPrefix(text), "\(value)")
  }

  @Test(arguments: [
    ("steps.lo‸ad.balance - ", "main.yaml", 4, 8), ("rest‸ > 0", "main.yaml", 9, 10),
    ("uses: bal‸ance.load", "main.yaml", 2, 2),
    ("scenario: parts/sp‸end", "parts/spend.yaml", 0, 0),
    ("with: {amou‸nt", "parts/spend.yaml", 2, 2), ("id: lo‸ad", "main.yaml", 4, 8),
  ])
  func `a definition is where a name is declared`(
    _ place: String, _ file: String, _ line: Int, _ column: Int
  ) throws {
    var desk = try desk()

    let location = desk.request("textDocument/definition", at(place, desk))

    #expect(location["uri"]?.string == desk.uri(file))
    #expect(
      location.at("range", "start")
        == EditorPosition(line: line, character: column).json)
  }

  @Test func `references are in all files`() throws {
    var desk = try desk()
    try desk.open("parts/spend.yaml")

    let found = desk.request(
      "textDocument/references", at("  am‸ount:", desk, in: "parts/spend.yaml"))

    let places = found.elements.map { location in
      let start = location.at("range", "start").flatMap(EditorPosition.init)
      let name = location["uri"]?.string?.split(separator: "/").last ?? ""
      return "\(name) \(start?.line ?? -1):\(start?.character ?? -1)"
    }
    #expect(
      places == ["spend.yaml 2:2", "spend.yaml 4:16", "spend.yaml 6:13", "main.yaml 8:11"])
  }

  @Test func `another name is written in both files`() throws {
    var desk = try desk()
    try desk.open("parts/spend.yaml")

    var params = at("  am‸ount:", desk, in: "parts/spend.yaml")
    params = .fields([
      "textDocument": params["textDocument"], "position": params["position"],
      "newName": .string("sum"),
    ])
    let edit = desk.request("textDocument/rename", params)

    let texts = Self.applied(edit, ["main.yaml": Self.main, "spend.yaml": Self.part])
    #expect(texts["main.yaml"] == Self.main.replacing("{amount: 12.50}", with: "{sum: 12.50}"))
    #expect(texts["spend.yaml"] == Self.part.replacing("amount", with: "sum"))
  }

  @Test(arguments: [
    ("id: lo‸ad", "get", ["id: load", "steps.load"], ["id: get", "steps.get"]),
    (
      "bal‸ance: {plugin", "money", ["  balance: {", "uses: balance."],
      ["  money: {", "uses: money."]
    ),
    ("rest‸ > 0", "left", ["{rest:", "rest > 0"], ["{left:", "left > 0"]),
  ])
  func `another name is written everywhere`(
    _ place: String, _ name: String, _ old: [String], _ new: [String]
  ) throws {
    var desk = try desk()

    let params = at(place, desk)
    let edit = desk.request(
      "textDocument/rename",
      .fields([
        "textDocument": params["textDocument"], "position": params["position"],
        "newName": .string(name),
      ]))

    let expected = zip(old, new).reduce(Self.main) { $0.replacing($1.0, with: $1.1) }
    #expect(Self.applied(edit, ["main.yaml": Self.main])["main.yaml"] == expected)
  }

  @Test(arguments: [
    ("not a name", "'not a name' is not a name: use letters, digits and underscores"),
    ("part", "the new name cannot be used: "),
  ])
  func `a name that cannot be used is refused`(_ name: String, _ message: String) throws {
    var desk = try desk()

    let params = at("id: lo‸ad", desk)
    let error = desk.request(
      "textDocument/rename",
      .fields([
        "textDocument": params["textDocument"], "position": params["position"],
        "newName": .string(name),
      ]))

    #expect(error["message"]?.string?.hasPrefix(message) == true, "\(error.text)")
  }

  @Test func `a scenario moves with its mentions`() throws {
    var desk = try desk()

    let params = at("scenario: parts/sp‸end", desk)
    let edit = desk.request(
      "textDocument/rename",
      .fields([
        "textDocument": params["textDocument"], "position": params["position"],
        "newName": .string("parts/pay.yaml"),
      ]))

    let texts = Self.applied(edit, ["main.yaml": Self.main])
    #expect(texts["main.yaml"] == Self.main.replacing("parts/spend.yaml", with: "parts/pay.yaml"))
    let move = edit["documentChanges"]?.elements.last
    #expect(move?["kind"] == .string("rename"))
    #expect(move?["oldUri"]?.string == desk.uri("parts/spend.yaml"))
    #expect(move?["newUri"]?.string?.hasSuffix("/parts/pay.yaml") == true)
  }

  /// Returns the texts after an edit of the workspace, by the names of their files.
  static func applied(_ edit: JSON, _ texts: [String: String]) -> [String: String] {
    var texts = texts
    for change in edit["documentChanges"]?.elements ?? [] where change["edits"] != nil {
      let name = String(change.at("textDocument", "uri")?.string?.split(separator: "/").last ?? "")
      let lines = LineTable(Array((texts[name] ?? "").utf8))
      let edits = (change["edits"]?.elements ?? []).compactMap { edit -> TextEdit? in
        guard let range = edit["range"].flatMap(EditorRange.init) else { return nil }
        return TextEdit(
          range: lines.offset(of: range.start, .utf8)..<lines.offset(of: range.end, .utf8),
          text: edit["newText"]?.string ?? "")
      }
      let document = TextDocument(
        uri: "", path: "", language: "", version: 0, text: texts[name] ?? "")
      texts[name] = String(decoding: document.applying(edits).bytes, as: UTF8.self)
    }
    return texts
  }
}
