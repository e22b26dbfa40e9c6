import TestKit
import Testing

/// The scenarios of the plugin `upstream`, with the programs that they test.
@Suite(.serialized) struct UpstreamScenarioTests {
  private static let files = [
    "checkout.py", "ledger.py", "database.yaml", "database.transcript.jsonl", "hosts.yaml",
    "hosts.transcript.jsonl", "stubs.yaml", "stubs.transcript.jsonl",
  ]

  private static func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in files {
      try folder.write(ProjectFiles.text("Plugins/Upstream/Scenarios/\(name)"), to: name)
    }
    return folder
  }

  @Test(arguments: ["database", "hosts", "stubs"])
  func `a recorded scenario runs its program in every test`(_ name: String) async throws {
    let folder = try Self.copy()

    let run = try await BuiltProgram.run("flow", ["test", "\(name).yaml"], in: folder)

    #expect(run.errors == "")
    #expect(run.code == 0, "\(run.output)")
    #expect(run.output.contains("passed   \(name).yaml  (live: "), "\(run.output)")
  }

  @Test func `a program that swallows a request without a stub fails the run`() async throws {
    let folder = try Self.copy()
    let text = try folder.text("stubs.yaml")
    try folder.write(
      text.replacing("path: /payments", with: "path: /payment")
        .replacing(
          #""attempt 1: no answer\nattempt 2: 503\npayment p-1: paid\n""#,
          with: #""attempt 1: 501\nattempt 2: 501\nattempt 3: 501\nnot paid\n""#),
      to: "missed.yaml")

    let run = try await BuiltProgram.run("flow", ["run", "missed.yaml"], in: folder)

    #expect(
      run.errors.hasPrefix(
        "missed.yaml:27:5: error: 'upstream' notes the error 'unanswered': nothing answers 'POST "
          + "/payments': no stub fits, and the role 'server' is not filled; the nearest stub is "
          + "'POST /payment': the path differs [F2011]\n"), "\(run.errors)")
    #expect(run.code == 1)
  }
}
