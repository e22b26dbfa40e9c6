import CatalogPlugin
import FlowTesting
import Testing

@Suite struct CatalogContractTests {
  @Test(arguments: ContractCheck.allCases)
  func `the catalog keeps the contract of components`(_ check: ContractCheck) async throws {
    let sample = try ScenarioFile("../browse.yaml")

    try await ComponentContract(Catalog.self, sample: sample).verify(check)
  }
}
