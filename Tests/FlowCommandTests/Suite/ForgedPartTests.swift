import FlowCommand
import FlowCore
import FlowSystem
import Foundation
import TestKit
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Forged results of a part, with a valid digest, and their effect on the reports.
@Suite struct ForgedPartTests {
  private static let formats = ["html", "junit", "tap", "tap14", "jsonl", "trace", "markdown"]

  private let suite: SuiteFolder

  init() async throws {
    suite = try SuiteFolder()
    try suite.write("a.yaml", name: "First")
    try suite.write("b.yaml", name: "Second", passes: false)
    _ = try await suite.flow(
      "test", "@/", "--update", "never", "--results", "@/results", "--run", "r")
  }

  private func body() throws -> String {
    let text = try suite.folder.text("results/r/1.1.json")
    let start = try #require(text.firstRange(of: "\"result\":")).upperBound
    return String(text[start...].dropLast(2))
  }

  private func write(_ body: String) throws {
    let digest = SHA256(Array(body.utf8)).hexadecimal
    try suite.folder.write(
      "{\"flow-results\":3,\"sha256\":\"\(digest)\",\"result\":\(body)}\n",
      to: "results/r/1.1.json")
  }

  private func merge() async throws -> SuiteRun {
    try await suite.flow(
      ["merge", "@/results", "@/"]
        + Self.formats.flatMap { ["--report", "\($0)=@/out/\($0)"] })
  }

  /// A text as a string of JSON in a string of JSON has it, as entries of JSON Lines are.
  private static func escaped(_ text: String) -> String {
    String(JSON.string(text).text.dropFirst().dropLast())
  }

  @Test(arguments: [
    "\u{1B}]0;x\u{7}", "\u{9B}31m", "\u{85}", "\u{202E}", "\u{2028}", "<script>", "<!--", "]]>",
    "\nnot ok 9 - x\n", "\n::error::x", "`", "```\n# x", "[x](javascript:x)", "&", "\"", "\u{FFFE}",
    "| x |", "@someone", "\\", "# SKIP", "1..0", "Bail out!",
  ])
  func `whatever a name or a message says, every report is whole`(_ text: String) async throws {
    try suite.folder.write("", to: "out/x")
    let old = try body()
    let evil = Self.escaped(text)
    let new = old.replacing("\"message\":\"", with: "\"message\":\"\(evil)")
      .replacing("\"details\":[", with: "\"details\":[\"\(evil)\",")
      .replacing("\"details\":[\"\(evil)\",]", with: "\"details\":[\"\(evil)\"]")
      .replacing("\"notes\":[", with: "\"notes\":[\"\(evil)\",")
      .replacing("\"notes\":[\"\(evil)\",]", with: "\"notes\":[\"\(evil)\"]")
      .replacing("\"code\":\"F", with: "\"code\":\"\(evil)F")
      .replacing("\"name\":\"Second\"", with: "\"name\":\"\(evil)\"")
    #expect(new != old)
    try write(new)

    let run = try await merge()

    #expect(run.code == .failed, "\(run.errors)")
    try expectWholeReports()
    #expect(!(run.output + run.errors).unicodeScalars.contains { $0.breaksText && $0 != "\n" })
  }

  /// Finds the parts of reports that would mislead a reader.
  private func expectWholeReports() throws {
    let texts = try Dictionary(
      uniqueKeysWithValues: Self.formats.map { ($0, try suite.folder.text("out/\($0)")) })
    for (format, text) in texts {
      #expect(!text.unicodeScalars.contains { $0.breaksText && $0 != "\n" }, "\(format)")
    }
    let parser = XMLParser(data: Data((texts["junit"] ?? "").utf8))
    #expect(parser.parse(), "\(texts["junit"] ?? "")")
    let points = (texts["tap"] ?? "").split(separator: "\n").filter {
      $0.hasPrefix("ok ") || $0.hasPrefix("not ok ")
    }
    #expect(points.map { $0.prefix(6) } == ["ok 1 -", "not ok"])
    for line in (texts["jsonl"] ?? "").split(separator: "\n") {
      #expect(throws: Never.self) { try JSONParser.parse(Array(line.utf8)[...]) }
    }
    #expect(throws: Never.self) { try JSONParser.parse(Array((texts["trace"] ?? "").utf8)[...]) }
    #expect((texts["html"] ?? "").hasSuffix("</script>\n</body>\n</html>\n"))
  }

  /// The content of the page with a change in a scenario that passed or failed.
  private func replacing(_ old: String, with new: String) throws -> String {
    let body = try body()
    let changed = body.replacing(Self.escaped(old), with: Self.escaped(new))
    #expect(changed != body)
    return changed
  }

