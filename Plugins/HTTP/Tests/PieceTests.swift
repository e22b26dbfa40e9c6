import Dispatch
import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Bodies that arrive piece by piece.
@Suite struct PieceTests {
  private static let splits: [(id: String, kind: PieceKind, body: String, pieces: [String])] = [
    (
      "line feeds", .events, "data: 1\n\nid: 2\ndata: b\n\n", ["data: 1\n\n", "id: 2\ndata: b\n\n"]
    ),
    ("both", .events, "data: 1\r\n\r\n: x\r\n\r\n", ["data: 1\r\n\r\n", ": x\r\n\r\n"]),
    ("returns", .events, "data: 1\r\rdata: 2\r\r", ["data: 1\r\r", "data: 2\r\r"]),
    ("empty lines more", .events, "\ndata: 1\n\n\n", ["\ndata: 1\n\n", "\n"]),
    ("an end that is missing", .events, "data: 1\n", ["data: 1\n"]),
    ("nothing", .events, "", []),
    ("lines", .lines, "{\"a\":1}\n\n2\r\n3", ["{\"a\":1}\n", "\n", "2\r\n", "3"]),
  ]

  @Test(arguments: splits.indices, [1, 3, 1000])
  func `pieces do not depend on how a body arrives`(_ index: Int, _ size: Int) {
    let split = Self.splits[index]
    var splitter = PieceSplitter(split.kind)
    var (rest, pieces) = (Array(split.body.utf8)[...], [[UInt8]]())

    while !rest.isEmpty {
      pieces += splitter.pieces(in: Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    if !splitter.rest.isEmpty { pieces.append(splitter.rest) }

    #expect(pieces.map { String(decoding: $0, as: UTF8.self) } == split.pieces)
  }

  @Test func `each event is a piece, before the next one is sent`() async throws {
    let go = DispatchSemaphore(value: 0)
    let server = try TestServer { _, connection in
      connection.send(Self.head())
      for number in 1...3 {
        connection.send("data: \(number)\n\n")
        go.wait()
      }
      return false
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url]) { http in
      var texts = [await Self.open(http)]
      for _ in 1...4 {
        texts.append(await http.text("piece", ["stream": "GET /events#1"]))
        go.signal()
      }
      return texts + [await http.text("piece", ["stream": "GET /events#1"])]
    }

    #expect(
      texts == [
        #"{status: 200, headers: {content-type: "text/event-stream"}, text: null, streamed: true, stream: "GET /events#1"}"#,
        #"{text: "data: 1\n\n", bytes: null, end: false}"#,
        #"{text: "data: 2\n\n", bytes: null, end: false}"#,
        #"{text: "data: 3\n\n", bytes: null, end: false}"#, "{text: null, bytes: null, end: true}",
        "invalid: the stream 'GET /events#1' is not open, or is being read",
      ])
  }

