import Testing

@testable import DatabaseProxyPlugin

/// The statements in written conversations of a program and a server of MariaDB.
struct MariaDBConversationTests {
  /// The capabilities of the greeting, all of them but the first one of MySQL.
  private static let greeting: [UInt8] =
    packet(
      [10] + Array("11".utf8) + [0] + [UInt8](repeating: 1, count: 12) + [0]
        + [0xFE, 0xFF, 45, 2, 0, 0xFF, 0xFF, 21] + [UInt8](repeating: 0, count: 6)
        + [0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 2, count: 12) + [0])

  private static func packet(_ body: [UInt8], _ sequence: UInt8 = 0) -> [UInt8] {
    [0, 8, 16].map { UInt8(truncatingIfNeeded: body.count >> $0) } + [sequence] + body
  }

  private static func login(_ capabilities: UInt32) -> [UInt8] {
    packet((0..<4).map { UInt8(truncatingIfNeeded: capabilities >> (8 * $0)) } + [0, 0, 0, 0], 1)
  }

  private static func command(_ kind: UInt8, _ text: String = "") -> [UInt8] {
    packet([kind] + Array(text.utf8))
  }
  private static func command(_ kind: UInt8, of number: UInt8) -> [UInt8] {
    packet([kind, number, 0, 0, 0, 0, 1, 0, 0, 0])
  }

  /// An answer without rows.
  private static func done(_ rows: UInt8 = 0, _ status: UInt8 = 2) -> [UInt8] {
    packet([0, rows, 0, status, 0, 0, 0], 1)
  }

  private static func failed(_ number: UInt16, _ state: String) -> [UInt8] {
    packet([0xFF, UInt8(number & 0xFF), UInt8(number >> 8)] + Array("#\(state)no".utf8), 1)
  }

  /// The end of columns or rows in the old form or the new one.
  private static func end(_ status: UInt8, isNew: Bool) -> [UInt8] {
    packet(isNew ? [0xFE, 0, 0, status, 0, 0, 0] : [0xFE, 0, 0, status, 0], 2)
  }

  /// An answer with a column.
  private static func rows(_ count: Int, _ status: UInt8 = 2, isNew: Bool) -> [UInt8] {
    let row = packet([1, UInt8(ascii: "7")], 3)
    return packet([1], 1) + packet(Array("def".utf8), 2) + (isNew ? [] : end(2, isNew: false))
      + (0..<count).flatMap { _ in row } + end(status, isNew: isNew)
  }

