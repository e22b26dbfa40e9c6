import FlowCore
import FlowEditor
import FlowRedaction
import FlowSystem
import TestKit
import Testing

@testable import FlowCommand

/// Inputs, secrets and files of debugged runs.
@Suite struct DebugInputTests {
  // MARK: - Inputs

  @Test func `a live run of a recording takes given inputs, and the others from it`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {by: {type: int, default: 2}, at: {type: int, default: 3}}
      components: {probe: {plugin: probe}}
      steps:
        - {id: drawn, uses: probe.random}
        - {assert: "${{ steps.drawn.value + inputs.by + inputs.at > 0 }}"}

      """, to: "sum.yaml")
    _ = try await FlowCommandRun(
      ["run", "@/sum.yaml", "--record", "--input", "at=5", "--seed", "4"], in: folder)
    let script = ["n", "values", "c"]

    let recorded = try await DebugRun("@/sum.transcript.jsonl", script, in: folder, live: true)
    let given = try await DebugRun(
      "@/sum.transcript.jsonl", script, in: folder, live: true,
      options: ["--input", "by=30", "--seed", "9"])
    let fresh = try await DebugRun(
      "@/sum.yaml", script, in: folder, live: true,
      options: ["--input", "by=30", "--input", "at=5", "--seed", "9"])

    #expect(recorded.output.contains("inputs.by = 2\ninputs.at = 5\n"))
    #expect(given.output.contains("inputs.by = 30\ninputs.at = 5\n"))
    #expect(given.output == fresh.output)
    #expect(given.output != recorded.output.replacing("by = 2", with: "by = 30"))
  }

  @Test func `an unknown input of a live run is refused`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.transcript.jsonl", [], in: folder, live: true, options: ["--input", "bye=3"])

    #expect(run.errors.contains("'bye'"))
    #expect(run.output == "")
    #expect(run.code == .badInput)
  }

  @Test(arguments: ["--input by=3", "--seed 9"])
  func `a recording takes no inputs`(_ option: String) async throws {
    let folder = try await DebugRun.recorded()

    await #expect(throws: UsageError.self) {
      try await DebugRun(
        "@/totals.yaml", [], in: folder, options: option.split(separator: " ").map(String.init))
    }
  }

  // MARK: - Secrets

  private static let secrets = [
    "main.yaml": """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    steps:
      - scenario: inner.yaml
        with: {by: "${{ inputs.token }}", plain: seen}

    """,
    "inner.yaml": """
    flow: 1
    inputs: {by: {type: string}, plain: {type: string}}
    steps:
      - set: {part: "${{ inputs.by.substring(2) }}"}
      - scenario: deep.yaml
        with: {code: "${{ part }}"}
      - {assert: "${{ inputs.plain != part }}"}

    """,
    "deep.yaml": """
    flow: 1
    inputs: {code: {type: string}}
    steps:
      - set:
          last: ${{ inputs.code.substring(3) }}
          pair: ${{ [inputs.code, inputs.code.substring(1)] }}
      - {assert: "${{ last != '' && size(pair) == 2 }}"}

    """,
  ]

  @Test func `included scenarios show no part of a secret`() async throws {
    let folder = try TemporaryFolder()
    for (file, text) in Self.secrets { try folder.write(text, to: file) }

    let run = try await DebugRun(
      "@/main.yaml",
      ["s", "s", "values", "print part", "s", "s", "values", "print last", "print pair[1]"],
      in: folder, live: true, options: ["--input", "token=canary-77-of-mine"])

    #expect(!run.output.contains("nary"))
    #expect(!run.output.contains("of-mine"))
    #expect(
      run.output.split(separator: "\n").filter { !$0.contains(" | ") } == [
        "@/main.yaml:4: scenario#1", "@/inner.yaml:4: scenario/set#1",
        "@/inner.yaml:5: scenario/scenario#1", #"inputs.by = "${secret:token}""#,
        #"inputs.plain = "seen""#, #"part = "${secret:token}""#, #""${secret:token}""#,
        "@/deep.yaml:4: scenario/scenario/set#1", "@/deep.yaml:7: scenario/scenario/assert#1",
        #"inputs.code = "${secret:token}""#, #"last = "${secret:token}""#,
        #"pair = "${secret:token}""#, #""${secret:token}""#, #""${secret:token}""#,
      ])
  }

  @Test(arguments: [
    ("[inputs.token, inputs.token.substring(1)]", #""${secret:token}""#),
    ("{'a': inputs.token.size(), 'b': inputs.token}", #""${secret:token}""#),
    ("{inputs.token.substring(1): inputs.token}", #""${secret:token}""#),
    ("inputs.token + inputs.token.substring(1)", #""${secret:token}""#),
    ("[inputs.token, inputs.token]", #"["${secret:token}", "${secret:token}"]"#),
    ("[inputs.token == 'x', true]", "[false, true]"), ("header", #""${secret:token}""#),
    ("[1, 2]", "[1, 2]"),
  ])
  func `a value made of a secret is hidden as a whole`(
    _ expression: String, _ shown: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      steps:
        - set: {header: "Bearer ${{ inputs.token }}"}
        - {assert: "${{ header != '' }}"}

      """, to: "secret.yaml")

    let run = try await DebugRun(
      "@/secret.yaml", ["n", "print " + expression, "values"], in: folder, live: true,
      options: ["--input", "token=canary-77-of-mine"])

    let lines = run.output.split(separator: "\n").suffix(3)
    #expect(
      lines == [
        shown[...], #"inputs.token = "${secret:token}""#, #"header = "Bearer ${secret:token}""#,
      ])
  }

  // MARK: - Files

  @Test func `the lines of a file that has changed are not listed`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nsteps: [{scenario: inner.yaml}]\n", to: "main.yaml")
    try folder.write("flow: 1\nsteps:\n  - {wait: 1ms}\n  - {wait: 1ms}\n", to: "inner.yaml")
    _ = try await FlowCommandRun(["run", "@/main.yaml", "--record"], in: folder)
    let process = ProcessEnvironment(output: { _ in }, errorOutput: { _ in })
    let flow = CommandContext(
      registry: try Registry([Probe.self]), process: process, redactor: Redactor())
    let options = try DebugOptions(
      try ArgumentParser(syntax: Command.debug.syntax).parse([]), flow)
    let target = try flow.debugTarget(folder.path("main.yaml"), options) { _, _ in }
    let session = try DebugSession(target, flow.redactor)
    await session.replay()
    for _ in 0..<2 { _ = session.move(.step) }
    let text = DebuggerText(session, flow)
    let before = text.lines

    try folder.write("flow: 1\n", to: "inner.yaml")

    #expect(before.contains(">    4 |   - {wait: 1ms}"))
    #expect(text.lines == "the file has changed since it was read")
    #expect(text.stop(.step).hasSuffix("/inner.yaml:4: scenario/wait[2]#1\n"))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a change is tried at its place, whatever ends lines`(_ ending: String) async throws {
    let text = DebugRun.scenario.replacing("flow: 1", with: "flow: 1 # \u{85}# \u{2028}# two")
    let folder = try await DebugRun.recorded(text.replacing("\n", with: ending))

    let run = try await DebugRun(
      "@/totals.yaml", ["continue", "try expect: {value: 36}", "try with: {value: 42}"], in: folder)

    #expect(run.output.contains("\nthe step passes; the run passes\n"))
    #expect(run.output.hasSuffix("\nthe step fails; the run fails\n"), "\(run.output)")
  }
}
