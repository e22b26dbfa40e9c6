import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

/// Headers that steps set for the requests after them.
@Suite struct SetHeaderTests {
  /// The values of some headers in the requests of `/echo`, in order.
  private func sent(
    _ names: [String], settings: [String: any FieldValue] = [:],
    _ calls: [(operation: String, input: [String: any FieldValue])]
  ) async throws -> [[String?]] {
    let server = try TestServer.echo()
    defer { server.close() }
    let settings = settings.merging(["base": server.url]) { $1 }
    try await HTTP.with(settings) { http in
      for call in calls { _ = try await http.call(call.operation, call.input) }
    }
    return server.requests.map { request in names.map { request.headers[$0] } }
  }

  private func set(
    _ headers: [String: (any FieldValue)?]
  ) -> (operation: String, input: [String: any FieldValue]) {
    ("set_headers", ["headers": Value.map(ValueMap(headers.map { ($0, $1?.encoded ?? .null) }))])
  }

  private let get: (operation: String, input: [String: any FieldValue]) = (
    "get", ["path": "echo"]
  )

  @Test func `requests after it have the headers, and none before it`() async throws {
    let sent = try await sent(
      ["x-csrf-token", "x-other"], [get, set(["x-csrf-token": "t-1"]), get, get])

    #expect(sent == [[nil, nil], ["t-1", nil], ["t-1", nil]])
  }

  @Test func `a later one replaces names in any case, and keeps the others`() async throws {
    let sent = try await sent(
      ["x-csrf-token", "x-other"],
      [
        set(["x-csrf-token": "t-1", "X-Other": "o"]), get, set(["X-CSRF-Token": "t-2"]), get,
        set(["x-other": nil]), get,
      ])

    #expect(sent == [["t-1", "o"], ["t-2", "o"], ["t-2", nil]])
  }

  @Test func `it comes after the settings and before the step`() async throws {
    let sent = try await sent(
      ["x-a", "x-b"], settings: ["headers": ["x-a": "settings", "x-b": "settings"]],
      [
        set(["X-A": "set"]), get, ("get", ["path": "echo", "headers": ["x-a": "step"]]),
        set(["x-b": nil]), get,
      ])

    #expect(sent == [["set", "settings"], ["step", "settings"], ["set", nil]])
  }

  @Test func `a request that another program makes has them, too`() async throws {
    let sent = try await sent(
      ["x-a"],
      [
        set(["x-a": "set"]),
        ("exchange", ["method": "GET", "path": "/echo", "headers": ["x-a": "program"]]),
      ])

    #expect(sent == [["set"]])
  }

  @Test func `another server gets none that may be a secret`() async throws {
    let other = try TestServer.echo()
    defer { other.close() }
    _ = try await sent(
      [], [set(["x-csrf-token": "t-1", "x-view": "list"]), ("get", ["url": other.url + "/echo"])])

    let request = try #require(other.requests.first)
    #expect(request.headers["x-csrf-token"] == nil)
    #expect(request.headers["x-view"] == "list")
  }

  @Test(arguments: [
    ("x y", "a", "invalid: 'x y' is not the name of a header"),
    ("x-b", "a\r\nb", "invalid: the header 'x-b' has a line break or a control character"),
  ]) func `what cannot be a header is refused, and changes nothing`(
    _ name: String, _ value: String, _ text: String
  ) async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    try await HTTP.with(["base": server.url]) { http in
      _ = try await http.call("set_headers", set(["x-a": "kept"]).input)
      let refused = await http.text("set_headers", set([name: value, "x-a": "new"]).input)
      #expect(refused == text)
      _ = try await http.call("get", ["path": "echo"])
    }
    #expect(server.requests.map { $0.headers["x-a"] } == ["kept"])
  }
}
