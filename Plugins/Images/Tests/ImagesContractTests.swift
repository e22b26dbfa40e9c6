import FlowTesting
import ImagesPlugin
import Testing

@Suite struct ImagesContractTests {
  @Test(arguments: ContractCheck.allCases)
  func `the images keep the contract of components`(_ check: ContractCheck) async throws {
    let sample = try ScenarioFile("../look.yaml")

    try await ComponentContract(Images.self, sample: sample).verify(check)
  }
}