  private static let bodies: [(id: String, head: String, body: [UInt8], texts: [String])] = [
    (
      "lines of JSON in chunks", "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked",
      Array("3\r\n1\n2\r\n2\r\n0\n\r\n0\r\n\r\n".utf8),
      [#"{text: "1\n", bytes: null, end: false}"#, #"{text: "20\n", bytes: null, end: false}"#]
    ),
    (
      "bytes", "Content-Type: application/x-ndjson\r\nContent-Length: 2", [0xFF, 0x0A],
      [#"{text: null, bytes: 2 bytes, end: false}"#]
    ),
    // printf '1\n2\n' | gzip -n
    (
      "gzip", "Content-Type: application/x-ndjson\r\nContent-Encoding: gzip\r\nContent-Length: 24",
      [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x33, 0xe4, 0x32, 0xe2, 2, 0, 0x61, 0x78, 0xe1, 0x69, 4,
        0, 0, 0,
      ],
      [#"{text: "1\n", bytes: null, end: false}"#, #"{text: "2\n", bytes: null, end: false}"#]
    ),
    ("an empty stream", "Content-Type: text/event-stream\r\nContent-Length: 0", [], []),
  ]

  @Test(arguments: bodies.indices)
  func `pieces end with the body`(_ index: Int) async throws {
    let body = Self.bodies[index]
    let server = try TestServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\(body.head)\r\n\r\n")
      return connection.send(body.body)
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url]) { http in
      _ = await Self.open(http)
      return await Self.pieces(http, count: body.texts.count + 1)
    }

    #expect(texts == body.texts + ["{text: null, bytes: null, end: true}"])
  }

  private static let breaks: [(id: String, texts: [String])] = [
    (
      "reset",
      [
        #"{text: "data: 1\n\n", bytes: null, end: false}"#,
        "protocol: URL/events: the connection was lost",
      ]
    ),
    (
      "cut",
      [
        #"{text: "data: 1\n\n", bytes: null, end: false}"#,
        "protocol: URL/events: the response is incomplete",
      ]
    ),
    (
      "endless",
      [
        #"{text: "data: 1\n\n", bytes: null, end: false}"#,
        "too_large: URL/events: the response has more than 1000 bytes, or its headers more than 256 KiB",
      ]
    ),
  ]

  @Test(arguments: breaks.indices)
  func `a stream that breaks is an error behind its pieces`(_ index: Int) async throws {
    let example = Self.breaks[index]
    let go = DispatchSemaphore(value: 0)
    let server = try TestServer { _, connection in
      connection.send(Self.head("Content-Length: 1000000") + "data: 1\n\n")
      go.wait()
      if example.id == "reset" { connection.reset() }
      if example.id == "endless" { while connection.send("data: and so on\n") {} }
      return false
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url, "max_bytes": 1000]) { http in
      _ = await Self.open(http)
      let first = await Self.pieces(http, count: 1)
      go.signal()
      return first + (await Self.pieces(http, count: 1))
    }

    #expect(texts.map { $0.replacing(server.url, with: "URL") } == example.texts)
  }

  @Test(arguments: ["stop", "cancel", "close"])
  func `a stream that nothing reads any more is closed`(_ how: String) async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let server = try TestServer { _, connection in
      connection.send(Self.head() + "data: 1\n\n")
      connection.waitForEnd()
      end.yield()
      return false
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url]) { http in
      _ = await Self.open(http)
      var texts = await Self.pieces(http, count: 1)
      if how == "stop" {
        texts.append(await http.text("piece", ["stream": "GET /events#1", "stop": true]))
      }
      if how == "cancel" {
        let reading = Task { await http.text("piece", ["stream": "GET /events#1"]) }
        reading.cancel()
        texts.append(await reading.value)
      }
      if how != "close" { _ = await ends.first { true } }
      return texts
    }
    if how == "close" { _ = await ends.first { true } }

    let last = [
      "stop": ["{text: null, bytes: null, end: true}"], "cancel": ["CancellationError()"],
    ]
    #expect(texts == [#"{text: "data: 1\n\n", bytes: null, end: false}"#] + (last[how] ?? []))
  }

  @Test func `several streams are apart`() async throws {
    let server = try TestServer { request, connection in
      connection.send(Self.head() + "data: \(request.path)\n\n")
      return false
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url]) { http in
      var texts: [String] = []
      for path in ["/a", "/a?x=1", "/b"] {
        let input = ["method": "GET", "path": path]
        texts.append(await http.fields(["stream"], "exchange", input))
      }
      for name in ["GET /b#1", "GET /a#1", "GET /a#2", "GET /a#1"] {
        texts.append(await http.text("piece", ["stream": name]))
      }
      return texts
    }

    let pieces = ["/b", "/a", "/a?x=1"].map {
      #"{text: "data: \#($0)\n\n", bytes: null, end: false}"#
    }
    #expect(
      texts
        == [#"{stream: "GET /a#1"}"#, #"{stream: "GET /a#2"}"#, #"{stream: "GET /b#1"}"#]
        + pieces + ["{text: null, bytes: null, end: true}"])
  }

  /// The head of a stream.
  private static func head(_ header: String? = nil) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
      + (header.map { "\($0)\r\n" } ?? "") + "\r\n"
  }

  private static func open(_ http: OpenComponent) async -> String {
    await http.fields(
      ["status", "headers", "text", "streamed", "stream"], "exchange",
      ["method": "GET", "path": "/events"])
  }

  private static func pieces(_ http: OpenComponent, count: Int) async -> [String] {
    var texts: [String] = []
    for _ in 0..<count { texts.append(await http.text("piece", ["stream": "GET /events#1"])) }
    return texts
  }
}
