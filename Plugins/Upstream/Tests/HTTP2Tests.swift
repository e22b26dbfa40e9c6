import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Requests and answers of HTTP/2.
@Suite(.serialized) struct HTTP2Tests {
  private func ask(_ handler: @escaping Handler, _ arguments: String...) async throws -> String {
    try await serving(Listener(port: 0), handler) { listener in
      let ending = try await run(
        "curl",
        ["-sS", "--noproxy", "*", "--http2-prior-knowledge"] + arguments
          + ["http://127.0.0.1:\(listener.port)/a%20b/../c?x=1&y=%2F", "--path-as-is"])
      return (ending.output + ending.errors).replacing("\(listener.port)", with: "PORT")
    }
  }

  @Test func `a request arrives with its authority as the host`() async throws {
    let answer = try await ask(
      Handlers.echo, "-d", "a=1", "-H", "X-B: 2", "-H", "x-a: 1", "-H", "X-B: 3", "-A", "test",
      "-b", "a=1; b=2")

    #expect(
      answer == """
        POST /a%20b/../c?x=1&y=%2F
        host: 127.0.0.1:PORT
        user-agent: test
        accept: */*
        cookie: a=1; b=2
        x-b: 2
        x-a: 1
        x-b: 3
        content-length: 3
        content-type: application/x-www-form-urlencoded

        a=1
        """)
  }

  struct Whole: Sendable, CustomTestStringConvertible {
    let name: String
    var method = "GET"
    let head: AnswerHead
    var body = ""
    let expected: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Whole(
      name: "headers in order, those of the connection left out",
      head: AnswerHead(
        status: 201,
        headers: [
          ("x-B", "2"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2"),
          ("Transfer-Encoding", "chunked"), ("Content-Length", "7"), ("Connection", "keep-alive"),
          ("Upgrade", "h2c"), ("Date", "today"),
        ]),
      body: "{}",
      expected: "HTTP/2 201 \r\ncontent-length: 2\r\nx-b: 2\r\nset-cookie: a=1\r\n"
        + "set-cookie: b=2\r\ndate: today\r\n\r\n{}"),
    Whole(
      name: "the length of HEAD", method: "HEAD",
      head: AnswerHead(status: 200, headers: [("content-length", "1234")]),
      expected: "HTTP/2 200 \r\ncontent-length: 1234\r\n\r\n"),
    Whole(
      name: "HEAD without a length", method: "HEAD", head: AnswerHead(status: 200),
      expected: "HTTP/2 200 \r\n\r\n"),
    Whole(
      name: "no content", head: AnswerHead(status: 204), body: "lost",
      expected: "HTTP/2 204 \r\n\r\n"),
    Whole(
      name: "not modified", head: AnswerHead(status: 304, headers: [("ETag", "\"1\"")]),
      body: "lost", expected: "HTTP/2 304 \r\ncontent-length: 4\r\netag: \"1\"\r\n\r\n"),
    Whole(
      name: "a header cannot start another",
      head: AnswerHead(status: 200, headers: [("X", "a\r\nSet-Cookie: b"), ("Y", "1")]),
      expected: "HTTP/2 200 \r\ncontent-length: 0\r\ny: 1\r\n\r\n"),
  ]) func `an answer is sent as given`(_ whole: Whole) async throws {
    let flag = whole.method == "HEAD" ? "-I" : "-i"
    let answer = try await ask(Handlers.fixed(whole.head, whole.body), flag)

    #expect(answer == whole.expected)
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    let name: String
    let handler: Handler
    let frames: [String]
    let curl: String
    var testDescription: String { name }
  }

  private static let ok = AnswerHead(status: 200)
  private static let internalError =
    "curl: (92) HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)\n"
  private static let cancel =
    "curl: (92) HTTP/2 stream 1 was not closed cleanly: CANCEL (err 8)\n"

  @Test(arguments: [
    Broken(
      name: "reset", handler: { $0.end($1, by: .reset) }, frames: ["RST_STREAM 1 2"],
      curl: internalError),
    Broken(
      name: "closed", handler: { $0.end($1, by: .close) }, frames: ["RST_STREAM 1 8"], curl: cancel),
    Broken(
      name: "forgotten", handler: { _, _ in }, frames: ["RST_STREAM 1 2"], curl: internalError),
    Broken(
      name: "reset after 4 bytes",
      handler: { $0.end($1, by: .reset, after: Array("0123".utf8), missing: 6, of: ok) },
      frames: ["HEADERS 1", "DATA 1 0123", "RST_STREAM 1 2"], curl: internalError),
    Broken(
      name: "closed after the head",
      handler: { $0.end($1, by: .close, after: [], missing: 10, of: ok) },
      frames: ["HEADERS 1", "RST_STREAM 1 8"], curl: cancel),
    Broken(
      name: "pieces",
      handler: { listener, request in
        listener.begin(request, ok)
        try? await listener.write(request, piece: Array("01".utf8))
        try? await listener.write(request, piece: Array("23".utf8))
        listener.finish(request)
      },
      frames: ["HEADERS 1", "DATA 1 01", "DATA 1 23", "DATA 1  end"], curl: "0123"),
    Broken(
      name: "reset between pieces",
      handler: { listener, request in
        listener.begin(request, ok)
        try? await listener.write(request, piece: Array("01".utf8))
        listener.end(request, by: .reset)
      },
      frames: ["HEADERS 1", "DATA 1 01", "RST_STREAM 1 2"], curl: internalError),
    Broken(
      name: "trailers",
      handler: { listener, request in
        listener.begin(request, ok)
        try? await listener.write(request, piece: Array("01".utf8))
        listener.finish(request, trailers: [("X-Sum", "1")])
      },
      frames: ["HEADERS 1", "DATA 1 01", "HEADERS 1 end"], curl: "01"),
    Broken(
      name: "trailers without a body",
      handler: { listener, request in
        listener.begin(request, ok)
        listener.finish(request, trailers: [("X-Sum", "1")])
      },
      frames: ["HEADERS 1", "HEADERS 1 end"], curl: ""),
    Broken(
      name: "a head alone", handler: { $0.answer($1, ok) }, frames: ["HEADERS 1 end"], curl: ""),
  ]) func `a client sees how its stream ends`(_ broken: Broken) async throws {
    let frames = try await serving(Listener(port: 0), broken.handler) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        client.socket.send(FrameClient.head())
        return client.frames(upTo: broken.frames.last)
      }
    }
    let curl = try await ask(broken.handler)

    #expect(frames.filter { $0 != "DATA 1 " } == broken.frames)
    // It shows the pieces before a reset or not.
    #expect(curl.hasSuffix(broken.curl), "\(curl)")
  }

  @Test func `many streams at once are answered in any order`() async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()

    let frames = try await serving(
      Listener(port: 0),
      { listener, request in
        // The first one waits for the others.
        if request.target == "/1" {
          var iterator = arrivals.makeAsyncIterator()
          for _ in 1...49 { _ = await iterator.next() }
        }
        listener.answer(request, Self.ok, body: Array(request.target.utf8))
        arrival.yield()
      }
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        for number in 1...50 {
          client.socket.send(FrameClient.head("GET", "/\(number)", stream: UInt32(2 * number - 1)))
        }
        return client.frames(upTo: "DATA 1 /1 end")
      }
    }

    let expected = (1...50).map { "DATA \(2 * $0 - 1) /\($0) end" }
    #expect(frames.filter { $0.hasPrefix("DATA") }.sorted() == expected.sorted())
    #expect(frames.last == expected[0])
  }

  @Test func `an answer is sent as far as the client's window goes`() async throws {
    let (frames, rest) = try await serving(
      Listener(port: 0), Handlers.fixed(Self.ok, "0123456789")
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        // SETTINGS_INITIAL_WINDOW_SIZE
        client.socket.send(FrameClient.frame(4, stream: 0, [0, 4] + FrameClient.bytes(4)))
        client.socket.send(FrameClient.head())
        let frames = client.frames(upTo: "DATA 1 0123")
        client.socket.send(FrameClient.ping)
        let pause = client.frames(upTo: "PING")
        client.socket.send(FrameClient.frame(8, stream: 1, FrameClient.bytes(100)))
        return (frames + pause, client.frames(upTo: "DATA 1 456789 end"))
      }
    }

    #expect(frames == ["HEADERS 1", "DATA 1 0123", "PING"])
    #expect(rest == ["DATA 1 456789 end"])
  }

  // MARK: - Open requests

  private static let call = FrameClient.head(
    "POST", "/s/m", ends: false, [("content-type", "application/grpc+proto"), ("te", "trailers")])

  /// Sends back what comes, and a trailer.
  private static let echo: Handler = { listener, request in
    #expect(request.isOpen && request.body.isEmpty)
    listener.begin(request, ok)
    while let bytes = try? await listener.read(request) {
      try? await listener.write(request, piece: bytes)
    }
    listener.finish(request, trailers: [("grpc-status", "0")])
  }

  @Test func `a remote call is read while its answer is written`() async throws {
    let frames = try await serving(Listener(port: 0), Self.echo) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        client.socket.send(Self.call + FrameClient.data([65], ends: false))
        let first = client.frames(upTo: "DATA 1 A")
        client.socket.send(FrameClient.data([66], ends: false))
        let second = client.frames(upTo: "DATA 1 B")
        client.socket.send(FrameClient.data([]))
        return [first, second, client.frames(upTo: "HEADERS 1 end")]
      }
    }

    let data = frames.map { $0.filter { !$0.hasPrefix("WINDOW_UPDATE") && $0 != "DATA 1 " } }
    #expect(data == [["HEADERS 1", "DATA 1 A"], ["DATA 1 B"], ["HEADERS 1 end"]])
  }

  @Test func `only the head is an answer to a remote call as well`() async throws {
    let frames = try await serving(
      Listener(port: 0),
      { $0.answer($1, AnswerHead(status: 200, headers: [("grpc-status", "12")])) }
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        client.socket.send(Self.call)
        return client.frames(upTo: "RST_STREAM 1 0")
      }
    }

    // The rest of the call is not wanted.
    #expect(frames == ["HEADERS 1 end", "RST_STREAM 1 0"])
  }

  @Test func `bytes that are not read close the client's window`() async throws {
    let (gates, gate) = AsyncStream<Void>.makeStream()

    let (before, after) = try await serving(
      Listener(port: 0),
      { listener, request in
        for await _ in gates { break }
        var count = 0
        while count < 65_535, let bytes = try? await listener.read(request) { count += bytes.count }
        listener.begin(request, Self.ok)
        listener.finish(request, trailers: [("count", "\(count)")])
      }
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        client.socket.send(Self.call)
        for _ in 1...4 {
          client.socket.send(FrameClient.data([UInt8](repeating: 0, count: 16_383), ends: false))
        }
        client.socket.send(FrameClient.data([1, 2, 3], ends: false) + FrameClient.ping)
        let before = client.frames(upTo: "PING")
        gate.yield()
        return (before, client.frames(upTo: "HEADERS 1 end"))
      }
    }

    #expect(before == ["PING"])
    let windows = after.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(after.first?.hasPrefix("WINDOW_UPDATE 1 ") == true)
    #expect(windows.reduce(0, +) > 32_767)
  }

  struct Leaver: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Leaver(name: "its stream", bytes: FrameClient.frame(3, stream: 1, FrameClient.bytes(8))),
    Leaver(name: "its connection", bytes: []),
  ]) func `a client that gives up is noticed`(_ leaver: Leaver) async throws {
    let (events, event) = AsyncStream<String>.makeStream()

    let seen = try await serving(
      Listener(port: 0),
      { listener, request in
        async let left: Void = listener.untilLeft(request.number)
        do { event.yield("\(try await listener.read(request) ?? [])") } catch {}
        event.yield("read")
        do { while let _ = try await listener.read(request) {} } catch { event.yield("\(error)") }
        await left
        event.yield("left")
      }
    ) { listener in
      let client = try FrameClient(listener.port)
      client.socket.send(Self.call + FrameClient.data([7], ends: false))
      var iterator = events.makeAsyncIterator()
      var seen = [await iterator.next(), await iterator.next()]
      client.socket.send(leaver.bytes)
      if leaver.bytes.isEmpty { client.socket.finish() }
      seen += [await iterator.next(), await iterator.next()]
      return seen.compactMap(\.self)
    }

    #expect(seen == ["[7]", "read", "ClientGone()", "left"])
  }

  // MARK: - The port

  @Test func `a closed port takes no more requests, and finishes those that it has`() async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    let (gates, gate) = AsyncStream<Void>.makeStream()

    let frames = try await serving(
      Listener(port: 0),
      { listener, request in
        arrival.yield()
        for await _ in gates { break }
        listener.answer(request, Self.ok)
      }
    ) { listener in
      let client = try FrameClient(listener.port)
      client.socket.send(FrameClient.head())
      for await _ in arrivals { break }
      listener.refuse()
      let first = try await onThread { client.frames(upTo: "GOAWAY 0") }
      client.socket.send(FrameClient.head(stream: 3))
      gate.yield()
      let rest = try await onThread { client.frames() }
      return first + rest
    }

    #expect(frames == ["GOAWAY 0", "HEADERS 1 end"])
  }

  @Test func `a listener that closes resets the streams without an answer`() async throws {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()

    let frames = try await serving(
      Listener(port: 0),
      { listener, request in
        arrival.yield()
        await listener.untilLeft(request.number)
      }
    ) { listener in
      let client = try FrameClient(listener.port)
      client.socket.send(FrameClient.head())
      for await _ in arrivals { break }
      await listener.close()
      return try await onThread { client.frames() }
    }

    #expect(frames.filter { $0 != "GOAWAY 0" } == ["RST_STREAM 1 2"])
    #expect(frames.last == "GOAWAY 0")
  }
}
