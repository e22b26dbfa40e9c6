import FlowCommand
import FlowCore
import TestKit
import Testing

/// The reports that `flow test` and other commands write beside their output.
@Suite struct ReportsTests {
  static let formats = ["html", "junit", "tap", "tap14", "jsonl", "trace", "markdown"]

  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.write("a.yaml", name: "First")
    try suite.write("b.yaml", name: "Second", passes: false)
    try suite.write("c.yaml", name: "Third")
  }

  /// Every format's report, by the formats' names.
  private func reports(_ arguments: String...) async throws -> (run: SuiteRun, [String: String]) {
    let requests = Self.formats.flatMap { ["--report", "\($0)=@/r/\($0)"] }
    try suite.folder.write("", to: "r/keep")
    let run = try await suite.flow(
      ["test", "@/", "--update", "never", "--jobs", "1"] + arguments + requests)
    var texts: [String: String] = [:]
    for format in Self.formats { texts[format] = try suite.folder.text("r/\(format)") }
    return (run, texts)
  }

  @Test func `all formats at once have what passed and failed`() async throws {
    let (run, texts) = try await reports()

    #expect(run.code == .failed)
    #expect(texts["html"]?.contains("<h1>1 of 3 scenarios failed</h1>") == true)
    #expect(
      texts["junit"]?.contains("<testsuites name=\"flow\" tests=\"3\" failures=\"1\"") == true)
    #expect(texts["tap"]?.contains("\nnot ok 2 - ") == true)
    #expect(texts["tap14"]?.contains("\n    not ok 1 - p.count\n") == true)
    #expect(texts["jsonl"]?.contains("\"verdict\":\"failed\"") == true)
    #expect(texts["trace"]?.contains("\"name\":\"p.count\"") == true)
    #expect(texts["markdown"]?.contains("| failed | 1 |") == true)
    #expect(try suite.folder.names(in: "r") == (["keep"] + Self.formats).sorted())
  }

  @Test func `what --fail-fast leaves out is in every report`() async throws {
    let (run, texts) = try await reports("--fail-fast")

    #expect(run.code == .failed)
    #expect(texts["html"]?.contains("1 not run</button>") == true)
    #expect(texts["junit"]?.contains("<skipped message=\"not run\"/>") == true)
    for tap in ["tap", "tap14"] {
      #expect(texts[tap]?.contains("c.yaml: Third # SKIP not run\n") == true)
    }
    #expect(texts["jsonl"]?.contains("\"verdict\":\"not run\"") == true)
    #expect(texts["trace"]?.hasSuffix("\n]}\n") == true)
    #expect(texts["markdown"]?.contains("| not run | 1 |") == true)
  }

  @Test func `a scenario that cannot be read is in every report`() async throws {
    try suite.folder.write("flow: 1\nstep: []\n", to: "b.yaml")
    let (run, texts) = try await reports()

    #expect(run.code == .badInput)
    #expect(texts["html"]?.contains("<h3>unknown key &#39;step&#39;") == true)
    #expect(texts["junit"]?.contains("<error message=\"unknown key 'step'") == true)
    #expect(texts["junit"]?.contains("type=\"F1102\"") == true)
    for tap in ["tap", "tap14"] {
      #expect(texts[tap]?.contains("  severity: \"error\"\n  code: \"F1102\"\n") == true)
    }
    #expect(texts["jsonl"]?.contains("\"code\":\"F1102\"") == true)
    #expect(texts["trace"]?.hasSuffix("\n]}\n") == true)
    #expect(texts["markdown"]?.contains("error: unknown key 'step'") == true)
  }

  @Test(arguments: [true, false])
  func `the steps of 20 runs are kept, of the others it is said how many there were`(
    _ passes: Bool
  ) async throws {
    try suite.write("d/one.yaml", passes: passes)

    _ = try await suite.flow([
      "test", "@/d", "--update", "never", "--repeat", "25", "--report", "jsonl=@/r",
    ])

    let lines = try suite.folder.text("r").split(separator: "\n")
    #expect(lines.count { $0.contains("\"kind\":\"step\"") } == 20)
    let runs = lines.filter { $0.contains("\"kind\":\"run\"") }
    #expect(runs.count { $0.contains("\"omitted\":0,") } == 20)
    #expect(runs.count { $0.contains("\"omitted\":4,") } == 5)
  }

  @Test func `the reports of all shards have each scenario once`() async throws {
    let (_, first) = try await reports("--shard", "1/2")
    let (_, second) = try await reports("--shard", "2/2")

    for (format, word) in [
      ("html", "class=\"s "), ("junit", "<testcase "), ("tap", "ok "), ("tap14", "\nok "),
      ("jsonl", "\"kind\":\"scenario\""),
      ("trace", "\"process_name\""),
    ] {
      let both = (first[format] ?? "") + (second[format] ?? "")
      let count = both.ranges(of: word).count
      #expect(count == (format == "tap14" ? 2 : 3), "\(format): \(both)")
    }
  }

  @Test func `runs of a repeated scenario are one case`() async throws {
    let (_, texts) = try await reports("--repeat", "3")

    let junit = texts["junit"] ?? ""
    #expect(junit.ranges(of: "<testcase ").count == 3)
    #expect(junit.ranges(of: "<failure ").count == 1)
    #expect(junit.ranges(of: "<rerunFailure ").count == 2)
    #expect(texts["jsonl"]?.ranges(of: "\"kind\":\"run\"").count == 9)
    #expect(texts["html"]?.contains("<b>run 3 of 3</b> failed</summary>") == true)
  }

  // MARK: - Where they go

  @Test(arguments: ["tap", "tap14"]) func `a report on standard output is alone there`(
    _ format: String
  ) async throws {
    let run = try await suite.test("--report", "\(format)=-")

    #expect(run.output.hasPrefix("TAP version 1"))
    #expect(!run.output.contains("passed in"))
    #expect(run.errors.contains("did not answer as expected"))
    #expect(run.code == .failed)
  }

  @Test func `a run's report on standard output is alone there`() async throws {
    let run = try await suite.flow("run", "@/a.yaml", "--report", "tap=-")

    #expect(run.output == "TAP version 13\n1..1\nok 1 - @/a.yaml: First\n")
  }

  @Test(arguments: [
    (["--report", "tap=@/x", "--report", "junit=@/./x"], "'--report' names '@/x' twice"),
    (["--report", "tap=-", "--report", "junit=-"], "'--report' names '-' twice"),
    (
      ["--report", "tap=-", "--format", "json"],
      "'--report=-' cannot be combined with '--format'"
    ),
    (
      ["--report", "tab"],
      "'--report': expected FORMAT or FORMAT=PATH, where FORMAT is html, junit, junit-steps, tap, "
        + "tap14, jsonl, trace, markdown, contract, usage or usage-json, got 'tab'"
    ),
  ]) func `what cannot be written is refused`(_ arguments: [String], _ message: String) async throws
  {
    let run = try await suite.flow(["test", "@/"] + arguments)

    #expect(run.code == .badCommandLine)
    #expect(run.errors.hasPrefix("flow: \(message)\n"), "\(run.errors)")
  }

  @Test func `a report that cannot be written runs nothing`() async throws {
    let run = try await suite.test("--report", "junit=@/missing/x.xml")

    #expect(run.code == .cannotWrite)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("flow: the report was not written: "), "\(run.errors)")
  }

  // MARK: - GitHub Actions

  private func job(_ summary: String = "summary.md") -> [String: String] {
    [
      "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": suite.folder.path(summary),
      "GITHUB_WORKSPACE": suite.folder.directory.path,
    ]
  }

  @Test func `a job of GitHub gets notes and a summary by itself`() async throws {
    try suite.folder.write("before\n", to: "summary.md")

    let run = try await suite.flow(
      ["test", "@/", "--update", "never"], environment: job())

    #expect(run.output.contains("\n::error file=b.yaml,line=5,col="), "\(run.output)")
    #expect(try suite.folder.text("summary.md").hasPrefix("before\n## flow: failed\n"))
  }

  @Test func `notes for GitHub do not stand in a document`() async throws {
    let run = try await suite.flow(
      ["test", "@/", "--update", "never", "--format", "json"], environment: job())

    #expect(run.output.hasPrefix("{") && run.output.split(separator: "\n").count == 1)
    #expect(run.errors.contains("::error file=b.yaml,line=5"), "\(run.errors)")
  }

  @Test func `a summary that cannot be written is reported`() async throws {
    let run = try await suite.flow(
      ["test", "@/a.yaml", "--update", "never"], environment: job("missing/summary.md"))

    #expect(run.code == .cannotWrite)
  }

  @Test func `no text of a scenario is a command for GitHub`() async throws {
    try suite.folder.write(
      """
      flow: 1
      name: "::error::name ##[error]name"
      components: {p: {plugin: probe}}
      steps: [{name: "::warning::step", uses: p.count}]
      outputs: {a: "::set-output name=x::y"}

      """, to: "d.yaml")

    let run = try await suite.flow(["run", "@/d.yaml"], environment: job())
    let tap = try await suite.flow(
      ["run", "@/d.yaml", "--report", "markdown=-"], environment: job())

    // On a busy machine the run may count as slow, which adds a workflow command of `flow`.
    let lines = (run.output + run.errors + tap.output).split(separator: "\n")
    for line in lines where !line.hasPrefix("::warning file=d.yaml,title=slow") {
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      #expect(!line.contains("##["), "\(line)")
    }
    #expect(run.output.contains(": :error::name"))
  }

  // MARK: - Recordings

  @Test func `reports are made of transcripts afterwards`() async throws {
    _ = try await suite.flow("run", "@/b.yaml", "--record")
    _ = try await suite.flow("run", "@/a.yaml", "--record")

    let run = try await suite.flow(
      "report", "@/a.transcript.jsonl", "@/b.transcript.jsonl", "--report", "jsonl=@/r.jsonl")

    #expect(run.code == .passed)
    #expect(
      run.output == """
        passed   @/a.yaml  (@/a.transcript.jsonl, T)
        failed   @/b.yaml  (@/b.transcript.jsonl, T)
        failed in T: scenarios 1 passed, 1 failed

        """)
    let lines = try suite.folder.text("r.jsonl")
    #expect(lines.ranges(of: "\"kind\":\"call\"").count == 4)
    #expect(lines.ranges(of: "\"virtualTime\":true").count == 2)
  }

  @Test func `the outputs of a run are in the line of the run`() async throws {
    try suite.folder.write(
      """
      flow: 1
      steps: [{assert: "${{ 1 == 1 }}"}]
      outputs: {total: "${{ 3 }}", names: "${{ ['a', 'b'] }}", price: "${{ decimal('1.50') }}"}

      """, to: "o.yaml")
    _ = try await suite.flow("run", "@/o.yaml", "--report", "jsonl=@/r.jsonl")
    _ = try await suite.flow("run", "@/b.yaml", "--report", "jsonl=@/failed.jsonl")

    #expect(
      try suite.folder.text("r.jsonl").contains(
        #""log":[],"outputs":{"total":3,"names":["a","b"],"price":1.50},"values":["#
          + #"{"use":"output","name":"total","value":3},"#
          + #"{"use":"output","name":"names","value":["a","b"]},"#
          + #"{"use":"output","name":"price","value":1.50}]}}"# + "\n"))
    #expect(try !suite.folder.text("failed.jsonl").contains("outputs"))
  }

  @Test func `reports are made of journals as far as they go`() async throws {
    try suite.folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: one, uses: p.count}
        - {id: two, uses: p.count}
        - {id: three, uses: p.count}
      outputs: {total: "${{ steps.three.value }}"}

      """, to: "j.yaml")
    _ = try await suite.flow("run", "@/j.yaml", "--journal", "@/whole")
    let lines = try suite.folder.text("whole").split(separator: "\n")
    try suite.folder.write(lines.prefix(6).joined(separator: "\n") + "\n", to: "part")

    let whole = try await suite.flow("report", "@/whole", "--report", "tap14=-")
    let part = try await suite.flow("report", "@/part", "--report", "tap14=-")

    #expect(
      whole.output == """
        TAP version 14
        1..1
        # Subtest: @/j.yaml
            ok 1 - one
            ok 2 - two
            ok 3 - three
            1..3
        ok 1 - @/j.yaml

        """)
    #expect(part.output.hasPrefix("TAP version 14\n1..1\n# Subtest: @/j.yaml\n    ok 1 - one\n"))
    #expect(part.output.contains("\nnot ok 1 - @/j.yaml\n  ---\n  message: \"interrupted\"\n"))
    #expect(!part.output.contains("F3001"))
  }

  @Test func `a recording can be in a report twice`() async throws {
    _ = try await suite.flow("run", "@/b.yaml", "--record")
    let recording = "@/b.transcript.jsonl"

    _ = try await suite.flow(
      "report", recording, recording, "--report", "html=@/r.html", "--report", "junit=@/r.xml")

    let page = try suite.folder.text("r.html")
    let anchors = page.matches(of: /<details class="s f" id="[^"]*\/(b[^"]*)"/).map { $0.1 }
    #expect(anchors == ["b.yaml", "b.yaml+2"])
    let names = try suite.folder.text("r.xml").matches(of: /<testcase .* name="([^"]*)"/)
    #expect(names.map(\.1) == ["Second", "Second (2)"])
  }

  @Test func `what is no recording is reported and fails`() async throws {
    let run = try await suite.flow("report", "@/a.yaml", "--report", "tap=-")

    #expect(run.code == .badInput)
    #expect(run.output.contains("not ok 1 - @/a.yaml\n"))
  }
}
