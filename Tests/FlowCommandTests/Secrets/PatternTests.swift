import FlowCommand
import Foundation
import TestKit
import Testing

/// Values hidden by the patterns of `flow.yaml`.
@Suite struct PatternTests {
  private static let scenario = """
    flow: 1
    inputs: {who: {type: string, default: id-4711}}
    components: {p: {plugin: probe}}
    steps:
      - {id: told, uses: p.echo, with: {value: "${{ inputs.who }} or ann@example.org"}}
    outputs: {told: "${{ steps.told.value }}"}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write(#"{flow: 1, redact: ['id-\d+', '[a-z]+@[a-z.]+']}"#, to: "flow.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  @Test func `what a pattern matches is hidden in a recording and on the console`() async throws {
    let run = try await flow("run", "@/s.yaml", "--record")
    let transcript = try folder.text("s.transcript.jsonl")
    let replay = try await flow("replay", "@/s.transcript.jsonl")

    #expect(run.output.contains(#"  told: "${redacted:1} or ${redacted:2}""#))
    #expect(transcript.contains(#""inputs":{"who":"${redacted:1}"}"#))
    #expect(transcript.contains(#"{"value":"${redacted:1} or ${redacted:2}"}"#))
    #expect(!(run.output + transcript).contains("4711"))
    #expect(!(run.output + transcript).contains("example"))
    #expect(replay.errors == "")
    #expect(replay.code == .passed)
  }

  /// Two branches with hidden values in bodies and in lines, one of which waits.
  private static let bodies = """
    flow: 1
    inputs: {left: {type: duration}, right: {type: duration}}
    components: {p: {plugin: probe}}
    steps:
      - parallel:
          one:
            - wait: ${{ inputs.left }}
            - {uses: p.echo, with: {value: "${{ 'id-11 id-12 ' + lists.range(3000).map(x, 'x').join(',') }}"}}
            - {uses: p.echo, with: {value: id-12}}
          two:
            - wait: ${{ inputs.right }}
            - {uses: p.echo, with: {value: "${{ 'id-12 id-13 ' + lists.range(3000).map(x, 'y').join(',') }}"}}
            - {uses: p.echo, with: {value: id-11}}

