import FlowCommand
import TestKit
import Testing

/// Mutations beside live components whose answers differ in every run.
@Suite struct MutatedConsequenceTests {
  @Test(arguments: [
    "sha256(steps.start.stdout)", "string(int(steps.start.stdout.trim()) + 1)",
    "base64.encode(bytes(steps.start.stdout))", "steps.start.stdout.trim()",
  ])
  func `what is computed from a volatile answer is no difference, and an altered answer is`(
    _ computed: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {random: {plugin: random}, files: {plugin: file}, sh: {plugin: process, live: true}}
      steps:
        - {id: number, uses: random.uuid}
        - {id: start, uses: sh.run, with: {argv: [sh, -c, "echo $$"]}, volatile: [stdout]}
        - {uses: files.write, with: {path: a.txt, text: "${{ \(computed) }}"}}
        - {uses: files.write, with: {path: b.txt, text: "${{ steps.number.uuid }}"}}
      outputs: {number: "${{ steps.number.uuid }}", computed: "${{ \(computed) }}"}

      """, to: "s.yaml")
    let recorded = try await FlowRun(["run", folder.path("s.yaml"), "--record"])
    let test = try await FlowRun(["test", folder.path("s.yaml"), "--update", "never"])
    let run = try await FlowRun(["mutate", folder.path("s.yaml")])

    #expect([recorded.code, test.code, run.code] == [.passed, .passed, .passed], "\(run.errors)")
    #expect(!run.output.contains("random.uuid"), "\(run.output)")
    #expect(run.output.contains("1 of 7 alterations were noticed"), "\(run.output)")
  }
}
