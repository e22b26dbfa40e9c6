import FlowCore
import FlowSystem
import TestKit
import Testing

@testable import FlowEditor

/// Names, problems and new names in texts with mistakes elsewhere.
struct MistakeTests {
  private static let head = """
    flow: 1
    inputs: {who: {type: string, default: me}}
    components: {p: {plugin: process}}
    steps:
      - {id: a, uses: p.run, with: {argv: [echo]}}
      - set: {total: 1}

    """

  private func desk(_ text: String) throws -> EditorDesk {
    var desk = try EditorDesk(["flow.yaml": "flow: 1\n", "main.yaml": text])
    try desk.open("main.yaml")
    desk.work()
    return desk
  }

  private func starts(_ ranges: JSON) -> [String] {
    ranges.elements.compactMap { $0.at("range", "start").flatMap(EditorPosition.init) }
      .map { "\($0.line):\($0.character)" }
  }

  @Test(arguments: [
    "- assert: ${{ @.stdout == '' && x == 1 }}", "- assert: ${{ x == 1 || @.stdout == '' }}",
    "- assert: ${{ @.stdot == '' }}", "- assert: ${{ @.stdout }}",
    "- {uses: p.run, with: {argv: [echo, \"${{ @.stdout + 1 }}\"]}}",
    "- assert: ${{ @.stdout == }}", "- assert: ${{ [1].all(i, @.status == i }}",
    "- assert: ${{ @. }}", "- assert: ${{ nope(@.stdout) }}",
    "- assert: ${{ math.nope(@.status) == 1 }}", "- assert: ${{ [1].map(1, @.status) == [] }}",
    "- {uses: p.rum, with: {argv: [echo, \"${{ @.stdout }}\"]}}",
    "- {uses: q.run, with: {argv: [echo, \"${{ @.stdout }}\"]}}",
    "- {usses: p.run, with: {argv: [echo, \"${{ @.stdout }}\"]}}",
    "- {uses: p.run, wiht: {argv: [echo, \"${{ @.stdout }}\"]}}",
    "- {uses: p.run, with: {argv: [echo], nope: \"${{ @.stdout }}\"}}",
    "- {for: i, in: [1], do: [{uses: p.rum, with: {argv: [\"${{ @.stdout }}\"]}}]}",
  ])
  func `names beside a mistake are known`(_ line: String) throws {
    let line = "  " + line
    let text = Self.head + line.replacing("@", with: "steps.a") + "\n"
    let column = line.prefix { $0 != "@" }.utf8.count
    let marked = "  " + line.dropFirst(2).replacing("@", with: "steps.‸a")
    var desk = try desk(text)
    let mistakes = desk.listed("main.yaml")

    let references = desk.request(
      "textDocument/references", try desk.place("main.yaml", at: marked))
    let highlights = desk.request(
      "textDocument/documentHighlight", try desk.place("main.yaml", at: "{id: ‸a"))
    let definition = desk.request(
      "textDocument/definition", try desk.place("main.yaml", at: marked))
    let edit = desk.request(
      "textDocument/rename", try desk.place("main.yaml", at: marked, newName: "first"))

    #expect(mistakes != [])
    #expect(starts(references) == ["4:9", "6:\(column)"])
    #expect(starts(highlights) == ["4:9", "6:\(column)"])
    #expect(definition.at("range", "start", "line") == .int(4))
    #expect(
      NavigationTests.applied(edit, ["main.yaml": text])["main.yaml"]
        == text.replacing("steps.a", with: "steps.first").replacing("id: a", with: "id: first"),
      "\(edit.text)")
  }

  @Test func `the variable of a macro in a broken expression is none of the scenario`() throws {
    var desk = try desk(Self.head + "  - assert: ${{ [1].map(total, total + ) == total }}\n")

    let references = desk.request(
      "textDocument/references", try desk.place("main.yaml", at: "{tot‸al: 1"))

    #expect(starts(references) == ["5:10"])
  }

  @Test(arguments: [
    ("{id: ‸a,", "b", "  - assert: ${{ 1 == x }}"),
    ("{id: ‸a,", "first", "  - assert: ${{ 1 == x }}"),
    ("{id: ‸a,", "first", "  - {id: other, uses: p.run, with: {argv: [\"${{ x }}\"]}}"),
    ("{id: ‸a,", "first", "  - assert: ${{ steps.aa.stdout == '' }}"),
    ("{id: ‸a,", "first", "  - uses: p."), ("{id: ‸a,", "first", "  - {uses: p.run"),
  ])
  func `an old mistake stops no new name`(
    _ place: String, _ name: String, _ mistake: String
  ) throws {
    let text = Self.head + mistake + "\n"
    var desk = try desk(text)

    let edit = desk.request(
      "textDocument/rename", try desk.place("main.yaml", at: place, newName: name))

    #expect(desk.listed("main.yaml") != [])
    #expect(
      NavigationTests.applied(edit, ["main.yaml": text])["main.yaml"]
        == text.replacing("{id: a,", with: "{id: \(name),"), "\(edit.text)")
  }

  @Test(arguments: [
    (
      "{tot‸al: 1", "steps", "  - set: {inputs: 2}",
      "the new name cannot be used: 'steps' cannot be the name of a variable: it is reserved"
    ),
    (
      "{id: ‸a,", "later", "  - assert: ${{ steps.later.stdout == '' }}",
      "the new name cannot be used: it has another meaning already"
    ),
    (
      "{id: ‸a,", "first", "  - {uses: p.run, with: {argv: [${{ steps.a.stdout",
      "'@/main.yaml' cannot be read, and the name may be in it, too"
    ),
  ])
  func `a refusal names its own reason, and no old mistake`(
    _ place: String, _ name: String, _ mistake: String, _ message: String
  ) throws {
    var desk = try desk(Self.head + mistake + "\n")

    let error = desk.request(
      "textDocument/rename", try desk.place("main.yaml", at: place, newName: name))

    let shown = error["message"]?.string?
      .replacing(EditorFiles.fullPath(of: desk.folder.directory.path) + "/", with: "@/")
      .replacing(desk.folder.directory.path + "/", with: "@/")
    #expect(shown == message)
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    let problems: [String]
    var testDescription: String { id }
  }

  private static let start =
    "flow: 1\ncomponents: {p: {plugin: process}}\nsteps:\n  - uses: p.rum\n"

  @Test(arguments: [
    Broken(
      id: "a step without its end",
      text: start
        + "  - {id: b, uses: p.run, with: {argv: [echo]}}\n  - uses: p.run\n    with: {argv: [\n",
      problems: ["3 F1203", "6 F1002"]),
    Broken(
      id: "a step inside of another one",
      text: start + "  - for: i\n    in: [1]\n    do:\n      - uses: p.rum\n      - {uses: p.run\n",
      problems: ["3 F1203", "7 F1203", "8 F1002"]),
    Broken(
      id: "a component after the steps",
      text: "flow: 1\nsteps:\n  - uses: q.run\ncomponents:\n  q: {plugin: process\n",
      problems: ["4 F1002"]),
    Broken(
      id: "the key of the steps", text: "flow: 2\nstep\n  - uses: p.run\n", problems: ["1 F1002"]),
    Broken(
      id: "the last component",
      text: "flow: 1\ncomponents:\n  p: {plugin: nope}\n  q: {plugin: process\nsteps: []\n",
      problems: ["4 F1002"]),
  ])
  func `the problems before a broken line are shown, too`(_ sample: Broken) throws {
    let desk = try desk(sample.text)

    let problems = desk.listed("main.yaml").map { line in
      "\(line.prefix { $0 != ":" }) \(line.split(separator: " ")[1])"
    }
    #expect(problems == sample.problems, "\(desk.listed("main.yaml"))")
  }
}
