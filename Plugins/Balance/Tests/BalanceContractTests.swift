import BalancePlugin
import FlowTesting
import Testing

@Suite struct BalanceContractTests {
  @Test(arguments: ContractCheck.allCases)
  func `the balance keeps the contract of components`(_ check: ContractCheck) async throws {
    let sample = try ScenarioFile("../spend.yaml")

    try await ComponentContract(Balance.self, sample: sample).verify(check)
  }
}
