import FlowCommand
import FlowCore
import TestKit
import Testing

/// The effects refused by `--deny` and by `deny` in `flow.yaml`, and those allowed.
@Suite struct DenyTests {
  private let project: ReachFolder

  init() throws { project = try ReachFolder() }

  private static let api = ReachFolder.refusal(
    "s.yaml", 3, "  api: {plugin: line, with: {key: ********}}",
    "'api' (plugin line) reaches the network, which --deny forbids", width: 3)
  private static func server(_ does: String) -> String {
    ReachFolder.refusal(
      "s.yaml", 4, "  server: {plugin: starter}",
      "'server' (plugin starter) \(does), which --deny forbids", width: 6)
  }

  @Test(arguments: [
    (["--deny", "network", "--record"], api), (["--deny=process"], server("starts programs")),
    (["--deny", "files,network"], api + server("uses files")),
    (
      ["--deny", "process", "--deny", "network", "--deny", "files"],
      api + server("starts programs") + server("uses files")
    ),
    (["--deny", "network", "--dry-run"], api),
  ])
  func `a run is refused before anything is opened`(
    _ options: [String], _ expected: String
  ) async throws {
    let run = try await project.flow(arguments: ["run", "@/s.yaml"] + options)

    #expect(run.errors == expected)
    #expect(run.output == "")
    #expect(run.code == .badInput)
    #expect(try project.folder.names == ["agent.yaml", "outer.yaml", "s.yaml"])
  }

  @Test func `what reaches nothing that is denied runs`() async throws {
    let all = try await project.flow("run", "@/s.yaml", "--deny", "database", "--quiet")
    let agent = try await project.flow(
      "run", "@/agent.yaml", "--deny", "process,files,database", "--quiet")

    #expect([all.errors, agent.errors] == ["", ""])
    #expect([all.code, agent.code] == [.passed, .passed])
  }

  @Test(arguments: ["agent.yaml", "outer.yaml"])
  func `a component in a role is refused, also in an included scenario`(
    _ scenario: String
  ) async throws {
    let run = try await project.flow("run", "@/\(scenario)", "--deny", "network")

    #expect(
      run.errors
        == ReachFolder.refusal(
          "agent.yaml", 3, "  api: {plugin: line}",
          "'api' (plugin line) reaches the network, which --deny forbids", width: 3))
    #expect(run.code == .badInput)
  }

  @Test(arguments: [
    ([], ExitCode.passed), (["--live=agent"], .passed), (["--live=api"], .badInput),
    (["--live"], .badInput), (["--live=api,agent"], .badInput),
  ])
  func `what is served from a transcript reaches nothing`(
    _ live: [String], _ code: ExitCode
  ) async throws {
    for scenario in ["agent", "outer"] {
      _ = try await project.flow("run", "@/\(scenario).yaml", "--record")
      let replay = try await project.flow(
        arguments: ["replay", "@/\(scenario).transcript.jsonl", "--deny", "network"] + live)
      let test = try await project.flow(
        arguments: ["test", "@/\(scenario).yaml", "--deny", "network"] + live)

      #expect(replay.code == code)
      #expect(test.code == code)
      #expect(replay.errors == test.errors)
      #expect(replay.errors.contains("[F1216]") == (code == .badInput))
    }
  }

  @Test func `a test that would run a denied component fails as bad input`() async throws {
    _ = try await project.flow("run", "@/agent.yaml", "--record")
    let run = try await project.flow(
      "test", "@/agent.yaml", "@/s.yaml", "--jobs", "1", "--deny", "process")

    #expect(
      run.output == """
        [1/2] passed   @/agent.yaml  (T)
        [2/2] failed   @/s.yaml  (T)
        failed in T: scenarios 1 passed, 1 failed
        replayed: agent, api

        """)
    #expect(run.errors == Self.server("starts programs"))
    #expect(run.code == .badInput)
    #expect(!project.folder.directory.contains("opened"))
  }

  @Test func `a failed test is not recorded anew where a component is denied`() async throws {
    _ = try await project.flow("run", "@/agent.yaml", "--record")
    let transcript = try project.folder.text("agent.transcript.jsonl")
    let text = try project.folder.text("agent.yaml")
    try project.folder.write(text + "finally: [{assert: [\"${{ false }}\"]}]\n", to: "agent.yaml")
    let run = try await project.flow(
      "test", "@/agent.yaml", "--update", "failed", "--deny", "network")

    #expect(
      run.output.hasPrefix(
        "failed   @/agent.yaml  (not recorded, a component is not allowed to run, T)\n"))
    #expect(run.errors.contains("[F2004]"))
    #expect(run.errors.contains("which --deny forbids [F1216]"))
    #expect(run.code == .failed)
    #expect(try project.folder.text("agent.transcript.jsonl") == transcript)
  }

  @Test func `a run is not resumed with a component that is denied`() async throws {
    _ = try await project.flow("run", "@/s.yaml", "--journal", "@/j")
    let lines = try project.folder.text("j").split(separator: "\n").prefix(4)
    try project.folder.write(lines.joined(separator: "\n") + "\n", to: "j")
    let journal = try project.folder.text("j")
    try project.folder.remove("opened")

    let denied = try await project.flow("resume", "@/j", "--deny", "process")
    #expect(denied.errors == Self.server("starts programs"))
    #expect(denied.code == .badInput)
    #expect(try project.folder.text("j") == journal)
    #expect(!project.folder.directory.contains("opened"))

    let resumed = try await project.flow("resume", "@/j", "--deny", "database")
    #expect(resumed.errors == "")
    #expect(resumed.code == .passed)
  }

  @Test func `the other commands that open components refuse as well`() async throws {
    _ = try await project.flow("run", "@/agent.yaml", "--record")
    let diff = try await project.flow("diff", "@/agent.transcript.jsonl", "--deny", "network")
    let live = try await project.flow("mutate", "@/agent.yaml", "--live=api", "--deny", "network")
    let mutate = try await project.flow("mutate", "@/agent.yaml", "--deny", "network")

    #expect([diff.code, live.code, mutate.code] == [.badInput, .badInput, .passed])
    #expect(diff.errors.contains("which --deny forbids [F1216]"))
    #expect(live.errors == diff.errors)
  }

  @Test func `the project file denies, and an option denies more`() async throws {
    try project.folder.write("flow: 1\ndeny: [network]\n", to: "flow.yaml")
    let plain = try await project.flow("run", "@/s.yaml")
    let more = try await project.flow("run", "@/s.yaml", "--deny", "process")
    let test = try await project.flow("test", "@/s.yaml", "--deny", "process")

    let network = Self.api.replacing("--deny", with: "'deny' in @/flow.yaml")
    #expect(plain.errors == network)
    #expect(more.errors == network + Self.server("starts programs"))
    #expect(test.errors == more.errors)
  }

  @Test(arguments: [
    ("proces", "; did you mean 'process'?"), ("", ""), ("network,", ""),
  ])
  func `a kind that there is not is a wrong command line`(
    _ kinds: String, _ offer: String
  ) async throws {
    let run = try await project.flow("run", "@/s.yaml", "--deny=\(kinds)")

    let word = kinds == "proces" ? kinds : ""
    #expect(
      run.errors == "flow: '--deny': expected network, process, files or database, got '\(word)'"
        + "\(offer)\nsee 'flow help run'\n")
    #expect(run.code == .badCommandLine)
  }
}
