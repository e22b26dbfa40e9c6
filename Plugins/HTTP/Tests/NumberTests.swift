import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

/// Numbers as they leave in requests: with the digits that the scenario has.
@Suite struct NumberTests {
  @Test(
    arguments: [
      (Decimal("10.00").map(Value.decimal), "10.00"), (Decimal("1e3").map(Value.decimal), "1000"),
      (Decimal("-0.0").map(Value.decimal), "0.0"), (Decimal("-6.50").map(Value.decimal), "-6.50"),
      (
        Decimal("12345678901234567890.123456789").map(Value.decimal),
        "12345678901234567890.123456789"
      ),
      (WrittenNumber("-0").map(Value.number), "-0"),
      (WrittenNumber("1E5").map(Value.number), "1E5"),
      (
        WrittenNumber("+0012345678901234567890123456789012345678901").map(Value.number),
        "12345678901234567890123456789012345678901"
      ),
      (.double(2), "2.0"), (.double(0.1), "0.1"), (.int(-3), "-3"),
      (.uint(.max), "18446744073709551615"),
    ] as [(Value?, String)])
  func `a number has one text in a body, a form and a query`(
    _ number: Value?, _ text: String
  ) async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let number = try #require(number)
    let map = Value.map(ValueMap([("n", number)]))
    let client = try await OpenComponent(HTTP.self, with: ["base": server.url])

    _ = try await client.call("post", ["path": "echo", "json": map])
    _ = try await client.call("post", ["path": "echo", "form": map, "query": map])
    await client.close()

    let requests = server.requests
    #expect(requests.map(\.text) == ["{\"n\":\(text)}", "n=\(text)"])
    #expect(requests.last?.path == "/echo?n=\(text)")
  }
}
