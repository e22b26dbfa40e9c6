import FlowCommand
import FlowCore
import Foundation
import TestKit
import Testing

/// The allowed places of the scenario named by a transcript, which anyone may have written.
@Suite struct ScenarioPlaceTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps: [{uses: p.count}]

    """

  private let folder: TemporaryFolder
  private let outside: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    outside = try TemporaryFolder()
    try folder.write(Self.scenario, to: "sub/s.yaml")
    try outside.write(Self.scenario, to: "s.yaml")
    try outside.write("first line\n", to: "file")
    _ = try await flow("run", "@/sub/s.yaml", "--journal", "@/sub/j", "--record=@/sub/t.jsonl")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  /// Lets the transcript and a journal name another scenario.
  private func name(_ scenario: String, in path: String = "t.jsonl") async throws {
    let lines = try folder.text("sub/t.jsonl").replacing(
      existing: "\"s.yaml\"", with: "\"\(scenario)\"")
    try folder.write(lines, to: path)
    let seal = try await flow("transcript", "seal", "@/\(path)")
    #expect(seal.code == .passed)
    let journal = try folder.text("sub/j").replacing(
      existing: "\"s.yaml\"", with: "\"\(scenario)\"")
    try folder.write(
      journal.split(separator: "\n").dropLast(2).joined(separator: "\n") + "\n", to: "j")
    #expect(try await flow("transcript", "seal", "@/j").code == .passed)
  }

  private func error(_ scenario: String, in file: String) -> String {
    "@/\(file):1:1: error: the scenario '\(scenario)' named here is not in this folder, the "
      + "project or the working directory; to use it anyway, pass it with '--scenario' [F3120]\n"
  }

  @Test(arguments: ["replay", "diff", "resume"], ["s.yaml", "file"])
  func `a scenario elsewhere is neither run nor read`(
    _ command: String, _ name: String
  ) async throws {
    let place = outside.directory.path.split(separator: "/").last ?? ""
    try folder.link("link.yaml", to: outside.path(name))
    for path in [
      "../\(place)/\(name)", "sub/../../\(place)/\(name)", "link.yaml", outside.path(name),
    ] {
      try await self.name(path)
      let file = command == "resume" ? "j" : "t.jsonl"

      let run = try await flow(command, "@/\(file)")

      #expect(run.errors == error(path, in: file))
      #expect(run.output == "")
      #expect(run.code == .badInput)
    }
  }

  @Test func `it is used when it is named`() async throws {
    let place = outside.directory.path.split(separator: "/").last ?? ""
    try await name("../\(place)/s.yaml")
    let scenario = outside.path("s.yaml")
    let runs = [
      try await flow("replay", "@/t.jsonl", "--scenario", scenario),
      try await flow("diff", "@/t.jsonl", "--scenario", scenario),
      try await flow("resume", "@/j", "--scenario", scenario),
    ]

    #expect(runs.map(\.code) == [.passed, .passed, .passed])
  }

  @Test func `a folder below is as good as the transcript's own`() async throws {
    try await name("sub/s.yaml")

    for arguments in [["replay", "@/t.jsonl"], ["diff", "@/t.jsonl"], ["resume", "@/j"]] {
      #expect(try await FlowCommandRun(arguments, in: folder).code == .passed)
    }
  }

  @Test func `the folder around is not, unless the command works there`() async throws {
    try folder.write(Self.scenario, to: "s.yaml")
    try await name("../s.yaml", in: "sub/x.jsonl")

    #expect(
      try await flow("replay", "@/sub/x.jsonl").errors == error("../s.yaml", in: "sub/x.jsonl"))
  }

  @Test func `a recording elsewhere is replayed with its scenario's name`() async throws {
    let path = outside.path("x.jsonl")
    #expect(try await flow("run", "@/sub/s.yaml", "--record=\(path)").code == .passed)

    let alone = try await flow("replay", path)
    let named = try await flow("replay", path, "--scenario", "@/sub/s.yaml")

    #expect(alone.errors.contains("[F3120]"))
    #expect([alone.code, named.code] == [.badInput, .passed])
  }

  @Test func `a scenario of the working directory may be named from elsewhere`() async throws {
    // The tests run in the folder of the package.
    let name = FileManager.default.currentDirectoryPath + "/Package.swift"
    let up = String(repeating: "../", count: folder.directory.path.split(separator: "/").count)
    try await self.name(up + name.dropFirst())

    let run = try await flow("replay", "@/t.jsonl")

    #expect(!run.errors.contains("F3120"))
    #expect(run.code == .badInput)
  }

  @Test func `one that is gone is told, and how to name another one`() async throws {
    try await name("../gone.yaml")

    let run = try await flow("replay", "@/t.jsonl")

    #expect(
      run.errors
        == "@/t.jsonl:1:1: error: the scenario '@/../gone.yaml' named here does not exist; if it was renamed, pass "
        + "its new path with '--scenario' [F3126]\n")
  }
}
