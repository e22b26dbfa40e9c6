import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

/// One check at a time: those on the server use the same table.
@Suite(.serialized) struct SQLContractTests {
  /// `secrets` asks for each secret setting, and a component with a file has no URL.
  @Test(arguments: ContractCheck.allCases.filter { $0 != .secrets })
  func `SQLite keeps the contract of components`(_ check: ContractCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/notes.yaml")

    try await ComponentContract(SQL.self, sample: sample).verify(check)
  }

  @Test(.enabled(if: TestServer.isHere, TestServer.absence), arguments: ContractCheck.allCases)
  func `PostgreSQL keeps the contract of components`(_ check: ContractCheck) async throws {
    let server = try await TestServer.shared()
    let sample = try ScenarioFile("../Scenarios/shop.yaml")
    var options = ComponentContract<SQL>.Options()
    options.secrets["url"] = ["first", "second"].map { server.url(password: $0) }

    try await ComponentContract(SQL.self, sample: sample, options: options).verify(check)
  }

  @Test(.enabled(if: MariaDBServer.isHere, MariaDB.absence), arguments: ContractCheck.allCases)
  func `MariaDB keeps the contract of components`(_ check: ContractCheck) async throws {
    let server = try await MariaDBServer.shared()
    let sample = try ScenarioFile("../Scenarios/stock.yaml")
    var options = ComponentContract<SQL>.Options()
    options.secrets["url"] = ["first", "second"].map { server.url(user: $0, password: $0) }

    try await ComponentContract(SQL.self, sample: sample, options: options).verify(check)
  }

  @Test(arguments: try Scenarios.all(in: "../Scenarios"))
  func `a recorded scenario replays without its database`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Registry([SQL.self]))
  }
}
