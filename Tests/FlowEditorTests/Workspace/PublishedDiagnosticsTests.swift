import FlowCore
import FlowPlan
import FlowRedaction
import FlowScenario
import FlowSystem
import Foundation
import TestKit
import Testing

@testable import FlowEditor

struct PublishedDiagnosticsTests {
  private static let folders = ["Scenarios", "Examples", "Plugins"]

  /// Every YAML file of the project's scenarios, examples and plugins.
  private static let files: [String] = folders.flatMap { folder -> [String] in
    let root = ProjectFiles.root + "/" + folder
    let found = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasSuffix(".yaml") && !$0.contains("/.") }.sorted().map {
      folder + "/" + $0
    }
  }

  @Test func `the published problems of every scenario are those of a check`() throws {
    #expect(Self.files.count > 200)
    let registry = try EditorDesk.registry()
    let loader = ScenarioLoader(registry: registry)
    for file in Self.files where !ProjectFile.isOne(file) {
      let path = ProjectFiles.root + "/" + file
      var desk = try EditorDesk()

      try desk.open(path, try ProjectFiles.text(file))
      desk.work()

      let published = desk.problems.values.joined().map(EditorDesk.line).sorted()
      let checked = try Self.problems(of: path, loader)
      #expect(published == checked, "\(file)")
    }
  }

  /// The problems of a scenario, as `flow check` prints them, with places from 0.
  private static func problems(of path: String, _ loader: ScenarioLoader) throws -> [String] {
    let redactor = Redactor()
    let project = try ProjectFile.path(around: Path.folder(of: path))
    if let project { redactor.use(try ProjectFile(reading: project).patterns) }
    let found: [Diagnostic]
    do throws(ScenarioError) {
      // The path as the server shows it.
      let source = try ScenarioSource(reading: Path.shown(path))
      found = try loader.check(source, hidingSecretsBy: redactor).warnings
    } catch { found = error.diagnostics }
    return found.map { $0.redacted(by: redactor) }.map { problem in
      let start = problem.span.map { "\($0.start.line - 1):" } ?? "0:"
      let message = ([problem.message] + problem.notes).joined(separator: "\n")
      let column = problem.span.map { Self.column($0) } ?? 0
      return "\(start)\(column) \(problem.code.name) \(message)"
    }.sorted()
  }

  /// The column in bytes from 0.
  private static func column(_ span: SourceSpan) -> Int {
    let bytes =
      (try? Directory("/").read(EditorFiles.fullPath(of: span.file).dropFirst().description))
    let lines = (bytes ?? []).split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.indices.contains(span.start.line - 1) else { return span.start.column - 1 }
    let line = String(decoding: lines[span.start.line - 1], as: UTF8.self).unicodeScalars
    return String(String.UnicodeScalarView(line.prefix(span.start.column - 1))).utf8.count
  }

  @Test func `an unused id is marked as unnecessary`() throws {
    var desk = try EditorDesk(["a.yaml": Self.unused])

    try desk.open("a.yaml")
    desk.work()

    #expect(
      desk.problems[desk.uri("a.yaml")]?.map(\.text) == [
        #"{"range":{"start":{"line":2,"character":8},"end":{"line":2,"character":12}},"#
          + #""severity":2,"code":"F1501","source":"flow","#
          + #""message":"the id 'last' is never used","tags":[1]}"#
      ])
  }

  private static let unused = """
    flow: 1
    steps:
      - id: last
        wait: 1ms

    """

  @Test func `problems follow the edits`() throws {
    var desk = try EditorDesk(["a.yaml": "flow: 1\nsteps: [{wait: 0s}]\n"])
    try desk.open("a.yaml")
    desk.work()
    #expect(desk.listed("a.yaml") == [])

    desk.change("a.yaml", to: "flow: 1\nsteps: [{wait: 0s}]\nstep: 1\n", version: 2)
    desk.work()
    #expect(
      desk.listed("a.yaml") == [
        "2:0 F1102 unknown key 'step' in a scenario; did you mean 'steps'?"
      ])

    desk.change("a.yaml", to: "flow: 1\nsteps: [{wait: 0s}]\n", version: 3)
    desk.work()
    #expect(desk.listed("a.yaml") == [])
  }

  @Test func `an open text takes the place of an included file`() throws {
    let main = """
      flow: 1
      steps:
        - scenario: part.yaml
          with: {amount: 1}

      """
    let part =
      "flow: 1\ninputs:\n  amount: {type: int}\nsteps:\n  - assert: ${{ inputs.amount > 0 }}\n"
    var desk = try EditorDesk(["main.yaml": main, "part.yaml": part])
    try desk.open("main.yaml")
    desk.work()
    #expect(desk.listed("main.yaml") == [])

    try desk.open("part.yaml", part.replacingOccurrences(of: "amount", with: "sum"))
    desk.work()

    #expect(desk.listed("part.yaml") == [])
    #expect(desk.listed("main.yaml").map { String($0.prefix(9)) } == ["3:10 F120", "3:11 F120"])

    desk.notify("textDocument/didClose", desk.document("part.yaml"))
    desk.work()
    #expect(desk.listed("main.yaml") == [])
  }

  @Test func `mistakes of an included file are published for it`() throws {
    let main = "flow: 1\nsteps:\n  - scenario: part.yaml\n"
    var desk = try EditorDesk(["main.yaml": main, "part.yaml": "flow: 1\nsteps:\n  - uses: x.y\n"])

    try desk.open("main.yaml")
    desk.work()

    #expect(desk.listed("main.yaml") == [])
    #expect(desk.listed("part.yaml").count == 1)
    desk.notify("textDocument/didClose", desk.document("main.yaml"))
    #expect(desk.listed("part.yaml") == [])
  }

  @Test func `nothing is said of other files, and everything of a flow.yaml`() throws {
    var desk = try EditorDesk([
      "other.yaml": "name: x\non: push\n", "flow.yaml": "flow: 1\njobs: many\n",
    ])

    try desk.open("other.yaml", language: "yaml")
    try desk.open("flow.yaml", language: "yaml")
    desk.work()

    #expect(desk.listed("other.yaml") == [])
    #expect(desk.listed("flow.yaml").map { String($0.prefix(10)) } == ["1:6 F1605 "])
  }
}
