import FlowCommand
import TestKit
import Testing

/// `flow report --compare`.
@Suite struct ComparisonTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      inputs: {by: {type: int, default: 1}}
      components: {p: {plugin: probe}}
      steps:
        - {id: first, uses: p.count, with: {by: "${{ inputs.by }}"}}
        - {id: second, uses: p.count, expect: {value: 2}}

      """, to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--record=@/a.jsonl", "--journal", "@/a.journal")
    _ = try await flow("run", "@/s.yaml", "--record=@/b.jsonl", "--input", "by=5")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  @Test func `two runs stand side by side on a page`() async throws {
    let run = try await flow("report", "--compare", "@/a.jsonl", "@/b.jsonl", "--report=html=@/c")

    #expect(run.code == .passed)
    #expect(run.output == "5 differences, in @/c\n")
    let page = try folder.text("c")
    #expect(page.contains("a.jsonl <span class=\"p\"><span class=\"m\" aria-hidden=\"true\">✓"))
    #expect(page.contains("b.jsonl <span class=\"f\"><span class=\"m\" aria-hidden=\"true\">✗"))
    #expect(page.contains("<div>input {by: 1}</div><div>answer {value: 1}</div>"))
    #expect(page.contains("<div>input {by: 5}</div><div>answer {value: 5}</div>"))
  }

  @Test func `a journal is compared with a transcript`() async throws {
    let run = try await flow("report", "--compare", "@/a.journal", "@/a.jsonl", "--report=html=@/c")

    #expect(run.code == .passed)
    #expect(run.output == "The runs are alike, in @/c\n")
  }

  @Test func `the scenario of recordings that lie elsewhere is given`() async throws {
    let elsewhere = try TemporaryFolder()
    for name in ["a.jsonl", "a.journal"] {
      try elsewhere.write(try folder.text(name), to: name)
    }
    let recordings = ["a.jsonl", "a.journal"].map { elsewhere.path($0) }

    let compared = try await FlowCommandRun(
      ["report", "--compare", "--scenario", "@/s.yaml", "--report=html=@/c"] + recordings,
      in: folder)
    let reported = try await FlowCommandRun(
      ["report", "--scenario", "@/s.yaml"] + recordings, in: folder)

    #expect(compared.output == "The runs are alike, in @/c\n")
    #expect(reported.code == .passed)
    #expect(reported.output.contains("2 passed"))
  }

  @Test func `a page on standard output is alone there`() async throws {
    let run = try await flow("report", "--compare", "@/a.jsonl", "@/b.jsonl", "--report", "html=-")

    #expect(run.output.hasPrefix("<!doctype html>\n"))
    #expect(run.output.hasSuffix("</html>\n"))
    #expect(run.errors == "")
  }

  @Test(arguments: [
    (["@/a.jsonl"], "flow: two recordings are needed"),
    (["@/a.jsonl", "@/b.jsonl", "@/c"], "flow: unexpected argument '@/c'"),
    (
      ["@/a.jsonl", "@/b.jsonl", "--report", "tap"],
      "flow: '--report=tap' cannot be combined with '--compare'"
    ),
    (
      ["@/a.jsonl", "@/b.jsonl", "--report", "html=a", "--report", "html=b"],
      "flow: '--report' is given twice"
    ),
  ]) func `a comparison is of two recordings, as a page`(
    _ arguments: [String], _ message: String
  ) async throws {
    let run = try await FlowCommandRun(["report", "--compare"] + arguments, in: folder)

    #expect(run.code == .badCommandLine)
    #expect(run.errors.hasPrefix(message + "\n"), "\(run.errors)")
  }

  @Test func `what cannot be read is not compared`() async throws {
    let run = try await flow("report", "--compare", "@/a.jsonl", "@/none", "--report=html=@/c")

    #expect(run.code == .badInput)
    #expect(run.errors.contains("cannot read '@/none'"), "\(run.errors)")
    #expect(try !folder.names.contains("c"))
  }

  @Test func `a page that cannot be written has its own exit code`() async throws {
    let run = try await flow("report", "--compare", "@/a.jsonl", "@/b.jsonl", "--report=html=@/x/c")

    #expect(run.code == .cannotWrite)
    #expect(run.errors.hasPrefix("flow: the report was not written: "), "\(run.errors)")
  }
}
