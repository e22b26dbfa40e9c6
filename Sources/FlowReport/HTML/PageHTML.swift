internal import FlowSystem
internal import FlowTexts

/// A page for people in one file: the summary, every scenario, and the full record of failures.
///
///     <details class="s f" id="pay.yaml" open><summary><span class="y">failed</span>
///     <span class="l"><b>Pay</b> <span>pay.yaml</span></span>
///     <span class="n">live, no transcript</span><time datetime="PT0.001715S">1.7 ms</time></summary>
///     …
extension ReportFormat<SuiteReport> {
  /// The name of a page in `--report`.
  package static var pageName: String { "html" }

  static var html: ReportFormat {
    var format = ReportFormat(pageName, file: "flow-report.html") { scenario, _, redactor in
      let page = ScenarioPage(scenario, redactor)
      return entry(
        scenario,
        ScenarioHTML(scenario, page) { anchor in
          scenario.mutation.map { MutationHTML($0, anchor: anchor, redactor).html } ?? ""
        })
    } frame: { suite in
      let page = PageHTML(suite)
      return (head: page.head.text, foot: page.foot.text)
    }
    format.traits.showsExcerpts = true
    format.traits.showsMeasures = true
    format.stored = StoredForm { scenario, _, redactor in
      ReportEntry(ScenarioPage(scenario, redactor).storedText)
    } restored: { text, scenario, _ in
      ScenarioPage(stored: text).map { entry(scenario, ScenarioHTML(scenario, $0)) }
    }
    // A browser skips a group out of sight, so 10,000 scenarios stay bearable.
    format.separator = (text: PageHTML.groupSeparator.text, every: 50)
    return format
  }

  private static func entry(_ scenario: ScenarioReport, _ drawn: ScenarioHTML) -> ReportEntry {
    ReportEntry(drawn.html.text, isFirst: scenario.isFailing, attachments: drawn.attachments)
  }
}

/// The head and the foot of a page, around its scenarios.
///
/// A page needs no network and opens from a file. It runs only its own script, by the digest in its
/// policy.
struct PageHTML {
  private let suite: SuiteReport

  private static let style = HTML(trusted: Texts.reportStyle)
  private static let script = HTML(trusted: Texts.reportScript)
  private static let policy: HTML = """
    default-src 'none'; script-src '\(text: source(script))'; style-src '\(text: source(style))'; \
    img-src data:; base-uri 'none'; form-action 'none'
    """

  /// Returns the source of a script or a style for the policy: the digest of its text.
  private static func source(_ text: HTML) -> String {
    "sha256-" + Base64.encode(SHA256(text.bytes).bytes)
  }

  /// Creates the page of a suite that has ended.
  init(_ suite: SuiteReport) { self.suite = suite }

  /// Up to the body of any page.
  static func opening(title: String, isGood: Bool) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(text: title) · flow</title>
    <link rel="icon" href="data:image/svg+xml,\(icon(isGood))">
    <style>\(style)</style>
    </head>
    <body>

    """
  }

  /// Up to the first scenario.
  var head: HTML {
    Self.opening(title: title, isGood: suite.passed) + """
      <a class="skip" href="#scenarios">To the scenarios</a>
      <header class="\(mark.style)">
      <p class="m" aria-hidden="true">\(mark.sign)</p>
      <div><h1>\(text: title)</h1>
      <p>\(facts)</p></div>
      </header>
      \(bar)
      <div class="tools">
      <div role="group" aria-label="Show">\(filters)</div>
      <label class="find"><span class="h">Search </span><input id="find" type="search" \
      placeholder="Search, or s:failed @tag" autocomplete="off" spellcheck="false"></label>
      <button type="button" id="slow" aria-pressed="false">Slowest first</button>
      <button type="button" id="help" aria-haspopup="dialog">Keys <kbd>?</kbd></button>
      </div>
      <p id="shown" role="status"></p>
      <main id="scenarios">
      <div>

