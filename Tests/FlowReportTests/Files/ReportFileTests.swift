import FlowCore
import FlowRedaction
import FlowReport
import Foundation
import Synchronization
import TestKit
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Whole reports about a scenario of each possible end.
@Suite struct ReportFileTests {
  @Test(arguments: ["junit", "tap", "tap14", "jsonl", "trace", "markdown"])
  func `a report is the file that is kept of it`(_ format: String) async throws {
    let reports = try await WrittenReports.ofEveryEnd()

    let text = try reports.text(format)

    #expect(try text == WrittenReports.golden("every-end.\(format)"), "\(text)")
  }

  @Test(arguments: ["junit", "tap", "tap14", "markdown"])
  func `a report has the last lines of an output, and of a difference`(_ format: String) throws {
    let lines = (281...300).map { "  line \($0)" }
    let diagnostic = Diagnostic(
      .unexpectedAnswer, "'build#1' did not answer as expected", at: nil,
      notes: ["text: the lines differ at line 2: - expected, + got"] + lines
    ).showing(
      ["answer: {status: 2}", "stdout, the last 20 of 300 lines:"] + lines + ["stderr:", "  worse"])
    let scenario = WrittenReports.scenario("s.yaml", .failed, runs: [(false, [diagnostic])])

    let text = try WrittenReports([scenario]).text(format)

    #expect(text.components(separatedBy: "line 300").count == 3, "\(text)")
    #expect(text.contains("worse"))
  }

  @Test func `JUnit has a suite for each scenario, each with one case`() async throws {
    let document = try XMLCount(try await WrittenReports.ofEveryEnd().text("junit"))

    #expect(document.counts["testsuite"] == 9)
    #expect(document.counts["testcase"] == 9)
    #expect(document.counts["failure"] == 2)
    #expect(document.counts["error"] == 4)
    #expect(document.counts["skipped"] == 1)
    #expect(document.counts["flakyFailure"] == 1)
    #expect(document.counts["rerunFailure"] == 1)
  }

  @Test(arguments: ["html", "trace", "jsonl"])
  func `a stream has the text of the file, in pieces of whole lines`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let pieces = Mutex<[String]>([])
    let format = try #require(ReportFormat.all.first { $0.name == name })
    let stream = try ReportFile(
      format, to: .stream { piece in pieces.withLock { $0.append(piece) } }, Redactor())
    let file = try ReportFile(format, to: .file(folder.path("r")), Redactor())
    let long = String(repeating: "é", count: 1_000)
    let scenario = WrittenReports.scenario(
      long, .failed, runs: [(false, [Diagnostic(.failedAssertion, "no", at: nil, notes: [long])])])
    var suite = SuiteReport(keepsScenarios: false)
    for number in 1...300 {
      suite.add(scenario)
      for report in [stream, file] {
        report.add(report.entry(for: scenario, number: number))
      }
    }

    _ = (try stream.finish(suite), try file.finish(suite))

