import FlowCommand
import TestKit
import Testing

/// `-q` of the commands that print what they have done.
@Suite struct QuietTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.count}]\n", to: "s.yaml")
    try folder.write("curl https://example.org/a\n", to: "a.sh")
  }

  @Test(arguments: [
    ["check", "@/s.yaml"], ["transcript", "seal", "@/s.transcript.jsonl"],
    ["transcript", "prune", "@/"],
    ["transcript", "redact", "--pattern", "x+", "@/s.transcript.jsonl"],
  ]) func `a command that has nothing to report prints nothing`(_ command: [String]) async throws {
    _ = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record"], in: folder, components: [Probe.self])
    let loud = try await FlowCommandRun(command, in: folder, components: [Probe.self])
    let quiet = try await FlowCommandRun(command + ["-q"], in: folder, components: [Probe.self])

    #expect(loud.output != "")
    #expect(quiet.output + quiet.errors == "")
    #expect([loud.code, quiet.code] == [.passed, .passed])
  }

  @Test func `mistakes are printed all the same`() async throws {
    try folder.write("flow: 1\nsteps: [{uses: p.count}]\n", to: "s.yaml")
    let run = try await FlowCommandRun(
      ["check", "@/s.yaml", "-q"], in: folder, components: [Probe.self])

    #expect(run.output == "1 scenario checked, 1 error\n")
    #expect(run.errors.contains("error: "))
    #expect(run.code == .badInput)
  }
}
