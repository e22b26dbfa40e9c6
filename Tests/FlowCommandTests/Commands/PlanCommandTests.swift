import FlowCommand
import FlowCore
import TestKit
import Testing

/// `flow run --dry-run` and `flow graph`, which show a plan without running it.
@Suite struct PlanCommandTests {
  /// Its component cannot be opened, and its step fails.
  private static let scenario = """
    flow: 1
    inputs: {count: {type: int}}
    components: {p: {plugin: probe, with: {start: -1}}}
    steps: [{name: Goes wrong, uses: p.count, with: {by: "${{ inputs.count }}"}}]
    """

  @Test func `a dry run prints the plan and opens nothing`() async throws {
    let run = try await run(["run", "x.yaml", "--dry-run", "--input", "count=7"])

    #expect(
      run
        == Run(
          output: """
            @/x.yaml
            inputs:
              count: 7
            components:
              p: probe {start: -1}
            steps:
              p.count (Goes wrong)
                uses: p.count {by: ${{ inputs.count }}}

            """))
  }

  @Test func `a dry run refuses wrong inputs as a run does`() async throws {
    let dry = try await run(["run", "x.yaml", "--dry-run", "--input", "count=many"])
    let real = try await run(["run", "x.yaml", "--input", "count=many"])

    #expect(dry == real)
    #expect(dry.code == .badInput)
  }

  @Test(arguments: [
    ("--record", "--record"), ("--journal=j", "--journal"), ("--report=junit=r", "--report"),
  ])
  func `a dry run has nothing to record`(_ argument: String, _ option: String) async throws {
    let run = try await run(["run", "x.yaml", "--dry-run", argument])

    #expect(
      run
        == Run(
          errors: "flow: '\(option)' cannot be combined with '--dry-run'\nsee 'flow help run'\n",
          code: .badCommandLine))
  }

  @Test func `a graph is Mermaid's unless another format is asked for`() async throws {
    let plain = try await run(["graph", "x.yaml"])
    let mermaid = try await run(["graph", "x.yaml", "--format", "mermaid"])
    let dot = try await run(["graph", "x.yaml", "--format=dot"])

    #expect(plain == mermaid)
    #expect(plain.output.hasSuffix("flowchart TD\n  n1[\"Goes wrong<br/>p.count\"]\n"))
    #expect(dot.output.hasSuffix("  n1 [label=\"Goes wrong\\np.count\"];\n}\n"))
    #expect(dot.code == .passed)
  }

  @Test func `a graph has the values of a recording that fits`() async throws {
    let folder = try TemporaryFolder()
    let scenario = """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - set: {n: "${{ 3 * 2 }}"}
        - {id: a, name: "Take ${{ n }}", if: "${{ n > 5 }}", uses: p.echo, with: {value: "${{ n }}"}}
        - {for: i, in: [1, 2, 4, 8], do: [{set: {last: "${{ i }}"}}]}
      outputs: {end: "${{ steps.?a.value }}"}
      """
    try folder.write(scenario, to: "x.yaml")
    let plain = try await FlowCommandRun(["graph", "@/x.yaml"], in: folder)
    _ = try await FlowCommandRun(["run", "@/x.yaml", "--record"], in: folder)

    let recorded = try await FlowCommandRun(["graph", "@/x.yaml"], in: folder)
    try folder.write(scenario.replacing(existing: "3 * 2", with: "4 * 2"), to: "x.yaml")
    let changed = try await FlowCommandRun(["graph", "@/x.yaml"], in: folder)

    #expect(!plain.output.contains("n = 6"))
    for text in [
      #"n1["set<br/>set n<br/>n = 6"]"#, #"n2{"n #62; 5<br/>is true"}"#, "name #34;Take 6#34;",
      "last = 1, 2, …, 8", #"["end = "#,
    ] { #expect(recorded.output.contains(text), "\(recorded.output)") }
    #expect(changed.output == plain.output.replacing("3 * 2", with: "4 * 2"))
    #expect(
      changed.errors.contains(
        "note: the graph has no values: '@/x.transcript.jsonl' cannot be replayed\n"))
  }

  @Test func `the help names the formats of a graph`() async throws {
    let help = try await run(["help", "graph"]).output.split(separator: "\n")

    #expect(
      help.filter { $0.contains("--format FORMAT") }
        == ["  --format FORMAT     Prints mermaid (the default) or dot."])
  }

  @Test func `a format that no graph has is a wrong command line`() async throws {
    let run = try await run(["graph", "x.yaml", "--format", "svg"])

    #expect(
      run
        == Run(
          errors: "flow: '--format': expected mermaid or dot, got 'svg'\nsee 'flow help graph'\n",
          code: .badCommandLine))
  }

  @Test func `a scenario with a mistake has no graph`() async throws {
    let run = try await run(["graph", "x.yaml"], "flow: 1\nsteps: [{uses: q.count}]\n")

    #expect(run.output == "")
    #expect(run.errors.contains("[F1202]"))
    #expect(run.code == .badInput)
  }

  private struct Run: Equatable {
    var output = ""
    var errors = ""
    var code = ExitCode.passed
  }

  /// Runs a command on the scenario in `x.yaml`.
  private func run(_ arguments: [String], _ scenario: String = scenario) async throws -> Run {
    let folder = try TemporaryFolder()
    try folder.write(scenario, to: "x.yaml")
    let run = try await FlowCommandRun(
      arguments.map { $0 == "x.yaml" ? "@/x.yaml" : $0 }, in: folder)
    return Run(output: run.output, errors: run.errors, code: run.code)
  }
}