    let written = pieces.withLock { $0 }
    #expect(written.count > 2)
    #expect(written.allSatisfy { $0.hasSuffix("\n") })
    #expect(try written.joined() == folder.text("r"))
  }

  @Test func `a step of TAP 14 that may fail leaves its subtest as it is`() async throws {
    let trace = try await WrittenReports.trace(
      "steps: [{name: Goes wrong, uses: p.crash, continue-on-error: true}, {uses: p.count}]")
    let scenario = WrittenReports.scenario("f.yaml", .passed, runs: [(true, [])], trace)

    #expect(
      try WrittenReports([scenario]).text("tap14") == """
        TAP version 14
        1..1
        # Subtest: f.yaml
            not ok 1 - Goes wrong # TODO may fail
            ok 2 - p.count
            1..2
        ok 1 - f.yaml

        """)
  }

  private static let prove = "/usr/bin/prove"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: prove), "prove is not installed"))
  func `prove finds in TAP what failed`() async throws {
    let folder = try TemporaryFolder()
    let scenarios = try await WrittenReports.ofEveryEnd().scenarios
    try folder.write(try WrittenReports(scenarios).text("tap"), to: "flow.tap")

    let run = try ChildProcess(
      Self.prove, ["--nocolor", "--exec", "cat", "flow.tap"], in: folder.directory.path
    ).ending()

    #expect(run.output.contains("Failed 7/9 subtests"), "\(run)")
    #expect(run.output.contains("Failed tests:  2-8"), "\(run)")
    #expect(run.output.contains("(less 1 skipped subtest: 1 okay)"), "\(run)")
    #expect(!run.output.contains("Parse errors"), "\(run)")
    #expect(run.code == 1)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: prove), "prove is not installed"))
  func `prove stops where a suite was interrupted`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await WrittenReports.ofEveryEnd().text("tap"), to: "flow.tap")

    let run = try ChildProcess(
      Self.prove, ["--nocolor", "--exec", "cat", "flow.tap"], in: folder.directory.path
    ).ending()

    #expect((run.output + run.errors).contains("Bailout called."), "\(run)")
  }

  private static let validator = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    for line in open(sys.argv[2]): jsonschema.validate(json.loads(line), schema)
    """

  private static let python = Python.having("jsonschema")

  @Test(.enabled(if: python != nil, "no python3 with jsonschema (python3-jsonschema)"))
  func `JSON Lines are those of the published schema`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await WrittenReports.ofEveryEnd().text("jsonl"), to: "flow.jsonl")

    let run = try ChildProcess(
      try #require(Self.python),
      [
        "-c", Self.validator, "\(ProjectFiles.root)/Docs/schemas/report.schema.json",
        folder.path("flow.jsonl"),
      ]
    ).ending()

    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "")
  }

  @Test(.enabled(if: python != nil, "no python3 with jsonschema (python3-jsonschema)"))
  func `coverage is that of the published schema`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try CoverageTests.report.text("contract"), to: "flow.json")

    let run = try ChildProcess(
      try #require(Self.python),
      [
        "-c", Self.validator, "\(ProjectFiles.root)/Docs/schemas/contract.schema.json",
        folder.path("flow.json"),
      ]
    ).ending()

    #expect(run.code == 0, "\(run.errors)")
  }

  @Test(.enabled(if: python != nil, "no python3 with jsonschema (python3-jsonschema)"))
  func `usage is that of the published schema`() async throws {
    let folder = try TemporaryFolder()
    var usage = RunUsage()
    usage.add(
      [
        Quantity("usage.total", Decimal(12), unit: "tokens"),
        Quantity("usage.price", unknown: "no price", unit: "USD"),
      ], calls: 1, of: "ask", isLive: true)
    var scenario = ScenarioReport(path: "s.yaml")
    scenario.measures.usage = usage
    try folder.write(try WrittenReports([scenario]).text("usage-json"), to: "flow.json")

    let run = try ChildProcess(
      try #require(Self.python),
      [
        "-c", Self.validator, "\(ProjectFiles.root)/Docs/schemas/usage.schema.json",
        folder.path("flow.json"),
      ]
    ).ending()

    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `the problems of a line are of bearable number and length`() throws {
    let text = String(repeating: "a", count: 1 << 20)
    let large = Diagnostic(
      .failedAssertion, text, at: nil, notes: Array(repeating: text, count: 50), fixes: [text]
    ).showing([text])
    let small = Diagnostic(.failedAssertion, "no", at: nil, notes: ["note"])
    func line(_ diagnostics: [Diagnostic]) throws -> Substring {
      let scenario = WrittenReports.scenario("s.yaml", .failed, runs: [(false, diagnostics)])
      return try #require(
        try WrittenReports([scenario]).text("jsonl").split(separator: "\n").dropFirst().first)
    }

    let whole = try line([small, small])
    let cut = try line(Array(repeating: large, count: 50))

    #expect(whole.ranges(of: "\"notes\":[\"note\"],\"fixes\":[]").count == 2)
    #expect(200_000..<300_000 ~= cut.utf8.count)
    #expect(cut.contains("\"49 more are left out\"]"), "\(cut.suffix(200))")
  }

  @Test func `a report above a limit warns of it`() async throws {
    let folder = try TemporaryFolder()
    let junit = try #require(ReportFormat.all.first { $0.name == "junit" })
    let file = try ReportFile(junit, to: .file(folder.path("j.xml")), Redactor())
    let text = String(repeating: "a", count: 64 << 10)
    let large = Diagnostic(.failedAssertion, "x", at: nil, notes: [])
    var scenario = WrittenReports.scenario("s.yaml", .failed, runs: [(false, [large])])
    scenario.findings.notes = [text]
    for number in 1...500 { file.add(file.entry(for: scenario, number: number)) }

    let warning = try file.finish(WrittenReports([]).suite)

    #expect(
      warning == "the junit report has 31 MB, and GitLab reads no JUnit report above 30 MB")
  }

  @Test func `a summary leaves out what GitHub would not take`() async throws {
    let text = String(repeating: "a", count: 64 << 10)
    let long = Diagnostic(.failedAssertion, "x", at: nil)
    var scenario = WrittenReports.scenario("s.yaml", .failed, runs: [(false, [long])])
    scenario.findings.notes = [text]

    let summary = try WrittenReports(Array(repeating: scenario, count: 100)).text("markdown")

    #expect(summary.utf8.count < 900 << 10)
    #expect(summary.hasSuffix("\n49 more scenarios are not shown.\n"), "\(summary.suffix(100))")
  }
}

/// The number of each element in an XML document, which must be well-formed.
final class XMLCount: NSObject, XMLParserDelegate {
  private(set) var counts: [String: Int] = [:]

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    if !parser.parse() { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    counts[element, default: 0] += 1
  }
}