  @Test(arguments: [
    "<p onclick=\"x\">", "<a href=\"javascript:x\">", "<textarea>", "<!--", "</main>",
    "<meta http-equiv=\"refresh\">", "\u{202E}",
  ])
  func `texts of a page are drawn as text`(_ markup: String) async throws {
    try suite.folder.write("", to: "out/x")
    let text = String(JSON.string(markup).text.dropFirst().dropLast())
    try write(try replacing("[\"b", with: "[\"b\(text)"))

    let run = try await merge()

    #expect(run.code == .failed, "\(run.errors)")
    try expectWholeReports()
    let page = try suite.folder.text("out/html")
    // Its own tags are in the page once.
    #expect(markup == "</main>" || !page.contains(markup))
    #expect(page.ranges(of: "</main>").count == 1)
  }

  @Test(arguments: [
    ("[\"steps\"]", "[\"end\"]"), ("[\"steps\"]", "[\"<script>\"]"), ("[\"steps\"]", "\"\""),
    ("\"occurrence\":1", "\"occurrence\":-1"), ("[\"end\"]", "[\"end\",[\"end\"]]"),
  ])
  func `content that flow does not write is refused`(_ old: String, _ new: String) async throws {
    try write(try replacing(old, with: new))

    let run = try await merge()

    #expect(
      run.errors
        == "flow: '@/results/r/1.1.json' is damaged, or was not written by this version of flow\n")
    #expect(run.code == .badInput)
  }

  @Test(arguments: [
    "<html>", "<svgx ", "GIF", "\u{89}PNG", "",
  ])
  func `only pictures are in a page`(_ content: String) async throws {
    let value = "[\"value\",\"x\",[\"\(Base64.encode(Array(content.utf8)))\"],\"\",false]"
    try write(try replacing("\"runs\":[", with: "\"runs\":[\(value),"))

    let run = try await merge()

    #expect(run.code == .badInput)
    #expect(try suite.folder.names(in: ".").contains("flow-report-files") == false)
  }

  @Test func `a page does without no scenario`() async throws {
    let new = try body().replacing("\"html\":\"", with: "\"other\":\"")
    try write(new)

    #expect(try await merge().code == .badInput)
  }

  @Test func `a merge without a page needs no content of it`() async throws {
    try write(try body().replacing("\"html\":\"", with: "\"other\":\""))

    let run = try await suite.flow("merge", "@/results", "@/", "--report", "tap=@/out.tap")

    #expect(run.code == .failed, "\(run.errors)")
  }

  @Test(arguments: [0o600, 0o640, 0o644])
  func `reports are as private as the results`(_ mode: Int) async throws {
    try suite.folder.write("", to: "out/x")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: suite.folder.path("results/r/1.1.json"))

    _ = try await merge()

    for format in Self.formats { #expect(try suite.folder.mode(of: "out/\(format)") == mode) }
  }

  /// Strings of attackers, each with a meaning for one of the readers.
  private static let pieces = [
    "<", ">", "\\\"", "</div>", "<p>", "<script>", "<!--", "&", "\\n", "\\u0000", "\\u009b", "{",
    "}", "[", "]", ",", "0", "-1", "1e99", "true", "null", "\"",
    "[\\\"end\\\"]", "[\\\"steps\\\"],", "99999999", " ",
  ]

  @Test(arguments: 1...12)
  func `random changes are refused, or leave every report whole`(_ seed: UInt64) async throws {
    try suite.folder.write("", to: "out/x")
    let old = Array(try body().utf8)
    var random = SeededGenerator(seed: seed, label: "forgery")
    for _ in 0..<25 {
      var bytes = old
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
        let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
        bytes.replaceSubrange(place..<end, with: Array(piece.utf8))
      }
      guard let text = String(validating: bytes, as: UTF8.self) else { continue }
      try write(text)
      let run = try await merge()
      #expect([.badInput, .passed, .failed].contains(run.code), "\(run.errors)")
      if run.errors.contains(" is damaged") || run.errors.contains("do not make the suite") {
        continue
      }
      if try suite.folder.names(in: "out").count > 1 { try expectWellFormedReports() }
    }
  }

  /// The same, whatever the verdicts are.
  private func expectWellFormedReports() throws {
    let html = try suite.folder.text("out/html")
    let markup = html[(html.firstRange(of: "<main")?.lowerBound ?? html.startIndex)...]
      .prefix(upTo: html.firstRange(of: "</main>")?.upperBound ?? html.endIndex)
    for tag in ["<script", "<meta", "<!--", "<style", "onload", "javascript:"] {
      #expect(!markup.contains(tag))
    }
    let parser = XMLParser(data: Data(try suite.folder.text("out/junit").utf8))
    #expect(parser.parse())
    #expect(throws: Never.self) {
      try JSONParser.parse(Array(try suite.folder.text("out/trace").utf8)[...])
    }
  }
}
