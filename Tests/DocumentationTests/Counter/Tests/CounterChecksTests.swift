import DocumentedCounter
import FlowTesting
import Testing

@Suite struct CounterChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `the counter passes the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../count.yaml")

    try await ComponentChecks(Counter.self, sample: sample).verify(check)
  }
}
