import FlowCommand
import TestKit
import Testing

/// The reach of `--allow-host` into components, and its limits.
@Suite struct AllowHostTests {
  private let project: ReachFolder

  init() throws { project = try ReachFolder() }

  @Test(arguments: [
    ([], nil, "true"), (["--allow-host", "a.test"], nil, "true"),
    (["--allow-host=b.test,a.test:80"], nil, "true"),
    (["--allow-host", "b.test", "--allow-host", "*.test"], nil, "true"),
    (["--allow-host", "b.test"], nil, "false"), (["--allow-host", "a.test:81"], nil, "false"),
    ([], "[b.test]", "false"), ([], "['*.test']", "true"),
    (["--allow-host", "a.test"], "[b.test]", "false"),
    (["--allow-host", "a.test"], "[a.test, b.test]", "true"),
    (["--allow-host", "b.test"], "[a.test, b.test]", "false"),
  ])
  func `a component sees what the options and the project allow`(
    _ options: [String], _ hosts: String?, _ expected: String
  ) async throws {
    try project.folder.write(
      "flow: 1\n" + (hosts.map { "allow-host: \($0)\n" } ?? ""), to: "flow.yaml")
    let run = try await project.flow(arguments: ["run", "@/agent.yaml"] + options)

    #expect(run.output.contains("allowed: \(expected)"))
    #expect(run.errors == "")
  }

  @Test func `a component that runs live in a replay or a test is limited as well`() async throws {
    _ = try await project.flow("run", "@/agent.yaml", "--record")
    let commands = [
      ["replay", "@/agent.transcript.jsonl", "--live=api,agent"],
      ["test", "@/agent.yaml", "--live"],
      ["test", "@/agent.yaml", "--live=api,agent"], ["diff", "@/agent.transcript.jsonl"],
    ]

    for command in commands {
      let same = try await project.flow(arguments: command + ["--allow-host", "a.test"])
      let other = try await project.flow(arguments: command + ["--allow-host", "b.test"])

      #expect([same.code, other.code] == [.passed, .failed])
      #expect((other.output + other.errors).contains("ok.allowed: recorded true, now false"))
    }
  }

  @Test func `a run that is resumed is limited as well`() async throws {
    _ = try await project.flow("run", "@/agent.yaml", "--journal", "@/j")
    let lines = try project.folder.text("j").split(separator: "\n").prefix(5)
    try project.folder.write(lines.joined(separator: "\n") + "\n", to: "j")
    let run = try await project.flow("resume", "@/j", "--allow-host", "b.test")

    #expect(run.errors == "")
    #expect(run.output.contains("allowed: false"))
  }

  @Test(arguments: ["", "https://a.test", "a.test,,b.test"])
  func `what is not a host is a wrong command line`(_ hosts: String) async throws {
    let run = try await project.flow("run", "@/s.yaml", "--allow-host=\(hosts)")

    let word = hosts.hasPrefix("https") ? hosts : ""
    #expect(
      run.errors == "flow: '--allow-host': expected a host such as example.org, *.example.org, "
        + "[::1] or localhost:8080, got '\(word)'\nsee 'flow help run'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test(arguments: [
    (["--allow-host", "a.test"], "", "--allow-host"),
    ([], "allow-host: [a.test]\n", "'allow-host' in @/flow.yaml"),
  ])
  func `a note says that programs are not limited`(
    _ options: [String], _ project: String, _ owner: String
  ) async throws {
    try self.project.folder.write("flow: 1\n" + project, to: "flow.yaml")
    let run = try await self.project.flow(arguments: ["run", "@/s.yaml"] + options)
    let test = try await self.project.flow(arguments: ["test", "@/s.yaml"] + options)
    let replay = try await self.project.flow(arguments: ["test", "@/s.yaml"] + options)

    let note =
      "note: 'server' (plugin starter) starts programs, which may reach the network despite "
      + "\(owner); --deny process forbids them\n"
    #expect([run.errors, test.errors, replay.errors] == [note, note, ""])
    #expect(test.output.hasPrefix("recorded @/s.yaml"))
    #expect([run.code, test.code, replay.code] == [.passed, .passed, .passed])
  }

  @Test func `where the network is denied, a note says the same`() async throws {
    try project.folder.write(
      "flow: 1\ncomponents: {server: {plugin: starter}}\nsteps: [{uses: server.start}]\n",
      to: "s.yaml")
    let run = try await project.flow("run", "@/s.yaml", "--deny", "network")

    #expect(
      run.errors == "note: 'server' (plugin starter) starts programs, which may reach the network "
        + "despite --deny; --deny process forbids them\n")
    #expect(run.code == .passed)
  }
}
