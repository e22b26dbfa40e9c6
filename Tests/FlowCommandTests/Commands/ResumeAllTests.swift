import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// `flow resume --all`: the open runs of a folder.
@Suite struct ResumeAllTests {
  private static let scenario = """
    flow: 1
    components: {d: {plugin: desk}}
    inputs: {text: {type: string, default: a}}
    steps:
      - {id: first, uses: d.add, with: {text: "${{ inputs.text }}"}}
      - {id: second, uses: d.add, with: {text: "${{ inputs.text + inputs.text }}"}}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write("", to: "refused")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Desk.self, Probe.self])
  }

  /// Runs the scenario with an input, and cuts its journal before the second step.
  private func interrupt(_ name: String) async throws {
    _ = try await flow("run", "@/s.yaml", "--input", "text=\(name)", "--journal", "@/\(name)")
    let lines = try folder.text("\(name)").split(separator: "\n")
      .prefix { !$0.hasPrefix(#"{"at":"second#1""#) }
    try folder.write(lines.map { $0 + "\n" }.joined(), to: "\(name)")
  }

  private var added: [String] {
    get throws { try folder.text("added").split(separator: "\n").map(String.init).sorted() }
  }

  @Test(arguments: ["1", "3"]) func `all open runs of a folder go on`(_ jobs: String) async throws {
    for name in ["a", "b", "c"] { try await interrupt(name) }
    _ = try await flow("run", "@/s.yaml", "--journal", "@/whole")
    try folder.write("", to: "added")
    let resumed = try await flow("resume", "@/", "--all", "--jobs", jobs)
    let again = try await flow("resume", "@/", "--all")

    #expect(
      resumed.output == """
        @/a: passed
        @/b: passed
        @/c: passed
        @/whole: passed before
        4 journals: 3 passed, 1 passed before

        """)
    #expect(again.output.hasSuffix("4 journals: 4 passed before\n"))
    #expect(try added == ["aa", "bb", "cc"])
    #expect([resumed, again].map(\.code) == [.passed, .passed])
  }

  @Test func `a failed run goes on only if that is asked for`() async throws {
    try await interrupt("a")
    try folder.write("bb", to: "refused")
    _ = try await flow("run", "@/s.yaml", "--input", "text=b", "--journal", "@/b")
    try folder.write("", to: "refused")
    try folder.write("", to: "added")
    let resumed = try await flow("resume", "@/", "--all")
    let retried = try await flow("resume", "@/", "--all", "--retry-failed")

    #expect(
      resumed.output == """
        @/a: passed
        @/b: failed before
        2 journals: 1 passed, 1 failed before

        """)
    #expect(retried.output.hasSuffix("@/b: passed\n2 journals: 1 passed before, 1 passed\n"))
    #expect(try added == ["aa", "bb"])
    #expect([resumed, retried].map(\.code) == [.failed, .passed])
  }

  @Test func `a run that another process holds is left to it, and one that does not fit is told`()
    async throws
  {
    for name in ["a", "b"] { try await interrupt(name) }
    let held = try JournalFile(opening: folder.directory.path + "/a")
    try folder.write(Self.scenario.replacing(existing: "id: first", with: "id: one"), to: "s.yaml")
    let resumed = try await flow("resume", "@/", "--all")
    try held.release()

    #expect(
      resumed.output == """
        @/a: held by another process
        @/b: refused
        2 journals: 1 held by another process, 1 refused

        """)
    #expect(resumed.errors.contains("'first#1' seems to be 'one' now"))
    #expect(resumed.code == .badInput)
  }

  @Test func `runs in folders go on, and nothing outside of the folder, hidden or a body`()
    async throws
  {
    for name in ["runs/b/old/x", "runs/b", "runs/.git/x", "runs/blobs/x", "outside/x"] {
      try folder.write(Self.scenario, to: "\(name)/s.yaml")
      try folder.write("", to: "\(name)/refused")
    }
    for name in ["runs/b/old/x/b", "runs/b/j", "runs/.git/x/j", "runs/blobs/x/j", "outside/x/j"] {
      let scenario = Path.joined(Path.folder(of: name), "s.yaml")
      _ = try await flow("run", "@/\(scenario)", "--journal", "@/\(name)")
    }
    let links = ["runs/a": "../outside/x", "runs/b/link": "../../outside/x/j", "runs/c": "b/j"]
    for (link, target) in links { try folder.link(link, to: target) }
    let resumed = try await flow("resume", "@/runs", "--all")
    let judged = try await flow("check", "--journals", "@/runs")

    #expect(
      resumed.output == """
        @/runs/b/j: passed before
        @/runs/b/old/x/b: passed before
        @/runs/c: passed before
        3 journals: 3 passed before

        """)
    #expect(
      judged.output.hasPrefix("@/runs/b/j: passed\n@/runs/b/old/x/b: passed\n"), "\(judged)")
    #expect(resumed.code == .passed)
  }

  @Test(arguments: [
    (["--all", "--or-run", "@/s.yaml"], "'--or-run' cannot be combined with '--all'"),
    (["--all", "--done", "a#1"], "'--done' cannot be combined with '--all'"),
    (["--jobs", "2"], "'--jobs' needs '--all'"),
  ])
  func `options for one run are not for all`(_ options: [String], _ message: String) async throws {
    let run = try await FlowCommandRun(["resume", "@/"] + options, in: folder)

    #expect(run.errors == "flow: \(message)\nsee 'flow help resume'\n")
    #expect(run.code == .badCommandLine)
  }
}
