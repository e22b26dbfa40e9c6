import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

@Suite struct RedirectTests {
  @Test(arguments: [
    ("get", 301, "GET /end "), ("get", 303, "GET /end "), ("head", 303, "HEAD /end "),
    ("post", 301, "GET /end "), ("post", 302, "GET /end "), ("post", 303, "GET /end "),
    ("post", 307, "POST /end text"), ("post", 308, "POST /end text"),
    ("put", 302, "PUT /end text"), ("put", 303, "GET /end "), ("delete", 303, "GET /end "),
    ("patch", 307, "PATCH /end text"),
  ])
  func `a redirect keeps the method, unless it asks to look elsewhere`(
    _ operation: String, status: Int, expected: String
  ) async throws {
    let server = try TestServer(answering: { request in
      request.path == "/end"
        ? TestServer.answer() : TestServer.answer("\(status) Moved", ["Location: end#part"])
    })
    defer { server.close() }
    let body: [String: any FieldValue] =
      ["get", "head"].contains(operation) ? [:] : ["body": "text"]

    let text = try await HTTP.with(["base": server.url]) {
      await $0.fields(["status", "url"], operation, body)
    }

    #expect(text == "{status: 200, url: \"\(server.url)/end\"}")
    let last = try #require(server.requests.last)
    #expect("\(last.line) \(last.text)" == expected)
    #expect(last.headers["content-type"] == (last.text.isEmpty ? nil : "text/plain; charset=utf-8"))
  }

  @Test func `credentials are not shown to the server that another one redirects to`() async throws
  {
    let other = try TestServer.echo()
    let server = try TestServer(answering: { request in
      switch request.path {
      case "/here": TestServer.answer("302 Found", ["Location: /away"])
      case "/away": TestServer.answer("302 Found", ["Location: \(other.url)/echo"])
      default: TestServer.answer()
      }
    })
    let settings: [String: any FieldValue] = ["base": server.url, "bearer": "token-1234"]
    let input: [String: any FieldValue] = [
      "path": "here", "headers": ["Cookie": "id=secret", "X-Kept": "1"],
    ]

    try await HTTP.with(settings) { _ = try await $0.call("get", input) }

    #expect(
      server.requests.map { $0.headers["authorization"] } == [
        "Bearer token-1234", "Bearer token-1234",
      ])
    let last = try #require(other.requests.first)
    #expect(
      [last.headers["authorization"], last.headers["cookie"], last.headers["x-kept"]] == [
        nil, nil, "1",
      ])
    server.close()
    other.close()
  }

  @Test func `a redirect is an answer when it is not to be followed`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url, "follow": false]) {
      await $0.fields(["status", "url"], "get", ["path": "redirect"])
    }

    #expect(text == "{status: 302, url: \"\(server.url)/redirect\"}")
  }
}
