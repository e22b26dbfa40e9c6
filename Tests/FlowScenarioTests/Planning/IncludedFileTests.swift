import FlowCore
import FlowPlan
import FlowScenario
import TestKit
import Testing

/// Files on the disk that a scenario may include.
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
        "cannot read '\(path)': the path is outside the scenario's folder"
      ])
  }

  @Test func `in a project, files around the main scenario's folder are read`() throws {
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: [{scenario: ../main/parts/b.yaml}]", to: "other/c.yaml")
    let plan = try plan(
      "{scenario: ../other/c.yaml}, {scenario: ../outside.yaml}, {scenario: out.yaml}")

    let path = folder.directory.path
    #expect(plan.path == "main.yaml")
    #expect(
      plan.allScenarios.map { "\($0.path) \($0.file.replacing(path, with: "@"))" } == [
        "../other/c.yaml @/other/c.yaml", "../outside.yaml @/outside.yaml",
        "parts/a.yaml @/main/parts/a.yaml", "parts/b.yaml @/main/parts/b.yaml",
      ])
  }

  @Test func `a project changes neither the paths nor the digest of what lies in the folder`()
    throws
  {
    let alone = try plan("{scenario: parts/b.yaml}")
    try folder.write("flow: 1\n", to: "flow.yaml")
    let inProject = try plan("{scenario: parts/b.yaml}")

    #expect(inProject.digest == alone.digest)
    #expect(inProject.allScenarios.map(\.path) == alone.allScenarios.map(\.path))
    #expect(inProject.allScenarios.map(\.file) == alone.allScenarios.map(\.file))
  }

  @Test(arguments: [
    "out.yaml", "../outside.yaml", "parts/../../outside.yaml", "../main/out.yaml", "/outside.yaml",
    "far/../outside.yaml",
  ]) func `nothing outside of a project is read`(_ path: String) throws {
    try folder.write("flow: 1\n", to: "main/flow.yaml")
    try folder.link("main/far", to: "/")
    let error = #expect(throws: ScenarioError.self) { try plan("{scenario: \(path)}") }

    #expect(
      error?.diagnostics.map(\.message) == [
        "cannot read '\(path)': the path is outside the project's folder"
      ])
  }

  @Test func `a main scenario that is reached by a link includes from where the link stands`()
    throws
  {
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: [{scenario: ../outside.yaml}]", to: "main/main.yaml")
    try folder.link("near", to: "main")
    let plan = try ScenarioLoader(registry: try Registry([Probe.self]))
      .plan(try ScenarioSource(reading: folder.directory.path + "/near/main.yaml"))

    #expect(plan.allScenarios.map(\.path) == ["../outside.yaml"])
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
