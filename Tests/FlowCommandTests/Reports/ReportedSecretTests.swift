import FlowCommand
import PluginHarness
import TestSupport
import Testing

/// Secrets that pass through a run in every way, and every format.
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

  /// Fails where the values of loops, the input and the answer hold the secret.
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

  /// What every format, and the command itself, says of a scenario.
  private func reports(
    on scenario: String
  ) async throws -> (run: FlowCommandRun, texts: [String: String]) {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("Sup3rSecret1", to: "token")
    try folder.write(scenario, to: "s.yaml")
    let requests = ReportTests.formats.flatMap { ["--report", "\($0)=@/r.\($0)"] }

    let run = try await FlowCommandRun(
      ["test", "@/", "--update", "never", "--secret", "token=@@/token"] + requests, in: folder,
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.path("r.summary"),
      ], components: [Keeper.self])

    var texts = ["output": run.output, "errors": run.errors]
    for format in ReportTests.formats + ["summary"] {
      texts[format] = try folder.text("r.\(format)")
    }
    return (run, texts)
  }
}
