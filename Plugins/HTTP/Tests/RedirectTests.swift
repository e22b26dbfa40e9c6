import FlowCore
import FlowTesting
import TestKit
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

  /// Returns the requests to two servers, the first of which redirects to the second.
  private func requests(
    redirecting status: String, _ scenario: (_ server: String) -> String, secrets: [String: String]
  ) async throws -> (first: [TestServer.Request], second: [TestServer.Request], failures: String) {
    let other = try TestServer.echo()
    let server = try TestServer(answering: { _ in
      TestServer.answer(status, ["Location: \(other.url)/echo"])
    })
    defer {
      server.close()
      other.close()
    }
    let folder = try TemporaryFolder()
    try folder.write(scenario(server.url), to: "redirect.yaml")
    var options = LiveOptions()
    options.secrets = secrets
    let run = try await ScenarioFile(folder.path("redirect.yaml")).attempt(
      try Registry([HTTP.self]), options: options)
    return (
      server.requests, other.requests,
      run.failures.replacing(other.url.dropFirst(7), with: "OTHER").replacing(
        server.url, with: "SERVER")
    )
  }

  @Test func `a header that contains a secret stays with its server, whatever its name`()
    async throws
  {
    let (first, second, failures) = try await requests(
      redirecting: "307 Temporary Redirect",
      { server in
        """
        flow: 1
        inputs: {key: {type: string, secret: true}}
        components:
          web:
            plugin: http
            with:
              base: \(server)
              headers:
                Host: shop.example
                X-Customer: "${{ inputs.key }}"
                X-Encoded: "x${{ base64.encode(bytes('a' + inputs.key)) }}"
                Proxy-Authorization: Basic abcd
                X-Auth: letmein
                X-Session-Id: "17"
                X-Author: ann
                Accept: text/plain
        steps: [{uses: web.get}]
        """
      }, secrets: ["key": "k3y-of-the-shop"])

    #expect(failures == "")
    let private_ = [
      "host", "x-customer", "x-encoded", "proxy-authorization", "x-auth", "x-session-id",
    ]
    #expect(private_.allSatisfy { first[0].headers[$0] != nil }, "\(first)")
    let last = try #require(second.first)
    #expect(private_.dropFirst().allSatisfy { last.headers[$0] == nil }, "\(last)")
    #expect(last.headers["host"]?.hasPrefix("127.0.0.1:") == true)
    #expect([last.headers["x-author"], last.headers["accept"]] == ["ann", "text/plain"])
  }

  @Test(arguments: [
    ("303 See Other", ""),
    (
      "307 Temporary Redirect",
      "protocol: SERVER/: a redirect would send the body, which contains a secret, to 'OTHER'; "
        + "to receive the redirect as the response, set 'follow: false'"
    ),
  ])
  func `a body that contains a secret is not sent to another server`(
    _ status: String, _ expected: String
  ) async throws {
    let (_, second, failures) = try await requests(
      redirecting: status,
      { server in
        """
        flow: 1
        inputs: {key: {type: string, secret: true}}
        components: {web: {plugin: http, with: {base: "\(server)"}}}
        steps: [{uses: web.post, with: {json: {key: "${{ inputs.key }}"}}}]
        """
      }, secrets: ["key": "k3y-of-the-shop"])

    #expect(
      expected.isEmpty ? failures == "" : failures.contains(expected.dropFirst(10)), "\(failures)")
    #expect(second.count == (expected.isEmpty ? 1 : 0))
  }

  @Test func `a header of the component that contains a secret goes to its own server alone`()
    async throws
  {
    let (own, other) = (try TestServer.echo(), try TestServer.echo())
    defer {
      own.close()
      other.close()
    }
    let settings: [String: any FieldValue] = [
      "base": own.url, "headers": ["X-Api-Key": "abcdefgh", "X-Trace": "1", "Host": "own.example"],
    ]

    try await HTTP.with(settings) { http in
      _ = try await http.call("get", ["path": "echo"])
      _ = try await http.call("get", ["url": "\(other.url)/echo"])
    }

    let names = ["x-api-key", "x-trace"]
    #expect(
      own.requests.map { request in names.map { request.headers[$0] } } == [["abcdefgh", "1"]])
    #expect(other.requests.map { request in names.map { request.headers[$0] } } == [[nil, "1"]])
    #expect(own.requests.first?.headers["host"] == "own.example")
    #expect(other.requests.first?.headers["host"] == "127.0.0.1:\(other.port)")
  }

  @Test(arguments: ["/end", "end", "?page=2", "//HOST/end", "http://HOST/end"])
  func `basic authentication follows a redirect on its server, however that is written`(
    _ location: String
  ) async throws {
    let server = try TestServer(answering: { request in
      guard request.path == "/start" else { return TestServer.answer() }
      let host = request.headers["host"] ?? ""
      return TestServer.answer(
        "302 Found", ["Location: \(location.replacing("HOST", with: host))"])
    })
    defer { server.close() }
    let settings: [String: any FieldValue] = [
      "base": server.url, "user": "üser", "password": "p:ss/w@rd",
    ]

    let text = try await HTTP.with(settings) {
      await $0.fields(["status"], "get", ["path": "start"])
    }

    #expect(text == "{status: 200}")
    let basic = "Basic \(Bytes(Array("üser:p:ss/w@rd".utf8)).base64)"
    #expect(server.requests.map { $0.headers["authorization"] } == [basic, basic])
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
