import FlowCore
import FlowTesting
import Testing

@testable import WebSocketPlugin

@Suite struct WebSocketChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `connections pass the checks of components`(_ check: ComponentCheck) async throws {
    let server = try WebSocketServer()
    let sample = try ScenarioFile("../Scenarios/messages.yaml")

    try await ComponentChecks(WebSocket.self, sample: sample, inputs: ["base": server.url])
      .verify(check)
  }

  @Test(arguments: ["messages", "exchange"])
  func `what was recorded replays without a server`(_ name: String) async throws {
    let scenario = try ScenarioFile("../Scenarios/\(name).yaml")

    for _ in 1...50 { try await scenario.replay(try Registry([WebSocket.self])) }
  }
}
