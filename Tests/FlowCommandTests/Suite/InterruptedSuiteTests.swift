import TestKit
import Testing

/// The messages of the next run about a suite whose process died.
@Suite struct InterruptedSuiteTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.write("a.yaml")
    try suite.write("b.yaml")
  }

  @Test(arguments: [
    (["+a.yaml"], "'a.yaml' was running"),
    (["+a.yaml", "-a.yaml", "+b.yaml"], "'b.yaml' was running"),
    (["+b.yaml", "+a.yaml"], "'b.yaml' and 'a.yaml' were running"),
    (
      (1...13).map { "+\($0)" },
      (1...10).map { "'\($0)'" }.joined(separator: ", ") + " and 3 more were running"
    ),
  ])
  func `the scenarios are named that were running, once`(
    _ lines: [String], _ names: String
  ) async throws {
    try suite.folder.write(lines.map { $0 + "\n" }.joined(), to: ".flow/last-run-x.running")

    let first = try await suite.test()
    let second = try await suite.test()

    #expect(
      first.errors == "warning: the last run crashed or was killed while \(names)\n")
    #expect(second.errors == "")
    #expect(try suite.folder.names(in: ".flow") == ["last-failed"])
  }

  @Test func `nothing is said when all had ended`() async throws {
    try suite.folder.write("+a.yaml\n-a.yaml\n", to: ".flow/last-run-x.running")

    #expect(try await suite.test().errors == "")
    #expect(try suite.folder.names(in: ".flow") == ["last-failed"])
  }

  @Test func `a name that drives a terminal does not`() async throws {
    try suite.folder.write("+\u{9B}2J\u{202E}\n", to: ".flow/last-run-x.running")

    #expect(
      try await suite.test().errors
        == "warning: the last run crashed or was killed while '\\u{9b}2J\\u{202e}' was running\n")
  }

  @Test func `a merge names what ran when a part ended early`() async throws {
    _ = try await suite.flow(
      "test", "@/", "--update", "never", "--shard", "1/2", "--results", "@/results", "--run", "r")
    try suite.folder.write("+b.yaml\n", to: "results/r/.2-x.running")

    let run = try await suite.flow("merge", "@/results", "@/")

    #expect(
      run.errors
        == "flow: the part 2/2 is missing; it crashed or was killed while 'b.yaml' was running\n")
  }

  @Test func `a killed process leaves what it was doing`() throws {
    try suite.folder.write(
      """
      flow: 1
      components: {sh: {plugin: process}}
      steps: [{uses: sh.run, with: {argv: ["kill -9 $PPID; exec cat held"], shell: true}}]

      """, to: "deadly.yaml")
    try suite.folder.remove("a.yaml")
    try suite.folder.remove("b.yaml")

    let run = try BuiltFlow(
      """
      mkfifo held
      exec 3<>held
      "$0" test --live --update never > said 2>&1 3<&-
      rm deadly.yaml && printf 'flow: 1\\nsteps: [{set: {x: 1}}]\\n' > c.yaml
      "$0" test
      """, in: suite.folder)

    #expect(
      run.errors
        == "warning: the last run crashed or was killed while 'deadly.yaml' was running\n")
    #expect(run.code == 0)
  }
}
