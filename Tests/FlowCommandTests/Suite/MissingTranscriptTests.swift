import FlowCommand
import TestKit
import Testing

/// Scenarios without a transcript under `CI`.
@Suite struct MissingTranscriptTests {
  private static let refusal = """
    error: '@/writer.yaml' has no transcript, so it does not run while CI is set [F3128]
      note: record it with 'flow run @/writer.yaml --record', and commit '@/writer.transcript.jsonl'
      note: or call its components: 'flow test --live @/writer.yaml'

    """

  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps: [{uses: n.write, with: {text: written}}, {uses: p.count}]

      """, to: "writer.yaml")
  }

  private func test(_ options: String..., ci: String = "true") async throws -> SuiteRun {
    try await suite.flow(["test", "@/"] + options, environment: ["CI": ci])
  }

  /// True if the scenario called its component.
  private var hasRun: Bool { get throws { try suite.folder.names.contains("page.txt") } }

  @Test(arguments: [[], ["--update", "never"], ["--update", "missing"], ["--update", "all"]])
  func `a scenario without a transcript fails before it runs`(_ options: [String]) async throws {
    let run = try await suite.flow(["test", "@/"] + options, environment: ["CI": "true"])

    #expect(
      run.output == """
        failed   @/writer.yaml  (no transcript, T)
        failed in T: scenarios 0 passed, 1 failed

        """)
    #expect(run.errors == Self.refusal)
    #expect(run.code == .failed)
    #expect(try !hasRun)
  }

  @Test func `the advice repeats inputs and options`() async throws {
    let run = try await test("--deny", "network")

    #expect(run.errors.contains("'flow run @/writer.yaml --record --deny network'"))
    #expect(run.errors.contains("'flow test --live @/writer.yaml --deny network'"))
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var options: [String] = []
    var ci = "true"
    let line: String
  }

  @Test(arguments: [
    Sample(
      testDescription: "all components are live on purpose", options: ["--live"],
      line: "live, no transcript"),
    Sample(
      testDescription: "each component is named", options: ["--live=n,p"],
      line: "live, no transcript"),
    Sample(
      testDescription: "CI is empty", options: ["--update", "never"], ci: "",
      line: "live, no transcript"),
  ])
  func `a scenario runs without a transcript on purpose`(_ sample: Sample) async throws {
    let run = try await suite.flow(
      ["test", "@/"] + sample.options, environment: ["CI": sample.ci])

    #expect(run.output.hasPrefix("passed   @/writer.yaml  (\(sample.line), T)\n"))
    #expect(run.code == .passed)
    #expect(try hasRun)
  }

  @Test func `a component that is not named is not run without a transcript`() async throws {
    let run = try await test("--live=p")

    #expect(run.errors.hasPrefix("error: '@/writer.yaml' has no transcript, "))
    #expect(try !hasRun)
  }

  @Test func `a scenario without components needs no transcript`() async throws {
    try suite.folder.write(
      "flow: 1\nsteps: [{assert: [\"${{ 1 + 1 == 2 }}\"]}]\n", to: "writer.yaml")

    let run = try await test()

    #expect(run.output.hasPrefix("passed   @/writer.yaml  (live, no transcript, T)\n"))
  }

  @Test func `a recorded scenario passes beside one that fails`() async throws {
    try suite.write("counted.yaml")
    _ = try await suite.flow("test", "@/counted.yaml")

    let run = try await test()

    #expect(
      run.output == """
        [1/2] passed   @/counted.yaml  (T)
        [2/2] failed   @/writer.yaml  (no transcript, T)
        failed in T: scenarios 1 passed, 1 failed
        replayed: p

        """)
  }
}