    """

  @Test func `what is hidden in bodies is counted in the order of the recording`() async throws {
    try folder.write(Self.bodies, to: "s.yaml")
    var recordings: [[String]] = []
    for (left, right) in [("1ms", "5ms"), ("5ms", "1ms")] {
      let run = try await flow(
        "run", "@/s.yaml", "--record", "--virtual-time", "--input", "left=\(left)", "--input",
        "right=\(right)")
      #expect(run.errors == "")
      let replay = try await flow("replay", "@/s.transcript.jsonl")
      #expect(replay.errors == "")
      // The first line has the inputs, and the last one a digest of all.
      let lines = try folder.text("s.transcript.jsonl").split(separator: "\n").map(String.init)
      recordings.append(Array(lines.dropFirst().dropLast()))
    }

    #expect(recordings[0] == recordings[1])
    #expect(recordings[0].count { $0.contains("$blob") } == 4)
    #expect(recordings[0].contains { $0.hasSuffix(#""input":{"value":"${redacted:1#2}"}}"#) })
    #expect(recordings[0].contains { $0.hasSuffix(#""input":{"value":"${redacted:1}"}}"#) })
  }

  @Test(
    arguments: [
      ("nowhere", "no such file, the target of the link does not exist"),
      ("flow.yaml", "too many levels of symbolic links"),
    ], [["run", "@/s.yaml", "--record"], ["test", "@/"], ["check", "@/s.yaml"]])
  func `nothing is done where the project file is a link that leads nowhere`(
    _ link: (target: String, reason: String), _ arguments: [String]
  ) async throws {
    try folder.remove("flow.yaml")
    try folder.link("flow.yaml", to: link.target)
    let run = try await FlowCommandRun(arguments, in: folder)

    #expect(run.errors == "error: cannot read '@/flow.yaml': \(link.reason) [F1601]\n")
    #expect(run.output == "")
    #expect(run.code == .badInput)
    #expect(try folder.names == ["flow.yaml", "s.yaml"])
  }

  @Test func `a flow.yml hides as a flow.yaml does`() async throws {
    try folder.write(try folder.text("flow.yaml"), to: "flow.yml")
    try folder.remove("flow.yaml")

    let run = try await flow("run", "@/s.yaml")

    #expect(run.output.contains(#"  told: "${redacted:1} or ${redacted:2}""#))
    #expect(run.code == .passed)
  }

  @Test func `nothing is done where a project has two files`() async throws {
    try folder.write("flow: 1\n", to: "flow.yml")

    let run = try await flow("run", "@/s.yaml", "--record")

    #expect(
      run.errors
        == "error: '@/flow.yml' and 'flow.yaml' are in the same folder, but a project has only one file; remove one [F1613]\n"
    )
    #expect(run.code == .badInput)
    #expect(try folder.names == ["flow.yaml", "flow.yml", "s.yaml"])
  }

  @Test func `a hidden input cannot be used on the components again`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record")
    let test = try await flow("test", "--live", "@/s.yaml")

    #expect(
      test.errors
        == "@/s.yaml: error: the value of the input 'who' is unknown: part of it was hidden in the "
        + "recording [F1405]\n  note: pass it to 'flow test' or 'flow run' with --input who=... or --inputs FILE\n"
    )
    #expect(test.code == .badInput)
  }

  @Test func `a greedy pattern leaves a document for machines what it is`() async throws {
    try folder.write("flow: 1\nredact: ['.+']\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: [{uses: p.echo}]\n", to: "s.yaml")
    let json = try await flow("check", "@/s.yaml", "--format", "json", "--details", "-")

    #expect(
      json.output.commandReport.hasPrefix(
        #"{"diagnostics":[{"code":"F1202","severity":"error","message":"${redacted:1}","#))
  }

  @Test(arguments: [
    ["replay", "@/s.transcript.jsonl"], ["test", "@/s.yaml"], ["test", "--live", "@/s.yaml"],
    ["mutate", "@/s.yaml"], ["diff", "@/s.transcript.jsonl"],
    ["diff", "@/s.transcript.jsonl", "@/t.jsonl"],
  ]) func `a document about a run keeps its form whatever is hidden`(
    _ command: [String]
  ) async throws {
    try folder.write("flow: 1\n", to: "flow.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
    try folder.write(Self.scenario.replacing(existing: "told", with: "tells"), to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--record=@/t.jsonl")
    try folder.write(
      #"{flow: 1, redact: ['[":,{}]+', '[a-z]+@[a-z.]+']}"#, to: "flow.yaml")
    // What is altered must replay, and so be hidden already.
    if command[0] == "mutate" { _ = try await flow("run", "@/s.yaml", "--record") }
    let run = try await FlowCommandRun(
      command + ["--format", "json", "--details", "-"], in: folder)

    let report = Data(run.output.commandReport.utf8)
    let document = try JSONSerialization.jsonObject(with: report)
    let members = try #require(document as? [String: Any])
    #expect(members["passed"] != nil || members["same"] != nil || members["tried"] != nil)
    #expect(!run.output.contains("ann@example.org"))
  }

  @Test func `what a pattern matches is hidden when it was recorded without one`() async throws {
    try folder.write("flow: 1\n", to: "flow.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
    try folder.write("flow: 1\nredact: ['id-4711']\n", to: "flow.yaml")
    let show = try await flow("transcript", "show", "@/s.transcript.jsonl")

    #expect(show.output.contains("${redacted:1} or ann@example.org"))
    #expect(!show.output.contains("4711"))
  }

  @Test func `a wrong pattern is told at its place, by every command`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record")
    try folder.write("flow: 1\nredact: ['(?=x)', '[', x]\n", to: "flow.yaml")
    let config = try await flow("config", "@/s.yaml")
    let run = try await flow("run", "@/s.yaml")
    let show = try await flow("transcript", "show", "@/s.transcript.jsonl")

    #expect(
      config.errors == """
        @/flow.yaml:2:10: error: '(?=x)' is not a regular expression: invalid perl operator: '(?=' [F1607]
            2 | redact: ['(?=x)', '[', x]
              |          ^^^^^^^
        @/flow.yaml:2:19: error: '[' is not a regular expression: missing ] [F1607]
            2 | redact: ['(?=x)', '[', x]
              |                   ^^^

        """)
    #expect([run.errors, show.errors] == [config.errors, config.errors])
    #expect([config.code, run.code, show.code] == [.badInput, .badInput, .badInput])
  }
}
