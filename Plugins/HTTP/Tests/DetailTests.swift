import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// The rarer fields of requests and answers.
@Suite struct DetailTests {
  // MARK: - Redirects

  private func redirecting() throws -> TestServer {
    try TestServer(answering: { request in
      switch request.path {
      case "/a":
        TestServer.answer("302 Found", ["Location: /b", "Date: today", "Set-Cookie: sid=1"])
      case "/b": TestServer.answer("307 Elsewhere", ["Location: /c"])
      default: TestServer.answer("200 OK", [], request.line)
      }
    })
  }

  @Test func `an answer has the redirects that led to it`() async throws {
    let server = try redirecting()
    defer { server.close() }
    let folder = try TemporaryFolder()

    let (hops, none, file) = try await HTTP.with(
      ["base": server.url], in: folder.directory.path
    ) { http in
      (
        await http.fields(["hops"], "get", ["path": "a"]),
        await http.fields(["hops"], "get", ["path": "c"]),
        await http.fields(["hops"], "get", ["path": "b", "to": "c.txt"])
      )
    }

    let second =
      #"{status: 307, url: "\#(server.url)/b", headers: {location: "/c", content-length: "0"}}"#
    #expect(
      hops == #"{hops: [{status: 302, url: "\#(server.url)/a", headers: {location: "/b", "#
        + #"set-cookie: "sid=1", content-length: "0"}}, \#(second)]}"#)
    #expect(none == "{hops: null}")
    #expect(file == "{hops: [\(second)]}")
  }

  @Test(arguments: [(true, false, 302), (false, true, 200), (true, true, 200)])
  func `a request decides if it follows redirects`(
    _ setting: Bool, field: Bool, status: Int
  ) async throws {
    let server = try redirecting()
    defer { server.close() }

    let answer = try await HTTP.with(["base": server.url, "follow": setting]) {
      await $0.fields(["status"], "get", ["path": "a", "follow": field])
    }

    #expect(answer == "{status: \(status)}")
  }

  @Test(arguments: ["1.0", "1.1"])
  func `an answer has the version of HTTP`(_ version: String) async throws {
    let server = try TestServer { _, connection in
      connection.send("HTTP/\(version) 200 OK\r\nContent-Length: 0\r\n\r\n")
      return false
    }
    defer { server.close() }

    let answer = try await HTTP.with(["base": server.url]) {
      await $0.fields(["http_version"], "get")
    }

    #expect(answer == "{http_version: \"\(version)\"}")
  }

  // MARK: - What is sent

  @Test func `a header is sent once for each value, and left out for null`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let headers = Value.map(
      ValueMap([
        ("X-Tag", .list([.string("old"), .int(2)])), ("x-shop", .null), ("X-Size", .int(3)),
        ("Cookie", .list([.string("a=1"), .string("b=2")])),
      ]))
    let own = Value.map(
      ValueMap([("X-Shop", .string("barn")), ("X-TAG", .list([.string("a"), .string("b")]))]))

    try await HTTP.with(["base": server.url, "headers": own]) { http in
      _ = await http.text("get")
      _ = await http.text("get", ["headers": headers])
    }

