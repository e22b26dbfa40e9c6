import BalancePlugin
import FlowCore
import FlowTesting
import Testing

@Suite struct SpendTests {
  @Test(arguments: try Scenarios.all(in: "Scenarios"))
  func `a scenario replays`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Registry([Balance.self]))
  }

  @Test func `another amount leaves another balance`() async throws {
    let scenario = try ScenarioFile("Scenarios/spend.yaml")

    let run = try await scenario.run(try Registry([Balance.self]), inputs: ["amount": 30])

    #expect(try run.output("remaining", as: Decimal.self) == Decimal("70.00"))
    #expect(
      run.calls.map(\.description) == [
        "spend#1 balance.subtract {amount: 30} -> {balance: 70.00}"
      ])
  }

  @Test func `a store that does not answer fails the scenario`() async throws {
    let scenario = try ScenarioFile("Scenarios/spend.yaml")
    let balance = try StandIn(
      for: Balance.self, ["subtract": .sequence([.error("unavailable", "no connection")])])

    let run = await scenario.attempt(with: [.standIn(balance)])

    #expect(run.problems.map(\.code) == ["F2002"])
    #expect(balance.calls.count == 1)
  }
}
