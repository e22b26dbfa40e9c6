import FlowCommand
import TestKit
import Testing

/// The option for the required coverage of services' descriptions.
@Suite struct CoverageOptionTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.write("a.yaml")
  }

  @Test(arguments: [
    "", "status", "status=", "=80", "statuses=80", "status=101", "status=-1", "status=80%",
    "status=80=90", "status=80,", "status=80,status=90", "status=1e400", "Status=80",
  ])
  func `a malformed threshold is refused`(_ text: String) async throws {
    let run = try await suite.test("--contract-threshold=\(text)")

    let expected =
      "KIND=PERCENT, each KIND once, operation, status, parameter, body or property, and PERCENT "
      + "from 0 to 100"
    let message = "'--contract-threshold': expected \(expected), got '\(text)'"
    #expect(run.errors.hasPrefix("flow: \(message)\n"), "\(run.errors)")
    #expect(run.code == .badCommandLine)
  }

  @Test func `a part of a suite has no threshold`() async throws {
    let run = try await suite.test("--contract-threshold", "status=80", "--shard", "1/2")

    #expect(
      run.errors.hasPrefix(
        "flow: '--contract-threshold' cannot be combined with '--shard'\n"), "\(run.errors)")
    #expect(run.code == .badCommandLine)
  }

  @Test func `a threshold without a contract is not met`() async throws {
    let run = try await suite.test("--contract-threshold", "status=0")

    #expect(run.output.hasSuffix("contract: no component of the scenarios has one\n"))
    #expect(
      run.errors == """
        flow: no component of the scenarios has a contract, so no threshold is met

        """)
    #expect(run.code == .failed)
  }

  @Test func `a report without a contract is empty`() async throws {
    let run = try await suite.test("--report", "contract=@/c.json")

    #expect(
      try suite.folder.text("c.json") == #"{"version":1,"passed":true,"contracts":[]}"# + "\n")
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }
}
