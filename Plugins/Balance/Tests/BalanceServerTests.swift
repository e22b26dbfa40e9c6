import BalancePlugin
import FlowCore
import FlowTesting
import HTTPPlugin
import Testing

/// A balance on a server that answers what a test says.
@Suite struct BalanceServerTests {
  /// An answer with a balance, after so many changes.
  private static func answer(_ balance: String, tag: String, status: Int = 200) -> StandIn.Answer {
    .answer([
      "status": status, "headers": ["etag": tag], "text": "",
      "json": Value.map(ValueMap([("balance", .string(balance))])), "size": 0, "url": "",
      "date": "", "elapsed": Duration.zero,
    ])
  }

  private func open(
    _ settings: [String: any FieldValue] = [:], _ answers: StandIn.Answer...
  ) async throws -> OpenComponent {
    let server = try StandIn(for: HTTP.self, ["get": .sequence(answers)])
    return try await OpenComponent(
      Balance.self, with: settings, using: ["server": OpenComponent(server)])
  }

  @Test(arguments: [
    (answer("1.00", tag: "\"-1\""), "the server's response has no valid ETag"),
    (answer("1.00", tag: "\"-9223372036854775808\""), "the server's response has no valid ETag"),
    (answer("1.00", tag: "17"), "the server's response has no valid ETag"),
    (answer("1.00", tag: "\""), "the server's response has no valid ETag"),
    (answer("-1.00", tag: "\"0\""), "the server returned 200 without a balance"),
    (answer("1e", tag: "\"0\""), "the server returned 200 without a balance"),
    (answer("1.00", tag: "\"0\"", status: 503), "the server returned 503"),
    (.error("timeout", "too late"), "timeout: too late"),
  ])
  func `what is no balance is no answer`(_ answer: StandIn.Answer, _ reason: String) async throws {
    let error = await #expect(throws: ComponentError.self) { try await open([:], answer) }

    #expect(error?.description == "unavailable: \(reason)")
  }

  @Test func `a server has the opening balance`() async throws {
    let error = await #expect(throws: ComponentError.self) {
      try await open(["opening": 5], Self.answer("1.00", tag: "\"0\""))
    }

    #expect(error?.description == "settings: 'opening' cannot be combined with the role 'server'")
  }

  @Test func `a server that begins anew is believed`() async throws {
    let balance = try await open(
      [:], Self.answer("5.00", tag: "\"7\""), Self.answer("9.00", tag: "\"0\""))

    #expect(await balance.text("load") == "{balance: 9.00}")
    #expect(balance.events == ["step-1#1 balance.changed {balance: 9.00}"])
  }

  @Test func `a balance that polls reports what has changed elsewhere`() async throws {
    let balance = try await open(
      ["poll": Duration.milliseconds(1)], Self.answer("5.00", tag: "\"0\""),
      Self.answer("5.00", tag: "\"0\""), Self.answer("4.00", tag: "\"1\""))

    while balance.events.isEmpty { await Task.yield() }

    #expect(balance.events == ["balance#1 balance.changed {balance: 4.00}"])
    await balance.close()
  }

  @Test(arguments: [
    (["follow": true] as [String: any FieldValue], "'follow' needs a server"),
    (["poll": Duration.seconds(1)], "'poll' needs a server or a database"),
  ])
  func `settings of a server need one`(
    _ settings: [String: any FieldValue], _ reason: String
  ) async throws {
    let error = await #expect(throws: ComponentError.self) {
      try await OpenComponent(Balance.self, with: settings)
    }

    #expect(error?.description == "settings: \(reason)")
  }
}
