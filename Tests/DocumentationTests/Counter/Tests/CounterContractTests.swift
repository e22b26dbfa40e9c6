import DocumentedCounter
import FlowTesting
import Testing

@Suite struct CounterContractTests {
  @Test(arguments: ContractCheck.allCases)
  func `the counter keeps the contract of components`(_ check: ContractCheck) async throws {
    let sample = try ScenarioFile("../count.yaml")

    try await ComponentContract(Counter.self, sample: sample).verify(check)
  }
}
