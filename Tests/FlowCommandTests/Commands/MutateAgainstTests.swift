import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// What a suite noticed in an earlier version, and does not notice any more.
@Suite struct MutateAgainstTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - id: a
        uses: p.count
        expect: {value: 1}
      - id: b
        uses: p.echo
        with: {value: x}
        expect: {value: x}

    """

  private let suite: SuiteFolder

  /// A suite, and a copy of it in the folder `then`.
  init() async throws {
    suite = try SuiteFolder("flow: 1\nexclude: [then]\n")
    try suite.folder.write(Self.scenario, to: "s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    for name in ["flow.yaml", "s.yaml", "s.transcript.jsonl"] {
      try suite.folder.write(try suite.folder.text(name), to: "then/\(name)")
    }
  }

  private func change(_ old: String, to new: String) throws {
    try suite.folder.write(Self.scenario.replacing(old, with: new), to: "s.yaml")
  }

  private func compare(_ arguments: String...) async throws -> SuiteRun {
    // Annotations have places in the workspace alone.
    let run = try await suite.flow(
      ["mutate", "@/", "--against", "@/then"] + arguments,
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": suite.folder.directory.path])
    return SuiteRun(
      output: run.output.replacing(suite.folder.directory.path + "/", with: "@/"),
      errors: run.errors.replacing(suite.folder.directory.path + "/", with: "@/"), code: run.code)
  }

  @Test func `an unchanged suite has lost nothing`() async throws {
    let run = try await compare()

    #expect(run.output == "no scenario has changed since @/then, in T\n")
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `a loss has the line that noticed it and the change`() async throws {
    try change("    expect: {value: 1}", to: "    expect: {value: \"${{ it > 0 }}\"}")

    let run = try await compare()

    #expect(
      run.output == """
        p.count, ok.value (s.yaml)
          a#1: 1 -> 2
          noticed at @/then by @/s.yaml:6: expect: {value: 1}
          lost at @/s.yaml:6
          -     expect: {value: 1}
          +     expect: {value: "${{ it > 0 }}"}

        1 of 3 alterations were noticed at @/then and are not now, 1 changed scenario, in T

        """)
    #expect(run.code == .failed)
  }

  struct Weakening: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    /// The value and the line of the change.
    let lost: String
  }

  @Test(arguments: [
    Weakening(
      testDescription: "no expectation", old: "\n    expect: {value: x}", new: "",
      lost: "p.echo, ok.value (s.yaml)|lost at @/s.yaml:9"),
    Weakening(
      testDescription: "a volatile part", old: "    expect: {value: x}",
      new: "    volatile: [value]", lost: "p.echo, ok.value (s.yaml)|lost at @/s.yaml:10"),
    Weakening(
      testDescription: "continue-on-error", old: "    expect: {value: x}",
      new: "    expect: {value: x}\n    continue-on-error: true",
      lost: "p.echo, ok.value (s.yaml)|lost at @/s.yaml:11"),
    Weakening(
      testDescription: "another line of the step", old: "  - id: b\n",
      new: "  - id: b\n    continue-on-error: true\n",
      lost: "p.echo, ok.value (s.yaml)|lost at @/s.yaml:8"),
  ])
  func `every way to lose a check is named at its line`(weakening: Weakening) async throws {
    try change(weakening.old, to: weakening.new)

    let run = try await compare()

    let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.contains { $0 == weakening.lost.split(separator: "|")[0] }, "\(run.output)")
    #expect(lines.contains { $0 == weakening.lost.split(separator: "|")[1] }, "\(run.output)")
    #expect(run.code == .failed)
  }

  @Test(arguments: [
    ("    expect: {value: 1}", "    expect:\n      value: ${{ it == 1 }}"),
    ("  - id: a\n", "  # The first.\n  - id: a\n    name: The first\n"),
    ("steps:", "description: Another text.\nsteps:"),
    ("    expect: {value: x}", "  - assert: [\"${{ steps.b.value == 'x' }}\"]"),
  ])
  func `another way to say the same has lost nothing`(old: String, new: String) async throws {
    try change(old, to: new)

    let run = try await compare()

    #expect(
      run.output
        == "everything that was noticed at @/then is noticed, 3 alterations in 1 changed scenario, "
        + "in T\n")
    #expect(run.code == .passed)
  }

  @Test func `a call that is not made any more is a loss, named once`() async throws {
    try change(
      "  - id: b\n    uses: p.echo\n    with: {value: x}\n    expect: {value: x}\n", to: "")
    _ = try await suite.flow("test", "@/s.yaml", "--update", "all")

    let run = try await compare()

    #expect(
      run.output.hasPrefix(
        """
        p.echo {value: "x"} (s.yaml), which is not called any more
          noticed at @/then by @/s.yaml:10: expect: {value: x}
          lost at @/s.yaml:6
          -   - id: b

        """), "\(run.output)")
    #expect(run.code == .failed)
  }

  @Test func `a moved step, a renamed one and one in a renamed file have lost nothing`()
    async throws
  {
    try suite.folder.write(
      """
      flow: 1
      components: {q: {plugin: probe}}
      steps:
        - id: second
          uses: q.echo
          with: {value: x}
          expect: {value: x}
        - {id: first, uses: q.count, expect: {value: 1}}

      """, to: "renamed.yaml")
    try suite.folder.remove("s.yaml")
    try suite.folder.remove("s.transcript.jsonl")
    _ = try await suite.flow("run", "@/renamed.yaml", "--record")

    let run = try await compare()

    #expect(
      run.output
        == "everything that was noticed at @/then is noticed, 3 alterations in 2 changed "
        + "scenarios, in T\n")
    #expect(run.code == .passed)
  }

  @Test func `what is noticed in addition is listed`() async throws {
    try suite.folder.write(
      Self.scenario.replacing("\n    expect: {value: 1}", with: ""), to: "then/s.yaml")

    let run = try await compare()

    #expect(
      run.output == """
        newly noticed: p.count, ok.value (s.yaml) by @/s.yaml:6
        everything that was noticed at @/then is noticed, 3 alterations in 1 changed scenario, in T

        """)
    #expect(run.code == .passed)
  }

  // MARK: - Accepted losses

  private static let accepted = """
    losses:
      - scenario: s.yaml
        value: p.echo, ok.value
        reason: The echo has a test of its own.

    """

  @Test func `an accepted loss does not fail, and its reason is printed`() async throws {
    try change("\n    expect: {value: x}", to: "")
    try suite.folder.write(Self.accepted, to: "accepted-losses.yaml")

    let run = try await compare()

    #expect(
      run.output.hasPrefix(
        "accepted: p.echo, ok.value (s.yaml): The echo has a test of its own.\n"), "\(run.output)")
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `an entry of an earlier change accepts nothing`() async throws {
    try change("\n    expect: {value: x}", to: "")
    try suite.folder.write(Self.accepted, to: "accepted-losses.yaml")
    try suite.folder.write(Self.accepted, to: "then/accepted-losses.yaml")

    #expect(try await compare().code == .failed)
  }

  @Test func `an entry that names no loss is noted`() async throws {
    try change("    expect: {value: x}", to: "    expect: {value: \"${{ it == 'x' }}\"}")
    try suite.folder.write(Self.accepted, to: "accepted-losses.yaml")

    let run = try await compare()

    #expect(run.errors == "note: accepted-losses.yaml names no loss: p.echo, ok.value (s.yaml)\n")
    #expect(run.code == .passed)
  }

  @Test func `a wrong list is one error at its place`() async throws {
    try suite.folder.write("losses: [{value: x}]\n", to: "accepted-losses.yaml")

    let run = try await compare()

    #expect(run.errors.contains("accepted-losses.yaml:1:10: error: "), "\(run.errors)")
    #expect(run.code == .badInput)
  }

  // MARK: - Output

  @Test func `the JSON has the value, the line and the change`() async throws {
    try change("\n    expect: {value: x}", to: "")

    let run = try await compare("--format", "json", "--details", "@/details.json")
    let details = try suite.folder.text("details.json")
      .replacing(suite.folder.directory.path + "/", with: "@/")

    let report =
      #""report":{"against":"@/then","scenarios":1,"alterations":3,"lost":["#
      + #"{"value":"p.echo, ok.value","scenario":"s.yaml","reason":"unchecked","alterations":1,"#
      + #""examples":[{"address":"b#1","path":"ok.value","recorded":"x","altered":"x~","#
      + #""kind":"another text"}],"noticedBy":{"file":"@/s.yaml","line":10},"#
      + #""change":{"file":"@/s.yaml","line":9,"removed":["    expect: {value: x}"],"added":[]}}],"#
      + #""gained":[]}"#
    #expect(details.contains(report), "\(details)")
    #expect(run.code == .failed)
  }

  @Test func `an annotation is at the change`() async throws {
    try change("    expect: {value: 1}", to: "    expect: {value: \"${{ it > 0 }}\"}")

    let run = try await compare("--report", "github")

    #expect(
      run.output.contains(
        "::error file=s.yaml,line=6,col=1,title=failed%3A s.yaml%3A "
          + "p.count%2C ok.value::1 alteration not noticed any "
          + "more: p.count, ok.value (s.yaml)"), "\(run.output)")
  }

  @Test func `a match of a pattern of either version is hidden`() async throws {
    try suite.folder.write("flow: 1\nexclude: [then]\nredact: ['x{1}']\n", to: "flow.yaml")
    try change("\n    expect: {value: x}", to: "")

    let run = try await compare()

    #expect(!run.output.contains("\"x\""), "\(run.output)")
    #expect(!run.output.contains("value: x"), "\(run.output)")
  }

  // MARK: - Other versions

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let arguments: [String]
    let errors: String
    let code: ExitCode
  }

  @Test(arguments: [
    Refusal(
      testDescription: "no such version", arguments: ["--against", "nowhere"],
      errors: "flow: 'nowhere' is neither a revision of Git around '@' nor a folder\n",
      code: .badInput),
    Refusal(
      testDescription: "two questions", arguments: ["--against", "x", "--prove", "x"],
      errors: "flow: '--against' cannot be combined with '--prove'\nsee 'flow help mutate'\n",
      code: .badCommandLine),
    Refusal(
      testDescription: "a threshold", arguments: ["--against", "x", "--at-least", "80%"],
      errors: "flow: '--against' cannot be combined with '--at-least'\nsee 'flow help mutate'\n",
      code: .badCommandLine),
    Refusal(
      testDescription: "live components", arguments: ["--prove", "x", "--live=p"],
      errors: "flow: '--prove' cannot be combined with '--live'\nsee 'flow help mutate'\n",
      code: .badCommandLine),
  ])
  func `a version that cannot be compared is one error`(refusal: Refusal) async throws {
    let run = try await suite.flow(["mutate", "@/"] + refusal.arguments)

    #expect(run.errors.replacing(suite.folder.directory.path, with: "@") == refusal.errors)
    #expect(run.output == "")
    #expect(run.code == refusal.code)
  }

  @Test func `a suite that does not replay is not compared`() async throws {
    try change("    expect: {value: 1}", to: "    expect: {value: 2}")

    let run = try await compare()

    #expect(
      run.errors.hasPrefix("@/s.yaml:6:14: error: 'a#1' did not answer as expected [F2001]\n"),
      "\(run.errors)")
    #expect(
      run.errors.hasSuffix(
        "flow: the unaltered transcript does not replay, so nothing was altered\n"),
      "\(run.errors)")
    #expect(run.code == .badInput)
  }

  @Test func `an earlier scenario that does not replay is noted`() async throws {
    try suite.folder.write(
      Self.scenario.replacing("{value: 1}", with: "{value: 2}"), to: "then/s.yaml")

    let run = try await compare()

    #expect(
      run.errors.hasPrefix(
        "note: 's.yaml' of @/then is not compared, because it does not replay: "), "\(run.errors)")
    #expect(
      run.errors.hasSuffix(
        "note: @/then has no scenario with a recording here, so nothing can be lost\n"),
      "\(run.errors)")
    #expect(run.code == .passed)
  }

  // MARK: - Git

  private func git(_ words: String...) throws {
    let output = ProgramOutput(
      of: [
        "git", "-C", suite.folder.directory.path, "-c", "user.name=Someone", "-c",
        "user.email=a@b.example",
        "-c", "init.defaultBranch=main",
      ] + words)
    try #require(output.succeeded, "\(output.text)")
  }

  @Test func `a revision of Git is read without touching the working tree`() async throws {
    try git("init", "--quiet")
    try git("add", "flow.yaml", "s.yaml", "s.transcript.jsonl")
    try git("commit", "--quiet", "--message", "Check both")
    try change("\n    expect: {value: x}", to: "")

    let run = try await suite.flow("mutate", "@/", "--against", "HEAD")

    #expect(run.output.contains("p.echo, ok.value (s.yaml)\n"), "\(run.output)")
    #expect(run.code == .failed)
    #expect(try suite.folder.text("s.yaml").contains("expect: {value: x}") == false)
  }
}
