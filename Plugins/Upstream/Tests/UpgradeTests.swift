import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Connections that go on with another protocol.
@Suite(.serialized) struct UpgradeTests {
  private static let head = "GET /chat HTTP/1.1\r\nHost: a\r\n"
  private static let asking = head + "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\r\n"

  /// Upgrades, sends back what comes, and ends its side with the client's.
  private static let echo: Handler = { listener, request in
    listener.upgrade(
      request, AnswerHead(status: 101, headers: [("X-Key", "1"), ("Upgrade", "other")]))
    while let bytes = try? await listener.read(request) {
      try? await listener.write(request, piece: bytes)
    }
    listener.finish(request)
  }

  private static let upgraded =
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    + "X-Key: 1\r\n\r\n"

  @Test func `bytes pass both ways, also those right behind the head`() async throws {
    let answer = try await serving(Listener(port: 0), Self.echo) { listener in
      try await onThread {
        let socket = try RawSocket(listener.port)
        socket.send(Self.asking + "first.")
        let answer = socket.text(upTo: "first.")
        socket.finish()
        return answer + socket.rest()
      }
    }

    #expect(answer == Self.upgraded + "first.")
  }

  @Test func `a client speaks after the answer`() async throws {
    let answers = try await serving(Listener(port: 0), Self.echo) { listener in
      try await onThread {
        let socket = try RawSocket(listener.port)
        socket.send(Self.asking)
        let answer = socket.text(upTo: "\r\n\r\n")
        socket.send("one.")
        let one = socket.text(upTo: ".")
        socket.send("two.")
        let two = socket.text(upTo: ".")
        socket.finish()
        return [answer, one, two, socket.rest()]
      }
    }

    #expect(answers == [Self.upgraded, "one.", "two.", ""])
  }