    let lines = server.requests.map { request in
      request.lines.filter { $0.hasPrefix("X-") || $0.hasPrefix("Cookie") }.sorted()
    }
    #expect(
      lines == [
        ["X-Shop: barn", "X-TAG: a", "X-TAG: b"],
        ["Cookie: a=1; b=2", "X-Size: 3", "X-Tag: 2", "X-Tag: old"],
      ])
  }

  static let refusals: [(headers: Value, text: String)] = [
    (
      .map(ValueMap([("X", .list([.string("a"), .string("b\nc: d")]))])),
      "the header 'X' has a line break or a control character"
    ),
    (.map(ValueMap([("X", .list([.list([])]))])), "an element of 'X' is of type list"),
    (
      .map(ValueMap([("X-A", .string("1")), ("x-a", .string("2"))])),
      "'X-A' and 'x-a' are the same header; give it once"
    ),
  ]

  @Test(arguments: refusals.indices)
  func `headers that cannot be sent are refused`(_ index: Int) async throws {
    let refusal = Self.refusals[index]

    let text = try await HTTP.with(["base": "http://127.0.0.1:1"]) {
      await $0.text("get", ["headers": refusal.headers])
    }

    #expect(text.hasPrefix("invalid: \(refusal.text)"), "\(text)")
  }

  static let paths: [(input: [String: any FieldValue & Sendable], path: String)] = [
    (["path": "a/../b//c%2f d?e=|"], "/v1/a/../b//c%2f%20d?e=|"),
    (["path": "/../x#y"], "/v1/../x%23y"), (["url": "@/a/./b?c|"], "/a/./b?c|"),
    (["url": "@?c"], "/?c"),
  ]

  @Test(arguments: paths.indices)
  func `a path is sent as it is written`(_ index: Int) async throws {
    let example = Self.paths[index]
    let server = try TestServer.echo()
    defer { server.close() }
    var input: [String: any FieldValue] = example.input
    if let url = input["url"] as? String { input["url"] = url.replacing("@", with: server.url) }
    input["path_as_is"] = true

    _ = try await HTTP.with(["base": "\(server.url)/v1"]) { [input] in await $0.text("get", input) }

    #expect(server.requests.map(\.path) == [example.path])
  }

  @Test func `bytes are a body, alone and in a part with the name of a file`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let bytes = Value.bytes(Bytes([0xFF, 0x00, 0x41]))
    let parts = Value.list([
      .map(
        ValueMap([
          ("name", .string("a")), ("bytes", bytes), ("filename", .string("b\"c.bin")),
          ("headers", .map(ValueMap([("Content-ID", .string("<1>"))]))),
        ]))
    ])

    let refused = try await HTTP.with(["base": server.url]) { http in
      _ = await http.text("post", ["bytes": bytes])
      _ = await http.text("post", ["multipart": parts])
      return await http.text(
        "post",
        [
          "multipart": Value.list([
            .map(
              ValueMap([
                ("name", .string("a")), ("value", .string("b")),
                ("headers", .map(ValueMap([("content-type", .string("text/x"))]))),
              ]))
          ])
        ])
    }

    #expect(server.requests.first?.body == [0xFF, 0x00, 0x41])
    #expect(server.requests.first?.headers["content-type"] == "application/octet-stream")
    let lines = String(decoding: server.requests.last?.body ?? [], as: UTF8.self)
    #expect(
      lines.contains(
        "form-data; name=\"a\"; filename=\"b%22c.bin\"\r\n"
          + "Content-Type: application/octet-stream\r\nContent-ID: <1>\r\n\r\n\u{FFFD}\0A\r\n"))
    #expect(
      refused == "invalid: 'content-type' is no further header of a part; "
        + "give 'name', 'filename' or 'type'")
  }

  // MARK: - Cookies

  @Test func `cookies are read, set and cleared`() async throws {
    let server = try TestServer(answering: { request in
      TestServer.answer("200 OK", ["Set-Cookie: sid=1; Path=/; HttpOnly"])
    })
    defer { server.close() }
    let view = Value.map(ValueMap([("name", .string("view")), ("value", .string("a b"))]))

    let (both, none) = try await HTTP.with(["base": server.url]) { http in
      _ = await http.text("get")
      let both = await http.fields(["cookies"], "cookies", ["set": Value.list([view])])
      _ = await http.text("get")
      return (both, await http.fields(["cookies"], "cookies", ["clear": true]))
    }

    let place = #"domain: "127.0.0.1", path: "/", expires: null, secure: false"#
    #expect(
      both == #"{cookies: [{name: "sid", value: "1", \#(place), httpOnly: true}, "#
        + #"{name: "view", value: "a b", \#(place), httpOnly: false}]}"#)
    #expect(none == "{cookies: []}")
    let sent = server.requests.last?.headers["cookie"]
    #expect(sent == "sid=1; view=a b" || sent == "view=a b; sid=1")
  }

  static let cookies: [(fields: [(String, Value)], text: String)] = [
    (
      [("name", .string("a")), ("value", .string("b;c"))],
      "'value' has a semicolon, a blank at its end or a control character"
    ),
    (
      [("name", .string("a")), ("value", .string("b\tc"))],
      "'value' has a semicolon, a blank at its end or a control character"
    ),
    ([("name", .string("a b")), ("value", .string("c"))], "the name is not a word"),
    (
      [("name", .string("a")), ("value", .string("c"))],
      "it has no 'domain', and the component has no 'base'"
    ),
  ]

  @Test(arguments: cookies.indices)
  func `a cookie that cannot be sent is refused`(_ index: Int) async throws {
    let example = Self.cookies[index]
    let hasBase = index < Self.cookies.count - 1

    let text = try await HTTP.with(hasBase ? ["base": "http://a"] : [:]) {
      await $0.text("cookies", ["set": Value.list([.map(ValueMap(example.fields))])])
    }

    #expect(text.hasPrefix("invalid: the cookie 'a"), "\(text)")
    #expect(text.hasSuffix("' cannot be set: \(example.text)"), "\(text)")
  }

  // MARK: - Sockets

  @Test func `a Unix socket stands for the server of the component alone`() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer(
      at: folder.path("s.sock"),
      answering: { request in
        TestServer.answer("200 OK", [], "\(request.line) \(request.headers["host"] ?? "")")
      })
    defer { server.close() }
    let other = try TestServer.echo()
    defer { other.close() }
    let settings: [String: any FieldValue] = ["base": "http://docker/v1", "unix_socket": "s.sock"]

    let (own, others) = try await HTTP.with(settings, in: folder.directory.path) { http in
      (
        await http.fields(["text"], "get", ["path": "info"]),
        await http.fields(["status"], "get", ["url": "\(other.url)/echo"])
      )
    }

    #expect(own == #"{text: "GET /v1/info docker"}"#)
    #expect(others == "{status: 200}")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("none.sock", "no such file"), ("none/a.sock", "no such file"), ("file", "it is not a socket"),
    ("folder", "it is not a socket"), ("left.sock", "nothing listens on it"),
  ])
  func `a Unix socket that cannot be reached is named with the reason`(
    _ path: String, _ reason: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    try folder.write("", to: "folder/x")
    // A socket stays behind its server, which does not remove it.
    let server = try TestServer(
      at: folder.path("left.sock"), answering: { _ in TestServer.answer("200 OK", [], "") })
    server.close()
    let settings: [String: any FieldValue] = ["base": "http://docker/v1", "unix_socket": path]

    let answer = try await HTTP.with(settings, in: folder.directory.path) { http in
      await http.fields(["text"], "get", ["path": "info"])
    }

    #expect(
      answer
        == "unreachable: http://docker/v1/info: cannot connect to the socket '\(folder.path(path))': \(reason)"
    )
  }
}
