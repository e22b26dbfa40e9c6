import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import HTTPPlugin

/// Requests of other programs that are passed on as they are.
@Suite struct ExchangeTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let settings: [String: any FieldValue & Sendable]
    let input: [String: any FieldValue & Sendable]
    /// The first line, the headers sorted, and the body.
    let expected: [String]

    init(
      _ id: String, _ settings: [String: any FieldValue & Sendable] = [:],
      _ input: [String: any FieldValue & Sendable], _ expected: [String]
    ) {
      (testDescription, self.settings, self.input, self.expected) = (id, settings, input, expected)
    }
  }

  private static let longNumbers =
    #"{"a":12345678901234567890123456789012345678901,"b":1.00000000000000000000000000000000000000000000000000001}"#

  private static let requests: [Example] = [
    Example("nothing but the host", [:], ["method": "GET", "path": "/"], ["GET /", ""]),
    Example(
      "headers of the program, with a name given twice", [:],
      [
        "method": "GET", "path": "/a",
        "headers": [
          "accept": .string("text/csv"), "accept-encoding": .string("gzip"),
          "user-agent": .string("shop/1"), "x-empty": .string(""),
          "x-tag": .list([.string("a"), .string("b, c")]),
        ] as [String: Value],
      ],
      [
        "GET /a", "accept-encoding: gzip", "accept: text/csv", "user-agent: shop/1", "x-empty:",
        "x-tag: a", "x-tag: b, c", "",
      ]),
    Example(
      "cookies of the program alone", [:],
      ["method": "GET", "path": "/a", "headers": ["cookie": "a=1; b=2"]],
      ["GET /a", "cookie: a=1; b=2", ""]),
    Example(
      "a path that is not normal", [:],
      ["method": "GET", "path": "/a/../b//./%7e%2F[1]|x y?filter[a]=%zz&q=é#f"],
      ["GET /a/../b//./%7e%2F[1]|x%20y?filter[a]=%zz&q=%C3%A9%23f", ""]),
    Example(
      "a query as values", [:],
      [
        "method": "GET", "path": "/a",
        "query": ["tag": .list([.string("x"), .string("y z")]), "n": .int(1)]
          as [String: Value],
      ],
      ["GET /a?n=1&tag=x&tag=y%20z", ""]),
    Example(
      "a query behind one in the path", [:],
      ["method": "GET", "path": "/a?b", "query": ["c": "1"]], ["GET /a?b&c=1", ""]),
    Example(
      "JSON", [:],
      [
        "method": "POST", "path": "/a",
        "json": (try? Value(json: Array(#"{"b": 1.50, "a":[1E2, -0]}"#.utf8))) ?? .null,
      ],
      [
        "POST /a", "content-length: 23", "content-type: application/json",
        #"{"b":1.50,"a":[1E2,-0]}"#,
      ]),
    Example(
      "JSON with numbers of many digits", [:],
      [
        "method": "POST", "path": "/a",
        "json": (try? Value(json: Array(longNumbers.utf8))) ?? .null,
      ],
      ["POST /a", "content-length: 107", "content-type: application/json", longNumbers]),
    Example(
      "JSON with the type of the program", [:],
      [
        "method": "PATCH", "path": "/a", "json": Value.list([]),
        "headers": ["content-type": "application/merge-patch+json", "content-length": "99"],
      ],
      ["PATCH /a", "content-length: 2", "content-type: application/merge-patch+json", "[]"]),
    Example(
      "a form", [:],
      ["method": "POST", "path": "/a", "form": ["a": Value.list([.string("1"), .string("&")])]],
      [
        "POST /a", "content-length: 9", "content-type: application/x-www-form-urlencoded",
        "a=1&a=%26",
      ]),
    Example(
      "a text without a type", [:], ["method": "PUT", "path": "/a", "text": "hé"],
      ["PUT /a", "content-length: 3", "hé"]),
    Example(
      "bytes with a type", [:],
      [
        "method": "POST", "path": "/a", "bytes": Bytes([0x68, 0]),
        "headers": ["content-type": "image/png", "transfer-encoding": "chunked"],
      ],
      ["POST /a", "content-length: 2", "content-type: image/png", "h\0"]),
    Example(
      "no body where one is usual", [:], ["method": "POST", "path": "/a"],
      ["POST /a", "content-length: 0", ""]),
    Example(
      "another method", [:], ["method": "PURGE", "path": "/a", "text": "x"],
      ["PURGE /a", "content-length: 1", "x"]),
    Example(
      "settings replace headers of the program",
      ["bearer": "real", "headers": ["X-Key": "mine", "X-More": "1"]],
      [
        "method": "GET", "path": "/a",
        "headers": ["authorization": "Bearer fake", "x-key": "yours"],
      ],
      ["GET /a", "authorization: Bearer real", "x-key: mine", "x-more: 1", ""]),
  ]

  @Test(arguments: requests)
  func `a request is sent as it was given`(_ example: Example) async throws {
    let server = try TestServer(answering: { _ in TestServer.answer() })
    defer { server.close() }

    let text = try await HTTP.with(example.settings.merging(["base": server.url]) { $1 }) {
      await $0.fields(["status"], "exchange", example.input)
    }

    #expect(text == "{status: 200}")
    let request = try #require(server.requests.first)
    let host = "host: 127.0.0.1:\(server.port)"
    let headers = request.lines.map { line in
      let name = line.prefix { $0 != ":" }
      return name.lowercased() + line.dropFirst(name.count)
    }.filter { $0 != host }.sorted()
    #expect([request.line] + headers + [request.text] == example.expected)
    #expect(request.lines.count == headers.count + 1)
  }

  @Test func `a path goes behind the path of the base`() async throws {
    let server = try TestServer(answering: { _ in TestServer.answer() })
    defer { server.close() }

    try await HTTP.with(["base": server.url + "/v1/"]) { http in
      for path in ["/a", "a", "/", "//other.example/a"] {
        _ = try await http.call("exchange", ["method": "GET", "path": path])
      }
    }

    #expect(server.requests.map(\.path) == ["/v1/a", "/v1/a", "/v1/", "/v1//other.example/a"])
  }

  @Test func `cookies of servers are neither kept nor taken from other operations`() async throws {
    let server = try TestServer(answering: { _ in
      TestServer.answer("200 OK", ["Set-Cookie: user=7; Path=/", "Set-Cookie: b=1, 2"])
    })
    defer { server.close() }
    let input = ["method": "GET", "path": "/"]

    let text = try await HTTP.with(["base": server.url]) { http in
      _ = try await http.call("exchange", input)
      _ = try await http.call("get")
      return await http.fields(["headers"], "exchange", input)
    }

    #expect(text == #"{headers: {set-cookie: "user=7; Path=/\nb=1, 2"}}"#)
    #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil, nil])
  }

  private static let answers:
    [(id: String, method: String, head: String, body: [UInt8], text: String)] = [
      (
        "JSON", "GET",
        "200 OK\nContent-Type: application/json; charset=utf-8\nContent-Length: 20\nDate: now",
        Array(#" {"b":1.50,"a":[1] } "#.utf8.dropLast()),
        #"{status: 200, headers: {content-type: "application/json; charset=utf-8"}, json: {b: 1.50, a: [1]}, text: null, bytes: null}"#
      ),
      (
        "JSON by its look alone", "GET", "200 OK\nContent-Length: 2", Array("[]".utf8),
        #"{status: 200, headers: {}, json: null, text: "[]", bytes: null}"#
      ),
      (
        "JSON that is broken", "GET", "200 OK\nContent-Type: text/json\nContent-Length: 1",
        Array("[".utf8),
        #"{status: 200, headers: {content-type: "text/json"}, json: null, text: "[", bytes: null}"#
      ),
      (
        "JSON with a number that a decimal cannot hold", "GET",
        "200 OK\nContent-Type: application/json\nContent-Length: 48",
        Array(#"{"a":[1234567890123456789012345678901234567890]}"#.utf8),
        #"{status: 200, headers: {content-type: "application/json"}, json: null, text: "{\"a\":[1234567890123456789012345678901234567890]}", bytes: null}"#
      ),
      (
        "null", "GET", "200 OK\nContent-Type: application/json\nContent-Length: 4",
        Array("null".utf8),
        #"{status: 200, headers: {content-type: "application/json"}, json: null, text: "null", bytes: null}"#
      ),
      (
        "bytes", "GET", "200 OK\nContent-Type: text/plain; charset=iso-8859-1\nContent-Length: 2",
        [0xE9, 0x21],
        #"{status: 200, headers: {content-type: "text/plain; charset=iso-8859-1"}, json: null, text: null, bytes: 2 bytes}"#
      ),
      (
        "an empty body", "GET", "200 OK\nContent-Length: 0", [],
        #"{status: 200, headers: {}, json: null, text: null, bytes: null}"#
      ),
      (
        "no content", "DELETE", "204 No Content\nX-A: 1\nX-A: 2", [],
        #"{status: 204, headers: {x-a: "1, 2"}, json: null, text: null, bytes: null}"#
      ),
      (
        "not modified", "GET", "304 Not Modified\nETag: \"a\"\nContent-Length: 100", [],
        #"{status: 304, headers: {etag: "\"a\""}, json: null, text: null, bytes: null}"#
      ),
      (
        "a head alone", "HEAD", "200 OK\nContent-Type: text/event-stream\nContent-Length: 100", [],
        #"{status: 200, headers: {content-type: "text/event-stream", content-length: "100"}, json: null, text: null, bytes: null}"#
      ),
      (
        "a redirect", "POST",
        "307 Temporary Redirect\nLocation: http://other.example/\nContent-Length: 2",
        Array("to".utf8),
        #"{status: 307, headers: {location: "http://other.example/"}, json: null, text: "to", bytes: null}"#
      ),
      (
        "interim answers", "GET",
        "100 Continue\n\nHTTP/1.1 103 Early\nLink: a\n\nHTTP/1.1 200 OK\nContent-Length: 1",
        Array("x".utf8), #"{status: 200, headers: {}, json: null, text: "x", bytes: null}"#
      ),
      (
        "another protocol", "GET", "101 Switching Protocols\nUpgrade: chat\nConnection: Upgrade",
        Array("hello".utf8),
        #"{status: 101, headers: {upgrade: "chat"}, json: null, text: null, bytes: null}"#
      ),
      (
        "chunks, with the headers of the connection", "GET",
        "200 OK\nTransfer-Encoding: chunked\nConnection: keep-alive\nKeep-Alive: timeout=5",
        Array("2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n".utf8),
        #"{status: 200, headers: {}, json: null, text: "abcde", bytes: null}"#
      ),
      // printf hello | gzip -n
      (
        "gzip", "GET", "200 OK\nContent-Encoding: gzip\nContent-Length: 25",
        [
          0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10,
          0x36, 5, 0, 0, 0,
        ], #"{status: 200, headers: {}, json: null, text: "hello", bytes: null}"#
      ),
      (
        "a coding that is not known", "GET", "200 OK\nContent-Encoding: x\nContent-Length: 1",
        [0xFF],
        #"{status: 200, headers: {content-encoding: "x"}, json: null, text: null, bytes: 1 bytes}"#
      ),
    ]

  @Test(arguments: answers.indices)
  func `an answer has one form of its body`(_ index: Int) async throws {
    let answer = Self.answers[index]
    let server = try TestServer { _, connection in
      connection.send(
        "HTTP/1.1 \(answer.head.replacing("\n", with: "\r\n").replacing("\r\r", with: "\r"))\r\n\r\n"
      )
      return connection.send(answer.body) && answer.id != "another protocol"
    }
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url]) {
      await $0.fields(
        ["status", "headers", "json", "text", "bytes"], "exchange",
        ["method": answer.method, "path": "/"])
    }

    #expect(text == answer.text)
    #expect(server.requests.count == 1)
  }

  @Test func `trailers and the date are apart`() async throws {
    let server = try TestServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nDate: now\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
          + "1\r\na\r\n0\r\nX-Sum: 7\r\n\r\n")
    }
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url]) {
      await $0.fields(
        ["headers", "trailers", "date", "text"], "exchange", ["method": "GET", "path": "/"])
    }

    #expect(
      text == #"{headers: {trailer: "X-Sum"}, trailers: {x-sum: "7"}, date: "now", text: "a"}"#)
  }

  @Test func `large bodies of any bytes come and go unchanged`() async throws {
    let server = try TestServer { request, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n")
      return connection.send(request.body)
    }
    defer { server.close() }
    // A length that no power of two divides.
    let part = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 131) }
    let body = Bytes(Array(repeatElement(part, count: 257).joined().prefix(16 << 20)))

    let answer = try await HTTP.with(["base": server.url]) {
      try await $0.call("exchange", ["method": "POST", "path": "/", "bytes": body])
    }

    guard case .record(let record) = answer else { throw CancellationError() }
    #expect(record["bytes"] == .bytes(body))
  }

  private static let failures: [(id: String, text: String)] = [
    ("reset in the body", "protocol: URL/: the connection was lost"),
    ("cut in the body", "protocol: URL/: the response is incomplete"),
    ("closed", "protocol: URL/: the connection was closed without a response"),
    ("garbage", "protocol: URL/: the response is not HTTP"),
    ("silent", "timeout: URL/: no complete response within 0.15s"),
    ("silent in the body", "timeout: URL/: no complete response within 0.15s"),
    (
      "too long",
      "too_large: URL/: the response has more than 1000 bytes, or its headers more than 256 KiB"
    ),
  ]

  @Test(arguments: failures.indices)
  func `a failure is the error of the other operations`(_ index: Int) async throws {
    let failure = Self.failures[index]
    let server = try TestServer { _, connection in
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\nhello"
      switch failure.id {
      case "reset in the body":
        connection.send(head)
        connection.reset()
      case "cut in the body": connection.send(head)
      case "garbage": connection.send("SSH-2.0\r\n")
      case "silent": connection.waitForEnd()
      case "silent in the body":
        connection.send(head)
        connection.waitForEnd()
      case "too long": connection.send(head + String(repeating: "a", count: 1995))
      default: break
      }
      return false
    }
    defer { server.close() }
    var settings: [String: any FieldValue] = ["base": server.url, "max_bytes": 1000]
    if failure.id.hasPrefix("silent") { settings["timeout"] = Duration.milliseconds(150) }

    let text = try await HTTP.with(settings) {
      await $0.text("exchange", ["method": "GET", "path": "/"])
    }

    #expect(text.replacing(server.url, with: "URL") == failure.text)
  }

  private static let refusals: [(input: [String: any FieldValue & Sendable], text: String)] = [
    (
      ["method": "POST", "path": "/", "json": Value.int(1), "bytes": Bytes([1])],
      "a request has one body: 'json' and 'bytes' cannot be combined"
    ),
    (["method": "HEAD", "path": "/", "text": "x"], "a request with the method HEAD has no body"),
    (["method": "G E T", "path": "/"], "'G E T' is not a method"),
    (
      ["method": "GET", "path": "/", "headers": ["a": "1\r\nb: 2"]],
      "the header 'a' has a line break or a control character"
    ),
  ]

  @Test(arguments: refusals.indices)
  func `an invalid request is not sent`(_ index: Int) async throws {
    let refusal = Self.refusals[index]
    let server = try TestServer(answering: { _ in TestServer.answer() })
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url]) {
      [await $0.text("exchange", refusal.input)]
    }
    let bare = try await HTTP.with([:]) {
      await $0.text("exchange", ["method": "GET", "path": "/"])
    }

    #expect(texts == ["invalid: \(refusal.text)"])
    #expect(bare == "invalid: the component has no 'base' to pass a request on to")
    #expect(server.requests.isEmpty)
  }

  @Test func `an invalid request is found before the run`() throws {
    let operation = try #require(
      HTTP.plugin.operations.first { $0.description.name == "exchange" }
    ).description
    let check = try #require(operation.check)
    let body = Value.string("x")

    let errors = [
      ["method": .string("GET"), "text": body, "form": .null],
      ["text": body, "form": .map(ValueMap())], ["method": .string("HEAD"), "bytes": body],
    ].map { (known: [String: Value]) in
      do { try check(known) } catch { return "\(error)" }
      return "-"
    }

    #expect(
      errors == [
        "-", "a request has one body: 'form' and 'text' cannot be combined",
        "a request with the method HEAD has no body",
      ])
  }

  @Test func `requests at the same time get their own answers`() async throws {
    let server = try TestServer(answering: { request in
      TestServer.answer("200 OK", [], String(repeating: request.path, count: 20_000))
    })
    defer { server.close() }

    let wrong = try await HTTP.with(["base": server.url]) { http in
      await withTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          let method = number.isMultiple(of: 2) ? "GET" : "POST"
          group.addTask {
            let text = await http.fields(
              ["text"], "exchange", ["method": method, "path": "/\(number)"])
            return text == "{text: \"\(String(repeating: "/\(number)", count: 20_000))\"}"
          }
        }
        return await group.reduce(0) { $1 ? $0 : $0 + 1 }
      }
    }

    #expect(wrong == 0)
    #expect(server.requests.count == 200)
  }

  @Test(arguments: [("GET", true), ("HEAD", true), ("POST", false), ("PUT", false), ("get", false)])
  func `a method decides if a request is safe to repeat`(_ method: String, _ isSafe: Bool) throws {
    let operation = try #require(
      HTTP.plugin.operations.first { $0.description.name == "exchange" }
    ).description
    let input = Value.map(ValueMap([("method", .string(method)), ("path", .string("/"))]))

    #expect(operation.isSafeToRepeat(input) == isSafe)
  }
}
