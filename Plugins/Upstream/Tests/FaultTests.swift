import FlowCommand
import FlowCore
import Foundation
import HTTPPlugin
import Synchronization
import TestKit
import Testing

@testable import UpstreamPlugin

private let isStressed = ProcessInfo.processInfo.environment["FLOW_STRESS"] != nil

/// The faults of `flow explore`, as a program behind an upstream receives them byte by byte.
///
/// Some of the runs wait for a minute of real time, for a reason that is not known.
@Suite(
  .serialized, .enabled(if: isStressed, "FLOW_STRESS=1 explores every fault, which takes minutes"))
struct FaultTests {
  /// The origin of the recorded answers.
  private static let origin: Handler = { listener, request in
    switch request.target {
    case "/item":
      listener.answer(
        request, AnswerHead(status: 200, headers: [("content-type", "application/json")]),
        body: Array(#"{"id": 17, "name": "Öl"}"#.utf8))
    case "/empty": listener.answer(request, AnswerHead(status: 200))
    default:
      let isEvents = request.target == "/events"
      let type = isEvents ? "text/event-stream" : "application/x-ndjson"
      listener.begin(request, AnswerHead(status: 200, headers: [("content-type", type)]))
      for piece in isEvents ? ["data: one\n\n", "\n\n"] : ["{\"n\":1}\n", "\"é\"\n"] {
        try? await listener.write(request, piece: Array(piece.utf8))
      }
      listener.finish(request)
    }
  }

  private static let item = "content-type: application/json\r\nContent-Length: 25\r\n\r\n"
  private static let events =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let lines = events.replacing("text/event-stream", with: "application/x-ndjson")

  struct Row: Sendable, CustomTestStringConvertible {
    let path: String
    /// Each fault with what arrives under it, in the order of the calls.
    let expected: [(fault: String, seen: String)]
    var testDescription: String { path }
  }

  /// What does not depend on the body.
  private static func heads(_ label: String) -> [(fault: String, seen: String)] {
    [
      ("exchange.GET-\(label)#1: refused", "<reset>"),
      ("exchange.GET-\(label)#1: reset-before", "<reset>"),
      ("exchange.GET-\(label)#1: reset-after", "<reset>"),
      ("exchange.GET-\(label)#1: timeout", "<later><open>"),
    ]
  }

  private static func statuses(_ label: String) -> [(fault: String, seen: String)] {
    [
      (
        "exchange.GET-\(label)#1: unavailable",
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
      ),
      (
        "exchange.GET-\(label)#1: limited",
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\nContent-Length: 0\r\n\r\n"
      ),
    ]
  }

  private static let rows = [
    Row(
      path: "/item",
      expected: heads("item") + [
        (
          "exchange.GET-item#1: slow",
          "<later>HTTP/1.1 200 OK\r\n\(item)" + #"{"id": 17, "name": "Öl"}"#
        )
      ] + statuses("item") + [
        // 12 of 25 bytes, and the end of the connection.
        ("exchange.GET-item#1: truncated", "HTTP/1.1 200 OK\r\n\(item)" + #"{"id": 17, "<end>"#)
      ]),
    // Half of nothing is no fault.
    Row(
      path: "/empty",
      expected: heads("empty") + [
        ("exchange.GET-empty#1: slow", "<later>HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      ] + statuses("empty")),
    Row(
      path: "/events",
      expected: heads("events") + [
        (
          "exchange.GET-events#1: slow",
          "<later>\(events)B\r\ndata: one\n\n\r\n2\r\n\n\n\r\n0\r\n\r\n"
        )
      ] + statuses("events") + [
        ("piece.GET-events#1: cut", "\(events)<end>"),
        ("piece.GET-events#1: stalled", "\(events)<later><open>"),
        (
          "piece.GET-events#1: garbled",
          "\(events)B\r\ndata:????\n\n\r\n2\r\n\n\n\r\n0\r\n\r\n"
        ),
        ("piece.GET-events#2: cut", "\(events)B\r\ndata: one\n\n\r\n<end>"),
        ("piece.GET-events#2: stalled", "\(events)B\r\ndata: one\n\n\r\n<later><open>"),
        ("piece.GET-events#3: cut", "\(events)B\r\ndata: one\n\n\r\n2\r\n\n\n\r\n<end>"),
        (
          "piece.GET-events#3: stalled",
          "\(events)B\r\ndata: one\n\n\r\n2\r\n\n\n\r\n<later><open>"
        ),
      ]),
    Row(
      path: "/lines",
      expected: heads("lines") + [
        (
          "exchange.GET-lines#1: slow",
          "<later>\(lines)8\r\n{\"n\":1}\n\r\n5\r\n\"é\"\n\r\n0\r\n\r\n"
        )
      ] + statuses("lines") + [
        ("piece.GET-lines#1: cut", "\(lines)<end>"),
        ("piece.GET-lines#1: stalled", "\(lines)<later><open>"),
        ("piece.GET-lines#1: garbled", "\(lines)8\r\n{\"n\"???\n\r\n5\r\n\"é\"\n\r\n0\r\n\r\n"),
        ("piece.GET-lines#2: cut", "\(lines)8\r\n{\"n\":1}\n\r\n<end>"),
        ("piece.GET-lines#2: stalled", "\(lines)8\r\n{\"n\":1}\n\r\n<later><open>"),
        (
          "piece.GET-lines#2: garbled",
          "\(lines)8\r\n{\"n\":1}\n\r\n5\r\n\"\u{FFFD}??\n\r\n0\r\n\r\n"
        ),
        ("piece.GET-lines#3: cut", "\(lines)8\r\n{\"n\":1}\n\r\n5\r\n\"é\"\n\r\n<end>"),
        ("piece.GET-lines#3: stalled", "\(lines)8\r\n{\"n\":1}\n\r\n5\r\n\"é\"\n\r\n<later><open>"),
      ]),
  ]

  @Test(arguments: rows) func `every fault arrives as it is described`(_ row: Row) async throws {
    let folder = try TemporaryFolder()
    let run = try await Self.explore(row.path, in: folder)

    #expect(run.code == .passed, "\(run.errors)\(run.output)")
    let faults = run.output.split(separator: "\n").filter { $0.hasPrefix("components/up#1/") }
    #expect(
      faults.map { $0.dropFirst("components/up#1/serve#1/server.".count) }
        == row.expected.map { "\($0.fault), passed" })
    let seen = try folder.text("seen.txt").split(separator: "|").suffix(row.expected.count)
    for (seen, expected) in zip(seen, row.expected) {
      #expect(seen == expected.seen, "\(expected.fault)")
    }
  }

  /// Records what a client gets of a path, and explores the run with the client and the upstream
  /// live.
  private static func explore(
    _ path: String, in folder: TemporaryFolder
  ) async throws -> FlowCommandRun {
    let components: [any Component.Type] = [HTTP.self, Upstream.self, RawClient.self]
    try await serving(Listener(port: 0), origin) { listener in
      try folder.write(
        """
        flow: 1
        components:
          api: {plugin: http, with: {base: "http://127.0.0.1:\(listener.port)"}}
          up: {plugin: upstream, live: true, using: {server: api}}
          client: {plugin: raw, live: true}
        steps:
          - {id: up, uses: up.address}
          - {uses: up.stub, with: {path: /ping, answer: {text: pong}}}
          - uses: client.get
            with: {port: "${{ steps.up.port }}", path: \(path), log: \(folder.path("seen.txt"))}

        """, to: "s.yaml")
      let recorded = try await FlowCommandRun(
        ["run", folder.path("s.yaml"), "--record"], components: components)
      #expect(recorded.code == .passed, "\(recorded.errors)")
    }
    // The origin has gone.
    return try await FlowCommandRun(
      [
        "explore", folder.path("s.yaml"), "--live=up,client", "--faults=api", "--delays", "0",
        "--budget", "1000",
      ], components: components)
  }
}

/// A client that writes down every byte that it receives, and how the connection ends.
private struct RawClient: Component {
  static let plugin = Plugin(
    "raw", version: "1.0", "Reads from a socket.", state: .none, reaches: [.network, .files],
    operations: [
      Operation(
        "get", "Sends a request, and notes the answer in a file.",
        Parameter<Int>("port", "The port."), Parameter<String>("path", "The path."),
        Parameter<String>("log", "The file."), answers: .none
      ) { _, context, port, path, log in
        let answer = try await context.outside { try await onThread { try RawAnswer(port, path) } }
        if try await !context.outside({ try await onThread { try answer.read() } }) {
          answer.note("<later>".utf8)
          // All that is to happen in the time of the run happens now.
          try await context.sleep(for: .seconds(60))
          let hasEnded = try await context.outside { try await onThread { try answer.read() } }
          if !hasEnded { answer.note("<open>".utf8) }
        }
        try answer.write(to: log)
      }
    ]
  ) { _ in RawClient() }
}

/// An answer as it arrives, with `?` for a byte that is in no UTF-8.
///
/// Nothing measures time: nothing more comes if other requests were answered several times meanwhile.
private final class RawAnswer: Sendable {
  private static let mostPings = 20

  private let port: Int
  private let socket: RawSocket
  private let seen = Mutex<[UInt8]>([])

  init(_ port: Int, _ path: String) throws {
    self.port = port
    socket = try RawSocket(port)
    socket.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
  }

  /// Reads on, and returns true at the end of the answer or the connection, false if neither comes.
  func read() throws -> Bool {
    var pings = 0
    while pings < Self.mostPings {
      guard let bytes = socket.available() else {
        try ping()
        pings += 1
        continue
      }
      pings = 0
      note(bytes)
      if bytes.starts(with: "<".utf8) || isWhole { return true }
    }
    return false
  }

  func note(_ bytes: some Sequence<UInt8>) { seen.withLock { $0 += bytes } }

  func write(to path: String) throws {
    let known = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try (known + text + "|").write(toFile: path, atomically: true, encoding: .utf8)
  }

  private var text: String {
    let bytes = seen.withLock { $0.map { $0 == 0xFF ? UInt8(ascii: "?") : $0 } }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for the answer to another request.
  private func ping() throws {
    let other = try RawSocket(port)
    other.send("GET /ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    _ = other.rest()
  }

  /// True if the answer has all the bytes that it announces.
  private var isWhole: Bool {
    let text = text
    guard let head = text.firstRange(of: "\r\n\r\n") else { return false }
    if text.contains("Transfer-Encoding: chunked") { return text.hasSuffix("\r\n0\r\n\r\n") }
    let length = text.firstRange(of: "Content-Length: ")
      .map { text[$0.upperBound...].prefix { $0.isNumber } }
    return text[head.upperBound...].utf8.count == length.flatMap { Int($0) }
  }
}

extension RawSocket {
  /// Receives what has come, nil if nothing has; an end is named in angle brackets.
  fileprivate func available() -> [UInt8]? {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&event, 1, 0) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    if count < 0 { return Array("<\(errno == ECONNRESET ? "reset" : "error \(errno)")>".utf8) }
    return count == 0 ? Array("<end>".utf8) : Array(buffer.prefix(count))
  }
}
