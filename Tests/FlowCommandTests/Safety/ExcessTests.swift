import FlowCommand
import FlowCore
import Synchronization
import TestKit
import Testing

/// Inputs that are too large, or not files, and must not block a command or flood its output.
@Suite struct ExcessTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
  }

  private func flow(_ arguments: [String]) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  @Test(arguments: [100, 101, 103])
  func `a hundred problems of a file are shown and the rest is counted`(_ count: Int) async throws {
    let head = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n"
    let steps = String(repeating: "  - {uses: p.cuont}\n", count: count)
    try folder.write(head + steps, to: "a.yaml")
    try folder.write(head + "  - {uses: p.cuont}\n", to: "b.yaml")
    let run = try await flow(["check", "@/a.yaml", "@/b.yaml"])

    let lines = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(lines.filter { $0.hasPrefix("@/a.yaml:") }.count == 100)
    #expect(lines.filter { $0.hasPrefix("@/b.yaml:") }.count == 1)
    #expect(
      run.errors.split(separator: "\n").filter { $0.hasPrefix("note: @/") }
        == (count > 100
          ? ["note: @/a.yaml: \(count - 100) further problems are not shown"] : []))
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      ["check", "@/pipe"], ["run", "@/pipe"], ["graph", "@/pipe"], ["replay", "@/pipe"],
      ["diff", "@/pipe", "@/pipe"], ["resume", "@/pipe"], ["transcript", "show", "@/pipe"],
      ["transcript", "seal", "@/pipe"], ["run", "@/s.yaml", "--secret", "token=@@/pipe"],
      ["check", "/dev/null"], ["replay", "/dev/null"], ["resume", "/dev/null"],
    ])
  func `a pipe or a device in the place of a file is not waited for`(_ arguments: [String])
    async throws
  {
    try folder.write(
      "flow: 1\ninputs: {token: {type: string, secret: true}}\nsteps: [{wait: 0s}]\n", to: "s.yaml")
    try folder.makePipe("pipe")
    let run = try await flow(arguments)

    #expect(run.errors.contains("': not a file"))
    #expect(run.output == (arguments[0] == "check" ? "1 scenario checked, 1 error\n" : ""))
    #expect(run.code == (arguments.contains("--secret") ? .badCommandLine : .badInput))
  }

  @Test func `a transcript is shown in pieces of whole lines`() async throws {
    let steps = String(repeating: "  - {uses: p.echo, with: {value: \(Self.long)}}\n", count: 8)
    try folder.write("flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n" + steps, to: "s.yaml")
    _ = try await flow(["run", "@/s.yaml", "--record"])
    let (pieces, path) = (Pieces(), folder.path("s.transcript.jsonl"))
    let process = ProcessEnvironment(output: { pieces.append($0) }, errorOutput: { _ in })
    let code = await FlowCommand(registry: try Registry([Probe.self]), process: process)
      .run(["transcript", "show", "--full", path])

    #expect(code == .passed)
    #expect(pieces.all.count > 1)
    #expect(pieces.all.allSatisfy { $0.last == "\n" && $0.utf8.count < 100_000 })
    let calls = pieces.all.joined().split(separator: "\n").filter { $0.contains(" p.echo ") }
    #expect(calls.count == 8)
    #expect(pieces.all.last?.hasSuffix("passed\n") == true)
  }

  private static let long = String(repeating: "long", count: 5_000)
}

/// The written strings, one for each call.
private final class Pieces: Sendable {
  private let pieces = Mutex<[String]>([])

  var all: [String] { pieces.withLock { $0 } }

  func append(_ text: String) { pieces.withLock { $0.append(text) } }
}
