import Foundation
import Synchronization
import TestKit
import Testing

@testable import UpstreamPlugin

/// Frames that no client of HTTP/2 should send.
@Suite(.serialized) struct HostileFrameTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// Those of the answer.
    let frames: [String]
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ frames: String...) {
      (self.name, self.bytes, self.frames) = (name, bytes, frames)
    }
  }

  private typealias Client = FrameClient

  private static func head(_ headers: [(String, String)]) -> [UInt8] {
    Client.frame(1, 5, stream: 1, Client.block(headers))
  }

  private static let pseudo = [(":method", "GET"), (":scheme", "http"), (":path", "/")]
  private static let block = Client.block(pseudo)

  // RFC 9113, section 7: the numbers of errors.
  private static let protocolError = "GOAWAY 1", flowError = "GOAWAY 3", sizeError = "GOAWAY 6"
  private static let streamError = "RST_STREAM 1 1"

  private static let frames = [
    Case("no settings first", Client.ping, protocolError),
    Case("an unknown frame", Client.frame(99, stream: 1, [1]) + Client.head(), "HEADERS 1 end"),
    Case("a frame above the limit", Client.frame(0, stream: 1, [], length: 16_385), sizeError),
    Case("settings of half a length", Client.frame(4, stream: 0, [1, 2, 3]), sizeError),
    Case("settings of a stream", Client.frame(4, stream: 1), protocolError),
    Case(
      "an acknowledgement with settings", Client.frame(4, 1, stream: 0, [0, 1, 0, 0, 0, 0]),
      sizeError),
    Case("a push of 2", Client.frame(4, stream: 0, [0, 2, 0, 0, 0, 2]), protocolError),
    Case("a window of 2^31", Client.frame(4, stream: 0, [0, 4, 128, 0, 0, 0]), flowError),
    Case("frames of 100 bytes", Client.frame(4, stream: 0, [0, 5, 0, 0, 0, 100]), protocolError),
    Case("a short ping", Client.frame(6, stream: 0, [1]), sizeError),
    Case(
      "a ping of a stream", Client.frame(6, stream: 1, [1, 2, 3, 4, 5, 6, 7, 8]), protocolError),
    Case("a window without a size", Client.frame(8, stream: 0, Client.bytes(0)), protocolError),
    Case("a window above 2^31", Client.frame(8, stream: 0, Client.bytes(0x7FFF_FFFF)), flowError),
    Case("a short window", Client.frame(8, stream: 0, [1]), sizeError),
    Case("a short reset", Client.frame(3, stream: 1, [1]), sizeError),
    Case("a promise", Client.frame(5, 4, stream: 1, [0, 0, 0, 2]), protocolError),
    Case("a short end", Client.frame(7, stream: 0, [1]), sizeError),
    Case(
      "an end of a stream", Client.frame(7, stream: 1, Client.bytes(0) + Client.bytes(0)),
      protocolError),
  ]

  private static let streams = [
    Case("data of no stream", Client.data([1], stream: 0), protocolError),
    Case("data of an idle stream", Client.data([1]), protocolError),
    Case("a window of an idle stream", Client.frame(8, stream: 1, Client.bytes(1)), protocolError),
    Case("a reset of an idle stream", Client.frame(3, stream: 1, Client.bytes(8)), protocolError),
    Case("a head of no stream", Client.frame(1, 5, stream: 0, block), protocolError),
    Case("a stream of the server", Client.frame(1, 5, stream: 2, block), protocolError),
    Case("padding above the length", Client.frame(0, 8, stream: 1, [9, 1]), protocolError),
    Case("a continuation of nothing", Client.frame(9, 4, stream: 1, block), protocolError),
    Case(
      "data within a head", Client.frame(1, 1, stream: 1, block) + Client.data([1]), protocolError),
    Case(
      "a head within another", Client.frame(1, 1, stream: 1, block) + Client.head(stream: 3),
      protocolError),
    Case("an unknown index", Client.frame(1, 5, stream: 1, [0xFF, 0xFF, 0x7F]), "GOAWAY 9"),
    Case("half a string", Client.frame(1, 5, stream: 1, [0, 200]), "GOAWAY 9"),
    Case(
      "a table above the limit", Client.frame(1, 5, stream: 1, [0x3F, 0xE1, 0xFF, 0x7F]), "GOAWAY 9"
    ),
  ]

  private static let heads = [
    Case("upper case", head(pseudo + [("X", "1")]), streamError),
    Case("no path", head(Array(pseudo.dropLast())), streamError),
    Case("no method", head(Array(pseudo.dropFirst())), streamError),
    Case(
      "an empty path", head([(":method", "GET"), (":scheme", "http"), (":path", "")]), streamError),
    Case("two paths", head(pseudo + [(":path", "/")]), streamError),
    Case("an unknown pseudo-header", head(pseudo + [(":status", "200")]), streamError),
    Case("a pseudo-header behind others", head([("a", "1")] + pseudo), streamError),
    Case("a header of the connection", head(pseudo + [("connection", "close")]), streamError),
    Case("a coding", head(pseudo + [("transfer-encoding", "chunked")]), streamError),
    Case("other trailers", head(pseudo + [("te", "gzip")]), streamError),
    Case("a length of letters", head(pseudo + [("content-length", "a")]), streamError),
    Case("a body without its length", head(pseudo + [("content-length", "1")]), streamError),
    Case("NUL in a header", head(pseudo + [("a", "b\0c")]), streamError),
    Case("a space in a name", head(pseudo + [("a b", "1")]), streamError),
    Case("two hosts", head(pseudo + [(":authority", "a"), ("host", "b")]), "HEADERS 1 end"),
    Case("a tunnel", head([(":method", "CONNECT"), (":authority", "a:1")]), "HEADERS 1 end"),
    Case(
      "a body above the limit",
      Client.head("POST", ends: false) + Client.data([UInt8](repeating: 0, count: 2001)),
      "HEADERS 1 end"),
    Case(
      "a length above the limit",
      Client.head("POST", ends: false, [("content-length", "2001")]), "HEADERS 1 end",
      "RST_STREAM 1 0"),
    Case(
      "a body above its length",
      Client.head("POST", ends: false, [("content-length", "1")]) + Client.data([1, 2]), streamError
    ),
    Case(
      "a huge head", Client.head(ends: true, [("a", String(repeating: "a", count: 9000))]),
      "HEADERS 1 end"),
    Case(
      "half a body", Client.head("POST", ends: false) + Client.data([1], ends: false),
      "RST_STREAM 1 8"),
    Case("half a frame", Array(Client.head().dropLast()), "RST_STREAM 1 8"),
    Case("half a head of a frame", Array(Client.head().prefix(8))),
  ]

  @Test(arguments: frames + streams + heads)
  func `the server withstands any frames`(_ hostile: Case) async throws {
    var limits = ListenerLimits()
    limits.bodySize = 2000
    limits.headSize = 8000

    let (frames, next) = try await serving(
      Listener(port: 0, limits: limits), { $0.answer($1, AnswerHead(status: 200)) }
    ) { listener in
      let frames = try await onThread {
        let socket = try RawSocket(listener.port)
        let first = hostile.name == "no settings first" ? [] : Client.settings
        socket.send(Client.preface + first + hostile.bytes)
        socket.finish()
        return Client(socket).frames()
      }
      return (frames, try await curl("-w", "%{http_code}", "http://127.0.0.1:\(listener.port)/"))
    }

    #expect(frames.filter { $0 != "GOAWAY 0" } == hostile.frames)
    #expect(next == "200")
  }

  struct Flood: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Flood(name: "pings", bytes: many(100_000) { _ in Client.ping }),
    Flood(name: "settings", bytes: many(100_000) { _ in Client.settings }),
    Flood(
      name: "resets",
      bytes: many(20_000) {
        Client.head(stream: 2 * $0 + 1) + Client.frame(3, stream: 2 * $0 + 1, Client.bytes(8))
      }),
    Flood(
      name: "continuations",
      bytes: Client.frame(1, 1, stream: 1, block)
        + many(100_000) { _ in Client.frame(9, stream: 1, [0, 1, 97, 1, 97]) }),
    Flood(
      name: "empty data",
      bytes: Client.head("POST", ends: false) + many(100_000) { _ in Client.data([], ends: false) }),
  ]) func `a flood ends, and others are served`(_ flood: Flood) async throws {
    let next = try await serving(
      Listener(port: 0), { $0.answer($1, AnswerHead(status: 200)) }
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        // Nothing is received meanwhile. The server stops to read, or ends the connection.
        client.socket.send(atMost: flood.bytes)
      }
      return try await curl("-w", "%{http_code}", "http://127.0.0.1:\(listener.port)/")
    }

    // Many more requests than wait at once may have come.
    #expect(["200", "503"].contains(next))
  }

  private static func many(_ count: UInt32, _ make: (UInt32) -> [UInt8]) -> [UInt8] {
    (0..<count).flatMap(make)
  }

  @Test func `more than the window is an error of the stream or connection`() async throws {
    let call = Client.head("POST", "/s/m", ends: false, [("content-type", "application/grpc")])

    let frames = try await serving(
      Listener(port: 0), { listener, request in await listener.untilLeft(request.number) }
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        client.socket.send(call)
        for _ in 1...5 {
          client.socket.send(Client.data([UInt8](repeating: 0, count: 16_384), ends: false))
        }
        client.socket.finish()
        return client.frames()
      }
    }

    #expect(frames == ["RST_STREAM 1 3", "GOAWAY 0"])
  }

  struct Late: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let frames: [String]
    let refusals: [Refusal]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Late(name: "nothing", bytes: [], frames: ["GOAWAY 0"], refusals: []),
    Late(
      name: "half a body", bytes: Client.head("POST", ends: false),
      frames: ["RST_STREAM 1 8", "GOAWAY 0"], refusals: [.time]),
    Late(
      name: "half a head", bytes: Client.frame(1, 1, stream: 1, block),
      frames: ["RST_STREAM 1 8", "GOAWAY 0"], refusals: [.time]),
    Late(
      name: "nothing more", bytes: Client.head(), frames: ["HEADERS 1 end", "GOAWAY 0"],
      refusals: []),
  ]) func `a client that keeps silent is dropped`(_ late: Late) async throws {
    var limits = ListenerLimits()
    (limits.headTime, limits.bodyTime) = (.milliseconds(50), .milliseconds(50))
    limits.idleTime = .milliseconds(50)
    let refusals = Mutex<[Refusal]>([])

    let frames = try await serving(
      Listener(port: 0, limits: limits) { refusal in refusals.withLock { $0.append(refusal) } },
      { $0.answer($1, AnswerHead(status: 200)) }
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        client.socket.send(late.bytes)
        return client.frames()
      }
    }

    #expect(frames == late.frames)
    #expect(refusals.withLock(\.self) == late.refusals)
  }

  #if os(Linux)
    @Test func `a closed listener of HTTP/2 leaves no descriptor and no thread`() async throws {
      let before = try (count("fd"), count("task"))

      for _ in 1...400 {
        let listener = try Listener(port: 0)
        let client = try FrameClient(listener.port)
        client.socket.send(Client.head())
        _ = try await onThread { client.next() }
        await listener.close()
      }

      // Other tests run beside this one, with some hundred descriptors.
      let after = try (count("fd"), count("task"))
      #expect(after.0 - before.0 < 350)
      #expect(after.1 - before.1 < 350)
    }

    private func count(_ kind: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
    }
  #endif
}
