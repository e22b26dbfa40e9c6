import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import MCPPlugin

struct ProjectTests {
  @Test(arguments: [
    ("mpc: [x]", "the plugin 'test' has no key of a kind of plugins ('mcp'); did you mean 'mcp'?"),
    ("mcp: [x], sate: none", "unknown key 'sate' in the plugin 'test'; did you mean 'state'?"),
    (
      "mcp: [x], env: 7",
      "'env' of the plugin 'test' must be map(optional(string)), not the number 7"
    ),
    ("mcp: x", "the plugin 'test' cannot be declared like this: 'x' is not a URL"),
  ])
  func `a wrong declaration is an error of the project file`(
    _ fields: String, expected: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nplugins:\n  test: {\(fields)}\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: []\n", to: "s.yaml")

    let run = try await FlowCommandRun(
      ["check", "@/s.yaml"], in: folder, components: [], families: [MCP.self])

    #expect(run.code == .badInput)
    #expect(run.errors.contains(expected), "\(run.errors)")
    #expect(run.errors.contains("@/flow.yaml:3:"), "\(run.errors)")
  }

  @Test func `a plugin cannot have the name of another one`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nplugins:\n  probe: {mcp: [x]}\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: []\n", to: "s.yaml")

    let run = try await FlowCommandRun(
      ["check", "@/s.yaml"], in: folder, families: [MCP.self])

    #expect(
      run.errors.contains("'probe' is the name of a plugin of this flow; choose another one"),
      "\(run.errors)")
  }

  @Test(arguments: [
    ("act2", "'it' has no operation 'act2'; did you mean 'act'? [F1203]\n", ""),
    (
      "other", "'it' has no operation 'other' [F1203]\n",
      "  note: operations: act, read, prompt, exchange, exchange-answer\n"
    ),
  ]) func `an unknown operation names flow.lock, which lists the others`(
    _ name: String, _ message: String, _ list: String
  ) async throws {
    let project = try ServerProject(TestServer(), steps: "  - uses: it.\(name)")
    _ = try await project.lock()

    let check = try await project.flow("check", "@/s.yaml")

    #expect(check.errors.hasPrefix("@/s.yaml:4:14: error: \(message)"), "\(check.errors)")
    #expect(
      check.errors.hasSuffix(
        list
          + "  note: flow.lock has the operations of 'test'; 'flow plugin lock test' asks its server again\n"
      ), "\(check.errors)")
  }

  @Test func `a scenario without plugins of the project does not need its lock`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nplugins:\n  test: {mcp: [x]}\n", to: "flow.yaml")
    try folder.write("not: [a, lock", to: "flow.lock")
    try folder.write(
      "flow: 1\ncomponents: {it: {plugin: probe}}\nsteps: [{uses: it.echo, with: {value: a}}]\n",
      to: "s.yaml")

    let run = try await FlowCommandRun(["run", "@/s.yaml"], in: folder, families: [MCP.self])

    #expect(run.code == .passed, "\(run.errors)")
  }
}
