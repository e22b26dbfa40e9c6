import FlowCore
import TestKit
import Testing

@testable import FlowCommand

/// Whole sessions of the debugger in the terminal.
@Suite struct DebugCommandTests {
  @Test func `three commands find where a wrong value comes from`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml", ["continue", "origin total", "print steps.first.value * 10"], in: folder,
      isTerminal: true)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        (flow) @/totals.yaml:20:21: error: 'last#1' did not answer as expected [F2001]
        """)
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `a recording is gone through forward and back`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.transcript.jsonl",
      [
        "n", "next", "step", "end", "values", "where", "back", "out", "back", "list", "reverse",
        "back",
      ], in: folder)

    #expect(run.output == "")
  }

  @Test func `breakpoints have conditions and numbers of hits`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml",
      [
        "break inner hit >= 2", "break 17 if row == 3", "break", "c", "c", "c", "r", "delete 1",
        "delete 1", "delete", "break iner", "break 99", "break inner if rw == 1",
        "break inner if row", "break inner hit often", "break @/other.yaml:3",
      ].map { $0.replacing("@/", with: folder.directory.path + "/") }, in: folder)

    #expect(run.output == "")
  }

  @Test func `changes are tried on the recorded answers`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml",
      [
        "continue", "try it.value == 36", "try expect: {value: 36}", "try expect: {value: 41}",
        "try expct: {value: 36}", "try with: {value: [}", "try", "try totl == 1", "print it.value",
        "print totl", "print", "origin", "origin 1 + 1", "live", "no", "again", "reload",
      ], in: folder)

    #expect(run.output == "")
  }

  @Test func `an unknown command is answered in one line`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun("@/totals.yaml", ["nexxt", "xyz", "re", "quit", "n"], in: folder)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        no command 'nexxt'; did you mean 'next'?
        no command 'xyz'; 'help' lists the commands
        no command 're'; 'help' lists the commands

        """)
  }

  @Test func `a recording goes on live, with its answers before the step`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml",
      ["break inner hit 2", "c", "live", "yes", "e", "again", "c", "c", "n"], in: folder)

    #expect(run.output == "")
    #expect(run.code == .failed)
  }

  @Test func `a live run stops at a failed step, and runs it again`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {probe: {plugin: probe}}
      steps:
        - {id: flaky, uses: probe.flaky, with: {failures: 1, code: refused}}
        - {id: end, uses: probe.echo, with: {value: "${{ steps.flaky.value }}"}}

      """, to: "flaky.yaml")

    let run = try await DebugRun(
      "@/flaky.yaml", ["back", "c", "values", "again", "v", "c", "n", "reload", "live"], in: folder)

    #expect(run.output == "")
    #expect(run.code == .passed)
  }

  @Test func `the end of the input cancels a live run`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun("@/totals.yaml", ["n"], in: folder, live: true)

    #expect(run.code == .interrupted)
  }

  @Test func `no value shows a secret`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      components: {probe: {plugin: probe}}
      steps:
        - {id: sent, uses: probe.echo, with: {value: "${{ inputs.token }}"}}
        - set: {short: "${{ inputs.token.substring(0, 6) }}"}
        - {assert: "${{ short == steps.sent.value }}"}

      """, to: "secret.yaml")

    let run = try await DebugRun(
      "@/secret.yaml",
      [
        "c", "values", "print inputs.token + '!'", "print short", "print [inputs.token]",
        "print inputs.token.size()", "print inputs.token == 'x'", "origin short",
        "print steps.sent.value", "back", "end", "try it.value", "break sent if inputs.token",
      ], in: folder, live: true, options: ["--input", "token=canary-77-of-mine"])

    #expect(!run.output.contains("canary"))
    #expect(run.output == "")
  }

  @Test func `a file that is neither a scenario nor a recording is refused`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"flow\": 9}\n", to: "odd.jsonl")

    let run = try await DebugRun("@/none.yaml", [], in: folder)
    let odd = try await DebugRun("@/odd.jsonl", [], in: folder)

    #expect(run.errors == "")
    #expect(odd.errors == "")
    #expect([run.code, odd.code] == [.badInput, .badInput])
  }
}
