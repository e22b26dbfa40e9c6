import FlowCore
import FlowSystem
import Foundation
import TestKit
import Testing

@testable import FlowEditor

/// Other names over several files, and those that cannot be given.
struct RenameTests {
  private static let files = [
    "flow.yaml": "flow: 1\n",
    "main.yaml": """
    flow: 1
    components:
      mine: {plugin: balance, with: {opening: 100.00}}
      other: {plugin: time}
    steps:
      - set: {total: 1, sum: 2}
      - id: part
        scenario: sub/two.yaml
        with: {amount: 12.50}
        components: {bal: mine}
      - uses: other.now
      - assert: ${{ total + sum == 3 && steps.part.spent == 12.50 }}

    """,
    "sub/two.yaml": """
    flow: 1
    inputs: {amount: {type: decimal}}
    components:
      bal: {plugin: balance, with: {opening: 1.00}}
    steps:
      - uses: bal.load
      - scenario: three.yaml
      - assert: ${{ inputs.amount > 0 }}
    outputs: {spent: "${{ inputs.amount }}"}

    """,
    "sub/three.yaml": "flow: 1\nsteps: [{wait: 1ms}]\n",
  ]

  private func desk(_ changes: [String: String] = [:]) throws -> EditorDesk {
    var desk = try EditorDesk(Self.files.merging(changes) { $1 })
    try desk.open("main.yaml")
    try desk.open("sub/two.yaml")
    desk.work()
    return desk
  }

  private func renamed(_ edit: JSON, _ desk: EditorDesk) throws -> [String: String] {
    NavigationTests.applied(
      edit,
      [
        "main.yaml": try desk.folder.text("main.yaml"),
        "two.yaml": try desk.folder.text("sub/two.yaml"),
      ])
  }

  @Test(arguments: [
    ("set: {to‸tal", "sum", "'sum' exists already"),
    ("mi‸ne: {plugin", "other", "'other' exists already"),
    ("ot‸her.now", "mine", "'mine' exists already"),
  ])
  func `a name of another thing is refused`(
    _ place: String, _ name: String, _ reason: String
  ) throws {
    var desk = try desk()

    let error = desk.request(
      "textDocument/rename", try desk.place("main.yaml", at: place, newName: name))

    #expect(error["message"] == .string("the new name cannot be used: " + reason))
  }

  /// A mistake in the included file leaves its includer's names as they are.
  @Test(arguments: ["", "\n  - uses: bal.lod"])
  func `a component of an included scenario is renamed where it is replaced`(
    _ mistake: String
  ) throws {
    let text = try #require(Self.files["sub/two.yaml"])
      .replacing("three.yaml", with: "three.yaml" + mistake)
    var desk = try desk(["sub/two.yaml": text])

    let edit = desk.request(
      "textDocument/rename", try desk.place("sub/two.yaml", at: "  b‸al: {", newName: "money"))

    let after = try renamed(edit, desk)
    #expect(after["main.yaml"] == Self.files["main.yaml"]?.replacing("{bal:", with: "{money:"))
    #expect(
      after["two.yaml"]
        == text.replacing("  bal:", with: "  money:").replacing("uses: bal", with: "uses: money"))
  }

  @Test(arguments: ["", "\n  - uses: bal.lod"])
  func `a component given to another scenario is renamed there, too`(_ mistake: String) throws {
    let text = try #require(Self.files["sub/two.yaml"])
    var desk = try desk([
      "sub/two.yaml": text.replacing("three.yaml", with: "three.yaml" + mistake)
    ])

    let edit = desk.request(
      "textDocument/rename", try desk.place("main.yaml", at: "mi‸ne: {plugin", newName: "money"))

    let after = try renamed(edit, desk)["main.yaml"]
    #expect(after == Self.files["main.yaml"]?.replacing("mine", with: "money"))
  }

  @Test func `a replaced component is defined in the included scenario`() throws {
    var desk = try desk()

    let location = desk.request(
      "textDocument/definition", try desk.place("main.yaml", at: "{b‸al: mine"))

    #expect(location["uri"]?.string == desk.uri("sub/two.yaml"))
    #expect(location.at("range", "start", "line") == .int(3))
  }

  @Test(arguments: [
    ("two.yaml", "a scenario keeps its folder, where its own paths start"),
    ("sub/more/two.yaml", "a scenario keeps its folder, where its own paths start"),
    ("", "the name of a scenario ends with .yaml or .yml"),
    ("sub/.yaml", "the name of a scenario ends with .yaml or .yml"),
    ("sub/two.txt", "the name of a scenario ends with .yaml or .yml"),
    ("sub/three.yaml", "'@/sub/three.yaml' exists already"),
    ("sub/four.yaml", "'@/sub/four.transcript.jsonl' exists already"),
  ])
  func `a scenario moves to a free name in its folder alone`(
    _ name: String, _ message: String
  ) throws {
    var desk = try desk(["sub/two.transcript.jsonl": "", "sub/four.transcript.jsonl": ""])

    let error = desk.request(
      "textDocument/rename",
      try desk.place("main.yaml", at: "scenario: sub/tw‸o", newName: name))

    let shown = error["message"]?.string?
      .replacing(EditorFiles.fullPath(of: desk.folder.directory.path) + "/", with: "@/")
    #expect(shown?.replacing(desk.folder.directory.path + "/", with: "@/") == message)
  }

  @Test func `a file that cannot be read stops a rename, and is named`() throws {
    var desk = try desk()
    try desk.folder.link("odd.yaml", to: "nowhere.yaml")

    let error = desk.request(
      "textDocument/rename", try desk.place("sub/two.yaml", at: "{am‸ount: {", newName: "cost"))
    let references = desk.request(
      "textDocument/references", try desk.place("sub/two.yaml", at: "{am‸ount: {"))

    let message = error["message"]?.string ?? ""
    #expect(message.hasSuffix("odd.yaml' cannot be read, and the name may be in it, too"))
    #expect(references.elements.count == 4)
  }
}
