import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// `flow resume --scenario REV:`: a run that ends with the version of the scenario that began it.
@Suite struct EarlierScenarioTests {
  private static let scenario = """
    flow: 1
    components: {d: {plugin: desk}}
    steps:
      - {id: first, uses: d.add, with: {text: first}}
      - {id: inner, scenario: parts/inner.yaml}
      - {id: last, uses: d.add, with: {text: last}}

    """
  private static let inner = """
    flow: 1
    components: {d: {plugin: desk}}
    steps:
      - {id: add, uses: d.add, with: {text: then}}

    """

  private let folder: TemporaryFolder

  /// A repository with a scenario in the folder `jobs`, and a run of it that has made its first
  /// call, after which the scenario and the one it includes were edited.
  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "jobs/s.yaml")
    try folder.write(Self.inner, to: "jobs/parts/inner.yaml")
    for name in ["jobs/refused", "jobs/parts/refused"] { try folder.write("", to: name) }
    try git("init", "--quiet")
    try git("add", "jobs/s.yaml", "jobs/parts/inner.yaml")
    try git("commit", "--quiet", "--message", "Begin")
    try git("tag", "v1")
    _ = try await flow("run", "@/jobs/s.yaml", "--journal", "@/jobs/j")
    let lines = try folder.text("jobs/j").split(separator: "\n")
      .prefix { !$0.hasPrefix(#"{"at":"inner"#) }
    try folder.write(lines.map { $0 + "\n" }.joined(), to: "jobs/j")
    for name in ["jobs/added", "jobs/parts/added"] { try folder.write("", to: name) }
    try folder.write(
      Self.scenario.replacing(existing: "id: first", with: "id: one"), to: "jobs/s.yaml")
    try folder.write(
      Self.inner.replacing(existing: "text: then", with: "text: now"), to: "jobs/parts/inner.yaml")
  }

  private func git(_ words: String...) throws {
    let output = ProgramOutput(
      of: [
        "git", "-C", folder.directory.path, "-c", "user.name=Someone", "-c",
        "user.email=a@b.example", "-c", "init.defaultBranch=main",
      ] + words)
    try #require(output.succeeded, "\(output.text)")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Desk.self, Probe.self])
  }

  @Test(arguments: ["v1:", "HEAD:jobs/s.yaml"])
  func `the old version ends the run, and works in the folder of the working tree`(
    _ name: String
  ) async throws {
    let refused = try await flow("resume", "@/jobs/j")
    let edited = try folder.text("jobs/s.yaml")
    let resumed = try await flow("resume", "@/jobs/j", "--scenario", name)

    #expect(refused.errors.contains("flow resume @/jobs/j --scenario REV:\n"), "\(refused)")
    #expect(resumed.errors == "")
    #expect([refused.code, resumed.code] == [.badInput, .passed], "\(resumed)")
    let added = try folder.text("jobs/added") + folder.text("jobs/parts/added")
    #expect(added.split(separator: "\n").sorted() == ["last", "then"])
    #expect(try folder.text("jobs/s.yaml") == edited)
    #expect(try folder.names(in: "jobs") == ["added", "j", "parts", "refused", "s.yaml"])
  }

  @Test func `a scenario that is gone is named by its path in the revision`() async throws {
    try folder.remove("jobs/s.yaml")
    let unnamed = try await flow("resume", "@/jobs/j", "--scenario", "v1:")
    let named = try await flow("resume", "@/jobs/j", "--scenario", "v1:jobs/s.yaml")

    #expect(
      unnamed.errors
        == "flow: the scenario of the journal is gone, so name its path as in "
        + "'--scenario v1:PATH'\n")
    #expect([unnamed.code, named.code] == [.badInput, .passed], "\(named)")
  }

  @Test(arguments: [
    ("v2:", "'v2' is neither a revision of Git around '@/jobs' nor a folder"),
    ("v1:jobs/t.yaml", "'v1' has no file 'jobs/t.yaml'"),
    ("v1:../jobs/s.yaml", "'v1' has no file '../jobs/s.yaml'"),
  ])
  func `a version that does not exist is told, and nothing is run`(
    _ name: String, _ message: String
  ) async throws {
    let journal = try folder.text("jobs/j")
    let run = try await flow("resume", "@/jobs/j", "--scenario", name)

    #expect(run.errors == "flow: \(message)\n")
    #expect(run.code == .badInput)
    #expect(try folder.text("jobs/j") == journal)
  }

  @Test func `a version that does not fit either is told without the folder of its copy`()
    async throws
  {
    try git("commit", "--quiet", "--all", "--message", "Rename")
    let run = try await flow("resume", "@/jobs/j", "--scenario", "HEAD:")

    #expect(
      run.errors.hasPrefix(
        """
        error: 'jobs/s.yaml' has changed since it was recorded
        jobs/s.yaml:4:5: error: 'first#1' seems to be 'one' now [F3006]

        """), "\(run)")
    #expect(!run.errors.contains("flow-earlier"))
    #expect(run.code == .badInput)
  }

  @Test func `a failed run goes on with the old version, and names it in its command`()
    async throws
  {
    try folder.write("last", to: "jobs/refused")
    let failed = try await flow("resume", "@/jobs/j", "--scenario", "v1:")
    try folder.write("", to: "jobs/refused")
    let retried = try await flow("resume", "@/jobs/j", "--scenario", "v1:", "--retry-failed")

    #expect(
      failed.errors.hasSuffix("flow resume @/jobs/j --scenario v1: --retry-failed\n"), "\(failed)")
    #expect([failed.code, retried.code] == [.failed, .passed], "\(retried)")
  }
}
