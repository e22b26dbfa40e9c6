import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

/// One check at a time: those on the server use the same table.
@Suite(.serialized) struct SQLChecksTests {
  /// `secrets` asks for each secret setting, and a component with a file has no URL.
  @Test(arguments: ComponentCheck.allCases.filter { $0 != .secrets })
  func `SQLite passes the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/notes.yaml")

    try await ComponentChecks(SQL.self, sample: sample).verify(check)
  }

  @Test(.enabled(if: TestServer.isHere, TestServer.absence), arguments: ComponentCheck.allCases)
  func `PostgreSQL passes the checks of components`(_ check: ComponentCheck) async throws {
    let server = try await TestServer.shared()
    let sample = try ScenarioFile("../Scenarios/shop.yaml")
    var options = ComponentChecks<SQL>.Options()
    _ = await SQL.make("flow_checks", at: server.url())
    options.secrets["url"] = ["first", "second"].map {
      server.url(password: $0).replacing("/postgres", with: "/flow_checks")
    }

    try await ComponentChecks(SQL.self, sample: sample, options: options).verify(check)
  }

  @Test(.enabled(if: MariaDBServer.isHere, MariaDB.absence), arguments: ComponentCheck.allCases)
  func `MariaDB passes the checks of components`(_ check: ComponentCheck) async throws {
    let server = try await MariaDBServer.shared()
    let sample = try ScenarioFile("../Scenarios/stock.yaml")
    var options = ComponentChecks<SQL>.Options()
    _ = await SQL.make("flow_checks", at: server.url())
    options.secrets["url"] = ["first", "second"].map {
      server.url(user: $0, password: $0).replacing("/flow?", with: "/flow_checks?")
    }

    try await ComponentChecks(SQL.self, sample: sample, options: options).verify(check)
  }

  @Test(arguments: try Scenarios.all(in: "../Scenarios"))
  func `a recorded scenario replays without its database`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Registry([SQL.self]))
  }
}
