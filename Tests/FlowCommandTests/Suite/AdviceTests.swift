import FlowCommand
import TestKit
import Testing

/// The commands in advice, which name the run and its options.
@Suite struct AdviceTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.folder.write("Sup3rSecret1", to: "token")
    try suite.folder.write("by: 4\n", to: "in put.yaml")
  }

  /// Records a scenario, then changes the answers of its component.
  private func recordThenChange(_ path: String) async throws {
    try suite.folder.write(
      """
      flow: 1
      inputs:
        by: {type: int, default: 1}
        token: {type: string, secret: true}
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - {id: read, uses: n.read}
        - {uses: p.count, with: {by: "${{ inputs.by }}"}}

      """, to: path)
    try suite.folder.write("before", to: "page.txt")
    let secret = ["FLOW_SECRET_TOKEN": "Sup3rSecret1"]
    #expect(
      try await suite.flow(["run", "@/\(path)", "--record"], environment: secret).code == .passed)
    try suite.folder.write("after", to: "page.txt")
  }

  /// The command of the line about recording again, or nil without such a line.
  private func advice(_ run: SuiteRun) -> String {
    let text = run.errors + run.output
    return text.firstMatch(of: /if the change is intended, record again with '(.*)'/)
      .map { String($0.1) } ?? text
  }

  private static let given = [
    "--input", "by=3", "--secret", "token=@@/token", "--deny", "database", "--allow-host",
    "example.org",
  ]
  private static let repeated =
    "--secret token=@@/token --deny database --allow-host example.org"

  @Test(arguments: [
    (
      ["test", "@/s.yaml", "--live"] + given,
      "flow test --live @/s.yaml \(repeated) --update failed"
    ),
    (
      ["test", "@/s.yaml", "--live", "--inputs", "@/in put.yaml", "--secret", "token=@@/token"],
      "flow test --live @/s.yaml --secret token=@@/token --update failed"
    ),
    (
      ["test", "@/s.yaml", "--live=n", "--secret", "token=@@/token"],
      "flow test --live=n @/s.yaml --secret token=@@/token --update failed"
    ),
    (["test", "@/s.yaml", "--live"], "flow test --live @/s.yaml --update failed"),
    (
      ["replay", "@/s.transcript.jsonl", "--live", "--secret", "token=@@/token"],
      "flow test --live @/s.yaml --secret token=@@/token --update failed"
    ),
  ]) func `advice repeats the options of the run, without inputs for this run`(
    _ arguments: [String], _ command: String
  ) async throws {
    try await recordThenChange("s.yaml")
    let isTest = arguments[0] == "test"
    let run = try await suite.flow(
      arguments + (isTest ? ["--update", "never"] : []),
      environment: ["FLOW_SECRET_TOKEN": "Sup3rSecret1"])

    #expect(advice(run) == command)
  }

  @Test func `followed to the letter, advice accepts the change`() async throws {
    try await recordThenChange("a b.yaml")
    let secret = ["FLOW_SECRET_TOKEN": "Sup3rSecret1"]
    let run = try await suite.flow(
      ["test", "@/a b.yaml", "--live", "--input", "by=3", "--update", "never"], environment: secret)
    let advised = try await suite.flow(
      ["test", "--live", "@/a b.yaml", "--update", "failed"],
      environment: secret)

    #expect(advice(run) == "flow test --live '@/a b.yaml' --update failed")
    #expect(advised.output.hasPrefix("recorded @/a b.yaml"))
    #expect(try suite.folder.text("a b.transcript.jsonl").contains(#""by":3"#) == false)
  }

  @Test func `a secret that was given as an input is not repeated`() async throws {
    try await recordThenChange("s.yaml")
    let run = try await suite.flow(
      "test", "@/s.yaml", "--live", "--input", "token=0therSecret", "--update", "never")

    #expect(advice(run) == "flow test --live @/s.yaml --update failed")
    #expect(!(run.output + run.errors).contains("0therSecret"))
  }
}
