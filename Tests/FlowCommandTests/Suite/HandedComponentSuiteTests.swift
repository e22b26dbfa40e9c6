import FlowCommand
import TestKit
import Testing

/// Recordings and journals of components that a step hands to its scenario.
@Suite struct HandedComponentSuiteTests {
  private static let part = """
    flow: 1
    components: {q: {plugin: probe, with: {start: 100}}}
    steps:
      - {id: one, uses: q.count}
      - {id: told, await: q.counted, where: "${{ event.value == steps.one.value }}", timeout: 1h}
    outputs: {value: "${{ steps.told.value }}"}

    """

  @Test func `calls of what is handed over replay, also with it live`() async throws {
    let suite = try SuiteFolder()
    try suite.folder.write(Self.part, to: "parts/part.yaml")
    try suite.folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}, n: {plugin: notebook}}
      steps:
        - {uses: n.read}
        - {id: part, scenario: parts/part.yaml, components: {q: p}}
      outputs: {value: "${{ steps.part.value }}"}

      """, to: "s.yaml")
    try suite.folder.write("a word", to: "page.txt")
    #expect(try await suite.flow("run", "@/s.yaml", "--record").code == .passed)
    let lines = try suite.folder.text("s.transcript.jsonl").split(separator: "\n")
    #expect(
      lines.filter { $0.contains("part/one") && $0.contains("invoke") } == [
        #"{"at":"part/one#1","invoke":"p.count","input":{"by":1}}"#
      ])

    try suite.folder.remove("page.txt")
    for live in [[], ["--live=p"]] {
      let run = try await suite.flow(["test", "@/s.yaml"] + live)
      #expect(run.output.hasPrefix("passed   @/s.yaml"), "\(run.errors)")
    }
    let other = try await suite.flow("test", "@/s.yaml", "--live=n")
    #expect(other.output.hasPrefix("failed"))
  }

  @Test func `a run that was interrupted goes on with what was handed over`() async throws {
    let suite = try SuiteFolder()
    try suite.folder.write(Self.part, to: "part.yaml")
    try suite.folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {uses: p.count}
        - {id: part, scenario: part.yaml, components: {q: p}}
        - {id: last, uses: p.count}
      outputs: {values: "${{ [steps.part.value, steps.last.value] }}"}

      """, to: "s.yaml")
    #expect(try await suite.flow("run", "@/s.yaml", "--journal", "@/j").code == .passed)
    let lines = try suite.folder.text("j").split(separator: "\n", omittingEmptySubsequences: false)

    for count in 1..<(lines.count - 1) {
      try suite.folder.write(lines.prefix(count).joined(separator: "\n") + "\n", to: "j")
      let run = try await suite.flow("resume", "@/j", "--retry-unknown")
      #expect(run.output.contains("values: [2, 3]"), "\(count): \(run.errors)")
    }
  }
}
