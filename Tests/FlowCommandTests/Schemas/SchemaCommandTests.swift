import FlowCommand
import FlowCore
import TestKit
import Testing

/// The files and the mistakes of `flow schema`.
@Suite struct SchemaCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let errors: String
    var code = ExitCode.badCommandLine
    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let cases = [
    Case(
      arguments: ["schema", "scenarios"],
      errors: """
        flow: unknown command 'schema scenarios'; did you mean 'scenario'?
        see 'flow help schema'

        """),
    Case(
      arguments: ["schema", "inputs"],
      errors: "flow: SCENARIO is missing\nsee 'flow help schema'\n"),
    Case(
      arguments: ["schema", "project", "x.yaml"],
      errors: "flow: unexpected argument 'x.yaml'\nsee 'flow help schema'\n"),
    Case(
      arguments: ["schema", "scenario", "--write"],
      errors: "flow: unexpected argument 'scenario'\nsee 'flow help schema'\n"),
    Case(
      arguments: ["schema", "inputs", "x.yaml", "y.yaml"],
      errors: "flow: unexpected argument 'y.yaml'\nsee 'flow help schema'\n"),
  ]

  @Test(arguments: cases)
  func `a wrong command line is explained`(_ sample: Case) async throws {
    let run = try await FlowCommandRun(sample.arguments)

    #expect(run.errors == sample.errors)
    #expect(run.output == "")
    #expect(run.code == sample.code)
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let comment = "# yaml-language-server: $schema=.flow/project.schema.json\n"

  @Test func `both files are written once`() throws {
    try folder.write("flow: 1\n", to: "flow.yaml")
    let first = try BuiltFlow(#""$0" schema --write"#, in: folder)
    let second = try BuiltFlow(#""$0" schema --write"#, in: folder)

    #expect(first.errors == "")
    #expect(
      first.output == """
        wrote .flow/scenario.schema.json
        wrote .flow/project.schema.json

        """)
    #expect(second.output == "the schemas are up to date\n")
    #expect(
      try folder.text(".flow/scenario.schema.json")
        == (try BuiltFlow(#""$0" schema"#, in: folder)).output)
    #expect(
      try folder.text(".flow/project.schema.json")
        == (try BuiltFlow(#""$0" schema project"#, in: folder)).output)
  }

  @Test func `a test writes the schemas that flow.yaml names, and no others`() throws {
    try folder.write("flow: 1\nsteps:\n  - assert: ${{ true }}\n", to: "a.yaml")
    try folder.write("flow: 1\n", to: "flow.yaml")
    _ = try BuiltFlow(#""$0" test"#, in: folder)
    let without = try folder.names(in: ".flow")
    try folder.write(Self.comment + "flow: 1\n", to: "flow.yaml")
    let run = try BuiltFlow(#""$0" test"#, in: folder)

    #expect(without == ["last-failed"])
    #expect(run.errors == "")
    #expect(
      try folder.names(in: ".flow") == [
        "last-failed", "project.schema.json", "scenario.schema.json",
      ])
  }

  @Test func `a test replaces schemas of another flow`() throws {
    try folder.write("flow: 1\nsteps:\n  - assert: ${{ true }}\n", to: "a.yaml")
    try folder.write(Self.comment + "flow: 1\n", to: "flow.yaml")
    try folder.write("{}\n", to: ".flow/project.schema.json")
    _ = try BuiltFlow(#""$0" test"#, in: folder)

    #expect(
      try folder.text(".flow/project.schema.json")
        == (try BuiltFlow(#""$0" schema project"#, in: folder)).output)
  }

  @Test func `a plugin that is not locked is noted`() throws {
    try folder.write(
      "flow: 1\nplugins:\n  clock: {mcp: [clock], state: none}\n", to: "flow.yaml")
    let run = try BuiltFlow(#""$0" schema | wc -l"#, in: folder)

    #expect(
      run.errors == """
        note: the plugin 'clock' is not in flow.lock

        """)
    #expect(run.output.contains("1"))
  }
}
