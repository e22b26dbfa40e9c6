import FlowCore
import FlowTesting
import Synchronization
import TestKit
import Testing

@testable import HTTPPlugin

/// Results of responses, and of servers that do not respond.
@Suite struct AnswerTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: [UInt8]
    let expected: String

    init(_ id: String, _ head: String, _ body: [UInt8], _ expected: String) {
      (testDescription, self.expected) = (id, expected)
      answer = Array(("HTTP/1.1 " + head.replacing("\n", with: "\r\n") + "\r\n\r\n").utf8) + body
    }

    init(_ id: String, _ head: String, _ body: String = "", _ expected: String) {
      self.init(id, head, Array(body.utf8), expected)
    }
  }

  @Test(arguments: [
    ("Retry-After: 120", Duration.seconds(120)), ("retry-after: 0", .zero),
    ("Retry-After: Sun, 06 Nov 1994 08:50:07 GMT", .seconds(30)),
    ("Retry-After: Sun, 06 Nov 1994 08:49:07 GMT", .zero),
    ("Retry-After: soon", nil), ("Retry-After: -1", nil),
    ("Retry-After: 99999999999999999999", nil),
    ("Retry-After: Sun, 31 Feb 1994 08:49:07 GMT", nil), ("X: 1", nil),
  ])
  func `an answer says when the next request may come`(_ header: String, _ expected: Duration?) {
    let head = "HTTP/1.1 503 No\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\(header)\r\n\r\n"
    let reply = TransferReply(
      number: 1, status: 503, head: Array(head.utf8), body: [], elapsed: .zero)
    let answer = HTTPAnswer(
      reply, HeaderFields(head: reply.head), size: 0, from: try! WebAddress("http://localhost/"),
      elapsed: .zero)

    #expect(answer.retryAfter == expected)
  }

  static let answers: [Example] = [
    Example(
      "a text", "200 OK\nContent-Length: 5", "hello",
      #"{status: 200, text: "hello", json: null, size: 5}"#),
    Example(
      "a status is not an error", "503 No\nContent-Length: 0", "",
      #"{status: 503, text: "", json: null, size: 0}"#),
    Example("no content", "204 No Content", "", #"{status: 204, text: "", json: null, size: 0}"#),
    Example(
      "no length, up to the end", "200 OK\nConnection: close", "all of it",
      #"{status: 200, text: "all of it", json: null, size: 9}"#),
    Example(
      "an interim answer first", "103 Early\r\nX: 1\r\n\r\nHTTP/1.1 201 Made\nContent-Length: 1",
      "7",
      #"{status: 201, text: "7", json: 7, size: 1}"#),
    Example(
      "JSON, exact", "200 OK\nContent-Length: 26", #"{"a":0.10,"b":[null,"é"]}"#,
      #"{status: 200, text: "{\"a\":0.10,\"b\":[null,\"é\"]}", json: {a: 0.10, b: [null, "é"]}, size: 26}"#
    ),
    Example(
      "JSON behind a byte order mark", "200 OK\nContent-Length: 6", "\u{FEFF}[1]",
      #"{status: 200, text: "[1]", json: [1], size: 6}"#),
    Example(
      "broken JSON", "200 OK\nContent-Type: application/json\nContent-Length: 4", #"{"a""#,
      #"{status: 200, text: "{\"a\"", json: null, size: 4}"#),
    Example(
      "JSON beyond doubles", "200 OK\nContent-Length: 7", "[1e400]",
      #"{status: 200, text: "[1e400]", json: null, size: 7}"#),
    Example(
      "JSON deeper than values may be", "200 OK\nContent-Length: 220",
      String(repeating: "[", count: 110) + String(repeating: "]", count: 110),
      #"{status: 200, text: "\#(String(repeating: "[", count: 110) + String(repeating: "]", count: 110))", json: null, size: 220}"#
    ),
    Example(
      "not UTF-8", "200 OK\nContent-Length: 2", [0xC3, 0x28],
      #"{status: 200, text: "", json: null, size: 2}"#),
    Example(
      "in chunks", "200 OK\nTransfer-Encoding: chunked", "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n",
      #"{status: 200, text: "abcde", json: null, size: 5}"#),
    // printf hello | gzip -n
    Example(
      "compressed", "200 OK\nContent-Encoding: gzip\nContent-Length: 25",
      [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10,
        0x36,
        5, 0, 0, 0,
      ],
      #"{status: 200, text: "hello", json: null, size: 5}"#),
    Example(
      "broken off", "200 OK\nContent-Length: 10\nConnection: close", "hello",
      "protocol: URL/: the response is incomplete"),
    Example(
      "chunks broken off", "200 OK\nTransfer-Encoding: chunked", "5\r\nhel",
      "protocol: URL/: the response is incomplete"),
    Example(
      "longer than its length", "200 OK\nContent-Length: 2\nConnection: close", "hello",
      #"{status: 200, text: "he", json: null, size: 2}"#),
    Example(
      "a length that is no number", "200 OK\nContent-Length: many", "hello",
      "protocol: URL/: Invalid Content-Length: value"),
    Example(
      "a redirect to nowhere", "302 Found\nLocation: ftp://example.org/\nContent-Length: 0", "",
      "protocol: URL/: a redirect has an invalid URL: "
        + "'ftp://example.org/' does not start with http:// or https://"),
    Example(
      "a redirect with a password", "302 Found\nLocation: http://a:b@c/\nContent-Length: 0", "",
      "protocol: URL/: a redirect to a URL with a user or a password is not followed"),
    Example(
      "a redirect to a malformed URL", "302 Found\nLocation: http://a:99999/\nContent-Length: 0",
      "",
      "protocol: URL/: a redirect has an invalid URL: 'http://a:99999' has an invalid host or port"
    ),
  ]

  @Test func `missing memory is not the server's fault`() {
    let failure = TransferFailure(
      code: 27, meaning: "", detail: "", wasConnected: false, isTooLarge: false)

    let error = HTTPError.transfer(failure, "URL")

    #expect("\(error.code.name): \(error)" == "unreachable: URL: the system is out of memory")
  }

  @Test(arguments: answers)
  func `an answer is data, or an error that says what is wrong`(_ example: Example) async throws {
    let server = try TestServer { _, connection in
      connection.send(example.answer)
      return false
    }
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url]) {
      await $0.fields(["status", "text", "json", "size"], "get")
    }

    #expect(text.replacing(server.url, with: "URL") == example.expected)
  }

  static let failures: [(id: String, settings: [String: any FieldValue & Sendable], text: String)] =
    [
      ("nothing", [:], "protocol: URL/: the connection was closed without a response"),
      ("garbage", [:], "protocol: URL/: the response is not HTTP"),
      ("reset", [:], "protocol: URL/: the connection was lost"),
      (
        "endless", ["max_bytes": 100_000],
        "too_large: URL/: the response has more than 100000 bytes, or its headers more than 256 KiB"
      ),
      (
        "endless head", [:],
        "too_large: URL/: the response has more than 16777216 bytes, or its headers more than 256 KiB"
      ),
      (
        "long line", [:],
        "too_large: URL/: a line of the response's headers has more than 100 KiB, or the system is out of memory"
      ),
      (
        "silent", ["timeout": Duration.milliseconds(150)],
        "timeout: URL/: no complete response within 0.15s"
      ),
      (
        "drip", ["timeout": Duration.milliseconds(150)],
        "timeout: URL/: no complete response within 0.15s"
      ),
      (
        "drip of a head", ["timeout": Duration.milliseconds(150)],
        "timeout: URL/: no complete response within 0.15s"
      ),
      (
        "endless interim answers", [:],
        "too_large: URL/: the response has more than 16777216 bytes, or its headers more than 256 KiB"
      ),
      (
        "endless chunk", ["max_bytes": 100_000],
        "too_large: URL/: the response has more than 100000 bytes, or its headers more than 256 KiB"
      ),
      (
        "bomb", ["max_bytes": 100_000],
        "too_large: URL/: the response has more than 100000 bytes, or its headers more than 256 KiB"
      ),
      ("loop", [:], "protocol: URL/: more than 10 redirects"),
      ("loop", ["max_redirects": 25], "protocol: URL/: more than 25 redirects"),
      ("loop", ["max_redirects": 0], "protocol: URL/: more than 0 redirects"),
    ]

  @Test(arguments: failures.indices)
  func `a server that misbehaves is a declared error`(_ index: Int) async throws {
    let failure = Self.failures[index]
    let server = try TestServer { _, connection in connection.misbehave(failure.id) }
    defer { server.close() }
    let settings = failure.settings.merging(["base": server.url]) { $1 }

    let text = try await HTTP.with(settings) { await $0.text("get") }

    #expect(text.replacing(server.url, with: "URL") == failure.text)
  }

  @Test func `headers have lower-case names, and several of one name are joined`() async throws {
    let server = try TestServer(answering: { _ in
      TestServer.answer(
        "200 OK: so it is",
        ["X-A: 1", "x-a:2 ", "Set-Cookie: a=1, b", "Set-Cookie: c=2", "Date: now", "X-Empty:"])
    })
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url]) {
      await $0.fields(["headers", "date"], "get")
    }

    #expect(
      text == """
        {headers: {x-a: "1, 2", set-cookie: "a=1, b\\nc=2", x-empty: "", content-length: "0"}, \
        date: "now"}
        """)
  }

  @Test func `a body goes to a file, and not into the answer`() async throws {
    let folder = try TemporaryFolder()
    let requests = Mutex<[String]>([])
    let server = try TestServer(answering: { request in
      requests.withLock { $0.append(request.path) }
      return TestServer.answer("200 OK", [], "[1]")
    })
    defer { server.close() }

    try await HTTP.with(["base": server.url], in: folder.directory.path) { http in
      #expect(
        await http.fields(["text", "json", "size"], "get", ["path": "a", "to": "new/sub/a.json"])
          == #"{text: "", json: null, size: 3}"#)
      #expect(
        await http.text("post", ["path": "b", "to": "../a"])
          == "file: cannot write '../a': the path is outside the scenario's folder")
      #expect(
        await http.text("post", ["path": "c", "to": "new/sub"])
          == "file: cannot write 'new/sub': not a file")
    }

    #expect(try folder.text("new/sub/a.json") == "[1]")
    #expect(requests.withLock { $0 } == ["/a"])
  }
}

extension TestServer.Connection {
  /// Does what no server should; answers whether the connection goes on.
  fileprivate func misbehave(_ how: String) -> Bool {
    switch how {
    case "garbage": send("SSH-2.0-server\r\n")
    case "long line":
      send("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 110_000))\r\n\r\n")
    case "reset":
      send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      reset()
    case "endless":
      send("HTTP/1.1 200 OK\r\n\r\n")
      while send([UInt8](repeating: 0x61, count: 10_000)) {}
    case "endless head":
      send("HTTP/1.1 200 OK\r\n")
      while send("X-Endless: \(String(repeating: "a", count: 1000))\r\n") {}
    case "silent": waitForEnd()
    case "drip":
      send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while !hasEnded(within: 10), send("a") {}
    case "drip of a head":
      send("HTTP/1.1 200 OK\r\nX: ")
      while !hasEnded(within: 10), send("a") {}
    case "endless interim answers": while send("HTTP/1.1 103 Early\r\nX: 1\r\n\r\n") {}
    case "endless chunk":
      send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n")
      while send([UInt8](repeating: 0x61, count: 10_000)) {}
    case "bomb":
      // head -c 100001 /dev/zero | gzip -n9
      let (begin, end): ([UInt8], [UInt8]) = (
        [
          0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xed, 0xc1, 0x31, 1, 0, 0, 0, 0xc2, 0xa0, 0xf5, 0x4f,
          0x6d, 0x0d, 0x0f, 0xa0,
        ],
        [0x80, 0x5b, 3, 0x99, 0xf3, 0x62, 0xfc, 0xa1, 0x86, 1, 0]
      )
      send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      send(begin + [UInt8](repeating: 0, count: 96) + end)
    case "loop": return send(TestServer.answer("302 Found", ["Location: /"]))
    default: break
    }
    return false
  }
}
