import FlowCommand
import TestKit
import Testing

/// Secrets that pass through a run in every way, in every format.
@Suite struct ReportedSecretTests {
  private static let scenario = """
    flow: 1
    name: Keeping Sup3rSecret1
    inputs: {token: {type: string, secret: true}}
    components:
      k: {plugin: keeper, with: {password: "${{ inputs.token }}"}}
    steps:
      - {name: "step ${{ inputs.token }}", uses: k.tell, with: {text: "said ${{ inputs.token }}"}}
      - {uses: k.sign, with: {key: "${{ inputs.token }}"}}
      - {uses: k.FAIL, with: {text: "with ${{ inputs.token }}"}}

    """

  /// Fails at a step whose loop values, input and answer hold the secret.
  private static let loop = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components: {k: {plugin: keeper, with: {password: another}}}
    steps:
      - for: word
        in: "${{ ['by ' + inputs.token, 'with ' + inputs.token] }}"
        do:
          - uses: k.tell
            with: {text: "said ${{ word }}"}
            expect: {text: "${{ it.startsWith('said by') }}"}

    """

  @Test(arguments: ["tell", "fail", "crash"]) func `a secret is in no report`(
    _ operation: String
  ) async throws {
    let (run, texts) = try await reports(
      on: Self.scenario.replacing(existing: "FAIL", with: operation))

    #expect(run.code == (operation == "tell" ? .passed : .failed), "\(run.errors)")
    for text in texts.values { #expect(!text.contains("Sup3r"), "\(text)") }
    #expect(texts["jsonl"]?.contains("said ${secret:token}") == true)
  }

  @Test func `a secret is not in what is shown of a failure`() async throws {
    let (run, texts) = try await reports(on: Self.loop)

    #expect(run.code == .failed)
    for (format, text) in texts {
      #expect(!text.contains("Sup3r"), "\(text)")
      // Values of loops are in no trace.
      if format == "trace" || format == "output" { continue }
      #expect(text.contains("with ${secret:token}"), "\(format): \(text)")
      #expect(text.contains("iteration 2: word is "), "\(format): \(text)")
    }
  }

  /// Secret strings of the scenario itself, in every place from which a report quotes.
  private static let written = """
    flow: 1
    name: Keeping hunter11
    inputs: {token: {type: string, secret: true}}
    components: {k: {plugin: keeper, with: {password: another}}}
    steps:
      - {name: log in hunter11, uses: k.tell, with: {text: none}}
      - name: assert hunter11
        continue-on-error: true
        assert: ["${{ 'hunter11' == 'x' }}"]
      - assert: ["${{ ['hunter11'].size() == 1 }}"]
      - for: word
        in: "${{ ['hunter11'] }}"
        do:
          - {uses: k.tell, continue-on-error: true, with: {text: none}, expect: {text: hunter11}}
      - {uses: k.tell, with: {text: none}, expect: {text: "${{ it == 'hunter11' }}"}}

    """

  @Test(arguments: [("flow: 1\n", "hunter11"), ("{flow: 1, redact: ['hunter[0-9]+']}", "else")])
  func `what a scenario has written down itself is in no report`(
    _ project: String, _ token: String
  ) async throws {
    let (run, texts) = try await reports(on: Self.written, in: project, token: token)

    #expect(run.code == .failed)
    for (format, text) in texts { #expect(!text.contains("hunter"), "\(format): \(text)") }
    for format in ["html", "jsonl", "trace", "tap14"] {
      #expect(texts[format]?.contains(#/log in \${(secret:token|redacted:1)}/#) == true)
    }
    #expect(texts["html"]?.contains("<code>&#39;${") == true)
  }

  @Test func `what a pattern matches is not in a comparison`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("{flow: 1, redact: ['hunter[0-9]+']}", to: "flow.yaml")
    try folder.write(
      "flow: 1\nsteps: [{name: log in hunter11, wait: 1ms}, {name: hunter12, wait: 1ms}]\n",
      to: "s.yaml")
    _ = try await FlowCommandRun(["run", "@/s.yaml", "--record=@/a"], in: folder)

    let run = try await FlowCommandRun(
      ["report", "--compare", "@/a", "@/a", "--report", "html=@/c"], in: folder)

    #expect(run.output == "The runs are alike, in @/c\n")
    let page = try folder.text("c")
    #expect(page.contains("log in ${redacted:1}"))
    #expect(!page.contains("hunter"))
  }

  @Test(arguments: ["said ${{ inputs.token }}", "something else"])
  func `trials, their recording and their reports show no secret`(_ said: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("Sup3rSecret1", to: "token")
    try folder.write(
      """
      flow: 1
      trials: {runs: 3, pass: 2}
      inputs: {token: {type: string, secret: true}}
      components: {k: {plugin: keeper, with: {password: "${{ inputs.token }}"}}}
      steps:
        - {id: tell, uses: k.tell, with: {text: "said ${{ inputs.token }}"}}
        - assert: ["${{ steps.tell.text == '\(said)' }}"]

      """.replacing("'said ${{ inputs.token }}'", with: "'said ' + inputs.token"), to: "s.yaml")
    let requests = ReportsTests.formats.flatMap { ["--report", "\($0)=@/r.\($0)"] }
    let passes = said != "something else"

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record", "--secret", "token=@@/token"] + requests, in: folder,
      components: [Keeper.self])

    #expect(run.code == (passes ? .passed : .failed), "\(run)")
    var names = try folder.names(in: ".")
    names.removeAll { ["token", "s.yaml"].contains($0) }
    #expect(names.contains("s.transcript.jsonl") == passes)
    #expect(names.count == ReportsTests.formats.count + (passes ? 1 : 0))
    for text in try names.map(folder.text) + [run.output, run.errors] {
      #expect(!text.contains("Sup3r"), "\(text)")
    }
    #expect(try folder.text("r.jsonl").contains("said ${secret:token}"))
  }

  /// The text of every format, and of the command itself, about a scenario.
  private func reports(
    on scenario: String, in project: String = "flow: 1\n", token: String = "Sup3rSecret1"
  ) async throws -> (run: FlowCommandRun, texts: [String: String]) {
    let folder = try TemporaryFolder()
    try folder.write(project, to: "flow.yaml")
    try folder.write(token, to: "token")
    try folder.write(scenario, to: "s.yaml")
    let requests = ReportsTests.formats.flatMap { ["--report", "\($0)=@/r.\($0)"] }

    let run = try await FlowCommandRun(
      ["test", "@/", "--update", "never", "--secret", "token=@@/token"] + requests, in: folder,
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.path("r.summary"),
      ], components: [Keeper.self])

    var texts = ["output": run.output, "errors": run.errors]
    for format in ReportsTests.formats + ["summary"] {
      texts[format] = try folder.text("r.\(format)")
    }
    return (run, texts)
  }
}
