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

  @Test(arguments: ["tell", "fail", "crash"]) func `a secret is in no report`(
    _ operation: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("Sup3rSecret1", to: "token")
    try folder.write(Self.scenario.replacing(existing: "FAIL", with: operation), to: "s.yaml")
    let requests = ReportTests.formats.flatMap { ["--report", "\($0)=@/r.\($0)"] }

    let run = try await FlowCommandRun(
      ["test", "@/", "--update", "never", "--secret", "token=@@/token"] + requests, in: folder,
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.path("r.summary"),
      ], components: [Keeper.self])

    #expect(run.code == (operation == "tell" ? .passed : .failed), "\(run.errors)")
    let summary = try folder.text("r.summary")
    for text in try ReportTests.formats.map({ try folder.text("r.\($0)") })
      + [run.output, run.errors, summary]
    {
      #expect(!text.contains("Sup3r"), "\(text)")
    }
    #expect(try folder.text("r.jsonl").contains("said ${secret:token}"))
  }
}
