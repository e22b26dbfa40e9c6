import FlowCommand
import FlowCore
import TestKit
import Testing

/// Recorded values that no check reads, of several scenarios.
@Suite struct MutateSuiteTests {
  private static let some = """
    flow: 1
    name: Some
    components: {p: {plugin: probe}}
    steps:
      - {id: a, uses: p.count, expect: {value: "${{ it > 0 }}"}}
      - id: b
        uses: p.echo
        with: {value: x}

    """
  private static let all = """
    flow: 1
    components: {p: {plugin: probe}}
    steps: [{uses: p.count, expect: {value: 1}}]

    """

  private let suite: SuiteFolder

  init() async throws {
    suite = try SuiteFolder()
    try suite.folder.write(Self.some, to: "tests/some.yaml")
    try suite.folder.write(Self.all, to: "tests/all.yaml")
    for name in ["some", "all"] {
      _ = try await suite.flow("run", "@/tests/\(name).yaml", "--record")
    }
    try suite.write("tests/new.yaml")
  }

  private static let lines = """
    2 of 2 noticed, 100 %  @/tests/all.yaml
    1 of 3 noticed, 33 %  @/tests/some.yaml
    3 of 5 alterations of 2 scenarios were noticed, 60.0 %, in T

    """

  @Test func `each scenario with a transcript has a line, and the last line the score of all`()
    async throws
  {
    let run = try await suite.flow("mutate", "@/")

    #expect(run.output == Self.lines)
    #expect(run.errors == "note: without a transcript, and not counted: @/tests/new.yaml\n")
    #expect(run.code == .passed)
  }

