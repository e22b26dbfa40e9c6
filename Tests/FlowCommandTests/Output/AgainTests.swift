import FlowCore
import TestKit
import Testing

/// The command in a report that repeats the failed run.
@Suite struct AgainTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      inputs:
        by: {type: int, default: 1}
        note: {type: string, default: x}
        token: {type: string, secret: true}
      components: {p: {plugin: probe}}
      steps:
        - {uses: p.count, with: {by: "${{ inputs.by }}"}, expect: {value: 9}}

      """, to: "s.yaml")
    try folder.write("Sup3rSecret1", to: "token")
    try folder.write("by: 2\n", to: "in.yaml")
  }

  private func flow(_ arguments: [String]) async throws {
    _ = try await FlowCommandRun(
      arguments, in: folder, environment: ["FLOW_SECRET_TOKEN": "Sup3rSecret1"])
  }

  /// The command in the page written by a command.
  private func again(_ arguments: [String]) async throws -> String {
    try await flow(arguments + ["--report", "html=@/r.html"])
    let page = try folder.text("r.html").replacing(folder.directory.path + "/", with: "@/")
    return page.firstMatch(of: /Run it again:<\/span> <code>([^<]*)/).map { String($0.1) } ?? ""
  }

  private static let given = [
    "--input", "by=3", "--input", "note=a b", "--secret", "token=@@/token",
  ]

  @Test(arguments: [
    (
      ["run", "@/s.yaml", "--seed", "7"] + given,
      "run @/s.yaml GIVEN --seed 7 --secret token=@@/token"
    ),
    (
      ["run", "@/s.yaml", "--deny", "network", "--allow-host", "a.example,b.example"],
      "run @/s.yaml --seed 0 --deny network --allow-host a.example,b.example"
    ),
    (["run", "@/s.yaml", "--virtual-time"], "run @/s.yaml --seed 0 --virtual-time"),
    (["run", "@/s.yaml", "--inputs", "@/in.yaml"], "run @/s.yaml --inputs @/in.yaml --seed 0"),
    (
      ["test", "@/s.yaml", "--update", "never"] + given,
      "test @/s.yaml GIVEN --secret token=@@/token"
    ),
    (
      [
        "test", "@/s.yaml", "--update", "never", "--input", "note=is Sup3rSecret1", "--secret",
        "token=@@/token",
      ], "test @/s.yaml --secret token=@@/token"
    ),
    (
      ["run", "@/s.yaml", "--input", "token=open", "--input", "by=3"],
      "run @/s.yaml --input by=3 --seed 0"
    ),
  ]) func `a run has the inputs and the names of secrets that were given, but no secret`(
    _ arguments: [String], _ expected: String
  ) async throws {
    let command = try await again(arguments)

    let given = "--input by=3 --input &#39;note=a b&#39;"
    #expect(command == "flow " + expected.replacing("GIVEN", with: given))
  }

  @Test func `a replay and a report have the replay`() async throws {
    try await flow(["run", "@/s.yaml", "--record=@/t.jsonl"])

    #expect(try await again(["replay", "@/t.jsonl"]) == "flow replay @/t.jsonl")
    #expect(
      try await again(["replay", "@/t.jsonl", "--live=p", "--scenario", "@/s.yaml"])
        == "flow replay --live=p @/t.jsonl --scenario @/s.yaml")
    #expect(
      try await again(["replay", "@/t.jsonl", "--secret", "token=@@/token"])
        == "flow replay @/t.jsonl --secret token=@@/token")
    #expect(try await again(["report", "@/t.jsonl"]) == "flow replay @/t.jsonl")
  }
}
