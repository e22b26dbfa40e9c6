import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Connections that end in other ways than by an answer.
@Suite struct EndingTests {
  struct Broken: Sendable, CustomTestStringConvertible {
    let name: String
    let handler: Handler
    let expected: String
    /// curl's own words.
    let curl: String
    var testDescription: String { name }
  }

  private static let body = Array("0123456789".utf8)

  @Test(arguments: [
    Broken(
      name: "reset", handler: { $0.end($1, by: .reset) }, expected: "<reset>",
      curl: "curl: (56) Recv failure: Connection reset by peer\n"),
    Broken(
      name: "closed", handler: { $0.end($1, by: .close) }, expected: "",
      curl: "curl: (52) Empty reply from server\n"),
    Broken(
      name: "forgotten", handler: { _, _ in }, expected: "<reset>",
      curl: "curl: (56) Recv failure: Connection reset by peer\n"),
    Broken(
      name: "reset after 4 bytes",
      handler: {
        $0.end(
          $1, by: .reset, after: Array(body.prefix(4)), missing: 6, of: AnswerHead(status: 200))
      },
      expected: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123<reset>",
      curl: "0123curl: (56) Recv failure: Connection reset by peer\n"),
    Broken(
      name: "closed after 4 bytes",
      handler: {
        $0.end(
          $1, by: .close, after: Array(body.prefix(4)), missing: 6, of: AnswerHead(status: 200))
      },
      expected: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123",
      curl: "0123curl: (18) transfer closed with 6 bytes remaining to read\n"),
    Broken(
      name: "closed after the head",
      handler: {
        $0.end($1, by: .close, after: [], missing: 10, of: AnswerHead(status: 200))
      },
      expected: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
      curl: "curl: (18) transfer closed with 10 bytes remaining to read\n"),
    Broken(
      name: "reset after the answer",
      handler: {
        $0.end($1, by: .reset, after: body, missing: 0, of: AnswerHead(status: 200))
      },
      expected:
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n0123456789<reset>",
      curl: "0123456789"),
    Broken(
      name: "reset between pieces",
      handler: { listener, request in
        listener.begin(request, AnswerHead(status: 200))
        try? await listener.write(request, piece: body)
        listener.end(request, by: .reset)
      },
      expected: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n<reset>",
      curl: "0123456789curl: (56) Recv failure: Connection reset by peer\n"),
    Broken(
      name: "closed between pieces",
      handler: { listener, request in
        listener.begin(request, AnswerHead(status: 200))
        try? await listener.write(request, piece: body)
        listener.end(request, by: .close)
      },
      expected: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n",
      curl: "0123456789curl: (18) transfer closed with outstanding read data remaining\n"),
  ]) func `a client sees how its connection ends`(_ broken: Broken) async throws {
    let (raw, printed) = try await serving(Listener(port: 0), broken.handler) { listener in
      let raw = try await exchange(listener.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      return (raw, try await curl("http://127.0.0.1:\(listener.port)/"))
    }

    #expect(raw == broken.expected)
    #expect(printed == broken.curl)
  }

  @Test func `bytes before a reset arrive, however many`() async throws {
    let body = [UInt8](repeating: 65, count: 30 << 20)

    let length = try await serving(
      Listener(port: 0),
      { $0.end($1, by: .reset, after: body, missing: 10 << 20, of: AnswerHead(status: 200)) }
    ) { listener in
      try await exchange(listener.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n").utf8.count
    }

    #expect(
      length == "HTTP/1.1 200 OK\r\nContent-Length: \(40 << 20)\r\n\r\n<reset>".utf8.count
        + body.count)
  }

  @Test func `only the first answer counts`() async throws {
    let answer = try await serving(
      Listener(port: 0),
      { listener, request in
        listener.answer(request, AnswerHead(status: 200), body: Self.body)
        listener.answer(request, AnswerHead(status: 500))
        listener.end(request, by: .reset)
        listener.begin(request, AnswerHead(status: 404))
        #expect(await listener.hasLost(request))
        listener.finish(request)
      }
    ) { listener in
      try await exchange(listener.port, "GET / HTTP/1.0\r\n\r\n")
    }

    #expect(
      answer == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n0123456789")
  }

  @Test(arguments: [false, true]) func `a client that gives up is noticed`(_ inPieces: Bool)
    async throws
  {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    let (leavings, leaving) = AsyncStream<Void>.makeStream()

    try await serving(
      Listener(port: 0),
      { listener, request in
        if inPieces { listener.begin(request, AnswerHead(status: 200)) }
        arrival.yield()
        await listener.untilLeft(request.number)
        leaving.yield()
        if inPieces {
          #expect(await listener.hasLost(request))
        }
      }
    ) { listener in
      do {
        let socket = try RawSocket(listener.port)
        socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for await _ in arrivals { break }
      }
      for await _ in leavings { break }
    }
  }

  @Test func `waiting for a client ends with its answer, or the task`() async throws {
    let answer = try await serving(
      Listener(port: 0),
      { listener, request in
        let cancelled = Task { await listener.untilLeft(request.number) }
        cancelled.cancel()
        await cancelled.value
        async let left: Void = listener.untilLeft(request.number)
        listener.answer(request, AnswerHead(status: 200))
        await left
        await listener.untilLeft(request.number)
      }
    ) { listener in
      try await curl("http://127.0.0.1:\(listener.port)/")
    }

    #expect(answer == "")
  }
}

extension Listener {
  /// Writes a piece, and returns true if its client has gone.
  fileprivate func hasLost(_ request: IncomingRequest) async -> Bool {
    do { try await write(request, piece: [1]) } catch { return error is ClientGone }
    return false
  }
}
