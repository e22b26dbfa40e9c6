import FlowCommand
import TestKit
import Testing

/// Explorations in which a live poll needs another number of attempts than recorded.
@Suite struct ExploredAttemptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // The program is not done as long as there is a file, which it removes.
    try folder.write(
      """
      flow: 1
      components: {random: {plugin: random}, sh: {plugin: process, live: true}}
      steps:
        - {uses: random.uuid}
        - uses: sh.run
          with: {argv: [sh, -c, "if test -e w; then rm w; else echo done; fi"]}
          retry: {attempts: 3, backoff: 1ms}
          expect: {stdout: "done\\n"}

      """, to: "s.yaml")
  }

  @Test(arguments: [(true, false), (false, true)])
  func `a poll needs as many attempts as it needs`(_ then: Bool, _ now: Bool) async throws {
    if then { try folder.write("", to: "w") }
    let recorded = try await FlowRun(["run", folder.path("s.yaml"), "--record"])
    if now { try folder.write("", to: "w") }
    let run = try await FlowRun(
      ["explore", folder.path("s.yaml"), "--live=sh", "--budget", "3"])

    #expect(recorded.code == .passed)
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `a scenario that asks something else is not explored`() async throws {
    _ = try await FlowRun(["run", folder.path("s.yaml"), "--record"])
    let text = try folder.text("s.yaml").replacing(existing: "random.uuid", with: "random.integer")
    try folder.write(
      text.replacing("random.integer}", with: "random.integer, with: {min: 1, max: 3}}"),
      to: "s.yaml")
    let run = try await FlowRun(["explore", folder.path("s.yaml"), "--live=sh"])

    #expect(
      run.errors.contains("'random.integer#1' is not in the transcript [F3001]"), "\(run.errors)")
    #expect(run.code == .badInput)
  }
}
