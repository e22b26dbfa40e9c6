import Foundation
import TestKit
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reports of a process that is stopped while a scenario runs.
@Suite struct StoppedReportTests {
  /// A scenario that reports its start through a pipe and goes on until the shell ends.
  private static let scenario = """
    flow: 1
    components: {sh: {plugin: process}}
    steps:
      - {id: long, uses: sh.run, with: {argv: ["echo > pipe; exec cat held"], shell: true}}
      - {id: later, wait: 60s}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.scenario, to: "a.yaml")
    try folder.write("flow: 1\nname: Later\nsteps: [{set: {x: 1}}]\n", to: "b.yaml")
  }

  private static let reports = ReportsTests.formats.map { "--report \($0)=r/\($0)" }
    .joined(separator: " ")

  /// Tests the folder until it is under way, and sends a signal.
  private func stop(by signal: String) throws -> BuiltFlow {
    try BuiltFlow(
      """
      mkdir -p r && rm -f pipe held && mkfifo pipe held || exit 99
      exec 3<>held
      "$0" test --update never --jobs 1 \(Self.reports) 3<&- &
      cat pipe > r/said
      kill -\(signal) $!
      wait $!
      """, in: folder)
  }

  @Test(arguments: ["TERM", "HUP"]) func `every report is closed and has what did not run`(
    _ signal: String
  ) throws {
    let run = try stop(by: signal)

    #expect(run.code == (signal == "HUP" ? 129 : 143), "\(run.errors)")
    let junit = try folder.text("r/junit")
    let error =
      "<error message=\"interrupted\" type=\"F2009\">a.yaml:4:5: error: 'long#1' was cancelled"
    #expect(junit.contains(error), "\(junit)")
    #expect(junit.contains("<skipped message=\"not run\"/>"))
    #expect(junit.hasSuffix("</testsuites>\n"))
    for format in ["tap", "tap14"] {
      let tap = try folder.text("r/\(format)")
      #expect(tap.contains("\nnot ok 1 - a.yaml\n  ---\n  message: \"interrupted\"\n"))
      #expect(
        tap.hasSuffix("ok 2 - b.yaml: Later # SKIP not run\nBail out! interrupted\n"), "\(tap)")
    }
    #expect(try folder.text("r/jsonl").contains("{\"passed\":false,\"interrupted\":true,"))
    for format in ReportsTests.formats where format != "trace" {
      let text = try folder.text("r/\(format)").replacing("&#39;", with: "'")
      #expect(text.contains("'long#1' was cancelled"), "\(format): \(text)")
      #expect(!text.contains("'later#1' was cancelled"), "\(format): \(text)")
    }
    let page = try folder.text("r/html")
    #expect(page.contains("2 not run</button>"), "\(page)")
    #expect(page.hasSuffix("</html>\n"))
    #expect(try folder.text("r/trace").hasSuffix("\n]}\n"))
    #expect(try folder.text("r/markdown").hasPrefix("## flow: interrupted\n"))
  }

  @Test func `a process that is killed leaves no half report under its name`() throws {
    let run = try stop(by: "KILL")

    #expect(run.code == 137)
    let names = try folder.names(in: "r").filter { ReportsTests.formats.contains($0) }
    #expect(names == [])
  }

  @Test func `what killed processes leave is one file of a report, which the next one replaces`()
    throws
  {
    for _ in 1...2 {
      #expect(try stop(by: "KILL").code == 137)
      #expect(
        try folder.names(in: "r") == (ReportsTests.formats.map { "\($0).part" } + ["said"]).sorted()
      )
    }
    try folder.write("flow: 1\nsteps: [{set: {x: 1}}]\n", to: "a.yaml")

    let run = try BuiltFlow("\"$0\" test --update never \(Self.reports)", in: folder)

    #expect(run.code == 0, "\(run.errors)")
    #expect(try folder.names(in: "r") == (ReportsTests.formats + ["said"]).sorted())
  }
}

/// Reports of a suite of five scenarios, stopped at different moments.
@Suite struct ReportMomentTests {
  private static let requests = ReportsTests.formats.map { "--report \($0)=r/\($0)" }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    for number in 1...5 { try write(number, "- {set: {x: 1}}") }
  }

  private func write(_ number: Int, _ steps: String) throws {
    try folder.write(
      "flow: 1\ncomponents: {sh: {plugin: process}}\nsteps:\n  \(steps)\n", to: "\(number).yaml")
  }

  /// Sends a signal while one of the scenarios runs.
  private func stop(by signal: String, in number: Int) throws -> BuiltFlow {
    try write(
      number, "- {uses: sh.run, with: {argv: [\"echo > pipe\"], shell: true}}\n  - {wait: 60s}")
    return try BuiltFlow(
      """
      mkdir r && mkfifo pipe || exit 99
      "$0" test --update never --jobs 1 \(Self.requests.joined(separator: " ")) &
      cat pipe > said
      kill -\(signal) $!
      wait $!
      """, in: folder)
  }

  /// Sends a signal while the reports are put in their places: after the first one, in the middle
  /// of one that is larger than the buffer of a pipe without a reader.
  private func stopAtTheEnd(by signal: String) throws -> BuiltFlow {
    try write(3, "- {for: x, in: \"${{ lists.range(1000) }}\", do: [{set: {y: 1}}]}")
    var requests = Self.requests
    requests.insert("--report jsonl=-", at: 1)
    return try BuiltFlow(
      """
      mkdir r && mkfifo pipe || exit 99
      "$0" test --update never --jobs 1 \(requests.joined(separator: " ")) > pipe &
      { head -c 1 > said; kill -\(signal) $!; cat > rest; } < pipe
      wait $!
      """, in: folder)
  }

  @Test(arguments: [1, 3, 5]) func `every report parses whichever scenario runs when it ends`(
    _ number: Int
  ) throws {
    let run = try stop(by: "TERM", in: number)

    #expect(run.code == 143, "\(run.errors)")
    for format in ReportsTests.formats {
      let text = try folder.text("r/\(format)")
      #expect(try WholeReport.parses(text, as: format, scenarios: 5), "\(format): \(text)")
    }
    let tap = try folder.text("r/tap")
    #expect(tap.contains("\nnot ok \(number) - \(number).yaml\n"), "\(tap)")
  }

  @Test(arguments: [1, 3, 5]) func `none has its name whichever scenario runs when it is killed`(
    _ number: Int
  ) throws {
    let run = try stop(by: "KILL", in: number)

    #expect(run.code == 137)
    #expect(try folder.names(in: "r").filter { ReportsTests.formats.contains($0) } == [])
  }

  @Test func `every report parses when the end comes while they are put in their places`() throws {
    _ = try stopAtTheEnd(by: "TERM")

    for format in ReportsTests.formats {
      let text = try folder.text("r/\(format)")
      #expect(try WholeReport.parses(text, as: format, scenarios: 5), "\(format): \(text)")
    }
    let streamed = try folder.text("said") + folder.text("rest")
    #expect(streamed.utf8.count > 128 << 10)
    #expect(try WholeReport.parses(streamed, as: "jsonl", scenarios: 5))
  }

  @Test func `those that have their names are whole when it is killed meanwhile`() throws {
    let run = try stopAtTheEnd(by: "KILL")

    #expect(run.code == 137)
    #expect(try folder.names(in: "r").filter { ReportsTests.formats.contains($0) } == ["html"])
    #expect(try WholeReport.parses(folder.text("r/html"), as: "html", scenarios: 5))
  }
}

/// The content of a report, read by a parser of its format.
private enum WholeReport {
  /// True for a whole report with this number of scenarios.
  static func parses(_ text: String, as format: String, scenarios: Int) throws -> Bool {
    let lines = text.split(separator: "\n")
    switch format {
    case "junit":
      return XMLParser(data: Data(text.utf8)).parse()
        && lines.count { $0.hasPrefix("<testcase ") } == scenarios
    case "trace": return isJSON(text)
    case "jsonl":
      return lines.allSatisfy { isJSON(String($0)) }
        && lines.count { $0.contains("\"kind\":\"scenario\"") } == scenarios
        && lines.last?.contains("\"kind\":\"end\"") == true
    case "tap", "tap14":
      return lines.contains("1..\(scenarios)")
        && lines.count { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") } == scenarios
    case "html":
      return text.hasPrefix("<!doctype html>\n") && text.hasSuffix("</html>\n")
        && text.ranges(of: "<details class=\"s ").count + text.ranges(of: "<div class=\"s ").count
          == scenarios
    default: return lines.first?.hasPrefix("## flow: ") == true
    }
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
  }
}
