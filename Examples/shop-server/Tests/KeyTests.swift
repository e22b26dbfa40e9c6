import Foundation
import Synchronization
import TestKit
import Testing

/// Repeated requests for a change, and servers that end in between.
@Suite struct KeyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start() throws -> RunningServer {
    try RunningServer(["--data", folder.path("shop.sqlite"), "--opening", "10"])
  }

  private static func text(_ balance: String) -> String {
    "200 Content-Type: application/json\n" + #"{"balance":"\#(balance)"}"#
  }

  @Test func `a key is used once and has the first answer from then on`() throws {
    let server = try start()
    let one = ["Idempotency-Key: one"]

    let answers = [
      try server.ask("POST /balance/add", one, #"{"amount":"1"}"#),
      try server.ask("POST /balance/add", ["Idempotency-Key: two"], #"{"amount":"1"}"#),
      try server.ask("POST /balance/add", one, #"{"amount":"1"}"#),
      try server.ask("POST /balance/subtract", one, #"{"amount":"99"}"#),
      try server.balance(),
    ]

    #expect(answers == ["11.00", "12.00", "11.00", "11.00", "12.00"].map(Self.text))
  }

  @Test func `a refused change keeps no key`() throws {
    let server = try start()
    let key = ["Idempotency-Key: one"]

    let refused = try server.ask("POST /balance/subtract", key, #"{"amount":"11"}"#)
    _ = try server.ask("POST /balance/add", [], #"{"amount":"1"}"#)
    let made = try server.ask("POST /balance/subtract", key, #"{"amount":"11"}"#)

    #expect(refused.hasPrefix("409 "))
    #expect(made == Self.text("0.00"))
  }

  @Test func `clients with the same key at the same time make one change`() async throws {
    let server = try start()
    let port = server.port

    let answers = try await inThreads(16) { _ in
      try Connection(port).ask(
        "POST /balance/add", ["Idempotency-Key: one"], #"{"amount":"1"}"#)
    }

    #expect(answers == Array(repeating: Self.text("11.00"), count: 16))
    #expect(try server.balance() == Self.text("11.00"))
  }

  @Test func `the oldest keys are forgotten`() async throws {
    let server = try RunningServer()
    let connection = try Connection(server.port)
    func add(_ key: Int) throws -> String {
      try connection.ask(
        "POST /balance/add", ["Idempotency-Key: \(key)"], #"{"amount":"1"}"#)
    }

    for key in 1...10_001 { _ = try add(key) }

    #expect(try add(2) == Self.text("2.00"))
    #expect(try add(1) == Self.text("10002.00"))
  }

  @Test func `a balance and its keys survive a crash`() throws {
    let first = try start()
    let key = ["Idempotency-Key: one"]
    _ = try first.ask("POST /balance/add", key, #"{"amount":"1"}"#)
    _ = try first.ask("POST /balance/add", [], #"{"amount":"1"}"#)
    first.crash()

    let second = try start()

    #expect(try second.balance() == Self.text("12.00"))
    #expect(try second.ask("POST /balance/add", key, #"{"amount":"1"}"#) == Self.text("11.00"))
  }

  @Test func `clients that repeat what a crash left unanswered change nothing twice`() async throws
  {
    let (clients, changes) = (8, 30)
    let first = try start()
    let (port, process) = (first.port, first.processID)
    let answered = Mutex(0)

    // The half is answered to one of them, in the middle of what the others do.
    let done = try await inThreads(clients) { client in
      let connection = try Connection(port)
      for change in 0..<changes {
        guard (try? Self.add(client, change, connection)) != nil else { return change }
        let count = answered.withLock { count in
          count += 1
          return count
        }
        if count == clients * changes / 2 { kill(process, SIGKILL) }
      }
      return changes
    }
    first.crash()
    let second = try start()
    let (nextPort, between) = (second.port, try second.balance())
    _ = try await inThreads(clients) { client in
      let connection = try Connection(nextPort)
      for change in done[client]..<changes { _ = try Self.add(client, change, connection) }
    }

    let known = done.reduce(0, +)
    #expect(known < clients * changes)
    let possible = (known...known + clients).map { Self.text("\(10 + $0).00") }
    #expect(possible.contains(between), "\(known) answers, then \(between)")
    #expect(try second.balance() == Self.text("\(10 + clients * changes).00"))
  }

  private static func add(_ client: Int, _ change: Int, _ connection: Connection) throws -> String {
    try connection.ask(
      "POST /balance/add", ["Idempotency-Key: \(client)-\(change)"], #"{"amount":"1"}"#)
  }
}
