import TestKit
import Testing

/// `flow contract` on the counter in Python, and on its defects.
@Suite(.enabled(if: PluginProgram.has("python3"), "python3 is not installed"))
struct PluginChecksTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The parts of the program that are replaced.
    var changes: [(String, String)] = []
    var state = "memory"
    var options: [String] = []
    let output: String
  }

  private static let answer = #"    return {"content": [], "structuredContent": {"count": count}}"#
  /// Keeps the count in a file.
  private static let file = [
    (
      answer,
      """
          open("state", "a").write("x" * amount)
          count = len(open("state").read())
      \(answer)
      """
    )
  ]

  private static let cases = [
    Case(
      testDescription: "the counter",
      output: """
        passed   answers
        passed   inputs
        passed   cancellation
        passed   instances
        passed   kill
        passed   closing
        every rule holds: 1 operation

        """),
    Case(
      testDescription: "an answer that contradicts the schema",
      changes: [("{\"count\": count}}", "{\"count\": str(count)}}")],
      output: """
        failed   answers
          error: 'add' with {}: malformed: the answer contradicts the outputSchema: \
        structuredContent/count: expected integer, got string "1"
        failed   inputs

        """),
    Case(
      testDescription: "an undeclared error",
      changes: [("\"flow/error\": error", "\"flow/error\": \"odd\"")],
      output: """
        passed   answers
        failed   inputs
          error: 'add' with {amount: -660}: malformed: the tool does not declare its error 'odd': \
        The amount is negative.

        """),
    Case(
      testDescription: "an input that ends the program",
      changes: [("    if error:\n", "    if amount > 1000: sys.exit(3)\n    if error:\n")],
      output: """
        passed   answers
        failed   inputs
          error: 'add' with {amount: 9223372036854775807}: unavailable: the server ended with status 3

        """),
    Case(
      testDescription: "no answer in time",
      changes: [
        ("    global count\n", "    sys.stdin.read()\n    global count\n")
      ],
      options: ["--timeout", "200ms"],
      output: """
        failed   answers
          error: 'add' with {}: no end in time
        failed   inputs

        """),
    Case(
      testDescription: "a cancelled call that ends the program",
      changes: [
        ("import json, os, sys\n", "import json, os, sys, time\n"),
        ("    global count\n", "    global count\n    if count < 2: time.sleep(0.4)\n"),
        ("    reply = ", "    if method == \"notifications/cancelled\": sys.exit(4)\n    reply = "),
      ],
      output: """
        passed   answers
        passed   inputs
        failed   cancellation
          error: 'add' after a cancelled call: unavailable: the server ended with status 4

        """),
    Case(
      testDescription: "a state outside of the program", changes: file,
      output: """
        passed   answers
        passed   inputs
        passed   cancellation
        failed   instances
        """),
    Case(
      testDescription: "a declared state outside of the program", changes: file, state: "external",
      output: """
        passed   answers
        passed   inputs
        passed   cancellation
        skipped  instances: its state is external
        passed   kill
        passed   closing
        every rule holds: 1 operation

        """),
    Case(
      testDescription: "answers that vary by themselves", changes: file,
      options: ["--varies", "add"],
      output: """
        passed   answers
        passed   inputs
        passed   cancellation
        passed   instances
        passed   kill
        passed   closing
        every rule holds: 1 operation

        """),
    Case(
      testDescription: "a process that goes on",
      changes: [
        (
          "import json, os, sys\n",
          """
          import json, os, subprocess, sys
          subprocess.Popen(["sleep", "60"], stdin=-3, stdout=-3, stderr=-3, start_new_session=True)

          """
        )
      ],
      output: """
        passed   answers
        passed   inputs
        passed   cancellation
        passed   instances
        passed   kill
        failed   closing
          error: processes that go on: 1
        1 of 6 rules are broken: 1 operation

        """),
  ]

  @Test(arguments: cases)
  func `a plugin passes the checks, or the broken rule is named`(_ sample: Case) async throws {
    let program = try PluginProgram(changes: sample.changes, state: sample.state)
    _ = try await program.flow("plugin", "lock")

    let run = try await program.flow(["contract", "counter"] + sample.options)

    #expect(run.output.hasPrefix(sample.output), "\(run.output)\(run.errors)")
    #expect(run.code == (sample.output.contains("failed") ? 1 : 0))
  }

  @Test func `a refused sample is noted, and an example in the schema is a better one`()
    async throws
  {
    let refused = try PluginProgram(changes: [("amount=1", "amount=-1")])
    let better = try PluginProgram(
      changes: [
        ("\"default\": 1", "\"examples\": [2]"), ("amount=1", "amount=-1"),
      ])
    _ = try await refused.flow("plugin", "lock")
    _ = try await better.flow("plugin", "lock")

    let runs = [
      try await refused.flow("contract", "counter"), try await better.flow("contract", "counter"),
    ]

    #expect(
      runs[0].output.hasPrefix(
        """
        passed   answers
          note: 'add' with {}: negative: The amount is negative.; 'examples' in its inputSchema give \
        a better sample
        passed   inputs

        """), "\(runs[0].output)")
    #expect(runs[1].output.hasPrefix("passed   answers\npassed   inputs\n"), "\(runs[1].output)")
    #expect(runs.map(\.code) == [0, 0])
  }

  @Test(arguments: [
    (
      ["contract", "other"], "flow: flow.yaml declares no plugin 'other'; there is only counter\n",
      65
    ),
    (
      ["contract", "countre"],
      "flow: flow.yaml declares no plugin 'countre'; did you mean 'counter'?\n", 65
    ),
    (
      ["contract", "counter", "--timeout", "0s"],
      "flow: '--timeout': expected a duration such as 10s, got '0s'\nsee 'flow help contract'\n", 64
    ),
    (
      ["contract", "counter", "--varies", "ad"],
      "flow: '--varies': expected add, got 'ad'\nsee 'flow help contract'\n", 64
    ),
  ])
  func `a wrong command line is refused`(
    _ arguments: [String], _ errors: String, _ code: Int32
  ) async throws {
    let program = try PluginProgram()
    _ = try await program.flow("plugin", "lock")

    let run = try await program.flow(arguments)

    #expect(run.errors == errors)
    #expect(run.output == "")
    #expect(run.code == code)
  }

  @Test func `a program that the project denies is not started`() async throws {
    let program = try PluginProgram()
    _ = try await program.flow("plugin", "lock")
    let project = try program.folder.text("flow.yaml")
    try program.folder.write(project + "deny: [process]\n", to: "flow.yaml")

    let run = try await program.flow("contract", "counter")

    #expect(
      run.errors
        == "flow: the plugin 'counter' starts programs, which 'deny' in flow.yaml forbids\n")
    #expect(run.output == "")
    #expect(run.code == 65)
  }

  @Test func `a program that does not start fails a check`() async throws {
    let program = try PluginProgram()
    _ = try await program.flow("plugin", "lock")
    try program.folder.write("import sys; sys.exit(5)\n", to: "server.py")

    let run = try await program.flow("contract", "counter")

    #expect(run.output == "failed   answers\n")
    #expect(
      run.errors
        == "flow: the plugin cannot be opened: unavailable: the server ended with status 5\n")
    #expect(run.code == 1)
  }
}
