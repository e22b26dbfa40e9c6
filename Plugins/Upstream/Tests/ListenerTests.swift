import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Whole requests and answers, with clients from elsewhere.
@Suite(.serialized) struct ListenerTests {
  @Test func `a request arrives as it was written`() async throws {
    let answer = try await serving(Listener(port: 0)) { listener in
      try await exchange(
        listener.port,
        "PUT /a%20b/../c?x=1&x=2&y=%2F HTTP/1.1\r\nHost: Shop\r\nX-b: 2\r\nx-a:1\r\nX-B:  3 \r\n"
          + "Content-Length: 2\r\nConnection: close\r\n\r\nok")
    }

    #expect(
      answer == """
        HTTP/1.1 200 OK\r
        Connection: close\r
        Content-Length: 101\r
        \r
        PUT /a%20b/../c?x=1&x=2&y=%2F
        Host: Shop
        X-b: 2
        x-a: 1
        X-B: 3
        Content-Length: 2
        Connection: close

        ok
        """)
  }

  struct Method: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let expected: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Method(arguments: ["-d", "a=1"], expected: "POST / a=1"),
    Method(arguments: ["-X", "DELETE"], expected: "DELETE / "),
    Method(arguments: ["-X", "PURGE"], expected: "PURGE / "),
    Method(arguments: ["-0"], expected: "GET / "),
    Method(arguments: ["-H", "Transfer-Encoding: chunked", "-d", "a=1"], expected: "POST / a=1"),
    Method(arguments: ["-H", "Expect: 100-continue", "-d", "a=1"], expected: "POST / a=1"),
  ]) func `curl makes requests`(_ method: Method) async throws {
    let answer = try await serving(Listener(port: 0), Self.short) { listener in
      let ending = try await run(
        "curl",
        ["-sS", "--noproxy", "*"] + method.arguments + ["http://127.0.0.1:\(listener.port)/"])
      return ending.output + ending.errors
    }

    #expect(answer == method.expected)
  }

  @Test func `binary bodies of any size pass both ways`() async throws {
    let folder = try TemporaryFolder()
    let body = (0..<3_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = folder.path("body")
    try Data(body).write(to: URL(fileURLWithPath: path))

    for arguments in [[], ["-H", "Transfer-Encoding: chunked"]] {
      let error = try await serving(
        Listener(port: 0), { $0.answer($1, AnswerHead(status: 200), body: $1.body) }
      ) { listener in
        try await run(
          "curl",
          ["-sS", "--noproxy", "*", "--data-binary", "@" + path, "-o", path + ".back"] + arguments
            + ["http://127.0.0.1:\(listener.port)/"]
        ).errors
      }

      #expect(error == "")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".back")) == Data(body))
    }
  }

  struct Whole: Sendable, CustomTestStringConvertible {
    let name: String
    let request: String
    let head: AnswerHead
    var body = ""
    let expected: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Whole(
      name: "headers in order and case, those of the connection left out", request: "GET",
      head: AnswerHead(
        status: 201,
        headers: [
          ("x-B", "2"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2"),
          ("Transfer-Encoding", "chunked"),
          ("Content-Length", "7"), ("Connection", "keep-alive"), ("Date", "today"),
        ]),
      body: "{}",
      expected: "HTTP/1.1 201 Created\r\nConnection: close\r\nx-B: 2\r\nSet-Cookie: a=1\r\n"
        + "set-cookie: b=2\r\nDate: today\r\nContent-Length: 2\r\n\r\n{}"),
    Whole(
      name: "the length of HEAD", request: "HEAD",
      head: AnswerHead(status: 200, headers: [("content-length", "1234")]),
      expected: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1234\r\n\r\n"),
    Whole(
      name: "HEAD without a length", request: "HEAD", head: AnswerHead(status: 200),
      expected: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"),
    Whole(
      name: "not modified, without a length", request: "GET", head: AnswerHead(status: 304),
      expected: "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"),
    Whole(
      name: "no content", request: "GET", head: AnswerHead(status: 204), body: "lost",
      expected: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
    Whole(
      name: "not modified", request: "GET",
      head: AnswerHead(status: 304, headers: [("ETag", "\"1\""), ("Content-Length", "5")]),
      body: "lost",
      expected: "HTTP/1.1 304 Not Modified\r\nConnection: close\r\nETag: \"1\"\r\n"
        + "Content-Length: 5\r\n\r\n"),
    Whole(
      name: "a status without a name", request: "GET", head: AnswerHead(status: 799),
      expected:
        "HTTP/1.1 799 Non-Standard Status\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
    Whole(
      name: "a header cannot start another", request: "GET",
      head: AnswerHead(status: 200, headers: [("X", "a\r\nSet-Cookie: b"), ("Y", "1")]),
      expected: "HTTP/1.1 200 OK\r\nConnection: close\r\nY: 1\r\nContent-Length: 0\r\n\r\n"),
  ]) func `an answer is sent as given`(_ whole: Whole) async throws {
    let answer = try await serving(
      Listener(port: 0), Handlers.fixed(whole.head, whole.body)
    ) { listener in
      try await exchange(
        listener.port, "\(whole.request) / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    }

    #expect(answer == whole.expected)
  }

  @Test func `a connection serves many requests, and closes after an answer that says so`()
    async throws
  {
    let answer = try await serving(
      Listener(port: 0),
      { listener, request in
        let keepsAlive = request.target != "/3"
        listener.answer(
          request, AnswerHead(status: 200, keepsAlive: keepsAlive), body: Array(request.target.utf8)
        )
      }
    ) { listener in
      try await exchange(
        listener.port,
        (1...4).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    }

    #expect(
      answer == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/1"
        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/2"
        + "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n/3")
  }

  @Test func `Python's client keeps its connection`() async throws {
    let output = try await serving(Listener(port: 0), Self.short) { listener in
      try await run("python3", ["-c", Self.python, "\(listener.port)"])
    }

    #expect(output.errors == "")
    #expect(output.output == "POST /0 0\nPOST /1 1\nPOST /2 2\n1\n")
  }

  private static let short: Handler = { listener, request in
    let text = "\(request.method) \(request.target) "
    listener.answer(request, AnswerHead(status: 200), body: Array(text.utf8) + request.body)
  }

  private static let python = """
    import http.client, sys
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    sockets = set()
    for number in range(3):
      connection.request("POST", f"/{number}", body=iter([str(number).encode()]))
      sockets.add(connection.sock.getsockname())
      print(connection.getresponse().read().decode())
    print(len(sockets))
    """
}
