import FlowCommand
import TestKit
import Testing

/// Strings in transcripts with escape sequences for a terminal.
@Suite struct HostileTextTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps: [{uses: p.count}]

    """

  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write("flow: 1\n", to: "flow.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  /// Replaces a plugin's version in a file.
  private func forge(_ path: String) throws {
    let text = try folder.text(path)
    try folder.write(
      text.replacing(existing: "\"1.2\"", with: #""0.9\n\u001b[31merror""#), to: path)
  }

  @Test func `a recorded version is told on one line`() async throws {
    try forge("s.transcript.jsonl")
    _ = try await flow("transcript", "seal", "@/s.transcript.jsonl")
    try forge("j")
    let lines = try folder.text("j").split(separator: "\n").dropLast(1).joined(separator: "\n")
    try folder.write(lines + "\n", to: "j")
    _ = try await flow("transcript", "seal", "@/j")
    try folder.write(Self.scenario.replacing(existing: "p.count", with: "p.random"), to: "s.yaml")

    let replay = try await flow("replay", "@/s.transcript.jsonl")
    let test = try await flow("test", "@/s.yaml", "--update", "never")
    let resume = try await flow("resume", "@/j")

    for run in [replay, test, resume] {
      #expect(
        run.errors.contains(
          #"the plugin 'probe' is version 1.2 now, and was version 0.9\n\u{1b}[31merror when recorded"#
            + "\n"))
    }
  }

  @Test func `paths are told on one line`() async throws {
    let name = "a\n\u{1b}[31m"
    let shown = #"a\n\u{1b}[31m"#
    try folder.write(Self.scenario, to: name + "/s.yaml")
    let test = try await flow("test", "@/\(name)")
    let seal = try await flow("transcript", "seal", "@/\(name)/s.transcript.jsonl")

    #expect(test.output.hasPrefix("recorded @/\(shown)/s.yaml  (@/\(shown)/s.transcript.jsonl, "))
    #expect(seal.output == "sealed @/\(shown)/s.transcript.jsonl\n")
  }

  @Test(arguments: [
    ["EVIL"], ["explain", "EVIL"], ["run", "--EVIL"], ["test", "--jobs", "EVIL"],
    ["list", "EVIL"], ["test", "--report", "EVIL"], ["run", "s.yaml", "--secret", "EVIL=x"],
    ["test", "@/", "--filter", "EVIL"], ["merge", "@/", "--run", "EVIL"],
  ])
  func `a mistake on the command line is told on one line`(_ arguments: [String]) async throws {
    let evil = "a\n\u{9B}31m\u{202E}b"

    let run = try await FlowCommandRun(
      arguments.map { $0.replacing("EVIL", with: evil) }, in: folder)

    #expect(run.errors.contains(#"a\n\u{9b}31m\u{202e}b"#), "\(run.errors)")
    #expect(!run.errors.contains("\u{9B}") && !run.errors.contains("\u{202E}"))
    #expect(run.code == .badCommandLine)
  }
}
