import FlowSystem
import TestKit
import Testing

@testable import FlowEditor

/// Values of transcripts, which anyone may have written.
struct RecordedValueTests {
  private static let scenario = """
    flow: 1
    inputs: {note: {type: string, default: "a`b``c [x](http://localhost)"}}
    steps:
      - assert: ${{ inputs.note != '' }}

    """

  private func hover(_ capabilities: JSON) async throws -> String? {
    var desk = try EditorDesk(["a.yaml": Self.scenario], capabilities: capabilities)
    _ = try await FlowCommandRun(["run", "@/a.yaml", "--record"], in: desk.folder)
    try desk.open("a.yaml")
    let answer = desk.request("textDocument/hover", try desk.place("a.yaml", at: "no‸te: {"))
    return answer.at("contents", "value")?.string
  }

  @Test func `a recorded value stays code in a hover`() async throws {
    #expect(
      try await hover(EditorDesk.capabilities) == """
        `inputs.note`: string

        Recorded: ``` "a`b``c [x](http://localhost)" ```
        """)
  }

  @Test func `a plain hover has no marks`() async throws {
    #expect(
      try await hover(.object([])) == """
        inputs.note: string

        Recorded: "a`b``c [x](http://localhost)"
        """)
  }

  @Test func `a transcript that cannot be read is no recording`() throws {
    var desk = try EditorDesk(["a.yaml": Self.scenario, "a.transcript.jsonl": "{}\n"])
    try desk.open("a.yaml")

    let lenses = desk.request("textDocument/codeLens", desk.document("a.yaml"))
    let recorded = RecordedRun.present(of: desk.folder.path("a.yaml"), after: nil)

    let commands = lenses.elements.compactMap { $0.at("command", "command")?.string }
    #expect(commands == ["flow.run", "flow.record", "flow.debug"])
    // Kept, so that the file is not read again before it changes.
    #expect(recorded?.isReadable == false)
  }
}
