import Foundation
import TestKit
import Testing

@Suite struct EventTests {
  private static let opening = ": changes of the balance\n\n"

  private static func event(_ number: Int, _ balance: String) -> String {
    "event: changed\nid: \(number)\n" + #"data: {"balance":"\#(balance)"}"# + "\n\n"
  }

  /// Opens a stream and checks its start.
  private func open(_ server: RunningServer, after number: Int? = nil) throws -> Connection {
    let connection = try Connection(server.port)
    try connection.send("GET /events", number.map { ["Last-Event-ID: \($0)"] } ?? [])
    #expect(
      try connection.head().sorted() == [
        "200", "Cache-Control: no-store", "Content-Type: text/event-stream",
        "Transfer-Encoding: chunked",
      ])
    #expect(try connection.chunk() == Self.opening)
    return connection
  }

  /// The next bytes of a stream, at least this many.
  private func text(_ connection: Connection, _ count: Int) throws -> String {
    var text = ""
    while text.utf8.count < count, let part = try connection.chunk() { text += part }
    return text
  }

  private func add(_ amount: String, _ server: RunningServer) throws {
    let answer = try server.ask("POST /balance/add", [], #"{"amount":"\#(amount)"}"#)
    #expect(answer.hasPrefix("200 "))
  }

  @Test func `every stream brings every change of any client, in order`() throws {
    let server = try RunningServer(["--opening", "10"])
    let streams = [try open(server), try open(server)]

    for amount in ["1", "0", "0.00", "2.5"] { try add(amount, server) }
    _ = try server.ask("POST /balance/subtract", [], #"{"amount":"99"}"#)
    _ = try server.ask("POST /balance/subtract", [], #"{"amount":"3"}"#)

    let expected = Self.event(1, "11.00") + Self.event(2, "13.50") + Self.event(3, "10.50")
    for stream in streams { #expect(try text(stream, expected.utf8.count) == expected) }
  }

  @Test func `a client that was away receives what it has missed, after a crash as well`() throws {
    let folder = try TemporaryFolder()
    let first = try RunningServer(["--data", folder.path("shop.sqlite")])
    for _ in 1...3 { try add("1", first) }
    let missed = Self.event(2, "2.00") + Self.event(3, "3.00")
    #expect(try text(try open(first, after: 1), missed.utf8.count) == missed)
    first.crash()

    let second = try RunningServer(["--data", folder.path("shop.sqlite")])
    let stream = try open(second, after: 1)
    try add("1", second)

    let expected = missed + Self.event(4, "4.00")
    #expect(try text(stream, expected.utf8.count) == expected)
  }

  @Test func `more changes than are read at once are replayed, too`() throws {
    let server = try RunningServer()
    let connection = try Connection(server.port)
    for _ in 1...250 {
      _ = try connection.ask("POST /balance/add", [], #"{"amount":"1"}"#)
    }

    let expected = (1...250).map { Self.event($0, "\($0).00") }.joined()

    #expect(try text(try open(server, after: 0), expected.utf8.count) == expected)
  }

  @Test func `a number from another file's future misses nothing`() throws {
    let server = try RunningServer()
    try add("1", server)
    let stream = try open(server, after: 77)

    try add("1", server)

    let expected = Self.event(2, "2.00")
    #expect(try text(stream, expected.utf8.count) == expected)
  }

  @Test func `streams have a limit, and one that ends makes room`() throws {
    let server = try RunningServer()
    var streams = try (1...64).map { _ in try open(server) }
    let full =
      "503 Content-Type: application/json\n"
      + #"{"error":"unavailable","message":"there are 64 streams of events already"}"#

    #expect(try server.ask("GET /events") == full)
    try streams.removeLast().finish()
    streams.append(try open(server))
    #expect(try server.ask("GET /events") == full)
  }

  @Test func `a stream ends with the server`() throws {
    let server = try RunningServer()
    let stream = try open(server)

    #expect(server.end(by: SIGTERM) == Ending(code: 0, output: "", errors: ""))

    try stream.finish()
  }

  @Test func `many clients at once lose no change, and a stream sees each of them`() async throws {
    let server = try RunningServer()
    let port = server.port
    let stream = try open(server)

    _ = try await inThreads(16) { client in
      let kept = try Connection(port)
      for change in 0..<25 {
        let connection = change.isMultiple(of: 2) ? kept : try Connection(port)
        _ = try connection.ask("POST /balance/add", [], #"{"amount":"1"}"#)
      }
    }

    let expected = (1...400).map { Self.event($0, "\($0).00") }.joined()
    #expect(try text(stream, expected.utf8.count) == expected)
    #expect(try server.balance().hasSuffix(#"{"balance":"400.00"}"#))
  }
}
