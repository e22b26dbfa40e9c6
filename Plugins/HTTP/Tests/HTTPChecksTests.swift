import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

@Suite struct HTTPChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `requests pass the checks of components`(_ check: ComponentCheck) async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let sample = try ScenarioFile("../Scenarios/requests.yaml")

    try await ComponentChecks(HTTP.self, sample: sample, inputs: ["base": server.url])
      .verify(check)
  }

  @Test(arguments: ["requests", "events", "exchange", "authentication", "details"])
  func `what was recorded replays without a server`(_ name: String) async throws {
    let scenario = try ScenarioFile("../Scenarios/\(name).yaml")

    try await scenario.replay(try Registry([HTTP.self]))
  }
}
