import FlowCore
import FlowRedaction
import FlowSystem
import TestKit
import Testing

@testable import FlowReport

/// Markup of scenarios from another process.
@Suite struct ScenarioMarkupTests {
  private static let path = "a b/s.yaml"
  private static let row =
    "<span class=\"y\">failed</span><span class=\"l\"><b>Name</b></span><time datetime=\"PT1S\">1 s</time>"

  /// A failed scenario with this markup inside of it.
  private static func failed(_ body: String, row: String = row, after: String = "") -> String {
    "<details class=\"s f\" id=\"\(path.anchor)\" open><summary>\(row)</summary>"
      + "<div class=\"b\">\(body)</div></details>\(after)\n"
  }

  private static func isWritten(_ text: String, _ verdict: ScenarioReport.Verdict = .failed) -> Bool
  {
    var scenario = ScenarioReport(path: path)
    scenario.verdict = verdict
    var budget = PartBudget(bytes: text.utf8.count)
    return ScenarioMarkup.isWritten(text, of: scenario, &budget)
  }

  @Test(arguments: ScenarioReport.Verdict.allCases)
  func `whatever flow writes is let pass`(_ verdict: ScenarioReport.Verdict) async throws {
    var scenarios = try await WrittenReports.ofEveryEnd().scenarios
    scenarios.append(try await Page.run("r.yaml", name: "<b>&", Self.steps, times: 3))
    scenarios.append(
      try await Page.run("f/#x+y.yaml", "steps: [{uses: p.crash, retry: {attempts: 2}}]"))
    let format = try #require(ReportFormat.all.first { $0.name == "html" })
    for var scenario in scenarios {
      scenario.verdict = verdict
      scenario.tags = ["smoke", "\u{202E}evil"]
      scenario.command = "flow run 'x'"
      let text = try format.entry(scenario, 1, Redactor()).text
      var budget = PartBudget(bytes: 1)

      #expect(ScenarioMarkup.isWritten(text, of: scenario, &budget), "\(text)")
    }
  }

  private static let steps = """
    steps:
      - {uses: p.echo, with: {value: "line\\n\(String(repeating: "long ", count: 30))\\nend"}}
      - parallel:
          a: [{uses: p.count}]
          b: [{wait: 1s}]
      - {for: i, in: [1, 2], do: [{uses: p.echo, with: {value: {x: "${{ i }}"}}, expect: {value: {x: 1}}}]}
    """

  @Test(arguments: [
    "", "text &amp; &lt;b&gt; ✓", "<p class=\"o\">x</p>", "<ul><li>x</li></ul>",
    "<a href=\"#\(path.anchor):first\">x</a>", "<img alt=\"x\" src=\"data:image/png;base64,AA==\">",
    "<svg width=\"100%\"><rect x=\"1\" y=\"2\"/><text x=\"3\">t</text></svg>",
    "<table class=\"x\"><tbody><tr><th scope=\"row\">a</th><td>b</td></tr></tbody></table>",
  ])
  func `elements in their places are let pass`(_ body: String) {
    #expect(Self.isWritten(Self.failed(body)))
  }

