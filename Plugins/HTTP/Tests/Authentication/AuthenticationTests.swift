import FlowCore
import FlowTesting
import Synchronization
import TestKit
import Testing

@testable import HTTPPlugin

/// Authentication in the settings and in requests.
@Suite struct AuthenticationTests {
  static let ways: [(way: Value, header: String)] = [
    (auth("bearer", .string("token-1234")), "Bearer token-1234"),
    (auth("basic", ["user": "ann", "password": "open sesame"]), "Basic YW5uOm9wZW4gc2VzYW1l"),
    (.map(ValueMap()), "-"),
  ]

  @Test(arguments: ways.indices)
  func `a request's authentication takes the place of the component's`(_ index: Int) async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let (way, header) = Self.ways[index]
    let settings: [String: any FieldValue] = [
      "base": server.url, "bearer": "token-5678", "headers": ["authorization": "old"],
    ]

    try await HTTP.with(["base": server.url, "auth": way]) { _ = await $0.text("get") }
    try await HTTP.with(settings) { http in
      _ = await http.text("get", ["auth": way])
      _ = await http.text("get", ["auth": way, "headers": ["Authorization": "mine"]])
    }

    #expect(server.requests.map { $0.headers["authorization"] ?? "-" } == [header, header, "mine"])
  }

  @Test func `a request's authentication leaves nothing of the component's signature`() async throws
  {
    let server = try TestServer.echo()
    defer { server.close() }
    let signature: KeyValuePairs<String, String> = [
      "region": "eu-central-1", "service": "s3", "access_key": "AK", "secret_key": "open sesame",
      "session_token": "token/of+session==",
    ]
    let auth = Self.auth("sigv4", .map(ValueMap(signature.map { ($0.key, .string($0.value)) })))

    try await HTTP.with(["base": server.url, "auth": auth]) { http in
      _ = await http.text(
        "get", ["path": "a?z&b=1&a=x", "auth": Self.auth("bearer", .string("token-1234"))])
    }

    let sent = try #require(server.requests.first)
    #expect(sent.path == "/a?z&b=1&a=x")
    #expect(sent.headers["authorization"] == "Bearer token-1234")
    #expect(sent.headers["x-amz-security-token"] == nil)
  }

  @Test func `a request's authentication goes where the request goes, and to no other server`()
    async throws
  {
    let other = try TestServer.echo()
    defer { other.close() }
    let server = try TestServer(answering: { _ in
      TestServer.answer("302 Found", ["Location: \(other.url)/echo"])
    })
    defer { server.close() }
    let way = Self.auth("bearer", .string("token-1234"))

    try await HTTP.with(["base": server.url]) { http in
      _ = await http.text("get", ["auth": way])
      _ = await http.text("get", ["auth": way, "url": "\(other.url)/echo"])
    }

    #expect(
      other.requests.map { $0.headers["authorization"] ?? "-" } == ["-", "Bearer token-1234"])
  }

  @Test func `two ways at once are refused`() async throws {
    let both = Value.map(
      ValueMap([
        ("bearer", .string("token-1234")),
        ("digest", .map(ValueMap([("user", .string("a")), ("password", .string("open sesame"))]))),
      ]))

    let text = try await HTTP.with(["base": "http://127.0.0.1:1"]) {
      await $0.text("get", ["auth": both])
    }

    #expect(text == "invalid: 'auth' has one way: 'bearer' and 'digest' cannot be combined")
  }

  // MARK: - Digest

  /// A server that challenges each request without an answer, and repeats the answers' lines.
  private func challenging() throws -> TestServer {
    try TestServer(answering: { request in
      guard request.headers["authorization"] != nil else {
        return TestServer.answer(
          "401 No", ["WWW-Authenticate: Digest realm=\"shop\", qop=\"auth\", nonce=\"barn\""], "no")
      }
      if request.path == "/old" { return TestServer.answer("302 Found", ["Location: new"]) }
      return TestServer.answer("200 OK", ["Content-Type: text/plain"], request.text)
    })
  }

  @Test(arguments: ["get", "post", "exchange", "to"])
  func `a challenge is answered, also for a body that is read as it arrives`(
    _ kind: String
  ) async throws {
    let folder = try TemporaryFolder()
    let server = try challenging()
    defer { server.close() }
    let inputs: [String: [String: any FieldValue]] = [
      "get": ["path": "a"], "post": ["path": "a", "body": "barn"],
      "exchange": ["method": "POST", "path": "/a", "text": "barn"],
      "to": ["path": "a", "to": "out.txt"],
    ]
    let digest = Self.auth("digest", ["user": "ann", "password": "open@sesame"])

    let status = try await HTTP.with(
      ["base": server.url, "auth": digest], in: folder.directory.path
    ) { http in
      await http.fields(["status"], kind == "to" ? "get" : kind, inputs[kind] ?? [:])
    }

    #expect(status == "{status: 200}")
    let headers = server.requests.map { $0.headers["authorization"] ?? "-" }
    #expect(headers.first == "-")
    #expect(headers.count == 2)
    #expect(headers.last?.hasPrefix("Digest username=\"ann\"") == true)
    #expect(headers.last?.contains("uri=\"/a\"") == true)
  }

  @Test func `a redirect is followed with a digest, whatever the password`() async throws {
    let server = try challenging()
    defer { server.close() }
    let digest = Self.auth("digest", ["user": "a/n", "password": "open@ses:ame/"])

    let answer = try await HTTP.with(["base": server.url, "auth": digest]) {
      await $0.fields(["status", "url"], "get", ["path": "old"])
    }

    #expect(answer == "{status: 200, url: \"\(server.url)/new\"}")
  }

  // MARK: - Tokens

  /// A server that gives tokens at `/token`, and says what it was sent elsewhere.
  ///
  /// It refuses a token of a request that the test chooses.
  private func giving(
    _ answer: String, refusing refused: [String] = []
  ) throws -> TestServer {
    let count = Mutex(0)
    return try TestServer(answering: { request in
      if request.path == "/token" {
        let number = count.withLock { count in
          count += 1
          return count
        }
        let body = answer.replacing("%", with: "\(number)")
        return TestServer.answer(body.hasPrefix("{") ? "200 OK" : "400 No", [], body)
      }
      let token = request.headers["authorization"] ?? "-"
      return TestServer.answer(refused.contains(token) ? "401 No" : "200 OK", [], token)
    })
  }

  private func settings(_ server: TestServer, _ more: KeyValuePairs<String, String> = [:])
    -> [String: any FieldValue]
  {
    var fields: [(String, Value)] = [
      ("token_url", Value.string("\(server.url)/token")), ("client_id", .string("a b")),
      ("client_secret", .string("open+sesame")),
    ]
    fields += more.map { ($0.key, .string($0.value)) }
    return [
      "base": server.url, "auth": Value.map(ValueMap([("oauth2", .map(ValueMap(fields)))])),
    ]
  }

  @Test func `a token is fetched once for all requests until it ends`() async throws {
    let server = try giving(#"{"access_token": "token-%", "expires_in": 600}"#)
    defer { server.close() }

    let texts = try await HTTP.with(settings(server, ["scope": "read write"])) { http in
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { await http.fields(["text"], "get") } }
        return await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
    }

    #expect(texts == [#"{text: "Bearer token-1"}"#])
    let requests = server.requests.filter { $0.path == "/token" }
    #expect(requests.map(\.text) == ["grant_type=client_credentials&scope=read%20write"])
    // RFC 6749, section 2.3.1: 'a%20b:open%2Bsesame'.
    #expect(
      requests.map { $0.headers["authorization"] } == ["Basic YSUyMGI6b3BlbiUyQnNlc2FtZQ=="])
  }

  @Test func `a client can send its secret in the body`() async throws {
    let server = try giving(#"{"access_token": "token-%"}"#)
    defer { server.close() }

    _ = try await HTTP.with(settings(server, ["credentials": "body"])) { await $0.text("get") }

    let request = try #require(server.requests.first)
    #expect(
      request.text
        == "grant_type=client_credentials&client_id=a%20b&client_secret=open%2Bsesame")
    #expect(request.headers["authorization"] == nil)
  }

  @Test(arguments: [(#", "expires_in": 0"#, 2), (#", "expires_in": "600""#, 1), ("", 1)])
  func `a token that has ended is renewed`(_ end: String, count: Int) async throws {
    let server = try giving("{\"access_token\": \"token-%\"\(end)}")
    defer { server.close() }

    try await HTTP.with(settings(server)) { http in
      for _ in 0..<2 { _ = await http.text("get") }
    }

    #expect(server.requests.filter { $0.path == "/token" }.count == count)
  }

  @Test func `a refused token is renewed once`() async throws {
    let server = try giving(
      #"{"access_token": "token-%"}"#, refusing: ["Bearer token-1", "Bearer token-3"])
    defer { server.close() }

    let (renewed, other) = try await HTTP.with(settings(server)) { http in
      let first = await http.fields(["status", "text"], "post", ["body": "barn"])
      return (first, await http.fields(["status"], "get"))
    }

    #expect(renewed == #"{status: 200, text: "Bearer token-2"}"#)
    #expect(other == "{status: 200}")
    #expect(
      server.requests.map(\.line) == ["POST /token", "POST /", "POST /token", "POST /", "GET /"])
  }

  static let refusals: [(answer: String, text: String)] = [
    ("no", "the server of tokens returned 400"),
    (#"{"token": 1}"#, "the server of tokens returned no 'access_token'"),
    (#"{"access_token": "a\nb: c"}"#, "the 'access_token' has a line break or a control character"),
    (
      #"{"access_token": "abc"}"#,
      "the secret 'access_token' has fewer than 4 bytes and cannot be hidden"
    ),
  ]

  @Test(arguments: refusals.indices)
  func `without a token nothing is sent`(_ index: Int) async throws {
    let refusal = Self.refusals[index]
    let server = try giving(refusal.answer)
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {base: {type: string}, password: {type: string, secret: true}}
      components:
        web:
          plugin: http
          with:
            base: ${{ inputs.base }}
            auth:
              oauth2:
                token_url: ${{ inputs.base }}/token
                client_id: ann
                client_secret: ${{ inputs.password }}
      steps: [{uses: web.get}]

      """, to: "s.yaml")
    var options = LiveOptions()
    options.secrets = ["password": "open sesame"]

    let run = try await ScenarioFile(folder.path("s.yaml")).attempt(
      try Registry([HTTP.self]), inputs: ["base": server.url], options: options)

    #expect(run.failures.contains("\(server.url)/token: \(refusal.text)"), "\(run.failures)")
    #expect(server.requests.map(\.line) == ["POST /token"])
  }

  @Test func `a token is in no transcript`() async throws {
    let server = try giving(#"{"access_token": "s3cr3t-%"}"#)
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {base: {type: string}}
      components:
        web:
          plugin: http
          with:
            base: ${{ inputs.base }}
            auth:
              oauth2:
                token_url: ${{ inputs.base }}/token
                client_id: ann
                client_secret: open sesame
      steps: [{uses: web.get, expect: {text: Bearer s3cr3t-1}}]

      """, to: "s.yaml")

    let run = try await ScenarioFile(folder.path("s.yaml")).attempt(
      try Registry([HTTP.self]), inputs: ["base": server.url])

    let transcript = String(decoding: run.transcript, as: UTF8.self)
    #expect(run.failures == "")
    #expect(transcript.contains("Bearer ${secret:access_token}"))
    for text in ["s3cr3t", "open sesame"] { #expect(!transcript.contains(text)) }
  }

  private static func auth(_ way: String, _ value: Value) -> Value {
    .map(ValueMap([(way, value)]))
  }

  private static func auth(_ way: String, _ fields: KeyValuePairs<String, String>) -> Value {
    auth(way, .map(ValueMap(fields.map { ($0.key, Value.string($0.value)) })))
  }
}
