import FlowCommand
import FlowCore
import TestKit
import Testing

/// The result of a command at a terminal: output, error output and exit code.
@Suite struct CommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    var output = ""
    var errors = ""
    let code: ExitCode
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: wrong) func `a wrong command line is exit 64 and says why`(_ sample: Case)
    async throws
  {
    let run = try await FlowCommandRun(sample.arguments)

    #expect(run.errors == sample.errors)
    #expect(run.output == "")
    #expect(run.code == .badCommandLine)
  }

  static let wrong: [Case] = [
    Case(
      arguments: ["rnu"],
      errors: "flow: unknown command 'rnu'; did you mean 'run'?\nsee 'flow --help'\n",
      code: .badCommandLine),
    Case(
      arguments: ["transcript", "polish"],
      errors: "flow: unknown command 'transcript polish'; there are show, seal, redact, prune\n"
        + "see 'flow help transcript'\n",
      code: .badCommandLine),
    Case(
      arguments: ["explain", "--everything"],
      errors:
        "flow: unknown option '--everything'; there is only --help\nsee 'flow help explain'\n",
      code: .badCommandLine),
    Case(
      arguments: ["--hlep"],
      errors: "flow: unknown option '--hlep'; did you mean '--help'?\nsee 'flow --help'\n",
      code: .badCommandLine),
    Case(
      arguments: ["run"], errors: "flow: SCENARIO is missing\nsee 'flow help run'\n",
      code: .badCommandLine),
    Case(
      arguments: ["run", "a.yaml", "b.yaml"],
      errors: "flow: unexpected argument 'b.yaml'\nsee 'flow help run'\n", code: .badCommandLine),
    Case(
      arguments: ["run", "a.yaml", "--record", "out.txt"],
      errors:
        "flow: unexpected argument 'out.txt'; did you mean '--record=out.txt'?\nsee 'flow help run'\n",
      code: .badCommandLine),
    Case(
      arguments: ["run", "a.yaml", "--inptu", "x=1"],
      errors: "flow: unknown option '--inptu'; did you mean '--input'?\nsee 'flow help run'\n",
      code: .badCommandLine),
    Case(
      arguments: ["run", "a.yaml", "--input"],
      errors: "flow: '--input' needs a value, NAME=VALUE\nsee 'flow help run'\n",
      code: .badCommandLine),
    Case(
      arguments: ["run", "a.yaml", "--input", "amount"],
      errors: "flow: '--input': expected NAME=VALUE, got 'amount'\nsee 'flow help run'\n",
      code: .badCommandLine),
    Case(
      arguments: ["run", "a.yaml", "--seed", "-1"],
      errors: "flow: '--seed': expected a whole number from 0, got '-1'\nsee 'flow help run'\n",
      code: .badCommandLine),
    Case(
      arguments: ["run", "a.yaml", "--quiet=yes"],
      errors: "flow: '--quiet' takes no value\nsee 'flow help run'\n", code: .badCommandLine),
    Case(
      arguments: ["list", "prob"], errors: "flow: unknown plugin 'prob'; did you mean 'probe'?\n",
      code: .badCommandLine),
  ]

  @Test(arguments: ["f1203", "1203"])
  func `a code is found in lower case and without its letter`(_ code: String) async throws {
    let run = try await FlowCommandRun(["explain", code])

    #expect(run.output == (try await FlowCommandRun(["explain", "F1203"]).output))
    #expect(run.output.hasPrefix("F1203: "))
    #expect(run.code == .passed)
  }

  @Test func `version and help are printed to standard output`() async throws {
    let version = try await FlowCommandRun(["--version"])
    let help = try await FlowCommandRun(["help", "explain"])

    #expect(version.output == "flow 0.2.0\n")
    #expect(
      help.output == """
        Explains a diagnostic code, such as F1203.

        usage: flow explain [CODE]

          --help              Prints this help.

        Without a code, lists all codes. 'f1203' and '1203' also mean F1203.

        """)
    #expect(version.code == .passed)
  }

  @Test func `every command is in the overview and has help of its own`() async throws {
    let overview = try await FlowCommandRun(["--help"]).output

    let names = [
      "run", "test", "resume", "replay", "diff", "check", "graph", "config", "explain", "list",
      "import", "init", "new", "plugin", "contract", "completions", "help",
    ]
    for name in names {
      #expect(overview.contains("\n  \(name) "))
      let help = try await FlowCommandRun([name, "--help"])
      #expect(help.output.contains("usage: flow \(name)"))
      #expect(help.code == .passed)
    }
  }

  @Test(arguments: broken) func `a file that is no scenario is exit 65`(_ sample: Case) async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("", to: "empty.yaml")
    try folder.write([0xFF, 0x00, 0x80, 0x0A], to: "binary.yaml")
    try folder.write("a: &a [*a]", to: "cyclic.yaml")
    try folder.write("", to: "folder/x")
    let file = folder.directory.path + "/" + sample.arguments[0]

    let run = try await FlowCommandRun(["run", file])

    #expect(run.errors.replacing(folder.directory.path + "/", with: "") == sample.errors)
    #expect(run.code == .badInput)
  }

  static let broken: [Case] = [
    Case(
      arguments: ["missing.yaml"],
      errors: "error: cannot read 'missing.yaml': no such file [F1001]\n", code: .badInput),
    Case(
      arguments: ["folder"],
      errors: "error: cannot read 'folder': not a file [F1001]\n"
        + "  note: 'flow test' and 'flow check' accept folders\n",
      code: .badInput),
    Case(
      arguments: ["empty.yaml"],
      errors:
        "empty.yaml:1:1: error: expected a document, found none [F1002]\n    1 | \n      | ^\n",
      code: .badInput),
  ]

  @Test func `list tells a plugin's settings, operations, errors and events`() async throws {
    let run = try await FlowCommandRun(["list", "probe"])

    #expect(run.output.hasPrefix("probe 1.2: Counts, echoes and fails.\n settings\n"))
    #expect(run.output.contains("\nprobe.count: Adds to the count.\n with\n"))
    #expect(run.output.contains("  by                  int, default 1. How much to add.\n"))
    #expect(run.output.contains(" errors\n  too-many            The step is more than 100.\n"))
  }
}
