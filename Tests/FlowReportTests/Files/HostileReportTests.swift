import FlowCore
import FlowReport
import Foundation
import Testing

/// Strings that would break a report, in every place of a report for a string.
@Suite struct HostileReportTests {
  struct Text: CustomTestStringConvertible {
    let id: String
    let text: String

    var testDescription: String { id }
  }

  private static let texts = [
    Text(id: "markup", text: "<script>alert(1)</script> & \"quotes\" 'too'"),
    Text(id: "the end of CDATA", text: "]]> <![CDATA[ ]]>"),
    Text(id: "colours", text: "\u{1B}[31mred\u{1B}[0m \u{9B}1m \u{1B}]0;title\u{07} \u{1B}"),
    Text(id: "lines", text: "one\ntwo\r\nthree\rfour\u{2028}five\n  ---\n  ...\nok 99 - x\n1..0"),
    Text(id: "control characters", text: "a\u{0}b\u{1}c\u{7F}d\u{85}e\u{FFFE}f\u{FFFF}g\u{202E}h"),
    Text(id: "directives", text: "a # SKIP b # TODO c \\# SKIP d \\"),
    Text(id: "commands", text: "::error::x\n  ::set-env name=a::b\n##[error]y %0A"),
    Text(id: "long", text: String(repeating: "long <&> \u{1F600}", count: 64 << 10)),
    Text(id: "surrogates", text: String(decoding: [0x61, 0xED, 0xA0, 0x80, 0xFF], as: UTF8.self)),
    Text(id: "emoji", text: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} e\u{301} |*_[x](y)`"),
    Text(id: "fences", text: "````\n```\n</details>\n# heading\n`\u{301}```````"),
    Text(id: "nothing", text: ""),
  ]

  private func report(_ format: String, _ text: Text) throws -> String {
    let diagnostic = Diagnostic(.failedAssertion, text.text, at: nil, notes: [text.text])
    let runs = [(false, [diagnostic]), (false, [diagnostic])]
    var failed = WrittenReports.scenario(
      "a.yaml", name: text.text, .failed, runs: runs, log: [text.text, text.text])
    failed.details = [text.text]
    failed.attachments = [text.text]
    var flaky = WrittenReports.scenario(
      text.text, .flaky, runs: [(false, [diagnostic]), (true, [])], log: [text.text])
    flaky.details = [text.text]
    let written = WrittenReports([failed, flaky, ScenarioReport(notRun: "b.yaml", name: text.text)])
    return try written.text(format)
  }

  /// True if a report cannot control a terminal.
  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
    }
  }

  @Test(arguments: texts) func `JUnit stays what it is`(_ text: Text) throws {
    let report = try report("junit", text)

    let document = try XMLCount(report)
    #expect(document.counts["testcase"] == 3)
    #expect(document.counts["script"] == nil)
    #expect(isHarmless(report))
    #expect(report.utf8.count < 2 << 20)
  }

  @Test(arguments: ["tap", "tap14"], texts) func `TAP stays what it is`(
    _ format: String, _ text: Text
  ) throws {
    let report = try report(format, text)

    let whole =
      #/TAP version 1[34]|1\.\.3|(not )?ok [1-3] - .*|# Subtest: .*| {2}(---|\.\.\.)| {2}[a-z_]+: ".*"/#
    for line in report.split(separator: "\n") {
      #expect(line.wholeMatch(of: whole) != nil, "\(line.prefix(200))")
    }
    let points = report.split(separator: "\n").filter { $0.starts(with: #/(not )?ok [1-3] - /#) }
    #expect(points.count == 3)
    #expect(points.count { $0.contains(#/[^\\]# SKIP/#) } == 1, "\(points)")
    #expect(isHarmless(report))
    #expect(report.utf8.count < 1 << 20)
  }

  @Test(arguments: texts) func `each of the JSON Lines stays one`(_ text: Text) throws {
    let report = try report("jsonl", text)

    let kinds = try report.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["kind"] as? String
    }
    #expect(
      kinds == ["suite", "scenario", "run", "run", "scenario", "run", "run", "scenario", "end"])
    #expect(!report.unicodeScalars.contains("\u{1B}"))
  }

  @Test(arguments: texts) func `a trace stays JSON`(_ text: Text) throws {
    let report = try report("trace", text)

    let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    #expect((object?["traceEvents"] as? [Any])?.count == 5)
    #expect(!report.unicodeScalars.contains("\u{1B}"))
  }

  @Test(arguments: texts) func `a summary has no markup but its own`(_ text: Text) throws {
    let report = try report("markdown", text)

    var fence: Substring?
    for line in report.split(separator: "\n", omittingEmptySubsequences: false) {
      let ticks = line.prefix { $0 == "`" }
      if let open = fence {
        if ticks.count >= open.count, line.count == ticks.count { fence = nil }
      } else if ticks.count >= 3 {
        fence = ticks
      } else {
        #expect(!line.contains("<"), "\(line)")
        #expect(line.isEmpty || "#|-0123456789".contains(line.prefix(1)), "\(line)")
      }
    }
    #expect(fence == nil)
    #expect(isHarmless(report))
    #expect(report.utf8.count < 900 << 10)
  }

  @Test(arguments: texts) func `a command for GitHub is one line`(_ text: Text) throws {
    let diagnostic = Diagnostic(.failedAssertion, text.text, at: nil, notes: [text.text])
    let scenario = WrittenReports.scenario(
      "a.yaml", name: text.text, .failed, runs: [(false, [diagnostic])])

    let commands = WrittenReports([scenario]).commands(["GITHUB_ACTIONS": "true"])

    #expect(commands.hasPrefix("::error title=failed%3A a.yaml"))
    #expect(commands.split(separator: "\n").count == 1)
    #expect(isHarmless(commands))
    #expect(commands.utf8.count < 16 << 10)
  }
}
