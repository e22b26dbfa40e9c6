import FlowCommand
import FlowCore
import TestKit
import Testing

/// Every file of `Scenarios/`: those that pass, those that must not load, those that must fail.
@Suite struct ScenarioTests {
  @Test(arguments: ScenarioFolder.names())
  func `a scenario passes on live components`(_ name: String) async throws {
    let run = try await FlowRun("run", "\(ScenarioFolder.path)/\(name).yaml")

    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test(arguments: ScenarioFolder.names())
  func `recording a scenario gives the bytes of its transcript`(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.directory.path + "/new.jsonl"
    let run = try await FlowRun("run", "\(ScenarioFolder.path)/\(name).yaml", "--record", path)

    let stored = try ScenarioFolder.text("\(name).transcript.jsonl").unsealed
      .split(separator: "\n")
    let recorded = try folder.text("new.jsonl").unsealed.split(separator: "\n")
    #expect(run.code == .passed)
    // The header names the scenario as seen from the transcript's folder, which changes the seal.
    #expect(recorded.dropFirst() == stored.dropFirst())
  }

  @Test(arguments: ScenarioFolder.names(in: "rejected"))
  func `a scenario that must not load says why`(_ name: String) async throws {
    let run = try await FlowRun("check", "--strict", "\(ScenarioFolder.path)/rejected/\(name).yaml")

    #expect(run.errors == (try ScenarioFolder.text("rejected/\(name).err")))
    #expect(
      run.output.wholeMatch(of: /1 scenario checked, \d+ (error|warning)s?(, \d+ warnings?)?\n/)
        != nil)
    #expect(run.code == .badInput)
  }

  @Test func `every example passes by its transcript`() async throws {
    let examples = ScenarioFolder.path + "/../Examples"
    let run = try await FlowRun("test", examples, "--update", "never")

    // ExampleTests replay 'login', and ServiceExampleTests and AgentExampleTests run the others.
    #expect(
      run.errors == """
        note: '../Examples/agents' is a separate project and is not run with this one
        note: '../Examples/datasette' is a separate project and is not run with this one
        note: '../Examples/login' is a separate project and is not run with this one
        note: '../Examples/orders' is a separate project and is not run with this one
        note: '../Examples/orders-fastapi' is a separate project and is not run with this one
        note: '../Examples/orders-node' is a separate project and is not run with this one
        note: '../Examples/package-index' is a separate project and is not run with this one

        """)
    #expect(run.code == .passed)
  }

  @Test(arguments: ScenarioFolder.names(in: "failing"))
  func `a scenario that must fail says where`(_ name: String) async throws {
    let run = try await FlowRun("run", "\(ScenarioFolder.path)/failing/\(name).yaml")

    #expect(run.errors == (try ScenarioFolder.text("failing/\(name).err")))
    #expect(run.code == .failed)
  }
}
