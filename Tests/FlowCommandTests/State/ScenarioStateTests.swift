import FlowCommand
import TestKit
import Testing

/// Live runs that start from the `state` of `flow.yaml`: the page of a notebook.
@Suite struct ScenarioStateTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder("flow: 1\nstate: {make: make.yaml, restore: restore.yaml, tag: page}\n")
    // A second time, `flip` fails.
    try write("make.yaml", "{uses: n.flip}, {uses: n.write, with: {text: made}}")
    try write("restore.yaml", "{uses: n.write, with: {text: start}}")
    for path in ["a.yaml", "b.yaml"] {
      try write(
        path, "{uses: n.read, expect: {text: start}}, {uses: n.write, with: {text: changed}}")
    }
  }

  private func write(_ path: String, _ steps: String) throws {
    try suite.folder.write(
      """
      flow: 1
      tags: [page]
      components: {n: {plugin: notebook}}
      steps: [\(steps)]

      """, to: path)
  }

  @Test func `each live run starts from the state, which is made once`() async throws {
    let run = try await suite.test("--live", "--jobs", "2", "--repeat", "2")

    #expect(run.paths.sorted() == ["a.yaml", "b.yaml"])
    #expect(run.code == .passed)
    #expect(try suite.folder.text("page.txt") == "changed")
  }

  @Test func `a replay needs no state`() async throws {
    #expect(try await suite.flow("run", "@/a.yaml", "--record").code == .passed)
    try suite.folder.write("other", to: "page.txt")

    #expect(try await suite.flow("test", "@/a.yaml").code == .passed)
    #expect(try suite.folder.text("page.txt") == "other")
  }

  @Test func `a run of another tag starts from what is there`() async throws {
    try suite.folder.write("changed", to: "page.txt")
    try suite.folder.write(
      "flow: 1\nstate: {make: make.yaml, restore: restore.yaml, tag: other}\n", to: "flow.yaml")

    #expect(try await suite.flow("run", "@/a.yaml").code == .failed)
  }

  @Test func `a state that cannot be made fails the runs`() async throws {
    try suite.folder.write("x", to: "torn")

    let run = try await suite.test("--live", "--jobs", "1")

    #expect(run.code == .failed)
    #expect(
      run.errors.split(separator: "\n").filter { $0.contains("error: ") } == [
        "@/flow.yaml:2:15: error: the state was not made, because '@/make.yaml' failed [F1614]",
        "@/make.yaml:4:16: error: 'n.flip#1' failed with the error 'torn' [F2002]",
        "@/flow.yaml:2:15: error: the state was not made, because '@/make.yaml' failed [F1614]",
        "@/make.yaml:4:16: error: 'n.flip#1' failed with the error 'torn' [F2002]",
      ])
  }

  @Test func `schedules and alterations start from the state`() async throws {
    #expect(try await suite.flow("run", "@/a.yaml", "--record").code == .passed)
    try suite.folder.remove("torn")

    #expect(try await suite.flow("explore", "@/a.yaml", "--budget", "3").code == .passed)
    try suite.folder.remove("torn")
    let altered = try await suite.flow("mutate", "@/a.yaml", "--live=n")
    #expect(!altered.errors.contains("error"))
  }

  @Test func `a state that cannot be made is the end of an exploration`() async throws {
    try suite.folder.write("x", to: "torn")

    let run = try await suite.flow("explore", "@/a.yaml", "--budget", "3")

    #expect(run.code == .badInput)
    #expect(run.errors.hasPrefix("@/flow.yaml:2:15: error: the state was not made, because "))
  }

  @Test func `both scenarios are read before the run`() async throws {
    try suite.folder.write("flow: 1\nsteps: [{uses: m.read}]\n", to: "restore.yaml")
    let broken = try await suite.test()
    try suite.folder.remove("restore.yaml")
    let missing = try await suite.test()

    #expect(broken.errors.hasPrefix("@/restore.yaml:2:16: error: "))
    #expect(
      missing.errors.hasPrefix(
        "@/flow.yaml:2:35: error: 'restore.yaml' is neither a file nor a folder [F1606]"))
    #expect([broken.code, missing.code] == [.badInput, .badInput])
  }

  @Test(arguments: [
    ("{make: make.yaml}", "2:8: error: 'state' has no 'restore' [F1605]"),
    ("[make.yaml]", "2:8: error: 'state' must be a mapping, not a list [F1605]"),
    ("{make: a, restore: b, name: c}", "2:30: error: unknown key 'name' in 'state'"),
  ])
  func `the form of a state is checked`(_ state: String, _ problem: String) async throws {
    try suite.folder.write("flow: 1\nstate: \(state)\n", to: "flow.yaml")

    #expect(try await suite.test().errors.hasPrefix("@/flow.yaml:\(problem)"))
  }
}
