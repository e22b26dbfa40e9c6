import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Requests as the server receives them.
@Suite struct SendingTests {
  private let folder: TemporaryFolder
  private let server: TestServer

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer.echo()
    try folder.write("a file", to: "in/file.txt")
  }

  static let bodies:
    [(name: String, value: any FieldValue & Sendable, type: String, text: String)] = [
      (
        "json", Value.map(ValueMap([("a", .list([.null])), ("b", .int(1))])),
        "application/json", #"{"a":[null],"b":1}"#
      ),
      (
        "form",
        Value.map(
          ValueMap([
            ("b", .string("x y&")), ("a", .list([.int(1), .null, .bool(true)])),
            ("none", .null),
          ])), "application/x-www-form-urlencoded", "b=x%20y%26&a=1&a=true"
      ),
      ("body", "é\r\n", "text/plain; charset=utf-8", "é\r\n"),
      ("body", "", "text/plain; charset=utf-8", ""),
      ("file", "in/file.txt", "application/octet-stream", "a file"),
    ]

  @Test(arguments: bodies.indices, ["post", "put", "patch", "delete"])
  func `each kind of body is sent by each method`(_ index: Int, operation: String) async throws {
    let body = Self.bodies[index]

    let answer = try await open { await $0.fields(["status"], operation, [body.name: body.value]) }

    #expect(answer == "{status: 200}")
    let request = try #require(server.requests.first)
    #expect(request.line == "\(operation.uppercased()) /echo")
    #expect(request.headers["content-type"] == body.type)
    #expect(request.text == body.text)
    #expect(request.headers["expect"] == nil)
    server.close()
  }

  @Test func `parts are sent between boundaries, and no name breaks out of its line`() async throws
  {
    let parts = Value.list([
      .map(ValueMap([("name", .string("ti\"t\r\nle")), ("value", .string("Barn"))])),
      .map(
        ValueMap([
          ("name", .string("data")), ("file", .string("in/file.txt")), ("type", .string("text/x")),
        ])),
    ])

    _ = try await open { try await $0.call("post", ["multipart": parts]) }

    let request = try #require(server.requests.first)
    let type = try #require(request.headers["content-type"])
    let boundary = type.replacing(existing: "multipart/form-data; boundary=", with: "")
    #expect(
      request.text.replacing(existing: boundary, with: "B") == """
        --B\r
        Content-Disposition: form-data; name="ti%22t%0D%0Ale"\r
        \r
        Barn\r
        --B\r
        Content-Disposition: form-data; name="data"; filename="file.txt"\r
        Content-Type: text/x\r
        \r
        a file\r
        --B--\r

        """)
    server.close()
  }

  @Test func `methods without a body have a length where servers ask for one`() async throws {
    try await open { http in
      for name in ["get", "head", "post", "put", "patch", "delete"] {
        _ = try await http.call(name)
      }
      _ = try await http.call("request", ["method": "options"])
      _ = try await http.call("request", ["method": "GET", "body": "why not"])
      _ = try await http.call("get")
    }

    #expect(
      server.requests.map { "\($0.line) \($0.headers["content-length"] ?? "-") \($0.text)" } == [
        "GET /echo - ", "HEAD /echo - ", "POST /echo 0 ", "PUT /echo 0 ", "PATCH /echo 0 ",
        "DELETE /echo - ", "OPTIONS /echo - ", "GET /echo 7 why not", "GET /echo - ",
      ])
    #expect(server.requests.allSatisfy { $0.headers["user-agent"] == "flow" })
    server.close()
  }

  @Test func `a call's headers replace the component's, whatever their case`() async throws {
    let settings: [String: any FieldValue] = [
      "base": server.url, "headers": ["X-One": "1", "x-two": "2"],
    ]

    try await HTTP.with(settings) { http in
      _ = try await http.call(
        "get", ["headers": ["x-one": "one", "X-Empty": "", "user-agent": "me"]])
    }

    let headers = try #require(server.requests.first).headers
    #expect(headers["x-one"] == "one")
    #expect(headers["x-two"] == "2")
    #expect(headers["x-empty"] == "")
    #expect(headers["user-agent"] == "me")
    server.close()
  }

  @Test func `credentials go to the component's server alone`() async throws {
    let other = try TestServer.echo()
    let settings: [String: any FieldValue] = ["base": server.url, "bearer": "token-1234"]
    let basic: [String: any FieldValue] = [
      "base": server.url, "user": "ann", "password": "open sesame",
    ]

    for settings in [settings, basic] {
      try await HTTP.with(settings) { http in
        _ = try await http.call("get")
        _ = try await http.call("get", ["headers": ["Authorization": "mine"]])
        _ = try await http.call("get", ["url": other.url])
      }
    }

    #expect(
      server.requests.map { $0.headers["authorization"] } == [
        "Bearer token-1234", "mine", "Basic YW5uOm9wZW4gc2VzYW1l", "mine",
      ])
    #expect(other.requests.map { $0.headers["authorization"] } == [nil, nil])
    server.close()
    other.close()
  }

  @Test func `a proxy is asked for whole addresses`() async throws {
    let settings: [String: any FieldValue] = [
      "proxy": server.url, "base": "http://example.invalid",
    ]

    _ = try await HTTP.with(settings) { try await $0.call("get", ["path": "echo"]) }

    #expect(server.requests.map(\.line) == ["GET http://example.invalid/echo"])
    server.close()
  }

  @Test func `a proxy that is not there is what the error names`() async throws {
    let settings: [String: any FieldValue] = [
      "proxy": "http://127.0.0.1:1", "base": server.url,
    ]

    let text = try await HTTP.with(settings) { await $0.fields(["status"], "get") }

    #expect(text == "unreachable: \(server.url)/: cannot connect to the proxy")
    server.close()
  }

  @Test(arguments: ["request", "post", "put", "patch", "delete"])
  func `a call is safe to repeat if it says which call it is`(_ name: String) throws {
    let operation = try #require(
      HTTP.plugin.operations.first { $0.description.name == name }
    ).description
    let method = name == "request" ? [("method", Value.string("POST"))] : []
    let input = { (says: Bool) in Value.map(ValueMap(method + [("idempotency", .bool(says))])) }

    #expect(operation.retry == nil)
    #expect(operation.isSafeToRepeat(input(true)))
    #expect(!operation.isSafeToRepeat(input(false)))
  }

  @Test func `a call that is repeated has the same key`() async throws {
    try await open { http in
      _ = try await http.call("post", ["idempotency": true], at: "pay#1")
      _ = try await http.call("post", ["idempotency": true], at: "pay#1")
      _ = try await http.call("post", at: "pay#1")
    }

    #expect(
      server.requests.map { $0.headers["idempotency-key"] } == ["run/pay#1#1", "run/pay#1#1", nil])
    server.close()
  }

  static let refusals:
    [(operation: String, input: [String: any FieldValue & Sendable], text: String)] = [
      (
        "post", ["json": 1, "body": "x"],
        "a request has one body: 'json' and 'body' cannot be combined"
      ),
      ("get", ["path": "a", "url": "http://b"], "'path' cannot be combined with 'url'"),
      (
        "get", ["path": "HTTP://b/c"],
        "'HTTP://b/c' is not a path; give a whole URL in 'url'"
      ),
      (
        "get", ["url": "file:///etc/passwd"],
        "'file:///etc/passwd' does not start with http:// or https://"
      ),
      (
        "get", ["headers": ["X": "a\r\nY: b"]],
        "the header 'X' has a line break or a control character"
      ),
      (
        "get", ["headers": ["X": "a\nY: b"]],
        "the header 'X' has a line break or a control character"
      ),
      ("get", ["headers": ["X": "a\0b"]], "the header 'X' has a line break or a control character"),
      ("get", ["headers": ["X Y": "a"]], "'X Y' is not the name of a header"),
      ("get", ["headers": ["": "a"]], "'' is not the name of a header"),
      ("request", ["method": "GET /x"], "'GET /x' is not a method"),
      ("request", ["method": "HEAD", "body": ""], "a request with the method HEAD has no body"),
      (
        "get", ["query": ["a": Value.map(ValueMap())]],
        "'a' is of type map, which cannot be sent as text"
      ),
      (
        "get", ["query": ["a": Value.list([.int(1), .list([])])]],
        "an element of 'a' is of type list, which cannot be sent as text"
      ),
      (
        "get", ["url": "http://127.0.0.1:99999/"],
        "'http://127.0.0.1:99999' has an invalid host or port"
      ),
      (
        "post", ["multipart": Value.list([.map(ValueMap([("name", .string("a"))]))])],
        "the part 'a' needs one of 'value', 'bytes' and 'file'"
      ),
      ("post", ["file": "../x"], "cannot read '../x': the path is outside the scenario's folder"),
      ("post", ["file": "none"], "cannot read 'none': no such file"),
    ]

  @Test(arguments: refusals.indices)
  func `a request that cannot be made is refused before anything is sent`(_ index: Int) async throws
  {
    let refusal = Self.refusals[index]

    let text = try await open { await $0.text(refusal.operation, refusal.input) }

    #expect(text == "\(refusal.input["file"] == nil ? "invalid" : "file"): \(refusal.text)")
    #expect(server.connectionCount == 0)
    server.close()
  }

  @Test func `a request that libcurl refuses is not sent in place of another one`() async throws {
    // Longer than any text may be for libcurl, which would send a GET.
    let method = String(repeating: "A", count: 8_000_001)
    let text = try await open { await $0.text("request", ["method": method]) }

    #expect(
      text == "invalid: libcurl refuses the request: A libcurl function was given a bad argument")
    #expect(server.connectionCount == 0)
    server.close()
  }

  @Test func `a request needs an address`() async throws {
    let text = try await HTTP.with([:]) { await $0.text("get", ["path": "/a"]) }

    #expect(text == "invalid: 'url' is missing, and the component has no 'base'")
    server.close()
  }

  private func open<Success>(_ work: (OpenComponent) async throws -> Success) async throws
    -> Success
  {
    try await HTTP.with(["base": "\(server.url)/echo"], in: folder.directory.path, work)
  }
}
