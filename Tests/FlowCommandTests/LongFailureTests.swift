import FlowCore
import Foundation
import TestKit
import Testing

/// Failures of long answers, and of many rows, as people read them.
@Suite struct LongFailureTests {
  /// A component that answers with a body in two forms.
  private struct Mirror: Component {
    struct Body: Sendable {
      let status: Int
      let text: String
      let json: Value
    }

    static let plugin = Plugin(
      "mirror", version: "1.0", "Answers with a body.", state: .none,
      operations: [
        Operation(
          "get", "Answers with the text.", Parameter<String>("text", "JSON."),
          Parameter<Value>("json", "The same."),
          answers: Record(
            Body.init(status:text:json:), Field("status", \.status, "200."),
            Field("text", \.text, "The text.", compared: .whenReadBeside("json")),
            Field("json", \.json, "The value."))
        ) { _, _, text, json in Body(status: 200, text: text, json: json) }
      ]
    ) { _ in Mirror() }

    /// No evidence for a passed step.
    func evidence(_ context: Context) async -> Value? { .string("seen at \(context.address)") }
  }

  private static let head = """
    flow: 1
    components: {api: {plugin: mirror}}
    steps:
      - set: {items: "${{ lists.range(60).map(n, {'id': n, 'name': 'a name of some length'}) }}"}

    """

  private func run(
    _ steps: String, _ arguments: [String] = []
  ) async throws -> (run: FlowCommandRun, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write(Self.head + steps, to: "s.yaml")
    let run = try await FlowCommandRun(
      ["run", "@/s.yaml"] + arguments, in: folder, components: [Mirror.self])
    return (run, folder)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expect: String
    /// The lines after the input.
    let answer: String
  }

  @Test(arguments: [
    Case(
      testDescription: "a difference at the end", expect: "{json: {total: 61}}",
      answer: """
          answer: {status: 200, json: {items: […], total: 60, deep: {…}, last: true, list: […]}}

        """),
    Case(
      testDescription: "a difference in the middle",
      expect: #"{json: {list: ["${{ items }}", {id: 8}, "${{ items }}"]}}"#,
      answer: """
          answer:
            status: 200
            json: {items: […], total: 60, deep: {…}, last: true, list: […, {id: 7, name: "x"}, …]}

        """),
    Case(
      testDescription: "a missing member", expect: "{json: {deep: {c: 1}}}",
      answer: """
          answer: {status: 200, json: {items: […], total: 60, deep: {a: {b: [1]}}, last: true, list: […]}}

        """),
    Case(
      testDescription: "the other form", expect: #"{text: "{}"}"#,
      answer: """
          answer:
            status: 200
            text: "the body as text, long enough to be a line of its own and even longer than that, of course"

        """),
  ])
  func `a body is shown once, around the difference`(_ example: Case) async throws {
    let (run, _) = try await run(
      """
        - uses: api.get
          with:
            text: the body as text, long enough to be a line of its own and even longer than that, of course
            json:
              {items: "${{ items }}", total: 60, deep: {a: {b: [1]}}, last: true,
               list: ["${{ items }}", {id: 7, name: x}, "${{ items }}"]}
          expect: \(example.expect)
      """)

    let start = try #require(run.errors.firstRange(of: "  answer:"))
    #expect(String(run.errors[start.lowerBound...]) == example.answer)
  }

  private static let rows = """
      - for: n
        in: [3, 4, 5, 6, 7]
        cases: row ${{ n }}
        fail-fast: false
        do:
          - uses: api.get
            with: {text: "", json: {n: "${{ n }}", items: "${{ items }}"}}
            expect: {json: {n: 1, items: []}}
    """

  @Test func `each of several failed rows takes five lines, and the page has the rest`()
    async throws
  {
    let (run, folder) = try await run(Self.rows, ["--report", "html=@/r.html"])
    let page = try folder.text("r.html")

    let rows = (3...7).map { n in
      """
      @/s.yaml:12:25: error: 'for/api.get#\(n - 2)' did not answer as expected [F2001]
         12 |         expect: {json: {n: 1, items: []}}
            |                         ^^^^
        note: json.n: expected 1, got \(n)
        note: the case is "row \(n)"

      """
    }
    #expect(
      run.errors == rows.joined()
        + "note: each failed case has its input and answer in '--report html'\n")
    #expect(page.ranges(of: "json.items: expected ").count == 5)
    #expect(page.ranges(of: "in &#39;for&#39;, iteration").count == 5)
  }

  @Test func `a single failed row is shown whole`() async throws {
    let (run, _) = try await run(Self.rows.replacing("[3, 4, 5, 6, 7]", with: "[3]"))

    #expect(run.errors.contains("  note: json.items: expected "))
    #expect(run.errors.contains("  in 'for', iteration 1: n is 3\n"))
    #expect(!run.errors.contains("--report html"))
  }

  @Test func `the page shows a body once, with its indentation, and the evidence of a failure`()
    async throws
  {
    let steps = """
        - uses: api.get
          with: {text: "", json: {}}
        - uses: api.get
          with: {text: "{}", json: {items: "${{ items }}", deep: {list: [{a: 1}]}}}
          expect: {json: {deep: 1}}
      """
    let (_, folder) = try await run(
      steps, ["--report", "html=@/r.html", "--report", "jsonl=@/r.jsonl"])
    let page = try folder.text("r.html")
    let start = try #require(
      page.firstRange(of: "<span>answer</span><pre>{\n  status: 200\n  json: {\n"))
    let rest = page[start.upperBound...]

    #expect(
      rest.hasPrefix("    items: [\n      {id: 0, name: &quot;a name of some length&quot;}\n"))
    #expect(rest.contains("\n    deep: {list: [{a: 1}]}\n  }\n}</pre>"))
    #expect(
      page.ranges(of: "<span>evidence</span><pre>&quot;seen at api.get[2]#1&quot;</pre>").count == 1
    )
    #expect(page.ranges(of: "seen at").count == 1)
    #expect(
      try folder.text("r.jsonl").contains(#"{"use":"evidence","value":"seen at api.get[2]#1"}"#))
  }

  @Test func `JSON Lines have whole values`() async throws {
    let long = String(repeating: "long ", count: 15_000)
    let (_, folder) = try await run(
      "  - {uses: api.get, with: {text: \"\(long)\", json: \"\(long)\"}}\n"
        + "outputs: {all: \"${{ '\(long)' }}\"}\n", ["--report", "jsonl=@/r.jsonl"])
    let lines = try folder.text("r.jsonl")

    // The input and the answer in two forms each, and the output with its computed value.
    #expect(lines.ranges(of: "\"\(long)\"").count == 6)
  }
}
