import FlowCommand
import TestKit
import Testing

/// Values hidden by the patterns of a project in a transcript recorded without them.
@Suite struct ShownPatternTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    let text = String(repeating: "x", count: 180) + "id-4711-4712"
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {uses: p.echo, with: {value: id-4711}}
        - {uses: p.echo, with: {value: \(text)}}

      """, to: "a/s.yaml")
    _ = try await FlowCommandRun(["run", "@/a/s.yaml", "--record"], in: folder)
    try folder.write(try folder.text("a/s.transcript.jsonl"), to: "b/s.transcript.jsonl")
    try folder.write(#"{flow: 1, redact: ['id-\d+-?\d*']}"#, to: "a/flow.yaml")
    try folder.write("flow: 1\n", to: "b/flow.yaml")
  }

  @Test func `they hide values, also those that are cut`() async throws {
    for options in [[], ["--full"]] {
      let run = try await FlowCommandRun(
        ["transcript", "show", "@/a/s.transcript.jsonl"] + options, in: folder)

      #expect(run.output.contains("${redacted:1}"))
      #expect(!run.output.contains("id-"))
      #expect(run.code == .passed)
    }
  }

  @Test func `each file has those of its own project`() async throws {
    let run = try await FlowCommandRun(
      ["transcript", "show", "@/a/s.transcript.jsonl", "@/b/s.transcript.jsonl"], in: folder)

    #expect(run.output.contains("${redacted:1}"))
    #expect(run.output.contains("id-4711"))
  }

  @Test func `a wrong project file is told first`() async throws {
    try folder.write("flow: 1\nredact: ['[']\n", to: "a/flow.yaml")
    let run = try await FlowCommandRun(
      ["transcript", "show", "@/a/s.transcript.jsonl"], in: folder)

    #expect(run.output == "")
    #expect(run.errors.contains("[F1607]"))
    #expect(run.code == .badInput)
  }
}