  /// Runs a conversation after its login, in turns, and in pieces of some bytes.
  private static func run(
    _ turns: [(client: [UInt8], server: [UInt8])], isNew: Bool, in size: Int = .max
  ) -> (conversation: MariaDBConversation, statements: [String]) {
    var conversation = MariaDBConversation()
    var found: [EndedStatement] = []
    func parts(_ bytes: [UInt8]) -> [[UInt8]] {
      stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))).map {
        Array(bytes[$0..<min(bytes.count, $0 + min(size, bytes.count))])
      }
    }
    let start = (login(0x200 | (isNew ? 1 << 24 : 0)), done())
    for part in parts(greeting) { _ = conversation.takeFromServer(part) }
    for (client, server) in [start] + turns {
      for part in parts(client) { _ = conversation.takeFromClient(part) }
      for part in parts(server) { found += conversation.takeFromServer(part).statements }
    }
    let texts = found.map {
      "\($0.text.text) \($0.rows) \($0.isInTransaction ? "in" : "out")"
        + ($0.begins ? " begins" : "") + ($0.error.map { " \($0)" } ?? "")
    }
    return (conversation, texts)
  }

  @Test(arguments: [true, false], [1, 3, Int.max])
  func `commands and their responses are followed`(_ isNew: Bool, _ size: Int) {
    let preparation =
      Self.packet([0, 5, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0], 1) + Self.packet([3], 2)
      + (isNew ? [] : Self.end(2, isNew: false)) + Self.packet([3], 3)
      + (isNew ? [] : Self.end(2, isNew: false))
    let (conversation, found) = Self.run(
      [
        (
          Self.command(0x03, "BEGIN; SELECT 1; COMMIT"),
          Self.done(0, 11) + Self.rows(2, 11, isNew: isNew) + Self.done(0, 2)
        ),
        (Self.command(0x16, "SELECT a FROM t WHERE i = ?"), preparation),
        (Self.command(0x17, of: 5), Self.rows(3, isNew: isNew)),
        (Self.command(0x19, of: 5) + Self.command(0x0E), Self.done()),
        (Self.command(0x03, "UPDATE t SET a = 1"), Self.failed(1213, "40001")),
        (Self.command(0x04, "t"), Self.packet([3, 100], 1) + Self.end(2, isNew: isNew)),
        (Self.command(0x1F), Self.done()), (Self.command(0x09), Self.packet([85, 1], 1)),
        (Self.command(0x03, "DELETE FROM t"), Self.done(4)), (Self.command(0x01), []),
      ], isNew: isNew, in: size)

    #expect(!conversation.isLost)
    #expect(
      found == [
        "BEGIN 0 in begins", "SELECT ? 2 in", "COMMIT 0 in", "SELECT a FROM t WHERE i = ? 3 out",
        "UPDATE t SET a = ? 0 out 40001", "DELETE FROM t 4 out",
      ])
  }

  @Test func `a cursor counts at the end of its rows`() {
    let row = Self.packet([0, 0, 7], 1)
    let (conversation, found) = Self.run(
      [
        (Self.command(0x16, "SELECT 1"), Self.packet([0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1)),
        (
          Self.command(0x17, of: 5),
          Self.packet([1], 1) + Self.packet([3], 2) + Self.end(0x42, isNew: false)
        ),
        (Self.command(0x1C, of: 5), row + row + Self.end(0x42, isNew: false)),
        (Self.command(0x1C, of: 5), row + Self.end(0x82, isNew: false)),
        (Self.command(0x03, "SELECT 2"), Self.rows(1, isNew: false)),
      ], isNew: false)

    #expect(!conversation.isLost)
    #expect(found == ["SELECT ? 3 out", "SELECT ? 1 out"])
  }

  @Test func `a new login is followed, also with a question of the server`() {
    let (conversation, found) = Self.run(
      [
        (Self.command(0x11, "u"), Self.packet([0xFE, 120, 0], 1)),
        (Self.packet([3, 65, 66], 3), Self.done()),
        (Self.command(0x03, "SELECT 1"), Self.rows(1, isNew: true)),
      ], isNew: true)

    #expect(!conversation.isLost)
    #expect(found == ["SELECT ? 1 out"])
  }

  struct Strange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let client: [UInt8]
    let server: [UInt8]
  }

  @Test(arguments: [
    Strange(testDescription: "a command of a replica", client: command(0x12), server: []),
    Strange(testDescription: "an unknown command", client: command(0xEE), server: []),
    Strange(testDescription: "a response to nothing", client: [], server: done()),
    Strange(testDescription: "an empty response", client: command(3, "A"), server: packet([])),
    Strange(
      testDescription: "too many columns", client: command(3, "A"),
      server: packet([0xFD, 0xFF, 0xFF, 0xFF])),
    Strange(
      testDescription: "too many commands",
      client: [[UInt8]](repeating: command(0x0E), count: 10_001).flatMap(\.self), server: []),
  ])
  func `what cannot be followed is said`(_ strange: Strange) {
    #expect(Self.run([(strange.client, strange.server)], isNew: true).conversation.isLost)
  }

  @Test func `the greeting loses what could not be followed`() {
    var conversation = MariaDBConversation()
    let changed = conversation.takeFromServer(Self.greeting).toClient
    let places = Self.greeting.indices.filter { changed[$0] != Self.greeting[$0] }

    #expect(changed.count == Self.greeting.count)
    // The two halves of the capabilities, and MariaDB's own.
    #expect(places.map { changed[$0] } == [0xDE, 0xF7, 0xD1, 0x0C, 0, 0, 0])
  }

  @Test func `a refusal of the server stays as it is`() {
    var conversation = MariaDBConversation()
    let refusal = Self.packet([0xFF, 0x10, 0x04] + Array("Too many connections".utf8))

    #expect(conversation.takeFromServer(refusal) == Passage(toClient: refusal))
    #expect(!conversation.isLost)
  }

  @Test func `a login with TLS is the end`() {
    var conversation = MariaDBConversation()
    _ = conversation.takeFromServer(Self.greeting)

    #expect(
      conversation.takeFromClient(Self.login(0xA00))
        == Passage(
          end: "a connection was ended, because the program demands TLS, which the proxy refuses"))
  }

  @Test func `a packet of several parts takes no memory`() {
    var stream = PacketStream()
    var packets = stream.append([0xFF, 0xFF, 0xFF, 0])
    for _ in 0..<255 { packets += stream.append([UInt8](repeating: 7, count: 65_793)[...]) }
    packets += stream.append([2, 0, 0, 1, 8, 9])

    #expect(packets.map(\.length) == [PacketStream.longestPart + 2])
    #expect(packets.map(\.body.count) == [PacketStream.mostKept])
  }

  @Test func `no bytes end the reader`() {
    var numbers = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let turns = (0..<4).map { _ in
        let bytes = (0..<2).map { _ in
          (0..<Int.random(in: 1...6, using: &numbers)).flatMap { _ in
            Self.packet(
              (0..<Int.random(in: 0...12, using: &numbers)).map { _ in
                [0, 1, 2, 3, 8, 17, 22, 23, 28, 65, 0xFB, 0xFC, 0xFE, 0xFF].randomElement(
                  using: &numbers) ?? 0
              })
          }
        }
        return (client: bytes[0], server: bytes[1])
      }
      #expect(Self.run(turns, isNew: Bool.random(using: &numbers)).statements.count <= 48)
    }
  }
}
