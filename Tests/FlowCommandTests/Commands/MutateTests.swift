import FlowCommand
import TestKit
import Testing

/// Recorded values that no check reads.
@Suite struct MutateTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
  }

  private func mutate(_ steps: String, _ arguments: String...) async throws -> SuiteRun {
    try suite.folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n\(steps)\n", to: "s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    let run = try await FlowCommandRun(["mutate", "@/s.yaml"] + arguments, in: suite.folder)
    return SuiteRun(output: run.output.withoutDurations, errors: run.errors, code: run.code)
  }

  @Test func `what a pattern hides in an input is not noticed by that`() async throws {
    try suite.folder.write("flow: 1\nredact: ['id-[0-9]+']\n", to: "flow.yaml")
    let run = try await mutate("  - {uses: p.echo, with: {value: id-42}}\n  - {uses: p.count}")

    #expect(run.output.hasSuffix("\n0 of 3 alterations were noticed, 0.0 %, in T\n"))
  }

  @Test func `an altered event is not noticed because the transcript does not agree with itself`()
    async throws
  {
    let run = try await mutate(
      "  - {uses: p.count}\n  - {await: p.counted, timeout: 1s}", "--format", "json", "--details",
      "-")

    #expect(run.output.contains(#""address":"await#1","call":"p.counted""#))
    #expect(run.output.commandReport.hasPrefix(#"{"noticed":0,"tried":4,"#))
  }

  @Test func `an attempt is told from others of its step`() async throws {
    let step =
      "  - {id: a, uses: p.count, expect: {value: \"${{ it > 1 }}\"}, retry: {attempts: 2}}"
    let run = try await mutate(step)

    #expect(
      run.output == """
        p.count, ok.value: 2 of 4 not noticed
          a#1, attempt 1, ok.value: 1 -> -1
            no expect: the step was tried again
          a#1, attempt 2, ok.value: 2 -> 3
            expect: {value: 2}
        3 of 5 alterations were noticed, 60.0 %, in T

        """)
    let json = try await mutate(step, "--format", "json", "--details", "-")
    #expect(json.output.contains(#""address":"a#1","attempt":2,"call":"p.count""#))
  }

  @Test func `a transcript without values has nothing to alter`() async throws {
    let run = try await mutate("  - {uses: p.sleep, with: {span: 0s}}", "--at-least", "80")

    #expect(run.output == "nothing to alter: no recorded answer has a value\n")
    #expect(run.code == .passed)
  }

  @Test func `a page has the score and what nothing noticed`() async throws {
    let run = try await mutate(
      "  - {id: a, uses: p.count, expect: {value: 1}}\n  - {id: b, uses: p.echo, with: {value: <x>}}",
      "--report", "html=@/m.html", "--at-least", "90")

    #expect(run.code == .failed)
    let page = try suite.folder.text("m.html")
    #expect(page.contains("open><summary><span class=\"y\">failed</span>"), "\(page)")
    #expect(page.contains("<span class=\"n\">mutation score 66.6 %</span>"), "\(page)")
    let section = try #require(
      page.firstMatch(of: #/<section class="j"><h3>Mutation.*?<\/section>/#.dotMatchesNewlines()))
    #expect(
      section.0.replacing(#/href="#[^"]*:/#, with: "href=\"#:") == """
        <section class="j"><h3>Mutation score 66.6 %</h3><p>2 of 3 alterations of recorded \
        values were noticed by an expectation, an assertion or a later call.</p>\
        <table class="x"><caption>Unnoticed alterations</caption><thead><tr>\
        <th scope="col">answer</th><th scope="col">value</th><th scope="col">alteration</th>\
        <th scope="col">recorded</th><th scope="col">instead of it</th><th scope="col">noticed by</th>\
        </tr></thead><tbody><tr><th scope="row">\
        <a href="#:b~1">b#1</a></th><td>ok.value</td><td>another text</td>\
        <td>&quot;&lt;x&gt;&quot;</td><td>&quot;&lt;x&gt;~&quot;</td>\
        <td><code>expect: {value: &quot;&lt;x&gt;&quot;}</code></td></tr></tbody></table></section>
        """)
    #expect(page.contains("66.6 % of the alterations were noticed, fewer than 90 %"))
  }

  @Test func `a page without a threshold has the score as its result, is open, and has the steps`()
    async throws
  {
    let run = try await mutate("  - {id: a, uses: p.count}", "--report", "html=@/m.html")

    #expect(run.code == .passed)
    let page = try suite.folder.text("m.html")
    #expect(page.contains("open><summary><span class=\"y\">scored</span>"), "\(page)")
    #expect(page.contains("<h1>Mutation score 0.0 %</h1>"))
    #expect(page.contains("data-q=\"s:scored\""))
    #expect(!page.contains("The scenario passed"))
    #expect(page.contains(":a~1\""))
    #expect(!page.contains("data-z="))
  }

  @Test func `few reports are written, and nothing is tried where one cannot be`() async throws {
    let other = try await mutate("  - {uses: p.count}", "--report", "tap")
    #expect(other.code == .badCommandLine)
    #expect(
      other.errors
        == "flow: '--report': expected FORMAT or FORMAT=PATH, where FORMAT is html, junit or github, "
        + "got 'tap'\nsee 'flow help mutate'\n")

    let missing = try await mutate("  - {uses: p.count}", "--report", "html=@/no/m.html")
    #expect(missing.code == .cannotWrite)
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    let output: String
  }

  @Test(arguments: samples) func `what nobody looks at is told`(_ sample: Sample) async throws {
    let run = try await mutate(sample.steps)

    #expect(run.output == sample.output)
    #expect(run.code == .passed)
  }

  static let samples = [
    Sample(
      testDescription: "an expectation", steps: "  - {uses: p.count, expect: {value: 1}}",
      output: "2 of 2 alterations were noticed, 100.0 %, in T\n"),
    Sample(
      testDescription: "an assertion",
      steps: "  - {id: a, uses: p.count}\n  - assert: [\"${{ steps.a.value > 0 }}\"]",
      output: """
        p.count, ok.value: 1 of 2 not noticed
          a#1, ok.value: 1 -> 2
            expect: {value: 1}
        1 of 2 alterations were noticed, 50.0 %, in T

        """),
    Sample(
      testDescription: "a later input",
      steps:
        "  - {id: a, uses: p.count}\n  - {uses: p.count, with: {by: \"${{ steps.a.value }}\"}}",
      output: """
        p.count, ok.value: 2 of 4 not noticed
          p.count#1, ok.value: 2 -> 3 or -2
            expect: {value: 2}
        p.count, ok: 1 of 1 not noticed
          p.count#1, ok: {value: 2} -> the answer on line 6
            expect: {value: 2}
        2 of 5 alterations were noticed, 40.0 %, in T

        """),
    Sample(
      testDescription: "an error",
      steps: "  - {uses: p.fail, with: {code: refused}, continue-on-error: true}\n"
        + "  - {uses: p.fail, with: {code: refused}, expect: {error: refused}}",
      output: """
        p.fail, error: 1 of 2 not noticed
          p.fail#1, error: "refused" -> "too-many"
            no expect: the step failed
        1 of 2 alterations were noticed, 50.0 %, in T

        """),
    Sample(
      testDescription: "outputs alone",
      steps: "  - {id: a, uses: p.echo, with: {value: x}}\noutputs: {v: \"${{ steps.a.value }}\"}",
      output: """
        p.echo, ok.value: 1 of 1 not noticed
          a#1, ok.value: "x" -> "x~" (only the outputs change)
            expect: {value: x}
        0 of 1 alterations were noticed, 0.0 %, in T

        """),
    Sample(
      testDescription: "values of every type", steps: "  - {uses: p.types}",
      output: """
        p.types, ok.bool: 1 of 1 not noticed
          p.types#1, ok.bool: true -> false
            expect: {bool: true}
        p.types, ok.unsigned: 1 of 1 not noticed
          p.types#1, ok.unsigned: 18446744073709551615 -> 18446744073709551614
            expect: {unsigned: 18446744073709551615}
        p.types, ok.decimal: 2 of 2 not noticed
          p.types#1, ok.decimal: -12.50 -> -11.50 or 12.50
            expect: {decimal: -12.50}
        p.types, ok.color: 1 of 1 not noticed
          p.types#1, ok.color: "green" -> "red"
            expect: {color: green}
        p.types, ok.bytes: 1 of 1 not noticed
          p.types#1, ok.bytes: 3 bytes -> 3 bytes, the first of them altered
            expect: {bytes: "${{ it == b'\\\\x00\\\\xff\\\\x0a' }}"}
        p.types, ok.instant: 2 of 2 not noticed
          p.types#1, ok.instant: 1970-01-01T00:00:00Z -> 1970-01-01T00:00:01Z or 1900-01-01T00:00:00Z
            expect: {instant: "1970-01-01T00:00:00Z"}
        p.types, ok.span: 2 of 2 not noticed
          p.types#1, ok.span: -1.5s -> -0.5s or 1.5s
            expect: {span: "-1.5s"}
        p.types, ok.items: 3 of 3 not noticed
          p.types#1, ok.items: [{name: "a\\"b", size: 0.5}, {name: "", size: null}] -> [{name: "a\\"b", size: 0.5}] or [] or [{name: "a\\"b", size: 0.5}, {name: "", size: null}, {name: "", size: null}]
            expect: {items: "${{ size(it) == 2 }}"}
        p.types, ok.items[].name: 2 of 2 not noticed
          p.types#1, ok.items[0].name: "a\\"b" -> "a\\"b~"
            expect: {items: "${{ it[0].name == 'a\\"b' }}"}
          p.types#1, ok.items[1].name: "" -> "x"
            expect: {items: "${{ it[1].name == '' }}"}
        p.types, ok.items[].size: 4 of 4 not noticed
          p.types#1, ok.items[0].size: 0.5 -> null or 1.5 or -0.5
            expect: {items: "${{ it[0].size == 0.5 }}"}
          p.types#1, ok.items[1].size: nothing -> 0.0
            expect: {items: "${{ it[1].size == null }}"}
        p.types, ok.sizes.a: 2 of 2 not noticed
          p.types#1, ok.sizes.a: 1 -> 2 or -1
            expect: {sizes: {a: 1}}
        p.types, ok.sizes.b: 2 of 2 not noticed
          p.types#1, ok.sizes.b: 2 -> 3 or -2
            expect: {sizes: {b: 2}}
        0 of 23 alterations were noticed, 0.0 %, in T

        """),
  ]

  @Test func `the line for a value of every type passes, and notices an alteration`() async throws {
    let found = try await mutate("  - {uses: p.types}", "--all").output
    let lines = Set(found.matches(of: #/    (expect: .*)\n/#).map { String($0.1) })

    #expect(lines.count == 14, "\(found)")
    for line in lines {
      let run = try await mutate("  - {uses: p.types, \(line)}", "--all")
      #expect(!run.output.contains("\n0 of 23 alterations"), "\(line): \(run.output)\(run.errors)")
      #expect(run.code == .passed)
    }
  }

  @Test func `a line contains what is expected already, and holds in every iteration`() async throws
  {
    let run = try await mutate(
      """
        - {id: a, uses: p.types, expect: {bool: true, sizes: {b: "${{ it > 1 }}"}}}
        - for: n
          in: [x, y]
          do: [{id: b, uses: p.echo, with: {value: "${{ n }}"}}]
        - for: n
          in: [1, 2]
          do: [{id: c, uses: p.echo, with: {value: same}}]
        - {id: d, uses: p.count, retry: {attempts: 2}}
        - {id: e, uses: p.count, continue-on-error: true}
      """)

    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.drop { $0 != "p.types, ok.sizes.b: 1 of 2 not noticed" } == [
        "p.types, ok.sizes.b: 1 of 2 not noticed",
        "  a#1, ok.sizes.b: 2 -> 3",
        "    expect: {bool: true, sizes: {b: 2}}",
        "p.echo, ok.value: 4 of 4 not noticed",
        "  for/b#1, ok.value: \"x\" -> \"x~\" (in 2 iterations)",
        "    expect: {value: \"${{ it in ['x', 'y'] }}\"}",
        "  for[2]/c#1, ok.value: \"same\" -> \"same~\" (in 2 iterations)",
        "    expect: {value: same}",
        "p.echo, ok: 4 of 4 not noticed",
        "  for/b#1, ok: {value: \"x\"} -> the answer on line 9",
        "    no expect: the value differs in each iteration",
        "  for/b#2, ok: {value: \"y\"} -> the answer on line 11",
        "    expect: {value: \"${{ it in ['x', 'y'] }}\"}",
        "  for[2]/c#1, ok: {value: \"same\"} -> the answer on line 7 (in 2 iterations)",
        "    expect: {value: same}",
        "p.count, ok.value: 4 of 4 not noticed",
        "  d#1, ok.value: 1 -> 2 or -1",
        "    expect: {value: 1}",
        "  e#1, ok.value: 2 -> 3 or -2",
        "    no expect: the step may fail",
        "p.count, ok: 1 of 1 not noticed",
        "  e#1, ok: {value: 2} -> the answer on line 16",
        "    no expect: the step may fail",
        "2 of 36 alterations were noticed, 5.5 %, in T",
      ])
    #expect(
      lines.contains(
        "    expect: {bool: true, sizes: {b: \"${{ it > 1 }}\"}, items: \"${{ size(it) == 2 }}\"}"))
  }

  @Test func `a threshold that is missed is exit 1`() async throws {
    let steps = "  - {id: a, uses: p.count}\n  - assert: [\"${{ steps.a.value > 0 }}\"]"

    #expect(try await mutate(steps, "--at-least", "50").code == .passed)
    #expect(try await mutate(steps, "--at-least", "50.1").code == .failed)
  }

  @Test func `a limit is told`() async throws {
    let run = try await mutate("  - {uses: p.types}", "--limit", "3")

    #expect(run.output.contains("0 of 3 alterations were noticed, 0.0 %, in T\n"))
    #expect(run.output.hasSuffix("stopped after 3 of 23 alterations; --limit 23 tries all\n"))
  }

  @Test func `machines are told every alteration`() async throws {
    let run = try await mutate("  - {uses: p.count}", "--format", "json", "--details", "-")

    #expect(
      run.output.commandReport
        == #"{"noticed":0,"tried":2,"alterations":2,"percent":0.0,"unnoticed":["#
        + #"{"address":"p.count#1","call":"p.count","line":6,"path":"ok.value","recorded":1,"#
        + #""kind":"next number","altered":2,"changesOutputs":false,"#
        + #""others":[{"kind":"negated","altered":-1,"changesOutputs":false}],"#
        + #""step":{"file":"@/s.yaml","line":4},"expect":"expect: {value: 1}"}],"steps":[]}"# + "\n"
    )
  }

  @Test func `without a transcript, or with one that does not replay, nothing is altered`()
    async throws
  {
    try suite.write("s.yaml")
    let none = try await suite.flow("mutate", "@/s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    try suite.write("s.yaml", passes: false)
    let other = try await suite.flow("mutate", "@/s.yaml")

    #expect(
      none.errors == "flow: '@/s.yaml' has no transcript; 'flow run @/s.yaml --record' writes one\n"
    )
    #expect(other.errors.contains("[F2001]"))
    #expect(
      other.errors.hasSuffix(
        "flow: the unaltered transcript does not replay, so nothing was altered\n"))
    #expect([none.code, other.code] == [.badInput, .badInput])
  }

  @Test func `a map whose key begins like a tag is altered`() async throws {
    try suite.folder.write(
      "flow: 1\ncomponents: {n: {plugin: notebook}}\nsteps: [{uses: n.prices}]\n", to: "s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record")

    let run = try await suite.flow("mutate", "@/s.yaml")

    #expect(
      run.output == """
        n.prices, ok.prices.$a: 2 of 2 not noticed
          n.prices#1, ok.prices.$a: 1 -> 2 or -1
            expect: {prices: {"$a": 1}}
        0 of 2 alterations were noticed, 0.0 %, in T

        """)
  }
}