      """
  }

  /// The end of a group of scenarios and the start of the next one.
  static let groupSeparator: HTML = "</div>\n<div>\n"

  /// The text after the last scenario.
  var foot: HTML {
    """
    </div>
    </main>
    \(CoverageHTML(suite).html)<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl><dt><kbd>/</kbd></dt><dd>search</dd><dt><kbd>j</kbd> <kbd>k</kbd></dt>\
    <dd>next and previous scenario</dd>
    <dt><kbd>f</kbd></dt><dd>next scenario that failed</dd><dt><kbd>Enter</kbd></dt>\
    <dd>open and close</dd>
    <dt><kbd>c</kbd></dt><dd>close all</dd><dt><kbd>Esc</kbd></dt><dd>show everything again</dd></dl>
    <h2>Search</h2>
    <dl><dt>pay card</dt><dd>both words, in names and paths</dd>
    <dt>s:failed</dt><dd>how it ended: failed, flaky, passed, recorded, scored, notrun</dd>
    <dt>@smoke</dt><dd>a tag</dd><dt>-@slow</dt><dd>all without it</dd></dl>
    <form method="dialog"><button>Close</button></form>
    </dialog>
    <noscript><p class="o">The steps of scenarios that passed are compressed, and need JavaScript. \
    Everything that failed is here.</p></noscript>
    <script>\(Self.script)</script>
    </body>
    </html>

    """
  }

  // MARK: - The summary

  private var mark: Mark {
    resultMark(of: suite.passed ? .passed : .failed)
  }

  /// Returns the mark of a verdict, which for altered answers is only about the score.
  private func resultMark(of verdict: ScenarioReport.Verdict) -> Mark {
    verdict == .passed && suite.mutationScore != nil ? .scored : Mark(verdict)
  }

  private var title: String {
    let failed = suite.counts[.failed, default: 0]
    if let score = suite.mutationScore, failed == 0 { return "Mutation score \(score.text) %" }
    if failed > 0 { return "\(failed) of \(counted(suite.total, "scenario")) failed" }
    if !suite.passed { return "The suite did not pass" }
    return suite.total == 1 ? "The scenario passed" : "All \(suite.total) scenarios passed"
  }

  private var facts: HTML {
    var facts: HTML = "took \(suite.elapsed.time)"
    if let seed = suite.seed {
      facts += " · shuffled, <code>--shuffle \(text: "\(seed)")</code> gives this order again"
    }
    return facts + CoverageHTML(suite).link
  }

  private static func icon(_ isGood: Bool) -> HTML {
    let color: HTML = isGood ? "1a7f37" : "cf222e"
    return "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
      + "%3Ccircle cx='8' cy='8' r='7' fill='%23\(color)'/%3E%3C/svg%3E"
  }

  private var parts: [(verdict: ScenarioReport.Verdict, count: Int)] {
    let order: [ScenarioReport.Verdict] = [.failed, .flaky, .recorded, .passed, .notRun]
    return order.compactMap { verdict in
      suite.counts[verdict].map { (verdict, $0) }
    }.filter { $0.count > 0 }
  }

  /// A bar of the verdicts' shares, repeated in words by the buttons below it.
  private var bar: HTML {
    var text: HTML = "<svg class=\"bar\" aria-hidden=\"true\" width=\"100%\" height=\"8\">"
    var start = 0
    for (verdict, count) in parts {
      let (x, width) = (start * 10_000 / max(1, suite.total), count * 10_000 / max(1, suite.total))
      // What is rare is still seen.
      let seen = max(width, 40)
      text += "<rect class=\"\(resultMark(of: verdict).style)\" x=\"\(x.hundredthsOfAPercent)\" "
      text += "width=\"\(seen.hundredthsOfAPercent)\" height=\"8\"/>"
      start += count
    }
    return text + "</svg>"
  }

  private var filters: HTML {
    let all: HTML =
      "<button type=\"button\" data-q=\"\" aria-pressed=\"true\">all \(suite.total)</button>"
    return all
      + parts.map { verdict, count -> HTML in
        let mark = resultMark(of: verdict)
        let query = mark.word.text.filter { $0 != " " }
        return """
          <button type="button" class="\(mark.style)" data-q="s:\(text: query)" aria-pressed="false">\
          <span class="m" aria-hidden="true">\(mark.sign)</span>\(count) \(mark.word)</button>
          """
      }.joined()
  }
}
