import FlowCommand
import FlowCore
import PluginHarness
import TestSupport
import Testing

/// `flow mutate`.
@Suite struct MutateTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: one, uses: p.count, expect: {value: 1}}
      - {id: two, uses: p.count}
      - {id: all, uses: p.echo, with: {value: [{name: a, size: "${{ steps.two.value }}"}, {name: b, size: 2}]}}
      - {uses: p.fail, with: {code: refused}, expect: {error: refused}}
      - {repeat: {until: "${{ steps.end.value > 2 }}", limit: 5}, do: [{id: end, uses: p.count}]}
    outputs: {second: "${{ steps.all.value[1].size }}"}

    """

  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    let run = try await FlowCommandRun(["run", "@/s.yaml", "--record"], in: folder)
    #expect(run.code == .passed)
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  @Test func `every recorded value that nothing looks at is told`() async throws {
    let run = try await flow("mutate", "@/s.yaml")

    #expect(
      run.output == """
        @/s.yaml: 3 of 9 changes of recorded values were noticed, 33 %

        not noticed:
          two  value          (two#1: 2 -> 3; it went on to all#1)
          all  value[*].name  (2 of 2, all#1: "a" -> "a~")
          all  value[*].size  (2 of 2, all#1: 2 -> 3; it went on to outputs)
          repeat/end  value   (repeat/end#1: 3 -> 4)

        """)
    #expect(run.code == .passed)
  }

  @Test(arguments: [
    ("33", ExitCode.passed, ""), ("34", .failed, "33 % is less than the threshold of 34 %"),
  ])
  func `a threshold decides the exit code`(
    percent: String, code: ExitCode, problem: String
  ) async throws {
    let run = try await flow("mutate", "@/s.yaml", "--threshold", percent)

    #expect(run.code == code)
    #expect(run.errors == (problem.isEmpty ? "" : "flow: \(problem)\n"))
  }

  @Test func `a limit is told`() async throws {
    let run = try await flow("mutate", "@/s.yaml", "--limit", "1")

    #expect(
      run.output == """
        @/s.yaml: 1 of 1 changes of recorded values were noticed, 100 %
          8 further changes were not tried; see --limit

        """)
  }

  @Test func `machines get every change`() async throws {
    let run = try await flow(
      "mutate", "@/s.yaml", "--limit", "2", "--format", "json", "--jobs", "1")

    #expect(
      run.output == """
        {"scenario":"@/s.yaml","all":9,"tried":2,"noticed":1,"score":50,"changes":[\
        {"at":"one#1","call":"p.count","path":"value","before":"1","after":"2","effect":"noticed"},\
        {"at":"two#1","call":"p.count","path":"value","before":"2","after":"3","effect":"passed on","to":"all#1"}]}

        """)
  }

  @Test func `a run that asks for another call has noticed`() async throws {
    let text = Self.scenario.replacing("> 2", with: "== 3")
    try folder.write(text, to: "s.yaml")

    let run = try await flow("mutate", "@/s.yaml", "--format", "json")

    #expect(
      run.output.contains(
        #"{"at":"repeat/end#1","call":"p.count","path":"value","before":"3","after":"4","effect":"other way","to":"repeat/end#2"}"#
      ))
  }

  @Test func `a transcript that does not replay tells nothing`() async throws {
    try folder.write(Self.scenario.replacing("value: 1}", with: "value: 7}"), to: "s.yaml")

    let run = try await flow("mutate", "@/s.yaml")

    #expect(run.code == .badInput)
    #expect(
      run.errors == """
        flow: '@/s.transcript.jsonl' does not replay as it is; 'flow replay @/s.transcript.jsonl' says why

        """)
  }

  @Test func `a scenario without a transcript is an error`() async throws {
    try folder.remove("s.transcript.jsonl")

    let run = try await flow("mutate", "@/s.yaml")

    #expect(run.code == .badInput)
    #expect(run.errors == "error: cannot read '@/s.transcript.jsonl': no such file [F3101]\n")
  }
}
