import BalancePlugin
import FlowCore
import FlowTesting
import FlowXCTest
import XCTest

final class SpendXCTests: XCTestCase {
  func testScenariosReplay() async throws {
    for scenario in try Scenarios.all(in: "Scenarios") {
      await replay(scenario, try Registry([Balance.self]))
    }
  }
}
