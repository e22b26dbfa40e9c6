import FlowCore
import FlowTesting
import Testing

@testable import UpstreamPlugin

@Suite struct UpstreamContractTests {
  @Test(arguments: ContractCheck.allCases)
  func `upstreams keep the contract of components`(_ check: ContractCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/operations.yaml")

    try await ComponentContract(Upstream.self, sample: sample).verify(check)
  }

  @Test func `the recording of every operation replays`() async throws {
    try await ScenarioFile("../Scenarios/operations.yaml").replay(Registry([Upstream.self]))
  }
}
