import FlowCore
import FlowTesting
import Testing

@testable import WebSocketPlugin

@Suite struct WebSocketChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `refusals pass the checks of components`(_ check: ComponentCheck) async throws {
    try await verify(check, "refusals")
  }

  // A resumed run does not open the connections of the killed one again. The network decides if a
  // message comes before the next step begins, so two recordings may differ in that.
  @Test(arguments: [ComponentCheck.records, .errors, .cancellation, .time, .replay, .roles])
  func `connections pass the checks of components`(_ check: ComponentCheck) async throws {
    try await verify(check, "messages")
  }

  private func verify(_ check: ComponentCheck, _ name: String) async throws {
    let server = try WebSocketServer()
    let sample = try ScenarioFile("../Scenarios/\(name).yaml")
    var inputs: [String: any FieldValue] = ["base": server.url]
    if name == "refusals" { inputs["proxy"] = "http://\(server.host)" }

    try await ComponentChecks(WebSocket.self, sample: sample, inputs: inputs).verify(check)
  }

  @Test(arguments: ["messages", "exchange", "refusals"])
  func `what was recorded replays without a server`(_ name: String) async throws {
    let scenario = try ScenarioFile("../Scenarios/\(name).yaml")

    for _ in 1...50 { try await scenario.replay(try Registry([WebSocket.self])) }
  }
}
