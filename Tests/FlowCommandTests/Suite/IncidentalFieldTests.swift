import FlowCommand
import TestKit
import Testing

/// Fields of answers that are compared only where the scenario reads them.
@Suite struct IncidentalFieldTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
  }

  private func write(_ steps: String, component: String = "") throws {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook\(component)}, p: {plugin: probe}}
      steps:
        - \(steps)
        - {uses: p.count}

      """, to: "s.yaml")
  }

  /// A scenario, recorded with one page and run live with another one.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    var component = ""
    var page = "b2 k 7"
    /// The changes in the report, none for a run that passes.
    var changes: [String] = []
  }

  @Test(arguments: [
    Row(testDescription: "nothing read", steps: "{id: r, uses: n.request}"),
    Row(
      testDescription: "another header read",
      steps: "{id: r, uses: n.request}\n  - assert: [\"${{ steps.r.headers['kind'] == 'k' }}\"]"),
    Row(
      testDescription: "the header read later",
      steps: "{id: r, uses: n.request}\n  - assert: [\"${{ steps.r.headers.tag != '' }}\"]",
      changes: [#"ok.headers.tag: recorded "a1", now "b2""#]),
    Row(
      testDescription: "all headers read",
      steps: "{id: r, uses: n.request}\n  - assert: [\"${{ steps.r.headers.size() == 2 }}\"]",
      changes: [#"ok.headers.tag: recorded "a1", now "b2""#]),
    Row(
      testDescription: "only the presence of the header read",
      steps:
        "{id: r, uses: n.request}\n  - assert: [\"${{ has(steps.r) && has(steps.r.headers.tag) }}\"]"
    ),
    Row(
      testDescription: "the header read in the name of a step",
      steps: "{id: r, uses: n.request}\n  - {name: \"${{ steps.r.headers.tag }}\", uses: p.count}"),
    Row(
      testDescription: "the place of the answer read by a later loop",
      steps: """
        repeat: {until: "${{ true }}", limit: 2}
            do: [{uses: p.count}, {id: r, uses: n.request}, {id: s, uses: n.request}]
          - for: x
            in: [1]
            do: [{set: {y: "${{ x }}"}}, {assert: ["${{ y + x > 0 }}"]}]
        """),
    Row(
      testDescription: "the whole answer read",
      steps: "{id: r, uses: n.request}\n  - set: {all: \"${{ steps.r }}\"}",
      changes: [#"ok.headers.tag: recorded "a1", now "b2""#]),
    Row(
      testDescription: "the header expected",
      steps: "{uses: n.request, expect: {headers: {tag: \"${{ it != '' }}\"}}}",
      changes: [#"ok.headers.tag: recorded "a1", now "b2""#]),
    Row(
      testDescription: "the header read in a condition on the answer",
      steps: "{uses: n.request, expect: \"${{ it.headers.tag != '' }}\"}",
      changes: [#"ok.headers.tag: recorded "a1", now "b2""#]),
    Row(
      testDescription: "the header listed", steps: "{uses: n.request}",
      component: ", compare_headers: [Tag]",
      changes: [#"ok.headers.tag: recorded "a1", now "b2""#]),
    Row(
      testDescription: "another body", steps: "{uses: n.request}", page: "a1 k 8",
      changes: ["ok.number: recorded 7, now 8"]),
    Row(testDescription: "another form of the body", steps: "{uses: n.request}", page: "a1 k 7.0"),
    Row(
      testDescription: "a varying body", steps: "{uses: n.request}",
      component: ", volatile: {request: [number]}", page: "a1 k 8"),
  ]) func `parts that nothing reads vary freely`(row: Row) async throws {
    try write(row.steps, component: row.component)
    try suite.folder.write("a1 k 7", to: "page.txt")
    #expect(try await suite.flow("run", "@/s.yaml", "--record").code == .passed)
    let recorded = try suite.folder.text("s.transcript.jsonl")
    try suite.folder.write(row.page, to: "page.txt")

    let run = try await suite.test("--live")
    let changes = (run.errors + run.output).split(separator: "\n").filter { $0.contains("ok.") }
      .map { String($0.drop { $0 == " " }) }
    #expect(changes == row.changes)
    if row.changes.isEmpty {
      #expect(run.code == .passed)
      let again = try await suite.flow("test", "@/s.yaml", "--live", "--update", "all")
      #expect(again.code == .passed, "\(again.errors)\(again.output)")
      #expect(try suite.folder.text("s.transcript.jsonl") == recorded)
    }
  }

  @Test func `a component hands its volatile parts and headers to an included scenario`()
    async throws
  {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps: [{uses: n.request}]

      """, to: "part/part.yaml")
    try write(
      "{scenario: part/part.yaml, components: {n: n}}",
      component: ", volatile: {request: [number]}, compare_headers: [kind]")
    try suite.folder.write("a1 k 7", to: "page.txt")
    #expect(try await suite.flow("run", "@/s.yaml", "--record").code == .passed)

    try suite.folder.write("b2 k 8", to: "page.txt")
    #expect(try await suite.flow("test", "--live", "@/s.yaml").code == .passed)
    try suite.folder.write("b2 other 8", to: "page.txt")
    let run = try await suite.flow("test", "--live", "@/s.yaml")
    #expect((run.errors + run.output).contains(#"ok.headers.kind: recorded "k", now "other""#))
  }

  @Test func `the answer of a failed step is reported once`() async throws {
    try write("{uses: n.request, expect: {number: 7}}")
    try suite.folder.write("a1 k 7", to: "page.txt")
    #expect(try await suite.flow("run", "@/s.yaml", "--record").code == .passed)
    try suite.folder.write("a1 k 8", to: "page.txt")

    let run = try await suite.test("--live")
    let text = run.errors + run.output
    #expect(text.contains("[F2001]"))
    #expect(!text.contains("F3009"))
  }
}
