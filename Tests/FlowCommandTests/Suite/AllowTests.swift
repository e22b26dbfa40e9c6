import FlowCommand
import TestKit
import Testing

/// Differences accepted by `--allow`.
@Suite struct AllowTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: a, uses: p.count}
      - {id: b, uses: p.echo, with: {value: x}}

    """

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    let arguments: [String]
    let note: String
  }

  @Test(arguments: samples) func `what is allowed is told and fails nothing`(
    _ sample: Sample
  ) async throws {
    let suite = try SuiteFolder()
    try suite.folder.write(Self.scenario, to: "s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    try suite.folder.write(
      Self.scenario.replacing(existing: sample.old, with: sample.new), to: "s.yaml")
    let strict = try await suite.run(sample.arguments)
    let run = try await suite.run(sample.arguments + ["--allow", sample.testDescription])

    #expect([strict.code, run.code] == [.failed, .passed])
    #expect(run.errors.contains(sample.note))
  }

  @Test func `a live run in another order fails, and passes where the order is free`() async throws
  {
    let suite = try SuiteFolder()
    let scenario = { (steps: [String], compare: String) in
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - do: [\(steps.joined(separator: ", "))]
          compare: \(compare)

      """
    }
    let steps = [
      "{id: a, uses: p.echo, with: {value: 1}}", "{id: b, uses: p.echo, with: {value: 2}}",
    ]
    try suite.folder.write(scenario(steps, "causal"), to: "s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    try suite.folder.write(scenario(steps.reversed(), "causal"), to: "s.yaml")
    let causal = try await suite.flow("test", "--live", "@/s.yaml")
    try suite.folder.write(scenario(steps.reversed(), "set"), to: "s.yaml")
    let set = try await suite.flow("test", "--live", "@/s.yaml")

    #expect([causal.code, set.code] == [.failed, .passed])
    #expect(
      causal.errors.hasPrefix(
        """
        @/s.yaml:4:51: error: 'do/a#1' comes after 'do/b#1', but was recorded before its end [F3010]
            4 |   - do: [{id: b, uses: p.echo, with: {value: 2}}, {id: a, uses: p.echo, with: {value: 1}}]
              |                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: line 4: 'do/a#1' called 'p.echo'
          note: line 6: 'do/b#1' called 'p.echo', answered on line 7

        """))
  }

  static let samples = [
    Sample(
      testDescription: "changed", old: "value: x", new: "value: y",
      arguments: ["replay", "@/s.transcript.jsonl"],
      note: "note: allowed: the input of 'b#1' has changed (value: recorded \"x\", now \"y\")\n"),
    Sample(
      testDescription: "unused", old: "  - {id: a, uses: p.count}\n", new: "",
      arguments: ["replay", "@/s.transcript.jsonl"],
      note: "note: allowed: 1 recorded call was never made (line 4: 'a#1' called 'p.count')\n"),
    Sample(
      testDescription: "unused,changed", old: "  - {id: a, uses: p.count}\n", new: "",
      arguments: ["test", "@/s.yaml", "--update", "never"],
      note: "note: allowed: 1 recorded call was never made (line 4: 'a#1' called 'p.count')\n"),
    Sample(
      testDescription: "unexpected", old: "value: x}}\n",
      new: "value: x}}\n  - {id: c, uses: p.count}\n",
      arguments: ["test", "@/s.yaml", "--live", "--update", "never"],
      note: "note: allowed: added c#1, p.count\n"),
    Sample(
      testDescription: "changed", old: "uses: p.count", new: "uses: p.count, with: {by: 2}",
      arguments: ["test", "@/s.yaml", "--live", "--update", "never"],
      note: "note: allowed: changed a#1, p.count\n"),
  ]

  @Test(arguments: [
    (["replay", "x", "--allow", "unexpected"], "'--allow unexpected' needs 'flow test --live'"),
    (["test", "--allow", "changed,unexpected"], "'--allow unexpected' needs 'flow test --live'"),
    (
      ["test", "--allow", "most"],
      "'--allow': expected unexpected, unused, changed or stale, got 'most'"
    ),
  ])
  func `what cannot be allowed is exit 64`(_ arguments: [String], _ message: String) async throws {
    let run = try await SuiteFolder().run(arguments)

    #expect(run.code == .badCommandLine)
    #expect(run.errors.contains(message))
  }
}

extension SuiteFolder {
  fileprivate func run(_ arguments: [String]) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }
}
