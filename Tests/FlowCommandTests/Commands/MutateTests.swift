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
          a#1, attempt 2, ok.value: 2 -> 3
        2 of 4 alterations were noticed, 50.0 %, in T

        """)
    let json = try await mutate(step, "--format", "json", "--details", "-")
    #expect(json.output.contains(#""address":"a#1","attempt":2,"call":"p.count""#))
  }

  @Test func `a transcript without values has nothing to alter`() async throws {
    let run = try await mutate("  - {uses: p.sleep, with: {span: 0s}}", "--threshold", "80")

    #expect(run.output == "nothing to alter: no recorded answer has a value\n")
    #expect(run.code == .passed)
  }

  @Test func `a page has the score and what nothing noticed`() async throws {
    let run = try await mutate(
      "  - {id: a, uses: p.count, expect: {value: 1}}\n  - {id: b, uses: p.echo, with: {value: <x>}}",
      "--report", "html=@/m.html", "--threshold", "90")

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
        <th scope="col">answer</th><th scope="col">value</th><th scope="col">recorded</th>\
        <th scope="col">instead of it</th></tr></thead><tbody><tr><th scope="row">\
        <a href="#:b~1">b#1</a></th><td>ok.value</td><td>&quot;&lt;x&gt;&quot;</td>\
        <td>&quot;&lt;x&gt;~&quot;</td></tr></tbody></table></section>
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

  @Test func `only a page is written, and nothing is tried where it cannot be`() async throws {
    let other = try await mutate("  - {uses: p.count}", "--report", "junit")
    #expect(other.code == .badCommandLine)
    #expect(
      other.errors
        == "flow: '--report': expected html or html=PATH, got 'junit'\nsee 'flow help mutate'\n")

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
        1 of 2 alterations were noticed, 50.0 %, in T

        """),
    Sample(
      testDescription: "a later input",
      steps:
        "  - {id: a, uses: p.count}\n  - {uses: p.count, with: {by: \"${{ steps.a.value }}\"}}",
      output: """
        p.count, ok.value: 2 of 4 not noticed
          p.count#1, ok.value: 2 -> 3
          p.count#1, ok.value: 2 -> -2
        2 of 4 alterations were noticed, 50.0 %, in T

        """),
    Sample(
      testDescription: "an error",
      steps: "  - {uses: p.fail, with: {code: refused}, continue-on-error: true}\n"
        + "  - {uses: p.fail, with: {code: refused}, expect: {error: refused}}",
      output: """
        p.fail, error: 1 of 2 not noticed
          p.fail#1, error: "refused" -> "too-many"
        1 of 2 alterations were noticed, 50.0 %, in T

        """),
    Sample(
      testDescription: "outputs alone",
      steps: "  - {id: a, uses: p.echo, with: {value: x}}\noutputs: {v: \"${{ steps.a.value }}\"}",
      output: """
        p.echo, ok.value: 1 of 1 not noticed
          a#1, ok.value: "x" -> "x~" (only the outputs change)
        0 of 1 alterations were noticed, 0.0 %, in T

        """),
    Sample(
      testDescription: "values of every type", steps: "  - {uses: p.types}",
      output: """
        p.types, ok.bool: 1 of 1 not noticed
          p.types#1, ok.bool: true -> false
        p.types, ok.unsigned: 1 of 1 not noticed
          p.types#1, ok.unsigned: 18446744073709551615 -> 18446744073709551614
        p.types, ok.decimal: 2 of 2 not noticed
          p.types#1, ok.decimal: -12.50 -> -11.50
          p.types#1, ok.decimal: -12.50 -> 12.50
        p.types, ok.color: 1 of 1 not noticed
          p.types#1, ok.color: "green" -> "red"
        p.types, ok.bytes: 1 of 1 not noticed
          p.types#1, ok.bytes: 3 bytes -> 3 bytes, the first of them altered
        p.types, ok.instant: 1 of 1 not noticed
          p.types#1, ok.instant: 1970-01-01T00:00:00Z -> 1970-01-01T00:00:01Z
        p.types, ok.span: 2 of 2 not noticed
          p.types#1, ok.span: -1.5s -> -0.5s
          p.types#1, ok.span: -1.5s -> 1.5s
        p.types, ok.items: 1 of 1 not noticed
          p.types#1, ok.items: [{name: "a\\"b", size: 0.5}, {name: "", size: null}] -> [{name: "a\\"b", size: 0.5}]
        p.types, ok.items[].name: 2 of 2 not noticed
          p.types#1, ok.items[0].name: "a\\"b" -> "a\\"b~"
          p.types#1, ok.items[1].name: "" -> "x"
        p.types, ok.items[].size: 4 of 4 not noticed
          p.types#1, ok.items[0].size: 0.5 -> null
          p.types#1, ok.items[0].size: 0.5 -> 1.5
          p.types#1, ok.items[0].size: 0.5 -> -0.5
          and 1 more; --all prints them
        p.types, ok.sizes.a: 2 of 2 not noticed
          p.types#1, ok.sizes.a: 1 -> 2
          p.types#1, ok.sizes.a: 1 -> -1
        p.types, ok.sizes.b: 2 of 2 not noticed
          p.types#1, ok.sizes.b: 2 -> 3
          p.types#1, ok.sizes.b: 2 -> -2
        0 of 20 alterations were noticed, 0.0 %, in T

        """),
  ]

  @Test func `a threshold that is missed is exit 1`() async throws {
    let steps = "  - {id: a, uses: p.count}\n  - assert: [\"${{ steps.a.value > 0 }}\"]"

    #expect(try await mutate(steps, "--threshold", "50").code == .passed)
    #expect(try await mutate(steps, "--threshold", "50.1").code == .failed)
  }

  @Test func `a limit is told`() async throws {
    let run = try await mutate("  - {uses: p.types}", "--limit", "3")

    #expect(run.output.contains("0 of 3 alterations were noticed, 0.0 %, in T\n"))
    #expect(run.output.hasSuffix("stopped after 3 of 20 alterations; --limit 20 tries all\n"))
  }

  @Test func `machines are told every alteration`() async throws {
    let run = try await mutate("  - {uses: p.count}", "--format", "json", "--details", "-")

    #expect(
      run.output.commandReport
        == #"{"noticed":0,"tried":2,"alterations":2,"percent":0.0,"unnoticed":["#
        + #"{"address":"p.count#1","call":"p.count","line":6,"path":"ok.value","recorded":1,"altered":2,"#
        + #""changesOutputs":false},"#
        + #"{"address":"p.count#1","call":"p.count","line":6,"path":"ok.value","recorded":1,"altered":-1,"#
        + #""changesOutputs":false}]}"# + "\n")
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
          n.prices#1, ok.prices.$a: 1 -> 2
          n.prices#1, ok.prices.$a: 1 -> -1
        0 of 2 alterations were noticed, 0.0 %, in T

        """)
  }
}
