import FlowCommand
import TestKit
import Testing

/// The coverage of descriptions by suites that run live, are replayed, are divided, or include
/// scenarios.
@Suite struct CoverageSuiteTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("{}", to: "api.json")
  }

  private func scenario(_ steps: String, components: String = "") -> String {
    "flow: 1\ncomponents: {x: {plugin: booth, with: {contract: api.json}}\(components)}\n"
      + "steps: [\(steps)]\n"
  }

  private func ask(_ names: String...) -> String {
    names.map { "{uses: x.ask, with: {name: \($0)}}" }.joined(separator: ", ")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, components: [Probe.self, Booth.self, Asker.self])
  }

  /// The lines about descriptions.
  private func coverage(_ arguments: String...) async throws -> [Substring] {
    let run = try await FlowCommandRun(
      ["test", "@/"] + arguments + ["--report", "contract=@/c.json"], in: folder,
      components: [Probe.self, Booth.self, Asker.self])
    #expect(run.code == .passed, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    return Array(lines.drop { !$0.hasPrefix("contract ") })
  }

  private func line(
    _ covered: (Int, Int, Int), _ calls: String, of file: String = "api.json"
  ) -> Substring {
    "contract @/\(file): operations \(covered.0) of 3, statuses \(covered.1) of 3, "
      + "parameters \(covered.2) of 3 (\(calls))"
  }

  @Test func `served answers count, and the sources of calls are told apart`() async throws {
    try folder.write(
      scenario(
        "\(ask("a", "z")), {uses: y.ask, with: {name: b, tone: harsh}}, "
          + "{uses: x.ask, with: {name: c}, expect: {error: busy}}",
        components: ", y: {plugin: booth, with: {contract: ./api.json}}"),
      to: "s.yaml")
    let missing: Substring = "    not covered: ask b kind, ask c yes"

    #expect(
      try await coverage() == [line((3, 2, 2), "0 calls replayed, 3 live"), missing])
    #expect(
      try await coverage() == [line((3, 2, 2), "3 calls replayed, 0 live"), missing])
    #expect(
      try await coverage("--live=y") == [line((3, 2, 2), "2 calls replayed, 1 live"), missing])
    #expect(
      try await coverage("--repeat", "3") == [line((3, 2, 2), "9 calls replayed, 0 live"), missing])
  }

  @Test func `a call of a component has the whole input of the operation`() async throws {
    try folder.write(
      scenario(
        "{uses: z.pass, with: {name: a}}",
        components: ", z: {plugin: asker, using: {booth: x}}"), to: "s.yaml")
    let missing: Substring = "    not covered: ask b, ask c"

    #expect(try await coverage() == [line((1, 1, 1), "0 calls replayed, 1 live"), missing])
    #expect(
      try await coverage("--live=z") == [line((1, 1, 1), "1 call replayed, 0 live"), missing])
  }

  @Test func `a component asked for a missing answer is live`() async throws {
    try folder.write(scenario(ask("a")), to: "s.yaml")
    _ = try await coverage()
    try folder.write(scenario(ask("a", "b")), to: "s.yaml")

    let lines = try await coverage("--live=x", "--update", "missing")
    #expect(
      lines == [line((2, 2, 2), "0 calls replayed, 2 live"), "    not covered: ask c"])
  }

  @Test func `a description is known by its full path`() async throws {
    try folder.write(scenario(ask("a") + ", {scenario: in/part.yaml}"), to: "s.yaml")
    try folder.write("{}", to: "in/api.json")
    try folder.write(
      """
      flow: 1
      components:
        own: {plugin: booth, with: {contract: api.json}}
        shared: {plugin: booth, with: {contract: ../api.json}}
      steps:
        - {uses: own.ask, with: {name: b}}
        - {uses: shared.ask, with: {name: c}, expect: {error: busy}}

      """, to: "in/part.yaml")

    // The part is tested alone, too.
    #expect(
      try await coverage() == [
        line((2, 1, 2), "0 calls replayed, 3 live"), "    not covered: ask b, ask c yes",
        line((1, 1, 1), "0 calls replayed, 2 live", of: "in/api.json"),
        "    not covered: ask a, ask c",
      ])
    #expect(
      try folder.text("c.json").contains(
        #"{"kind":"operation","name":"ask c","count":2,"scenarios":["#))
  }

  @Test func `a divided suite covers as much as a whole one`() async throws {
    for (index, name) in ["a", "b", "a", "z", "a"].enumerated() {
      try folder.write(scenario(ask(name)), to: "s\(index).yaml")
    }
    let whole = try await coverage("--jobs", "3", "--update", "never")
    let document = try folder.text("c.json")

    for part in ["1/2", "2/2"] {
      let run = try await flow(
        "test", "@/", "--update", "never", "--shard", part, "--results", "@/results", "--run", "r")
      #expect(run.code == .passed, "\(run.errors)")
    }
    let merge = try await flow(
      "merge", "@/results", "@/", "--report", "contract=@/m.json", "--contract-threshold",
      "status=66.6,operation=67")
    #expect(Array(merge.output.split(separator: "\n").suffix(2)) == whole)
    let thresholds = ["\"total\":3,\"percent\":66.6,\"threshold\":67}", ",\"threshold\":66.6}"]
    let merged = try folder.text("m.json")
    #expect(thresholds.allSatisfy { merged.contains($0) })
    #expect(
      merged.replacing(/,"threshold":[0-9.]+/, with: "")
        == document.replacing("\"passed\":true", with: "\"passed\":false"))
    #expect(
      merge.errors
        == "flow: contract '@/api.json': operations 2 of 3 covered, 66.6 %, fewer than 67 %\n")
    #expect(merge.code == .failed)
  }

  @Test(arguments: [
    (["--report", "contract=@/c.json"], ExitCode.failed), ([], ExitCode.passed),
    (["--report", "html=@/p.html"], ExitCode.passed),
    (["--report", "contract=@/c.json", "--contract-threshold", "status=10"], ExitCode.passed),
    (["--report", "contract=@/c.json", "--shard", "1/1"], ExitCode.passed),
  ])
  func `thresholds of the project count with the report`(
    _ options: [String], _ code: ExitCode
  ) async throws {
    try folder.write(scenario(ask("a")), to: "s.yaml")
    try folder.write("flow: 1\nreport: {contract: {status: 40}}\n", to: "flow.yaml")

    let run = try await FlowCommandRun(
      ["test", "@/", "--update", "never"] + options, in: folder, components: [Booth.self])

    let message = "flow: contract '@/api.json': statuses 1 of 3 covered, 33.3 %, fewer than 40 %\n"
    #expect(run.errors == (code == .failed ? message : ""))
    #expect(run.code == code)
  }

  @Test(arguments: ["run", "report", "replay"])
  func `commands on one scenario write the report`(_ command: String) async throws {
    try folder.write(scenario(ask("a")), to: "s.yaml")
    _ = try await coverage()
    let subject = command == "run" ? "@/s.yaml" : "@/s.transcript.jsonl"

    let run = try await flow(
      command, subject, "--report", "contract=@/c.json", "--report", "html=@/p.html")

    let calls = command == "run" ? #""replayed":0,"live":1"# : #""replayed":1,"live":0"#
    #expect(run.code == .passed, "\(run.errors)")
    #expect(try folder.text("c.json").contains(calls))
    #expect(try folder.text("p.html").contains("1 of 3 operations covered</a>"))
  }
}
