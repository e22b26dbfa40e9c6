import FlowCommand
import TestKit
import Testing

/// The reach of scenarios in `flow check` and `flow list`.
@Suite struct NeedsTests {
  private let project: ReachFolder

  init() throws {
    project = try ReachFolder()
    try project.folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.count}]\n", to: "none.yaml")
  }

  @Test func `a check prints what each scenario needs`() async throws {
    let run = try await project.flow("check", "@/")

    #expect(
      run.output == """
        @/agent.yaml needs: network (api)
        @/outer.yaml needs: network (api)
        @/s.yaml needs: network (api), process (server), files (server)
        4 scenarios checked, no mistakes

        """)
    #expect(run.errors == "")
  }

  @Test func `a component of several scenarios is named once`() async throws {
    try project.folder.write(
      "flow: 1\ncomponents: {api: {plugin: line}, b: {plugin: line}}\n"
        + "steps: [{scenario: agent.yaml}, {uses: api.ask, with: {host: x}}, "
        + "{uses: b.ask, with: {host: x}}]\n", to: "both.yaml")
    let run = try await project.flow("check", "@/both.yaml")

    #expect(
      run.output == "@/both.yaml needs: network (api, b)\n1 scenario checked, no mistakes\n")
  }

  @Test(arguments: [
    ("{scenario: part.yaml, components: {inner: api}}", "api"),
    (
      "{scenario: part.yaml, components: {inner: api}}, {scenario: outer.yaml, components: {own: api}}",
      "api"
    ),
    ("{scenario: part.yaml, components: {inner: api}}, {scenario: part.yaml}", "api, inner"),
  ])
  func `what is handed over takes the place of what would be opened`(
    _ steps: String, _ names: String
  ) async throws {
    let part = "flow: 1\ncomponents: {inner: {plugin: line}}\n"
    try project.folder.write(
      part + "steps: [{uses: inner.ask, with: {host: x}}]\n", to: "part.yaml")
    try project.folder.write(
      part.replacing("inner", with: "own")
        + "steps: [{scenario: part.yaml, components: {inner: own}}]\n", to: "outer.yaml")
    try project.folder.write(
      "flow: 1\ncomponents: {api: {plugin: line}}\n"
        + "steps: [{uses: api.ask, with: {host: x}}, \(steps)]\n", to: "hand.yaml")
    let check = try await project.flow("check", "@/hand.yaml")
    let run = try await project.flow("run", "@/hand.yaml", "--deny", "network")

    #expect(check.output.hasPrefix("@/hand.yaml needs: network (\(names))\n"))
    #expect(run.errors.matches(of: /\[F1216\]/).count == names.split(separator: ",").count)
  }

  @Test func `a check for machines has what each scenario needs that can run`() async throws {
    try project.folder.write("flow: 1\nsteps: 1\n", to: "broken.yaml")
    let run = try await project.flow("check", "@/", "--format", "json", "--details", "-")

    let needs = """
      "scenarios":[{"file":"@/agent.yaml","needs":{"network":["api"]}},\
      {"file":"@/none.yaml","needs":{}},\
      {"file":"@/outer.yaml","needs":{"network":["api"]}},\
      {"file":"@/s.yaml","needs":{"network":["api"],"process":["server"],"files":["server"]}}]}

      """
    #expect(run.output.commandReport.hasSuffix("}]," + needs.replacing("@/", with: "@/")))
    #expect(run.code == .badInput)
  }

  @Test func `the list of plugins says what each reaches`() async throws {
    let all = try await project.flow("list")
    let one = try await project.flow("list", "starter")
    let none = try await project.flow("list", "agent")
    let json = try await project.flow("list", "starter", "--json")

    #expect(
      all.output == """
          line 1.0            Says which hosts are allowed. Reaches network.
          starter 1.0         Starts nothing. Reaches process, files.
          agent 1.0           Asks another one.
          cellar 1.0          Keeps files. Reaches files.
          probe 1.2           Counts, echoes and fails.

        'flow list PLUGIN' shows the settings and operations of a plugin.

        """)
    #expect(one.output.hasPrefix("starter 1.0: Starts nothing.\n reaches process, files\n"))
    #expect(none.output.hasPrefix("agent 1.0: Asks another one.\n using\n"))
    #expect(json.output.contains(#""state":"none","reaches":["process","files"],"settings":[]"#))
  }
}
