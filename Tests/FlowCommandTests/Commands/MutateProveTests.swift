import FlowCommand
import FlowCore
import TestKit
import Testing

/// Changed scenarios on the answers that were recorded before the change.
@Suite struct MutateProveTests {
  private let suite: SuiteFolder

  /// A suite whose notebook says `old`, and a copy of it in the folder `then`.
  init() async throws {
    suite = try SuiteFolder("flow: 1\nexclude: [then]\n")
    try suite.writeReader(page: "old")
    _ = try await suite.flow("run", "@/reader.yaml", "--record")
    for name in ["flow.yaml", "reader.yaml", "reader.transcript.jsonl"] {
      try suite.folder.write(try suite.folder.text(name), to: "then/\(name)")
    }
  }

  /// Writes a test of the page, and records it.
  private func test(_ expected: String, named name: String = "new.yaml") async throws {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps:
        - uses: n.read
          expect: {text: \(expected)}

      """, to: name)
    _ = try await suite.flow("run", "@/\(name)", "--record")
  }

  private func prove(_ arguments: String...) async throws -> SuiteRun {
    // Annotations have places in the workspace alone.
    let run = try await suite.flow(
      ["mutate", "@/", "--prove", "@/then"] + arguments,
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": suite.folder.directory.path])
    return SuiteRun(
      output: run.output.replacing(suite.folder.directory.path + "/", with: "@/"),
      errors: run.errors, code: run.code)
  }

  @Test func `a new test that passes on the old behaviour proves nothing`() async throws {
    try await test("old")

    let run = try await prove()

    #expect(
      run.output == """
        proves nothing  @/new.yaml: passes on the answers recorded at @/then
          it newly checks n.read, ok.text (@/new.yaml:5)
        1 of 1 scenario with new checks proves nothing about a change since @/then, in T

        """)
    #expect(run.code == .failed)
  }

  @Test func `a new test that fails on the old behaviour proves the change`() async throws {
    try suite.folder.write("new", to: "page.txt")
    try await test("new")

    let run = try await prove()

    #expect(
      run.output == """
        proved          @/new.yaml: fails on the answers recorded at @/then
          @/new.yaml:5: 'n.read#1' did not answer as expected: text: expected "new", got "old"
        0 of 1 scenario with new checks prove nothing about a change since @/then, in T

        """)
    #expect(run.code == .passed)
  }

  @Test func `a changed test without a new check is not named`() async throws {
    try suite.folder.write(
      try suite.folder.text("reader.yaml").replacing("flow: 1\n", with: "flow: 1\nname: Reads\n"),
      to: "reader.yaml")

    let run = try await prove()

    #expect(
      run.output
        == "0 of 0 scenarios with new checks prove nothing about a change since @/then, 1 changed "
        + "without new checks, in T\n")
    #expect(run.code == .passed)
  }

  @Test func `a call that was not recorded before leaves it undecided`() async throws {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - {uses: n.read, expect: {text: old}}
        - {uses: p.echo, with: {value: x}, expect: {value: x}}

      """, to: "new.yaml")
    _ = try await suite.flow("run", "@/new.yaml", "--record")

    let run = try await prove()

    #expect(
      run.output == """
        undecided       @/new.yaml: passes on the answers recorded at @/then, of which some are missing
          not recorded at @/then: p.echo {value: "x"}
        0 of 1 scenario with new checks prove nothing about a change since @/then, in T

        """)
    #expect(run.code == .passed)
  }

  @Test func `a new test without a transcript is noted`() async throws {
    try suite.write("new.yaml")

    let run = try await prove()

    #expect(run.errors == "note: without a transcript, and not compared: @/new.yaml\n")
    #expect(run.code == .passed)
  }

  @Test func `reports name what proves nothing`() async throws {
    try await test("old")

    let run = try await prove("--report", "github")

    #expect(
      run.output.contains(
        "::error file=new.yaml,line=5,col=1,title=failed%3A @/new.yaml::the new checks of "
          + "'@/new.yaml' pass on the answers recorded at @/then"), "\(run.output)")
  }
}
