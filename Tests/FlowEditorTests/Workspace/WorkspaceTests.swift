import FlowEditor
import FlowSystem
import TestKit
import Testing

/// Results of checks that are older than the texts.
struct WorkspaceTests {
  private static let main = "flow: 1\nsteps:\n  - {scenario: part.yaml, with: {amount: 1}}\n"
  private static let part = "flow: 1\ninputs: {amount: {type: int}}\nsteps: [{wait: 1ms}]\n"
  private static let other = part.replacing("amount", with: "sum")

  private func desk() throws -> EditorDesk {
    try EditorDesk(["main.yaml": Self.main, "part.yaml": Self.part])
  }

  private func codes(_ desk: EditorDesk) -> [String] {
    desk.listed("main.yaml").map { String($0.split(separator: " ")[1]) }.sorted()
  }

  @Test func `a file that changes during the first check is read again`() throws {
    var desk = try desk()
    try desk.open("main.yaml")
    let started = desk.begin()
    let job = try #require(started)

    try desk.open("part.yaml", Self.other)
    desk.end(job)
    let early = codes(desk)
    desk.work()

    #expect(early == [])
    #expect(codes(desk) == ["F1204", "F1205"])
  }

  @Test func `an older check does not replace the result of a later one`() throws {
    var desk = try desk()
    try desk.open("part.yaml")
    try desk.open("main.yaml")
    desk.work()
    desk.change("main.yaml", to: Self.main + "# 2\n", version: 2)
    let started = desk.begin()
    let job = try #require(started)

    desk.change("part.yaml", to: Self.other, version: 2)
    _ = desk.request("textDocument/codeLens", desk.document("main.yaml"))
    let late = codes(desk)
    desk.end(job)
    let after = codes(desk)
    desk.work()

    #expect(late == ["F1204", "F1205"])
    #expect(after == late)
    #expect(codes(desk) == late)
  }

  @Test func `a check of a closed text says nothing of the one opened after it`() throws {
    var desk = try desk()
    try desk.open("main.yaml", "flow: 1\n")
    let started = desk.begin()
    let job = try #require(started)
    desk.notify("textDocument/didClose", desk.document("main.yaml"))

    try desk.open("main.yaml", Self.main)
    desk.end(job)

    #expect(codes(desk) == [])
  }
}
