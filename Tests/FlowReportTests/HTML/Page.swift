import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowReport
import FlowScenario
import TestKit
import Testing

/// The page of a small suite over the probe component, in which each reading of a run's clock is 10 ms.
struct Page {
  let text: String
  private let folder: TemporaryFolder

  /// A suite of completed scenarios.
  init(_ scenarios: [ScenarioReport], seed: UInt64? = nil) throws {
    folder = try TemporaryFolder()
    let format = try #require(ReportFormat.all.first { $0.name == "html" })
    let file = try ReportFile(format, to: .file(folder.path("page.html")), Redactor())
    var suite = SuiteReport(keepsScenarios: false)
    suite.seed = seed
    suite.elapsed = .milliseconds(1_234)
    for (number, scenario) in scenarios.enumerated() {
      file.add(file.entry(for: scenario, number: number + 1))
      suite.add(scenario)
      if scenario.verdict == .failed { suite.passed = false }
    }
    _ = try file.finish(suite)
    text = try folder.text("page.html")
  }

  /// The content of the list of scenarios.
  var scenarios: String { part("<main id=\"scenarios\">\n", "</main>") }

  /// The text between two others, or an empty string if they are missing.
  func part(_ start: String, _ end: String) -> String {
    guard let from = text.firstRange(of: start)?.upperBound,
      let to = text[from...].firstRange(of: end)?.lowerBound
    else { return "" }
    return String(text[from..<to])
  }

  /// The names of files beside the page.
  func names(in folder: String) throws -> [String] { try self.folder.names(in: folder) }

  /// Runs the steps as a scenario of a name.
  static func run(
    _ path: String, name: String = "", _ steps: String, times: Int = 1
  ) async throws -> ScenarioReport {
    var scenario = ScenarioReport(path: path, name: name)
    for _ in 0..<times {
      let head = steps.hasPrefix("flow:") ? "" : "flow: 1\ncomponents: {p: {plugin: probe}}\n"
      let plan = try ProbeRun.plan(head + steps)
      let tracer = RunTracer()
      var options = Session.Options(in: Directory("."))
      options.clock = TickingClock(.milliseconds(10))
      let run = await Session(of: plan, sinks: [tracer], options: options)
        .run(inputs: try plan.inputValues(texts: []))
      scenario.attempts.append(
        .init(
          passed: run.passed, diagnostics: run.diagnostics, retried: run.retriedDiagnostics,
          log: [], trace: tracer.trace))
      scenario.findings.diagnostics = run.diagnostics
      scenario.elapsed += run.elapsed
      if !run.passed { scenario.verdict = .failed }
      scenario.tags = plan.tags
    }
    return scenario
  }
}

extension String {
  /// The markup without places and sizes in pixels.
  var withoutPixels: String {
    replacing(#/ (x|y|y1|y2|dx|height|rx|width)="-?\d+"/#, with: "")
  }
}

// MARK: - What a browser would make of it

extension Page {
  private static let lonely: Set<Substring> = [
    "meta", "link", "input", "img", "br", "rect", "line", "path",
  ]

  /// The errors of its tags: unmatched ones, and repeated anchors.
  var faults: [String] {
    var (faults, open, anchors): ([String], [Substring], Set<Substring>) = ([], [], [])
    for tag in tags {
      let name = tag.prefix { $0 != " " && $0 != "/" || $0 == "/" && tag.first == "/" }
      if tag.hasPrefix("/") {
        if open.popLast() != tag.dropFirst() { faults.append("</\(tag.dropFirst())>") }
      } else if !Self.lonely.contains(name), !tag.hasPrefix("!") {
        open.append(name)
      }
      guard let place = tag.firstRange(of: " id=\"")?.upperBound else { continue }
      let anchor = tag[place...].prefix { $0 != "\"" }
      if !anchors.insert(anchor).inserted { faults.append("twice: \(anchor)") }
      if anchor.contains(where: \.isWhitespace) { faults.append("unfit: \(anchor)") }
    }
    return faults + open.map { "<\($0)> is not closed" }
  }

  /// Every tag without its brackets, except inside of a script or a style.
  private var tags: [Substring] {
    var tags: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...].dropFirst()
      let tag = rest.prefix { $0 != ">" }
      tags.append(tag)
      rest = rest[tag.endIndex...]
      for raw in ["script", "style"] where tag.hasPrefix(raw) {
        rest = rest[(rest.firstRange(of: "</\(raw)>")?.lowerBound ?? rest.endIndex)...]
      }
    }
    return tags
  }

  /// The heads of the steps in their order, a line each, indented as they are nested.
  var outline: String {
    var (lines, depth, isHead) = ("", 0, false)
    for piece in scenarios.split(separator: "<") {
      if piece.hasPrefix("ol class=\"t\"") { depth += 1 }
      if piece.hasPrefix("/ol>") { depth -= 1 }
      let text = piece.drop { $0 != ">" }.dropFirst()
      if piece.hasPrefix("span class=\"h\"") {
        lines += String(repeating: "  ", count: max(0, depth - 1)) + text
        isHead = true
      } else if isHead, ["b>", "code>", "i>"].contains(where: piece.hasPrefix) {
        lines += text + " "
      } else if isHead, piece.hasPrefix("span class=\"q\"") {
        lines += text
      } else if isHead, piece.hasPrefix("/summary>") || piece.hasPrefix("/div>") {
        lines = lines.hasSuffix(" ") ? lines.dropLast() + "\n" : lines + "\n"
        isHead = false
      }
    }
    return lines
  }
}