  @Test func `several files are a suite, whose unnoticed alterations are listed on request`()
    async throws
  {
    let run = try await suite.flow("mutate", "@/tests/all.yaml", "@/tests/some.yaml", "--all")

    #expect(
      run.output == """
        2 of 2 noticed, 100 %  @/tests/all.yaml
        1 of 3 noticed, 33 %  @/tests/some.yaml
          p.count, ok.value: 1 of 2 not noticed
            a#1, ok.value: 1 -> 2
              expect: {value: 1}
          p.echo, ok.value: 1 of 1 not noticed
            b#1, ok.value: "x" -> "x~"
              expect: {value: x}
        3 of 5 alterations of 2 scenarios were noticed, 60.0 %, in T

        """)
  }

  struct Threshold: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let arguments: [String]
    let code: ExitCode
    var errors = ""
  }

  @Test(arguments: [
    Threshold(testDescription: "reached", arguments: ["--at-least", "60%"], code: .passed),
    Threshold(
      testDescription: "missed", arguments: ["--at-least", "61"], code: .failed,
      errors: "flow: 60.0 % of the alterations were noticed, fewer than 61 %\n"),
    Threshold(
      testDescription: "none", arguments: ["--at-least", "much"], code: .badCommandLine,
      errors: """
        flow: '--at-least': expected a percentage from 0% to 100%, got 'much'
        see 'flow help mutate'

        """),
  ]) func `a share is for the whole suite`(_ sample: Threshold) async throws {
    let paths = ["@/tests/all.yaml", "@/tests/some.yaml"]
    let run = try await suite.flow(["mutate"] + paths + sample.arguments)

    #expect(run.errors == sample.errors)
    #expect(run.code == sample.code)
  }

  @Test func `the share of the project is for all of its scenarios`() throws {
    try suite.folder.write("flow: 1\nscenarios: [own]\nmutate: {at_least: 1%}\n", to: "flow.yaml")
    try suite.folder.write(
      """
      flow: 1
      components: {files: {plugin: file}}
      steps: [{uses: files.read, with: {path: a.txt}}]

      """, to: "own/s.yaml")
    try suite.folder.write("text", to: "own/a.txt")
    _ = try BuiltFlow("$0 run own/s.yaml --record", in: suite.folder)

    let whole = try BuiltFlow("$0 mutate", in: suite.folder)
    let part = try BuiltFlow("$0 mutate own", in: suite.folder)

    #expect(
      whole.errors == "flow: 0.0 % of the alterations were noticed, fewer than 1 %\n",
      "\(whole.output)")
    #expect(part.errors == "")
    #expect([whole.code, part.code] == [1, 0])
  }

  @Test func `a scenario that cannot be read fails the command, and the others are altered`()
    async throws
  {
    try suite.folder.write("flow: 1\nsteps: [{uses: q.count}]\n", to: "tests/bad.yaml")
    try suite.folder.write(
      Self.all.replacing(existing: "value: 1", with: "value: 2"), to: "tests/all.yaml")
    let run = try await suite.flow("mutate", "@/tests")

    #expect(
      run.output == """
        failed  @/tests/all.yaml
        failed  @/tests/bad.yaml
        1 of 3 noticed, 33 %  @/tests/some.yaml
        1 of 3 alterations of 1 scenario were noticed, 33.3 %, in T

        """)
    #expect(run.errors.contains("@/tests/bad.yaml:2:16: error:"), "\(run.errors)")
    #expect(
      run.errors.contains("the unaltered transcript does not replay, so nothing was altered"))
    #expect(run.code == .badInput)
  }

  @Test func `without any transcript nothing is altered`() async throws {
    try suite.write("other/new.yaml")
    let run = try await suite.flow("mutate", "@/other")

    #expect(run.output == "")
    #expect(run.errors == "flow: no scenario has a transcript, so nothing was altered\n")
    #expect(run.code == .badInput)
  }

  @Test func `machines are told the sums and each scenario`() async throws {
    let run = try await suite.flow("mutate", "@/", "--format", "json", "--details", "-")

    #expect(
      run.output.commandReport
        == #"{"noticed":3,"tried":5,"alterations":5,"percent":60.0,"scenarios":["#
        + #"{"path":"@/tests/all.yaml","kept":false,"noticed":2,"tried":2,"alterations":2,"#
        + #""percent":100.0,"unnoticed":[],"steps":[]},"#
        + #"{"path":"@/tests/some.yaml","kept":false,"noticed":1,"tried":3,"alterations":3,"#
        + #""percent":33.3,"unnoticed":["#
        + #"{"address":"a#1","call":"p.count","line":6,"path":"ok.value","recorded":1,"#
        + #""kind":"next number","altered":2,"changesOutputs":false,"#
        + #""step":{"file":"@/tests/some.yaml","line":5},"expect":"expect: {value: 1}"},"#
        + #"{"address":"b#1","call":"p.echo","line":8,"path":"ok.value","recorded":"x","#
        + #""kind":"another text","altered":"x~","changesOutputs":false,"#
        + #""step":{"file":"@/tests/some.yaml","line":6},"#
        + #""expect":"expect: {value: x}"}],"steps":[]}],"#
        + #""unrecorded":["@/tests/new.yaml"]}"# + "\n")
  }

  // MARK: - Reports

  private func junit() throws -> String {
    try suite.folder.text("m.xml").replacing(suite.folder.directory.path, with: "@")
      .replacing(#/time="[^"]*"/#, with: "time=\"T\"")
  }

  @Test func `a scenario is a test case, and fails with what it did not notice`() async throws {
    let run = try await suite.flow(
      "mutate", "@/", "--at-least", "90", "--report", "junit=@/m.xml")

    #expect(run.code == .failed)
    let text = try junit()
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="flow" tests="2" failures="1" errors="0" time="T">
        <testsuite name="@/tests/all.yaml" tests="1" failures="0" errors="0" skipped="0" time="T">
        <testcase classname="@/tests/all.yaml" name="all.yaml" time="T">
        </testcase>
        </testsuite>
        <testsuite name="@/tests/some.yaml" tests="1" failures="1" errors="0" skipped="0" time="T">
        <testcase classname="@/tests/some.yaml" name="Some" time="T">
        <failure message="1 alteration of the answer of 'a' not noticed: ok.value" \
        type="F3301">@/tests/some.yaml:5:5: warning: 1 alteration of the answer of 'a' not \
        noticed: ok.value [F3301]
            5 |   - {id: a, uses: p.count, expect: {value: &quot;${{ it &gt; 0 }}&quot;}}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: expect: {value: 1}
        @/tests/some.yaml:6:5: warning: 1 alteration of the answer of 'b' not noticed: ok.value [F3301]
            6 |   - id: b
              |     ^^^^^
          note: expect: {value: x}
        note: 33.3 % of the alterations were noticed, fewer than 90 %
        </failure>
        </testcase>
        </testsuite>
        </testsuites>

        """)
  }

  @Test func `a suite without a share passes, and prints what it did not notice`() async throws {
    _ = try await suite.flow("mutate", "@/", "--report", "junit=@/m.xml")

    let text = try junit()
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="flow" tests="2" failures="0" errors="0" time="T">
        <testsuite name="@/tests/all.yaml" tests="1" failures="0" errors="0" skipped="0" time="T">
        <testcase classname="@/tests/all.yaml" name="all.yaml" time="T">
        </testcase>
        </testsuite>
        <testsuite name="@/tests/some.yaml" tests="1" failures="0" errors="0" skipped="0" time="T">
        <testcase classname="@/tests/some.yaml" name="Some" time="T">
        <system-out>1 alteration of the answer of 'a' not noticed: ok.value
          expect: {value: 1}
        1 alteration of the answer of 'b' not noticed: ok.value
          expect: {value: x}
        </system-out>
        </testcase>
        </testsuite>
        </testsuites>

        """)
  }

  @Test func `annotations mark the steps`() async throws {
    let run = try await FlowCommandRun(
      ["mutate", "@/", "--report", "github"], in: suite.folder,
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": suite.folder.directory.path])

    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(
      lines == [
        "::warning file=tests/some.yaml,line=5,col=5,title=not noticed%3A @/tests/some.yaml%3A "
          + "Some::1 alteration of the answer of 'a' not noticed: ok.value%0Aexpect: {value: 1}",
        "::warning file=tests/some.yaml,line=6,col=5,title=not noticed%3A @/tests/some.yaml%3A "
          + "Some::1 alteration of the answer of 'b' not noticed: ok.value%0Aexpect: {value: x}",
      ])
  }

  @Test func `a page has the score of all`() async throws {
    let run = try await suite.flow("mutate", "@/", "--report", "html=@/m.html")

    #expect(run.code == .passed)
    let page = try suite.folder.text("m.html")
    #expect(page.contains("<h1>Mutation score 60.0 %</h1>"))
    #expect(page.contains("<h3>Mutation score 100.0 %</h3>"))
    #expect(page.contains("<h3>Mutation score 33.3 %</h3>"))
    #expect(page.contains(":b~1\""))
  }

  // MARK: - Kept results

  private func kept(_ arguments: String...) async throws -> [Bool] {
    let run = try await suite.flow(
      ["mutate", "@/", "--format", "json", "--details", "-"] + arguments)
    return run.output.matches(of: #/"kept":(true|false),"noticed"/#).map { $0.1 == "true" }
  }

  @Test func `a scenario that has not changed is not replayed`() async throws {
    #expect(try await kept() == [false, false])
    #expect(try await kept() == [true, true])
    #expect(try await suite.flow("mutate", "@/").output == Self.lines)
    #expect(try await kept("--no-cache") == [false, false])

    try suite.folder.write(Self.all + "# a comment\n", to: "tests/all.yaml")
    #expect(try await kept() == [false, true])
    #expect(try await kept("--limit", "2") == [false, false])
    #expect(try await kept("--all-fields") == [false, false])

    try suite.folder.write("flow: 1\nredact: [xyz]\n", to: "flow.yaml")
    #expect(try await kept() == [false, false])
    try suite.folder.write(
      Self.some.replacing(existing: "value: x", with: "value: y"), to: "tests/some.yaml")
    _ = try await suite.flow("run", "@/tests/some.yaml", "--record")
    #expect(try await kept() == [true, false])
  }

  @Test func `a live component is called each time`() async throws {
    try suite.folder.write(
      Self.all.replacing(existing: "{plugin: probe}", with: "{plugin: probe, live: true}"),
      to: "tests/all.yaml")

    #expect(try await kept() == [false, false])
    #expect(try await kept() == [false, true])
  }

  @Test(arguments: [
    "", "{}", "\u{0}", #"{"flow-mutations":2}"#, #"{"flow-mutations":1}"# + "\n{}",
    #"{"flow-mutations":1}"# + "\n"
      + #"{"path":"tests/all.yaml","digest":"DIGEST","notices":"nx"}"#,
    #"{"flow-mutations":1}"# + "\n"
      + #"{"path":"tests/all.yaml","digest":"DIGEST","notices":"nnn"}"#,
    #"{"flow-mutations":1}"# + "\n"
      + #"{"path":"tests/all.yaml","digest":"sha256:0","notices":"nn"}"#,
  ]) func `a broken file of results is ignored`(_ text: String) async throws {
    _ = try await kept()
    let digest = try suite.folder.text(".flow/mutations")
      .firstMatch(of: #/"(sha256:[0-9a-f]{64})"/#).map { String($0.1) }
    try suite.folder.write(
      text.replacing("DIGEST", with: try #require(digest)), to: ".flow/mutations")

    #expect(try await kept() == [false, false])
    #expect(try await kept() == [true, true])
  }

  @Test func `one scenario alone is replayed, and keeps nothing`() async throws {
    _ = try await suite.flow("mutate", "@/tests/all.yaml")

    #expect(throws: (any Error).self) { try suite.folder.text(".flow/mutations") }
  }
}
