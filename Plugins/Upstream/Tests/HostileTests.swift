import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Bytes that no client should send, and more than one client.
@Suite(.serialized) struct HostileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: String
    /// The status lines of all answers.
    let statuses: [String]
    var testDescription: String { name }
  }

  private static let tail = "Host: a\r\nConnection: close\r\n\r\n"

  @Test(arguments: [
    Case(name: "nothing", bytes: "", statuses: []),
    Case(name: "half a line", bytes: "GET / HT", statuses: []),
    Case(name: "half a head", bytes: "GET / HTTP/1.1\r\nHost: a\r\n", statuses: []),
    Case(
      name: "half a body", bytes: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
      statuses: []),
    Case(
      name: "a huge target",
      bytes: "GET /" + String(repeating: "a", count: 1 << 20) + " HTTP/1.1\r\n",
      statuses: ["414"]),
    Case(
      name: "a huge header",
      bytes: "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 1 << 20) + "\r\n\r\n",
      statuses: ["431"]),
    Case(
      name: "10,000 headers",
      bytes: "GET / HTTP/1.1\r\n" + String(repeating: "X: 1\r\n", count: 10_000) + tail,
      statuses: ["431"]),
    Case(
      name: "a chunk without a size",
      bytes: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(tail)zz\r\nabc\r\n0\r\n\r\n",
      statuses: ["400"]),
    Case(
      name: "a chunk of 2^64 bytes",
      bytes: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(tail)fffffffffffffffff\r\n",
      statuses: ["413"]),
    Case(
      name: "an unknown coding",
      bytes: "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\(tail)0\r\n\r\n",
      statuses: ["400"]),
    Case(
      name: "chunks and a length",
      bytes:
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\(tail)0\r\n\r\n",
      statuses: ["400"]),
    Case(
      name: "two lengths",
      bytes: "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\(tail)ab",
      statuses: ["400"]),
    Case(
      name: "a negative length", bytes: "POST / HTTP/1.1\r\nContent-Length: -1\r\n\(tail)",
      statuses: ["400"]),
    Case(
      name: "a length above 2^64",
      bytes: "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\(tail)",
      statuses: ["413"]),
    Case(
      name: "a body above the limit",
      bytes: "POST / HTTP/1.1\r\nContent-Length: 2001\r\n\(tail)"
        + String(repeating: "a", count: 2001), statuses: ["413"]),
    Case(
      name: "chunks above the limit",
      bytes: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(tail)"
        + String(repeating: "3e8\r\n" + String(repeating: "a", count: 1000) + "\r\n", count: 3)
        + "0\r\n\r\n", statuses: ["413"]),
    Case(
      name: "an expected body above the limit",
      bytes: "POST / HTTP/1.1\r\nContent-Length: 2001\r\nExpect: 100-continue\r\n\(tail)",
      statuses: ["413"]),
    Case(
      name: "an expected body",
      bytes: "POST / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\(tail)ab",
      statuses: ["100", "200"]),
    Case(
      name: "NUL in a header", bytes: "GET / HTTP/1.1\r\nX: a\0b\r\n\(tail)", statuses: ["200"]),
    Case(name: "only NULs", bytes: String(repeating: "\0", count: 1000) + "\r\n\r\n", statuses: []),
    Case(name: "TLS", bytes: "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n\r\n", statuses: []),
    Case(name: "HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", statuses: []),
    Case(name: "half of HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nS", statuses: []),
    Case(
      name: "another HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nMS\r\n\r\n", statuses: ["505"]),
    Case(
      name: "pipelined", bytes: "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\n\(tail)",
      statuses: ["200", "200"]),
  ]) func `the server withstands any bytes`(_ hostile: Case) async throws {
    var limits = ListenerLimits()
    limits.bodySize = 2000
    // Libmicrohttpd can miss the end of a client right behind half a request.
    limits.headTime = .seconds(2)
    limits.bodyTime = .seconds(2)

    let (answer, next) = try await serving(
      Listener(port: 0, limits: limits), { $0.answer($1, AnswerHead(status: 200)) }
    ) { listener in
      // A half-closed client is still answered.
      let answer = try await exchange(listener.port, hostile.bytes, finishing: true)
      return (answer, try await curl("-w", "%{http_code}", "http://127.0.0.1:\(listener.port)/"))
    }

    let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map {
      String($0.prefix(3))
    }
    // Libmicrohttpd 0.9.75 sends some refusals twice on the connection that it closes.
    #expect(
      Array(statuses.prefix(hostile.statuses.count)) == hostile.statuses, "\(answer.prefix(300))")
    #expect(next == "200")
  }

  @Test func `a client without an end of its head is dropped`() async throws {
    var limits = ListenerLimits()
    limits.headTime = .milliseconds(50)
    limits.bodyTime = .milliseconds(50)
    let (refusals, refusal) = AsyncStream<Refusal>.makeStream()

    let answers = try await serving(
      Listener(port: 0, limits: limits) { refusal.yield($0) }
    ) { listener in
      async let head = exchange(listener.port, "GET / HTTP/1.1\r\nHost:")
      async let body = exchange(
        listener.port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
      return try await [head, body]
    }

    #expect(answers == ["", ""])
    var iterator = refusals.makeAsyncIterator()
    #expect(await iterator.next() == .time)
  }

  @Test func `requests that nobody takes are answered by 503`() async throws {
    var limits = ListenerLimits()
    limits.waitingRequests = 2
    let (refusals, refusal) = AsyncStream<Refusal>.makeStream()
    let listener = try Listener(port: 0, limits: limits) { refusal.yield($0) }

    let sockets = try (0..<2).map { _ in try RawSocket(listener.port) }
    for socket in sockets {
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    // One of the three finds no room.
    async let third = exchange(
      listener.port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    var iterator = refusals.makeAsyncIterator()
    let reason = await iterator.next()
    await listener.close()
    _ = try await third

    #expect(reason == .overload)
  }

  @Test func `all bodies together have a limit`() async throws {
    var limits = ListenerLimits()
    limits.allBodiesSize = 1000
    let (refusals, refusal) = AsyncStream<Refusal>.makeStream()

    let answers = try await serving(
      Listener(port: 0, limits: limits) { refusal.yield($0) }
    ) { listener in
      let body = String(repeating: "a", count: 1001)
      let url = "http://127.0.0.1:\(listener.port)/"
      return [
        try await curl("-w", "%{http_code}", "-d", body, url),
        try await curl("-o", "/dev/null", "-w", "%{http_code}", "-d", "\(body.dropLast())", url),
        try await curl("-o", "/dev/null", "-w", "%{http_code}", "-d", "\(body.dropLast())", url),
      ]
    }

    #expect(answers == ["503", "200", "200"])
    var iterator = refusals.makeAsyncIterator()
    #expect(await iterator.next() == .allBodiesSize)
  }

  #if os(Linux)
    @Test func `no child inherits a socket`() async throws {
      let program = "import os; print(sorted(os.listdir('/proc/self/fd')))"
      let access = ProxyAccess(authority: try CertificateAuthority())

      let inherited = try await serving(Listener(port: 0, proxy: access)) { listener in
        let open = try RawSocket(listener.port)
        open.send("GET http://a/ HTTP/1.1\r\n")
        return try await run("python3", ["-c", program]).output
      }

      #expect(inherited == "['0', '1', '2', '3']\n")
    }

    @Test func `a closed listener leaves no descriptor and no thread`() async throws {
      let access = ProxyAccess(authority: try CertificateAuthority())
      let before = try (count("fd"), count("task"))

      for _ in 1...800 {
        let listener = try Listener(port: 0, proxy: access)
        let socket = try RawSocket(listener.port)
        socket.send("GET http://a/ HTTP/1.1\r\n")
        await listener.close()
      }

      // Other tests run beside this one, with some hundred descriptors.
      let after = try (count("fd"), count("task"))
      #expect(after.0 - before.0 < 700)
      #expect(after.1 - before.1 < 700)
    }

    private func count(_ kind: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
    }
  #endif
}
