import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Answers in pieces.
@Suite(.serialized) struct StreamTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let version: String
    let head: String
    /// The framing of a piece.
    let framed: @Sendable (String) -> String
    let end: String
    var testDescription: String { version }
  }

  @Test(arguments: [
    Form(
      version: "HTTP/1.1",
      head:
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
      framed: { String($0.utf8.count, radix: 16, uppercase: true) + "\r\n" + $0 + "\r\n" },
      end: "0\r\n\r\n"),
    Form(
      version: "HTTP/1.0",
      head: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\n\r\n",
      framed: { $0 }, end: ""),
  ]) func `each piece arrives before the next one is sent`(_ form: Form) async throws {
    let pieces = ["data: 1\n\n", "data: twenty\n\n", "\n", "data: end\n\n"]
    let (receipts, receipt) = AsyncStream<Void>.makeStream()

    let received = try await serving(
      Listener(port: 0),
      { listener, request in
        listener.begin(
          request, AnswerHead(status: 200, headers: [("Content-Type", "text/event-stream")]))
        var seen = receipts.makeAsyncIterator()
        for piece in pieces {
          try? await listener.write(request, piece: Array(piece.utf8))
          await seen.next()
        }
        listener.finish(request)
      }
    ) { listener in
      try await onThread {
        let socket = try RawSocket(listener.port)
        socket.send("GET / \(form.version)\r\nHost: a\r\n\r\n")
        var received = [socket.text(upTo: "\r\n\r\n")]
        for piece in pieces {
          let framed = form.framed(piece)
          received.append(socket.text(upTo: framed))
          receipt.yield()
        }
        return received + [socket.text(upTo: form.end)]
      }
    }

    #expect(received == [form.head] + pieces.map(form.framed) + [form.end])
  }

  @Test func `curl prints the pieces as they come`() async throws {
    let (receipts, receipt) = AsyncStream<Void>.makeStream()

    let lines = try await serving(
      Listener(port: 0),
      { listener, request in
        listener.begin(request, AnswerHead(status: 200))
        var seen = receipts.makeAsyncIterator()
        for number in 1...5 {
          try? await listener.write(request, piece: Array("piece \(number)\n".utf8))
          await seen.next()
        }
        listener.finish(request)
      }
    ) { listener in
      try await onThread {
        let process = try ChildProcess(
          "/usr/bin/env", ["curl", "-sSN", "--noproxy", "*", "http://127.0.0.1:\(listener.port)/"])
        var lines: [String] = []
        for _ in 1...5 {
          lines.append(process.firstLine())
          receipt.yield()
        }
        return lines + ["\(process.ending().code)"]
      }
    }

    #expect(lines == ["piece 1", "piece 2", "piece 3", "piece 4", "piece 5", "0"])
  }

  @Test func `a writer waits for a client that does not read, and learns that it left`()
    async throws
  {
    let (starts, start) = AsyncStream<RawSocket>.makeStream()
    let (ends, end) = AsyncStream<Int>.makeStream()

    let written = try await serving(
      Listener(port: 0),
      { listener, request in
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        listener.begin(request, AnswerHead(status: 200))
        let written = Counter()
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            while (try? await listener.write(request, piece: piece)) != nil { written.add() }
          }
          // The kernel takes some megabytes, never this many.
          group.addTask {
            var start = starts.makeAsyncIterator()
            let socket = await start.next()
            socket?.finish()
          }
          await group.waitForAll()
        }
        end.yield(written.value)
      }
    ) { listener in
      let socket = try RawSocket(listener.port)
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      start.yield(socket)
      var end = ends.makeAsyncIterator()
      return await end.next()
    }

    #expect(try #require(written) < 64)
  }

  @Test func `an answer in pieces may have none, and one without a body is whole`() async throws {
    let answers = try await serving(
      Listener(port: 0),
      { listener, request in
        listener.begin(request, AnswerHead(status: request.target == "/204" ? 204 : 200))
        try? await listener.write(request, piece: [])
        listener.finish(request)
      }
    ) { listener in
      try await exchange(
        listener.port,
        "GET /204 HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
          + "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    }

    #expect(
      answers == "HTTP/1.1 204 No Content\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
  }
}