  @Test(arguments: [
    // What acts.
    "<script>x</script>", "<meta http-equiv=\"refresh\" content=\"0;url=//x\">",
    "<iframe></iframe>",
    "<object></object>", "<embed>", "<form></form>", "<input>", "<base href=\"//x\">",
    "<style></style>",
    "<math></math>", "<template></template>", "<video></video>", "<select></select>",
    "<p onclick=\"x\">x</p>", "<p style=\"x\">x</p>", "<a href=\"javascript:x\">x</a>",
    "<a href=\"//x\">x</a>", "<a href=\"&#106;avascript:x\">x</a>", "<a href=\"x.html\">x</a>",
    "<a href=\"flow-report-files/x.html\">x</a>", "<a href=\"flow-report-files/../x.png\">x</a>",
    "<img alt=\"x\" src=\"//x\">", "<img src=\"data:text/html;base64,AA==\">",
    "<svg><script>x</script></svg>", "<svg><foreignObject></foreignObject></svg>",
    "<svg><a><text>x</text></a></svg>", "<svg onload=\"x\"></svg>",
    // What hides, or is read in two ways.
    "<!-- ", "<!--x-->", "<![CDATA[x]]>", "<?x?>", "<textarea>", "<title>", "<xmp>", "<plaintext>",
    "<noscript>", "<p>", "</p>", "</div>", "<b>x</p></b>", "<p><ul></ul></p>", "<table>x</table>",
    "<button type=\"button\" class=\"copy\"><button type=\"button\" class=\"copy\">x</button></button>",
    "<a href=\"#x\"><a href=\"#x\">x</a></a>", "<li>x</li>", "<tr></tr>", "<ul>x</ul>", "<br>",
    "<P>x</P>", "<p >x</p>", "<p class='o'>x</p>", "<p class=o>x</p>", "<p/>",
    "<p class=\"o\"class=\"o\">x</p>",
    "<p class=\"o\" class=\"o\">x</p>", "<details>x</details>", "<details><p>x</p></details>",
    "< p>x</p>", "<p\n>x</p>", "x > y", "&copy;", "&#x3c;", "&", "a\u{0}b", "\u{9B}2J", "\u{202E}x",
    "\u{7F}",
    // Imitations of a row, or of other parts of the page.
    "<div class=\"s f\">x</div>", "<div class=\"tools\">x</div>", "<div id=\"find\"></div>",
    "<div id=\"\(path.anchor)x\"></div>", "<span class=\"l\">x</span>",
    "<button data-q=\"\">x</button>",
    "<main></main>", "<dialog></dialog>", "<details data-z=\"AA==\"><summary>x</summary></details>",
    "<svg aria-details=\"shown\"></svg>",
  ])
  func `everything else is refused`(_ body: String) {
    #expect(!Self.isWritten(Self.failed(body)))
  }

  @Test func `nothing stands behind the scenario, and its row has one label`() {
    let plain = Self.failed("x")
    #expect(Self.isWritten(plain))
    #expect(!Self.isWritten(plain, .passed))
    #expect(!Self.isWritten(plain + plain))
    #expect(!Self.isWritten(Self.failed("x", after: "<p>x</p>")))
    #expect(!Self.isWritten(Self.failed("x", after: "x")))
    #expect(!Self.isWritten(Self.failed("x", row: "<b>Name</b>")))
    #expect(!Self.isWritten(plain.replacing("id=\"\(Self.path.anchor)\"", with: "id=\"other\"")))
    #expect(!Self.isWritten(String(plain.dropLast())))
    #expect(!Self.isWritten(""))
  }

  /// A passed scenario, with bytes that are inflated when it is opened.
  private static func packed(_ text: String) -> String {
    "<details class=\"s p\" id=\"\(path.anchor)\" data-z=\"\(text)\">"
      + "<summary>\(row)</summary></details>\n"
  }

  private static func packed(content: String) -> String {
    packed(Deflate.text(Array(content.utf8)) ?? "")
  }

  @Test func `what is compressed is checked as well`() throws {
    #expect(Self.isWritten(Self.packed(content: "<p class=\"o\">x</p>"), .passed))
    for content in [
      "<meta http-equiv=\"refresh\" content=\"0\">", "</div><p>x</p>", "<p>", "<!--", "\u{202E}",
      "<span class=\"l\">x</span>",
    ] {
      #expect(!Self.isWritten(Self.packed(content: content), .passed), "\(content)")
    }
    let good = try #require(Deflate.text(Array("<p class=\"o\">x</p>".utf8)))
    let more = Base64.encode((try #require(Base64.decode(good))) + [0])
    for text in ["", "x", "AAAA", String(good.dropLast(4)), more, good + "\n"] {
      #expect(!Self.isWritten(Self.packed(text), .passed), "\(text)")
    }
  }

  @Test func `what inflates to more than a part may have is refused`() throws {
    let content = Array(String(repeating: "a", count: 48 << 20).utf8)
    let text = Self.packed(try #require(Deflate.text(content)))
    var scenario = ScenarioReport(path: Self.path)
    scenario.verdict = .passed
    var budget = PartBudget(bytes: text.utf8.count)

    let passes = (1...2).map { _ in ScenarioMarkup.isWritten(text, of: scenario, &budget) }

    #expect(passes == [true, false])
  }
}
