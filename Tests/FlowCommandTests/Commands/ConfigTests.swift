import FlowCommand
import TestKit
import Testing

/// The settings that `flow config` prints as in force.
@Suite struct ConfigTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func config(
    _ path: String, environment: [String: String] = [:]
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(["config", path], in: folder, environment: environment)
  }

  @Test func `a file is found from below and its values stand beside the defaults`() async throws {
    try folder.write(
      "flow: 1\nscenarios: [tests, ./more/]\nexclude: [tests/broken]\njobs: 3\n", to: "flow.yaml")
    try folder.write("", to: "tests/deep/x.yaml")
    try folder.write("", to: "more/x.yaml")
    let run = try await config("@/tests/deep/x.yaml")

    #expect(
      run.output == """
          project file        @/flow.yaml
          scenarios           @/tests, @/more  (@/flow.yaml:2)
          exclude             @/tests/broken  (@/flow.yaml:3)
          update              missing  (default)
          jobs                3  (@/flow.yaml:4)
          at-once             no limit
          report.format       text  (default)
          report.quiet        false  (default)
          report.contract     no thresholds  (default)
          mutate.at_least     no threshold  (default)
          redact              nothing  (default)
          deny                nothing  (default)
          allow-host          every host  (default)

        """)
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `the nearest file is the project's`() async throws {
    try folder.write("flow: 1\njobs: 3\n", to: "flow.yaml")
    try folder.write("flow: 1\njobs: 4\n", to: "inner/flow.yaml")
    let run = try await config("@/inner")

    #expect(run.output.contains("project file        @/inner/flow.yaml\n"))
    #expect(run.output.contains("jobs                4  (@/inner/flow.yaml:2)\n"))
  }

  @Test(arguments: [
    (["FLOW_UPDATE": "all", "CI": "1"], "all  (FLOW_UPDATE)"),
    (["FLOW_UPDATE": "", "CI": "1"], "failed  (@/flow.yaml:2)"),
  ]) func `the environment goes before the file, and the file before the default`(
    _ environment: [String: String], _ expected: String
  ) async throws {
    try folder.write("flow: 1\nupdate: failed\n", to: "flow.yaml")
    let run = try await config("@/", environment: environment)

    #expect(run.output.contains("  update              \(expected)\n"))
  }

  @Test(arguments: [
    (["CI": "true"], "never  (default, since CI is set)"), (["CI": ""], "missing  (default)"),
  ]) func `nothing is recorded by default where a machine runs the tests`(
    _ environment: [String: String], _ expected: String
  ) async throws {
    try folder.write("flow: 1\n", to: "flow.yaml")
    let run = try await config("@/", environment: environment)

    #expect(run.output.contains("  update              \(expected)\n"))
    #expect(
      run.output.contains(
        """
          jobs                1  (default, one for each core)
          at-once             6 of each server  (default)

        """))
  }

  @Test(arguments: [
    ("jobs: 2", "no limit"),
    (
      "at-once: {b: 2, a: 1}",
      "a 1  (@/flow.yaml:2), b 2  (@/flow.yaml:2), 6 of each server  (default)"
    ),
    ("jobs: 2\nat-once: {a: 1}", "a 1  (@/flow.yaml:3)"),
  ]) func `the limits of live components are shown`(_ lines: String, _ expected: String)
    async throws
  {
    try folder.write("flow: 1\n\(lines)\n", to: "flow.yaml")
    let run = try await config("@/")

    #expect(run.output.contains("  at-once             \(expected)\n"))
  }

  @Test func `a path that leads nowhere has no project`() async throws {
    let run = try await config("@/none/x.yaml")

    #expect(run.errors == "flow: cannot read '@/none/x.yaml': no such file\n")
    #expect(run.code == .badInput)
  }

  @Test func `a variable without a meaning is exit 64`() async throws {
    let run = try await config("@/", environment: ["FLOW_UPDATE": "al"])

    #expect(
      run.errors == "flow: 'FLOW_UPDATE': expected never, missing, failed or all, got 'al'; "
        + "did you mean 'all'?\nsee 'flow help config'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test func `a file with a mistake is exit 65 and shows the line`() async throws {
    try folder.write("flow: 1\nexlude: []\n", to: "flow.yaml")
    let run = try await config("@/")

    #expect(
      run.errors == """
        @/flow.yaml:2:1: error: unknown key 'exlude' in a project file; did you mean 'exclude'? [F1604]
            2 | exlude: []
              | ^^^^^^

        """)
    #expect(run.code == .badInput)
  }

  @Test func `what the report is like is shown with its places`() async throws {
    try folder.write(
      """
      flow: 1
      report:
        format: json
        quiet: true
        contract: {status: 80.5, operation: 100}
      mutate: {at_least: 80%}
      """, to: "flow.yaml")
    let run = try await config("@/")

    #expect(
      run.output.contains(
        """
          report.format       json  (@/flow.yaml:3)
          report.quiet        true  (@/flow.yaml:4)
          report.contract     operation 100 %, status 80.5 %  (@/flow.yaml:5)
          mutate.at_least     80 %  (@/flow.yaml:6)

        """))
  }

  @Test func `what may be reached is shown with its place`() async throws {
    try folder.write(
      "flow: 1\ndeny: [process, network]\nallow-host: ['*.example.org', '[::1]:80']\n",
      to: "flow.yaml")
    let run = try await config("@/")

    #expect(
      run.output.contains(
        """
          deny                process, network  (@/flow.yaml:2)
          allow-host          *.example.org, [::1]:80  (@/flow.yaml:3)

        """))
  }

  @Test func `patterns are shown with their place`() async throws {
    try folder.write("flow: 1\nredact: ['id-[0-9]+', x]\n", to: "flow.yaml")
    let run = try await config("@/")

    #expect(run.output.contains("redact              id-[0-9]+, x  (@/flow.yaml:2)\n"))
  }
}
