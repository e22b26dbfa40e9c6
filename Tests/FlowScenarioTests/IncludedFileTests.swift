import FlowCore
import FlowScenario
import PluginHarness
import TestSupport
import Testing

/// Which files of the disk a scenario includes.
@Suite struct IncludedFileTests {
  private static let empty = "flow: 1\nsteps: []"

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.empty, to: "outside.yaml")
    try folder.write(Self.empty, to: "main/parts/a.yaml")
    try folder.write("flow: 1\nsteps: [{scenario: a.yaml}]", to: "main/parts/b.yaml")
    try folder.link("main/alias", to: "parts")
    try folder.link("main/out.yaml", to: "../outside.yaml")
  }

  private func plan(_ steps: String) throws -> Plan {
    try folder.write("flow: 1\nsteps: [\(steps)]", to: "main/main.yaml")
    let file = folder.directory.path + "/main/main.yaml"
    return try ScenarioLoader(registry: try Registry([Probe.self]))
      .plan(try ScenarioSource(reading: file))
  }

  @Test func `a path is relative to the file that it stands in`() throws {
    let plan = try plan("{scenario: ./parts/b.yaml}")

    #expect(plan.path == "main.yaml")
    #expect(plan.allScenarios.map(\.path) == ["parts/a.yaml", "parts/b.yaml"])
    #expect(plan.allScenarios.first?.file == folder.directory.path + "/main/parts/a.yaml")
  }

  @Test func `two paths to one file are one file`() throws {
    let plan = try plan("{scenario: parts/a.yaml}, {scenario: alias/../parts/./a.yaml}")

    #expect(plan.scenarios.map(\.path) == ["parts/a.yaml"])
  }

  @Test(arguments: ["out.yaml", "../outside.yaml", "parts/../../outside.yaml"])
  func `nothing outside of the main scenario's folder is read`(_ path: String) throws {
    let error = #expect(throws: ScenarioError.self) { try plan("{scenario: \(path)}") }

    #expect(
      error?.diagnostics.map(\.message) == [
        "cannot read '\(path)': the path leads out of the scenario's folder"
      ])
  }

  @Test func `a part may include from the main scenario's folder`() throws {
    try folder.write("flow: 1\nsteps: [{scenario: ../c.yaml}]", to: "main/parts/up.yaml")
    try folder.write(Self.empty, to: "main/c.yaml")

    #expect(
      try plan("{scenario: parts/up.yaml}").allScenarios.map(\.path) == ["c.yaml", "parts/up.yaml"])
  }

  @Test func `a loader that is given files reads none of the disk`() throws {
    let file = folder.directory.path + "/main/main.yaml"
    let loader = ScenarioLoader(
      registry: try Registry([Probe.self]), files: ScenarioFiles(texts: [:]))
    let source = ScenarioSource(
      file: file, bytes: Array("flow: 1\nsteps: [{scenario: parts/a.yaml}]".utf8))

    let error = #expect(throws: ScenarioError.self) { try loader.plan(source) }

    #expect(
      error?.diagnostics.map(\.message) == ["cannot read 'parts/a.yaml': no such file"])
  }
}
