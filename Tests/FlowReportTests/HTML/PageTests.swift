import FlowCore
import FlowEngine
import FlowReport
import FlowSystem
import Testing

/// The report as a page.
@Suite struct PageTests {
  @Test func `a scenario that failed is whole in the page`() async throws {
    var scenario = try await Page.run(
      "a/pay now.yaml", name: "Pay",
      """
      tags: [smoke]
      steps:
        - {id: count, uses: p.count, expect: {value: 2}}
        - {name: Never, uses: p.count}
      """)
    scenario.command = "flow test 'a/pay now.yaml'"

    let page = try Page([scenario])

    #expect(
      page.scenarios.withoutPixels == """
        <div>
        <details class="s f" id="a/pay_20now.yaml" open><summary><span class="y">failed\
        </span><span class="l"><b>Pay</b> <span>a/pay now.yaml</span> <i>@smoke</i></span>\
        <time datetime="PT0.100000S">100 ms</time></summary><div class="b"><p class="c">\
        <span>Run it again:</span> <code>flow test &#39;a/pay now.yaml&#39;</code>\
        <button type="button" class="copy">Copy</button>\
        <a href="#a/pay_20now.yaml">Link to this scenario</a></p><section class="d">\
        <h3>&#39;count#1&#39; did not answer as expected <code>F2001</code></h3>\
        <p>test.yaml:5:41</p><ul><li>value: expected 2, got 1</li></ul>\
        <ul class="i"><li>input: {by: 1}</li><li>answer: {value: 1}</li></ul></section>\
        <section class="u" id="a/pay_20now.yaml::steps"><ol class="t"><li class="p"><details><summary>\
        <span class="m" aria-hidden="true">✓</span><span class="h">passed </span><b>p.open\
        </b> <span class="q">10 ms</span></summary><div class="b"><div class="v">\
        <span>settings</span><pre>{start: 0}</pre></div></div></details></li>\
        <li class="f" id="a/pay_20now.yaml:count~1"><details open><summary>\
        <span class="m" aria-hidden="true">✗</span><span class="h">failed </span><b>count\
        </b> <code>p.count</code> <span class="q">50 ms</span></summary><div class="b">\
        <table class="x"><thead><tr><th scope="col">where</th><th scope="col">expected</th>\
        <th scope="col">got</th></tr></thead><tbody><tr><th scope="row">value</th><td><ins>2\
        </ins></td><td><del>1</del></td></tr></tbody></table><div class="v"><span>input\
        </span><pre>{by: 1}</pre></div><div class="v"><span>answer</span><pre>{value: 1}\
        </pre></div><ol class="t"><li class="p"><details><summary>\
        <span class="m" aria-hidden="true">✓</span><span class="h">passed </span>\
        <b>p.counted is reported</b></summary><div class="b"><div class="v"><span>payload\
        </span><pre>{value: 1}</pre></div></div></details></li></ol></div></details></li>\
        <li class="n" id="a/pay_20now.yaml:p.count~1"><div class="w">\
        <span class="m" aria-hidden="true">–</span><span class="h">not run </span><b>Never\
        </b> <code>p.count</code></div></li></ol><figure class="g">\
        <figcaption>Timeline, 20 ms</figcaption>\
        <svg role="img" aria-label="timeline; the table has the same" width="100%">\
        <line x1="0%" x2="0%"/>\
        <text class="a" x="0%" text-anchor="start">0</text>\
        <line x1="25%" x2="25%"/>\
        <text class="a" x="25%" text-anchor="middle">5.0 ms</text>\
        <line x1="50%" x2="50%"/>\
        <text class="a" x="50%" text-anchor="middle">10 ms</text>\
        <line x1="75%" x2="75%"/>\
        <text class="a" x="75%" text-anchor="middle">15 ms</text>\
        <line x1="100%" x2="100%"/>\
        <text class="a" x="100%" text-anchor="end">20 ms</text>\
        <rect class="call p" x="0.00%" width="100.00%"/>\
        <text class="in" x="0.00%">✓ count#1 p.count</text>\
        <rect class="report p" x="50.00%" width="0.30%"/>\
        <text x="50.00%">✓ p.counted is reported</text></svg><details>\
        <summary>as a table</summary><table class="x"><thead><tr><th scope="col">what</th>\
        <th scope="col">end</th><th scope="col">began after</th><th scope="col">took</th>\
        </tr></thead><tbody><tr><th scope="row">count#1 p.count</th><td>passed</td>\
        <td>0.00 ms</td><td>20 ms</td></tr><tr><th scope="row">p.counted is reported</th>\
        <td>passed</td><td>10 ms</td><td>0.00 ms</td></tr></tbody></table></details>\
        </figure></section></div></details>
        </div>

        """)
  }

  @Test func `the summary says how many ended in which way`() async throws {
    let failed = try await Page.run("f.yaml", "steps: [{uses: p.crash}]")
    let passed = try await Page.run("p.yaml", "steps: [{uses: p.count}]")

    let page = try Page(
      [passed, failed, ScenarioReport(notRun: "n.yaml", name: "")], seed: 7)

    #expect(
      page.part("<header", "<label").withoutPixels == """
         class="f">
        <p class="m" aria-hidden="true">✗</p>
        <div><h1>1 of 3 scenarios failed</h1>
        <p>took <time datetime="PT1.234000S">1.2 s</time> · shuffled, <code>--shuffle 7\
        </code> gives this order again</p></div>
        </header>
        <svg class="bar" aria-hidden="true" width="100%">\
        <rect class="f" x="0.00%" width="33.33%"/>\
        <rect class="p" x="33.33%" width="33.33%"/>\
        <rect class="n" x="66.66%" width="33.33%"/></svg>
        <div class="tools">
        <div role="group" aria-label="Show">\
        <button type="button" data-q="" aria-pressed="true">all 3</button>\
        <button type="button" class="f" data-q="s:failed" aria-pressed="false">\
        <span class="m" aria-hidden="true">✗</span>1 failed</button>\
        <button type="button" class="p" data-q="s:passed" aria-pressed="false">\
        <span class="m" aria-hidden="true">✓</span>1 passed</button>\
        <button type="button" class="n" data-q="s:notrun" aria-pressed="false">\
        <span class="m" aria-hidden="true">–</span>1 not run</button></div>

        """)
  }

  @Test func `what failed stands first, and the others in their order`() async throws {
    let failed = try await Page.run("f.yaml", "steps: [{uses: p.crash}]")
    let page = try Page([
      ScenarioReport(path: "a.yaml"), failed, ScenarioReport(path: "b.yaml"),
    ])

    let rows = page.scenarios.split(separator: "\n").filter { $0.contains("class=\"s ") }

    #expect(
      rows.map { $0.prefix { $0 != ">" } } == [
        "<details class=\"s f\" id=\"f.yaml\" open", "<div class=\"s p\" id=\"a.yaml\"",
        "<div class=\"s p\" id=\"b.yaml\"",
      ])
  }

  @Test func `what passed is compressed, and opened by the page's own script alone`() async throws {
    let page = try Page([try await Page.run("p.yaml", "steps: [{uses: p.count}]")])

    #expect(page.scenarios.contains("data-z=\"eA"))
    #expect(!page.scenarios.contains("p.count"))
    let policy = page.part("Content-Security-Policy\" content=\"", "\"")
    let digests = [page.part("<script>", "</script>"), page.part("<style>", "</style>")]
      .map { "sha256-" + Base64.encode(SHA256(Array($0.utf8)).bytes) }
    #expect(
      policy
        == "default-src 'none'; script-src '\(digests[0])'; style-src '\(digests[1])'; "
        + "img-src data:; base-uri 'none'; form-action 'none'")
  }

  @Test func `steps of a loop that went alike are one with their count and time`() async throws {
    let page = try Page([
      try await Page.run(
        "f.yaml",
        """
        steps:
          - for: i
            in: "${{ [1, 2, 3, 4] }}"
            do:
              - {id: a, uses: p.count}
              - {id: b, uses: p.count, expect: {value: "${{ it != 8 }}"}}
        """)
    ])

    #expect(
      page.outline == """
        passed p.open 10 ms
        failed for i in [1, 2, 3, 4] 500 ms
          passed a p.count 3 times 150 ms
            passed p.counted is reported 3 times
          passed b p.count 3 times 150 ms
            passed p.counted is reported 3 times
          passed a p.count iteration 4 50 ms
            passed p.counted is reported
          failed b p.count iteration 4 50 ms
            passed p.counted is reported

        """)
  }

  @Test func `steps that went alike under several names have none of them`() async throws {
    var scenario = try await Page.run(
      "f.yaml",
      """
      steps:
        - for: i
          in: "${{ [1, 2] }}"
          do:
            - {name: "Take ${{ i }}", uses: p.count}
            - {name: Leave, uses: p.count}
            - {name: "Put ${{ i }}", id: put, uses: p.count}
      """)
    scenario.verdict = .failed

    let page = try Page([scenario])

    #expect(
      page.outline == """
        passed p.open 10 ms
        passed for i in [1, 2] 380 ms
          passed p.count 2 times 100 ms
            passed p.counted is reported 2 times
          passed Leave p.count 2 times 100 ms
            passed p.counted is reported 2 times
          passed put p.count 2 times 100 ms
            passed p.counted is reported 2 times

        """)
  }

  @Test func `each attempt of a call is shown, and in the timeline`() async throws {
    let page = try Page([
      try await Page.run(
        "f.yaml",
        """
        steps:
          - uses: p.flaky
            with: {failures: 5, code: refused}
            retry: {attempts: 2, backoff: 0s}
        """)
    ])

    #expect(
      page.outline == """
        passed p.open 10 ms
        failed p.flaky 60 ms
          failed p.flaky attempt 1 10 ms
          failed p.flaky attempt 2 10 ms

        """)
    #expect(
      page.part("<figure", "</svg>").withoutPixels == """
         class="g"><figcaption>Timeline, 30 ms</figcaption>\
        <svg role="img" aria-label="timeline; the table has the same" width="100%">\
        <line x1="0%" x2="0%"/>\
        <text class="a" x="0%" text-anchor="start">0</text>\
        <line x1="25%" x2="25%"/>\
        <text class="a" x="25%" text-anchor="middle">7.5 ms</text>\
        <line x1="50%" x2="50%"/>\
        <text class="a" x="50%" text-anchor="middle">15 ms</text>\
        <line x1="75%" x2="75%"/>\
        <text class="a" x="75%" text-anchor="middle">22 ms</text>\
        <line x1="100%" x2="100%"/>\
        <text class="a" x="100%" text-anchor="end">30 ms</text>\
        <rect class="call f" x="0.00%" width="33.33%"/>\
        <text x="33.33%">✗ p.flaky#1</text>\
        <rect class="call f" x="66.67%" width="33.33%"/>\
        <text x="66.67%" text-anchor="end">✗ p.flaky#1, attempt 2</text>
        """)
  }

  @Test(arguments: hostileTexts)
  func `no text can be markup or turn what is around it`(_ text: String) async throws {
    var scenario = try await Page.run(
      "a/\(text).yaml", name: "name \(text)", "steps: [{uses: p.crash}]")
    scenario.verdict = .failed
    scenario.details = [text]
    scenario.tags = [text]
    scenario.command = text
    scenario.changes = [text]
    scenario.findings.notes = [text]
    scenario.findings.diagnostics = [
      Diagnostic("F2001", text, at: nil, notes: [text, "  \(text)"])
    ]
    let page = try Page([scenario])

    #expect(page.faults == [])
    #expect(page.scenarios.unicodeScalars.allSatisfy { !$0.isHidden })
  }

  @Test func `values with hostile texts are harmless`() async throws {
    let value = Self.hostileTexts.map(Self.yaml).joined(separator: ", ")
    let page = try Page([
      try await Page.run(
        "f.yaml", "steps: [{uses: p.echo, with: {value: [\(value)]}, expect: {value: 1}}]")
    ])

    #expect(page.faults == [])
    #expect(page.scenarios.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.scenarios.unicodeScalars.allSatisfy { !$0.isHidden })
  }

  @Test func `a page of every kind of scenario is sound`() async throws {
    var flaky = try await Page.run("k.yaml", "steps: [{uses: p.count}]", times: 3)
    flaky.verdict = .flaky
    var recorded = try await Page.run("r.yaml", "steps: [{uses: p.count}]")
    recorded.verdict = .recorded
    recorded.changes = ["header", "  a change"]
    let everything = try await Page.run("e/every step.yaml", EveryStep.scenario)

    let page = try Page([
      flaky, recorded, everything, ScenarioReport(notRun: "n.yaml", name: "Not run"),
    ])

    #expect(page.faults == [])
  }

  @Test func `what was there when a step failed is shown with its problem`() async throws {
    let page = try Page([
      try await Page.run(
        "f.yaml",
        """
        steps:
          - for: i
            in: "${{ ['a', '<b>'] }}"
            do: [{uses: p.echo, with: {value: "${{ i }}"}, expect: {value: a}}]
        """)
    ])

    #expect(
      page.part("<section class=\"d\">", "</section>").hasSuffix(
        """
        <ul><li>value: expected &quot;a&quot;, got &quot;&lt;b&gt;&quot;</li></ul>\
        <ul class="i"><li>input: {value: &quot;&lt;b&gt;&quot;}</li>\
        <li>answer: {value: &quot;&lt;b&gt;&quot;}</li>\
        <li>in &#39;for&#39;, iteration 2: i is &quot;&lt;b&gt;&quot;</li></ul>
        """), "\(page.part("<section class=\"d\">", "</section>"))")
  }

  @Test func `a scenario that is there twice has other anchors the second time`() async throws {
    let first = try await Page.run("f.yaml", "steps: [{id: a, uses: p.crash}]", times: 2)
    var second = first
    second.occurrence = 2

    let page = try Page([first, second])

    #expect(page.faults == [])
    for anchor in ["f.yaml:a~1", "f.yaml:2:a~1", "f.yaml+2:a~1", "f.yaml+2:2:a~1"] {
      #expect(page.scenarios.contains("id=\"\(anchor)\""), "\(anchor)")
    }
    #expect(page.scenarios.contains("<b>run 2 of 2</b>"))
  }

  @Test func `a drawing in an answer is shown as one, and a large one is left out`() async throws {
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    let large = drawing + String(repeating: " ", count: 1 << 20)

    let page = try Page([
      try await Page.run("s.yaml", Self.echo(drawing)),
      try await Page.run("l.yaml", Self.echo(large)),
    ])

    let source = "data:image/svg+xml;base64," + Base64.encode(Array(drawing.utf8))
    #expect(page.scenarios.contains("loading=\"lazy\" src=\"\(source)\">"))
    // As a separate document, it would run its scripts.
    #expect(try page.names(in: ".") == ["page.html"])
    #expect(
      page.scenarios.contains(
        "<p class=\"o\">A drawing of \(large.utf8.count) bytes is left out.</p>"))
    #expect(page.text.utf8.count < 200_000)
  }

  @Test func `a large picture lies beside the page`() throws {
    let picture = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A] + [UInt8](repeating: 0, count: 1 << 20)
    let tracer = RunTracer()
    tracer.receive(
      .emitted(Address(path: "shot"), event: "p.shot", payload: .bytes(Bytes(picture))))
    var scenario = ScenarioReport(path: "s.yaml")
    scenario.verdict = .failed
    scenario.attempts = [.init(passed: false, diagnostics: [], log: [], trace: tracer.trace)]

    let page = try Page([scenario])

    let name = SHA256(picture).hexadecimal + ".png"
    #expect(page.scenarios.contains("<a href=\"flow-report-files/\(name)\">"))
    #expect(try page.names(in: "flow-report-files") == [name])
  }

  @Test func `whatever counts as failed comes first, whole, and says why`() async throws {
    var recorded = try await Page.run("new.yaml", "steps: [{uses: p.count}]")
    recorded.verdict = .recorded
    recorded.isRefused = true
    var interrupted = ScenarioReport(notRun: "cut.yaml", name: "")
    interrupted.wasInterrupted = true
    let passed = try await Page.run("good.yaml", "steps: [{uses: p.count}]")

    let page = try Page([passed, recorded, interrupted])

    #expect(page.part("id=\"new.yaml\"", "<summary>") == " open>")
    #expect(page.part("id=\"cut.yaml\"", "<summary>") == " open>")
    let headings = page.scenarios.matches(of: #/<h3>([^<]*)|id="([a-z.]*)"/#)
    #expect(
      headings.map { String($0.1 ?? $0.2 ?? "") } == [
        "new.yaml", "recorded while CI is set, so it does not pass", "cut.yaml", "interrupted",
        "good.yaml",
      ])
  }

  @Test func `two runs stand side by side, with what is different`() async throws {
    let old = try await Page.run(
      "s.yaml", "steps: [{id: a, uses: p.count}, {id: b, uses: p.count, with: {by: 2}}]")
    let new = try await Page.run(
      "s.yaml",
      "steps: [{id: a, uses: p.count}, {id: x, wait: 0s}, {id: b, uses: p.count, with: {by: 3}}]")

    let comparison = ComparisonHTML(
      .init("old<.jsonl", old.attempts[0].trace), .init("new", new.attempts[0].trace))

    let page = comparison.page
    #expect(page.contains("<h1>3 differences</h1><p>old&lt;.jsonl and new</p>"))
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("<tr class=\"k\">") }
    #expect(
      rows.joined(separator: "\n") == """
        <tr class="k"><th scope="row"><span class="m" aria-hidden="true">≠</span>\
        <span class="h">different </span>x#1</th><td>not there</td><td class="p">\
        <span class="m" aria-hidden="true">✓</span> passed <span class="q">20 ms</span></td>\
        </tr>
        <tr class="k"><th scope="row"><span class="m" aria-hidden="true">≠</span>\
        <span class="h">different </span>b#1 p.count</th><td class="p">\
        <span class="m" aria-hidden="true">✓</span> passed <span class="q">20 ms</span>\
        <div>input {by: 2}</div><div>answer {value: 3}</div></td><td class="p">\
        <span class="m" aria-hidden="true">✓</span> passed <span class="q">20 ms</span>\
        <div>input {by: 3}</div><div>answer {value: 4}</div></td></tr>
        <tr class="k"><th scope="row"><span class="m" aria-hidden="true">≠</span>\
        <span class="h">different </span>b#1 p.counted</th><td class="p">\
        <span class="m" aria-hidden="true">✓</span> passed <span class="q">0.00 ms</span>\
        <div>input {value: 3}</div></td><td class="p"><span class="m" aria-hidden="true">✓\
        </span> passed <span class="q">0.00 ms</span><div>input {value: 4}</div></td></tr>
        """)
  }

  /// A string in quotes, with escapes for the characters that YAML does not allow.
  private static func yaml(_ text: String) -> String {
    text.unicodeScalars.reduce("\"") { result, scalar in
      if 0x20..<0x7F ~= scalar.value, scalar != "\"" { return result + String(scalar) }
      let digits = String(scalar.value, radix: 16)
      return result + "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    } + "\""
  }

  private static func echo(_ text: String) -> String {
    "steps: [{uses: p.echo, with: {value: \(Value.string(text).json)}, expect: {value: 1}}]"
  }

  private static let hostileTexts = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onclick='alert(1)", "]]>",
    "</script></style></main>", "<!--", "&lt;", "\u{1B}[31mred\u{1B}[0m", "\u{0}\u{7F}\u{9B}",
    "\u{202E}gpj.exe\u{2066}", "a\nb\r\nc\td\u{2028}e", "👩‍👩‍👧‍👦 é \u{FFFE}",
    String(repeating: "<", count: 100_000),
  ]
}

extension Unicode.Scalar {
  /// True for a scalar that a report must not print as it is: a control character or a direction
  /// mark.
  fileprivate var isHidden: Bool {
    if self == "\n" || self == "\t" { return false }
    return properties.generalCategory == .control || properties.isBidiControl
      || properties.generalCategory == .lineSeparator
  }
}
