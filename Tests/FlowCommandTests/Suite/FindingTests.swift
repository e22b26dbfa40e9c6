import FlowCommand
import TestKit
import Testing

/// The files that `flow test` takes for scenarios, and their order.
@Suite struct FindingTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder("flow: 1\nexclude: [left/out]\n")
    for path in [
      "b.yaml", "a/z.yml", "a.yaml", "left/in.yaml", "left/out/x.yaml", ".hidden/y.yaml",
    ] {
      try suite.write(path)
    }
    try suite.folder.write("items: [1]\n", to: "data.yaml")
    try suite.folder.write("steps: [1]\n", to: "recipe.yaml")
    try suite.folder.write("flow: 1\n", to: ".hidden/flow.yaml")
    try suite.folder.write("a: [\n", to: "torn.yaml")
    try suite.folder.write("a: [\n", to: "data/torn.yaml")
    try suite.folder.write("flow: 1\nsteps: []\n", to: "text.txt")
  }

  @Test func `scenarios of folders run in the order of their paths' bytes`() async throws {
    let run = try await suite.test("--jobs", "3")

    #expect(
      run.output == """
        [1/4] passed   @/a.yaml  (live, no transcript, T)
        [2/4] passed   @/a/z.yml  (live, no transcript, T)
        [3/4] passed   @/b.yaml  (live, no transcript, T)
        [4/4] passed   @/left/in.yaml  (live, no transcript, T)
        passed in T: scenarios 4 passed
        live: p

        """)
    #expect(run.errors == "warning: '@/torn.yaml' cannot be read as YAML and is not run\n")
    #expect(run.code == .passed)
  }

  @Test func `what is named runs though it is left out, and once`() async throws {
    let run = try await suite.flow(
      "test", "@/left/out/x.yaml", "@/left/out", "@/b.yaml", "@/./b.yaml", "--update", "never")

    #expect(run.paths == ["b.yaml", "left/out/x.yaml"])
  }

  @Test func `a folder with a project file is another project and is not run`() async throws {
    try suite.folder.write("flow: 1\nredact: ['id-[0-9]+']\n", to: "a/flow.yaml")
    let run = try await suite.test()

    #expect(run.paths == ["a.yaml", "b.yaml", "left/in.yaml"])
    #expect(
      run.errors.hasPrefix("note: '@/a' is a separate project and is not run with this one\n"))
    #expect(try await suite.flow("test", "@/a", "--update", "never").paths == ["a/z.yml"])
  }

  @Test(arguments: [["@/b.yaml", "@/a/z.yml"], ["@/a", "@/b.yaml"]])
  func `paths of two projects are not run together`(_ paths: [String]) async throws {
    try suite.folder.write("flow: 1\n", to: "a/flow.yaml")
    let run = try await suite.flow("test", paths[0], paths[1])

    #expect(
      run.errors == """
        flow: '\(paths[1])' belongs to another project with its own flow.yaml; test it separately
        see 'flow help test'

        """)
    #expect(run.code == .badCommandLine)
  }

  @Test(arguments: [
    (["@/c.yaml", "@/b.yaml"], ["b.yaml", "c.yaml"]), (["@/c.yaml"], ["c.yaml"]),
    (["@/", "@/c.yaml"], ["a.yaml", "a/z.yml", "b.yaml", "c.yaml", "left/in.yaml"]),
  ])
  func `a link to a scenario is a scenario of its own`(
    _ operands: [String], _ expected: [String]
  ) async throws {
    try suite.folder.link("c.yaml", to: "b.yaml")
    let run = try await suite.flow(["test", "--update", "never"] + operands)

    #expect(run.paths == expected)
  }

  @Test func `a link that is left out takes nothing with it`() async throws {
    try suite.folder.link("c.yaml", to: "b.yaml")
    try suite.folder.link("d", to: "a")
    try suite.folder.write("flow: 1\nexclude: [left, c.yaml, d]\n", to: "flow.yaml")

    #expect(try await suite.test().paths == ["a.yaml", "a/z.yml", "b.yaml"])
  }

  @Test func `a transcript behind a link that leads nowhere is not none`() async throws {
    try suite.folder.link("b.transcript.jsonl", to: "store/b.jsonl")
    let run = try await suite.flow("test", "@/b.yaml")

    #expect(run.code == .badInput)
    #expect(run.errors.contains("no such file, the target of the link does not exist"))
    #expect(try await suite.flow("replay", "@/b.transcript.jsonl").code == .badInput)
  }

  @Test func `a link to a folder is not followed`() async throws {
    try suite.folder.link("a/loop", to: "..")

    #expect(try await suite.test().paths == ["a.yaml", "a/z.yml", "b.yaml", "left/in.yaml"])
  }

  @Test func `a file that was to be a scenario is told to be broken, and the others run`()
    async throws
  {
    try suite.folder.write("flow: 1\nsteps: [\n", to: "c.yaml")
    try suite.folder.write("flow: 1\nsteps: []\nstep: []\n", to: "d.yaml")
    let run = try await suite.test()

    #expect(run.errors.contains("@/c.yaml:2:9: error: expected a value in the flow node [F1002]"))
    #expect(run.errors.contains("@/d.yaml:3:1: error: unknown key 'step' in a scenario"))
    #expect(run.output.hasSuffix("\nfailed in T: scenarios 4 passed, 2 failed\nlive: p\n"))
    #expect(run.code == .badInput)
  }

  @Test func `a named file that is no scenario is exit 65`() async throws {
    let data = try await suite.flow("test", "@/data.yaml")
    let missing = try await suite.flow("test", "@/none.yaml")

    #expect(data.errors.contains("error: unknown key 'items' in a scenario"))
    #expect(missing.errors == "error: cannot read '@/none.yaml': no such file [F1001]\n")
    #expect([data.code, missing.code] == [.badInput, .badInput])
  }

  @Test func `a folder without scenarios is exit 64`() async throws {
    let empty = try SuiteFolder()
    let run = try await empty.flow("test", "@/flow.yaml", "@/")
    let folder = try await empty.flow("test", "@/")

    #expect(run.code == .badInput)
    #expect(folder.errors.hasPrefix("flow: no scenario was found in '@/'\nsee 'flow help test'\n"))
    #expect(folder.code == .badCommandLine)
  }

  @Test func `a scenario of the project that is not there is told with its place`() async throws {
    let project = try SuiteFolder("flow: 1\nscenarios: [flow.yaml, nowhere]\n")
    let run = try await project.flow("test", "@/")

    #expect(
      run.errors == """
        @/flow.yaml:2:24: error: 'nowhere' is neither a file nor a folder [F1606]
            2 | scenarios: [flow.yaml, nowhere]
              |                        ^^^^^^^

        """)
    #expect(run.code == .badInput)
  }

  @Test func `scenarios that share a transcript are refused`() async throws {
    try suite.write("a.yaml")
    try suite.write("a.yml")

    let run = try await suite.test()
    let alone = try await suite.test("--filter", ".yaml")

    let failure = "'@/a.yaml' and '@/a.yml' share the transcript '@/a.transcript.jsonl'; rename one"
    #expect(run.errors.hasSuffix(String(repeating: "error: \(failure) [F3119]\n", count: 2)))
    #expect(run.output.contains("failed   @/a.yaml  (T)\n"))
    #expect(run.output.contains("failed   @/a.yml  (T)\n"))
    #expect(run.output.hasSuffix("failed in T: scenarios 3 passed, 2 failed\nlive: p\n"))
    #expect(run.code == .badInput)
    #expect(alone.code == .passed)
  }
}