  struct Request: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let wantsUpgrade: Bool
    var testDescription: String { name }
  }

  @Test(arguments: [
    Request(name: "an upgrade", text: asking, wantsUpgrade: true),
    Request(
      name: "several headers",
      text: head + "connection: close\r\nconnection: UPGRADE\r\nupgrade: h2c ,websocket\r\n\r\n",
      wantsUpgrade: true),
    Request(name: "none", text: head + "\r\n", wantsUpgrade: false),
    Request(
      name: "another protocol", text: head + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      wantsUpgrade: false),
    Request(
      name: "no connection", text: head + "Upgrade: websocket\r\n\r\n", wantsUpgrade: false),
    Request(
      name: "a body",
      text: head + "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n\r\na",
      wantsUpgrade: false),
    Request(
      name: "HTTP/1.0",
      text: "GET / HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      wantsUpgrade: false),
  ]) func `a request says whether it wants an upgrade`(_ request: Request) async throws {
    let answer = try await serving(
      Listener(port: 0),
      { listener, request in
        let text = "\(request.wantsUpgrade)"
        listener.answer(request, AnswerHead(status: 426, keepsAlive: false), body: Array(text.utf8))
      }
    ) { listener in
      try await exchange(listener.port, request.text, finishing: true)
    }

    let text = "\(request.wantsUpgrade)"
    #expect(
      answer == "HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\n"
        + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }

  @Test func `an upgrade that the client did not ask for is a reset`() async throws {
    let answer = try await serving(Listener(port: 0), Self.echo) { listener in
      try await exchange(listener.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    #expect(answer == "<reset>")
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    let name: String
    let handler: Handler
    let expected: String
    var testDescription: String { name }
  }

  private static let accept = AnswerHead(status: 101, headers: [("X-Key", "1")])

  @Test(arguments: [
    Broken(
      name: "finished",
      handler: { listener, request in
        listener.upgrade(request, accept)
        try? await listener.write(request, piece: Array("bye".utf8))
        listener.finish(request)
      }, expected: upgraded + "bye"),
    Broken(
      name: "closed",
      handler: { listener, request in
        listener.upgrade(request, accept)
        try? await listener.write(request, piece: Array("bye".utf8))
        listener.end(request, by: .close)
      }, expected: upgraded + "bye"),
    Broken(
      name: "reset",
      handler: { listener, request in
        listener.upgrade(request, accept)
        try? await listener.write(request, piece: Array("bye".utf8))
        listener.end(request, by: .reset)
      }, expected: upgraded + "bye<reset>"),
    Broken(
      name: "forgotten", handler: { $0.upgrade($1, accept) }, expected: upgraded + "<reset>"),
  ]) func `a client sees how its connection ends`(_ broken: Broken) async throws {
    let answer = try await serving(Listener(port: 0), broken.handler) { listener in
      try await exchange(listener.port, Self.asking)
    }

    // The reset may take away the answer of a connection that nothing waits for.
    #expect(answer == broken.expected || (broken.name == "forgotten" && answer == "<reset>"))
  }

  @Test func `megabytes pass both ways at once`() async throws {
    let body = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    let back = try await serving(Listener(port: 0), Self.echo) { listener in
      let socket = try RawSocket(listener.port)
      async let sent: Void = onThread {
        socket.send(Self.asking)
        socket.send(body)
        socket.finish()
      }
      let back = try await onThread { socket.bytes() }
      _ = try await sent
      return back
    }

    #expect(back == Array(Self.upgraded.utf8) + body)
  }

  @Test func `a client that goes is noticed by a task that only waits`() async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    let (leavings, leaving) = AsyncStream<Void>.makeStream()

    try await serving(
      Listener(port: 0),
      { listener, request in
        listener.upgrade(request, Self.accept)
        arrival.yield()
        await listener.untilLeft(request.number)
        leaving.yield()
      }
    ) { listener in
      do {
        let socket = try RawSocket(listener.port)
        socket.send(Self.asking)
        for await _ in arrivals { break }
      }
      for await _ in leavings { break }
    }
  }

  @Test func `a reset by the client ends reading and writing`() async throws {
    let (errors, error) = AsyncStream<String>.makeStream()

    let seen = try await serving(
      Listener(port: 0),
      { listener, request in
        listener.upgrade(request, Self.accept)
        do {
          _ = try await listener.read(request)
        } catch let failure { error.yield("\(failure)") }
        while (try? await listener.write(request, piece: [1])) != nil {}
        error.yield("written")
      }
    ) { listener in
      try await onThread {
        let socket = try RawSocket(listener.port)
        socket.send(Self.asking)
        _ = socket.text(upTo: "\r\n\r\n")
        socket.resetAtEnd()
      }
      var iterator = errors.makeAsyncIterator()
      return [await iterator.next(), await iterator.next()]
    }

    #expect(seen == ["ClientGone()", "written"])
  }

  @Test func `reading ends with its task`() async throws {
    let answer = try await serving(
      Listener(port: 0),
      { listener, request in
        listener.upgrade(request, Self.accept)
        let reader = Task { try await listener.read(request) }
        reader.cancel()
        let result = await reader.result
        try? await listener.write(request, piece: Array("\(result)".utf8))
        listener.finish(request)
      }
    ) { listener in
      try await exchange(listener.port, Self.asking)
    }

    #expect(answer == Self.upgraded + "failure(Swift.CancellationError())")
  }

  @Test func `an upgraded connection outlives the port, and ends with the listener`() async throws {
    let listener = try Listener(port: 0)
    let (answers, rest) = try await serving(listener, Self.echo) { listener in
      let socket = try RawSocket(listener.port)
      let answers = try await onThread {
        socket.send(Self.asking)
        let answer = socket.text(upTo: "\r\n\r\n")
        listener.refuse()
        socket.send("one.")
        return [answer, socket.text(upTo: ".")]
      }
      #expect(throws: POSIXError.self) { try RawSocket(listener.port) }
      await listener.close()
      return (answers, try await onThread { socket.rest() })
    }

    #expect(answers == [Self.upgraded, "one."])
    #expect(rest == "<reset>")
  }
}
