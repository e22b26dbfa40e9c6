import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import MCPPlugin

/// Alterations of a tool's recorded answers by its output schema in flow.lock.
struct DescribedAnswerTests {
  @Test func `flow mutate tries the values that the output schema allows`() async throws {
    let folder = try TemporaryFolder()
    for name in ["counter.yaml", "counter.transcript.jsonl", "flow.yaml", "flow.lock"] {
      let text = try ProjectFiles.text("Plugins/MCP/Scenarios/" + name)
      try folder.write(
        text.replacing(
          "count:\n              type: integer",
          with: "count: {type: integer, minimum: 0, maximum: 50}"), to: name)
    }
    try folder.write(
      try folder.text("counter.yaml")
        .replacing("    expect: {text: \"2\", json: {count: 2}}\n", with: "")
        .replacing("    expect: {json: {count: 42}}\n", with: ""), to: "counter.yaml")

    let run = try await FlowCommandRun(
      ["mutate", "@/counter.yaml", "--all"], in: folder, components: [], families: [MCP.self])

    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains("ok.json.count:") } == [
        "counter.add, ok.json.count: 3 of 6 not noticed",
        "  counter.add#1, ok.json.count: 42 -> 43 or 0 (minimum) or 50 (maximum)",
      ], "\(run.output)\(run.errors)")
  }
}
