import FlowCore
import FlowTesting
import Testing

@testable import UpstreamPlugin

@Suite struct UpstreamChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `upstreams pass the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/operations.yaml")

    try await ComponentChecks(Upstream.self, sample: sample).verify(check)
  }

  @Test(arguments: ComponentCheck.allCases)
  func `ports for callbacks pass the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/callbacks.yaml")

    try await ComponentChecks(Callbacks.self, sample: sample).verify(check)
  }

  @Test func `the recording of every operation replays`() async throws {
    try await ScenarioFile("../Scenarios/operations.yaml").replay(Registry([Upstream.self]))
  }
}
