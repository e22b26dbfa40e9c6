import PluginHarness
import Testing

/// Reports of a process that is stopped while a scenario runs.
@Suite struct StoppedReportTests {
  /// Says through a pipe that it runs, and goes on for a minute.
  private static let scenario = """
    flow: 1
    components: {sh: {plugin: process}}
    steps:
      - {uses: sh.run, with: {shell: "echo > pipe"}}
      - {wait: 60s}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.scenario, to: "a.yaml")
    try folder.write("flow: 1\nname: Later\nsteps: [{set: {x: 1}}]\n", to: "b.yaml")
  }

  /// Tests the folder until it is under way, and sends a signal.
  private func stop(by signal: String) throws -> BuiltFlow {
    let reports = ReportTests.formats.map { "--report \($0)=r/\($0)" }.joined(separator: " ")
    return try BuiltFlow(
      """
      mkdir r && mkfifo pipe || exit 99
      "$0" test --update never --jobs 1 \(reports) &
      cat pipe > r/said
      kill -\(signal) $!
      wait $!
      """, in: folder)
  }

  @Test(arguments: ["TERM", "HUP"]) func `every report is closed and has what did not run`(
    _ signal: String
  ) throws {
    let run = try stop(by: signal)

    #expect(run.code == 130, "\(run.errors)")
    let junit = try folder.text("r/junit")
    #expect(junit.contains("<error message=\"interrupted\" type=\"not run\">"), "\(junit)")
    #expect(junit.contains("<skipped message=\"not run\"/>"))
    #expect(junit.hasSuffix("</testsuites>\n"))
    for format in ["tap", "tap14"] {
      let tap = try folder.text("r/\(format)")
      #expect(tap.contains("\nnot ok 1 - a.yaml\n  ---\n  message: \"interrupted\"\n"))
      #expect(
        tap.hasSuffix("ok 2 - b.yaml: Later # SKIP not run\nBail out! interrupted\n"), "\(tap)")
    }
    #expect(try folder.text("r/jsonl").contains("{\"passed\":false,\"interrupted\":true,"))
    let page = try folder.text("r/html")
    #expect(page.contains("2 not run</button>"), "\(page)")
    #expect(page.hasSuffix("</html>\n"))
    #expect(try folder.text("r/trace").hasSuffix("\n]}\n"))
    #expect(try folder.text("r/markdown").hasPrefix("## flow: interrupted\n"))
  }

  @Test func `a process that is killed leaves no half report under its name`() throws {
    let run = try stop(by: "KILL")

    #expect(run.code == 137)
    let names = try folder.names(in: "r").filter { ReportTests.formats.contains($0) }
    #expect(names == [])
  }
}
