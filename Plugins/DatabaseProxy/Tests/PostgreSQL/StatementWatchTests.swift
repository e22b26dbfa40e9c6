import Testing

@testable import DatabaseProxyPlugin

/// The statements in written conversations of a program and a server.
struct StatementWatchTests {
  private static func message(_ kind: Character, _ body: [UInt8] = []) -> [UInt8] {
    let length = body.count + 4
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    return Array(String(kind).utf8) + bytes + body
  }

  private static func text(_ texts: String...) -> [UInt8] {
    texts.flatMap { Array($0.utf8) + [0] }
  }

  private static func query(_ sql: String) -> [UInt8] { message("Q", text(sql)) }
  private static func done(_ tag: String) -> [UInt8] { message("C", text(tag)) }
  private static func ready(_ status: Character) -> [UInt8] {
    message("Z", Array(String(status).utf8))
  }
  private static func failed(_ state: String) -> [UInt8] {
    message("E", text("SERROR", "C\(state)", "Mno") + [0])
  }
  private static func prepare(_ name: String, _ sql: String) -> [UInt8] {
    message("P", text(name, sql) + [0, 0])
  }
  private static func bind(_ portal: String, _ name: String) -> [UInt8] {
    message("B", text(portal, name) + [0, 0, 0, 0, 0, 0])
  }
  private static func execute(_ portal: String) -> [UInt8] {
    message("E", text(portal) + [0, 0, 0, 0])
  }
  private static let sync = message("S")

  /// Returns each statement as `text rows transaction error`.
  private static func statements(
    _ client: [UInt8], _ server: [UInt8], in size: Int = .max
  ) -> [String] {
    var watch = StatementWatch()
    for part in stride(from: 0, to: client.count, by: min(size, client.count)) {
      watch.takeFromClient(client[part..<min(client.count, part + min(size, client.count))])
    }
    var found: [EndedStatement] = []
    for part in stride(from: 0, to: server.count, by: min(size, server.count)) {
      found += watch.takeFromServer(
        server[part..<min(server.count, part + min(size, server.count))])
    }
    return found.map {
      "\($0.text.text) \($0.rows) \($0.isInTransaction ? "in" : "out")"
        + ($0.error.map { " \($0)" } ?? "")
    }
  }

  @Test func `a script has a statement for each response`() {
    let client = Self.query("BEGIN; INSERT INTO t VALUES (1), (2); COMMIT") + Self.query("SELECT 1")
    let server =
      Self.done("BEGIN") + Self.done("INSERT 0 2") + Self.done("COMMIT") + Self.ready("I")
      + Self.message("D") + Self.done("SELECT 1") + Self.ready("I")
    let expected = [
      "BEGIN 0 in", "INSERT INTO t VALUES (?), (?) 2 in", "COMMIT 0 in", "SELECT ? 1 out",
    ]

    #expect(Self.statements(client, server) == expected)
    #expect(Self.statements(client, server, in: 1) == expected)
  }

  @Test func `prepared statements are executed several times`() {
    let client =
      Self.prepare("s", "SELECT a FROM t WHERE id = $1") + Self.bind("", "s") + Self.execute("")
      + Self.bind("", "s") + Self.execute("") + Self.sync
    let server =
      Self.message("1") + Self.message("2") + Self.done("SELECT 1") + Self.message("2")
      + Self.done("SELECT 0") + Self.ready("I")

    #expect(
      Self.statements(client, server)
        == ["SELECT a FROM t WHERE id = $1 1 out", "SELECT a FROM t WHERE id = $1 0 out"])
  }

  @Test func `an error skips the rest of its group`() {
    let client =
      Self.prepare("", "INSERT INTO t VALUES ($1)") + Self.bind("", "") + Self.execute("")
      + Self.bind("", "") + Self.execute("") + Self.sync + Self.query("ROLLBACK")
      + Self.query("SELECT 1; SELECT 2")
    let server =
      Self.message("1") + Self.message("2") + Self.failed("23505") + Self.ready("E")
      + Self.done("ROLLBACK") + Self.ready("I") + Self.failed("42601") + Self.ready("I")

    #expect(
      Self.statements(client, server)
        == [
          "INSERT INTO t VALUES ($1) 0 out 23505", "ROLLBACK 0 in", "SELECT ? 0 out 42601",
        ])
  }

  @Test func `a savepoint does not end a transaction`() {
    let sql = ["BEGIN", "SAVEPOINT a", "ROLLBACK TO a", "SELECT 1", "COMMIT AND CHAIN", "SELECT 1"]
    // The server says nothing of the transaction before the end of the script.
    let client = Self.query(sql.joined(separator: "; "))
    let server =
      ["BEGIN", "SAVEPOINT", "ROLLBACK", "SELECT 1", "COMMIT", "SELECT 1"].flatMap(Self.done)
      + Self.ready("T")
    let found = Self.statements(client, server)

    #expect(found.count == sql.count)
    #expect(found.allSatisfy { $0.hasSuffix(" in") })
  }

  @Test func `an empty query and copied rows leave the rest in step`() {
    let client =
      Self.query("") + Self.query("COPY t FROM STDIN") + Self.message("d", [1, 2])
      + Self.message("c") + Self.query("SELECT 1")
    let server =
      Self.message("I") + Self.ready("I") + Self.message("G") + Self.done("COPY 3")
      + Self.ready("I") + Self.done("SELECT 1") + Self.ready("I")

    #expect(Self.statements(client, server) == ["COPY t FROM STDIN 3 out", "SELECT ? 1 out"])
  }

  @Test func `a wrong length is the end of following`() {
    var watch = StatementWatch()

    _ = watch.takeFromServer([0x5A, 0xFF, 0xFF, 0xFF, 0xFF, 1])

    #expect(watch.isLost)
  }

  @Test func `a long message takes no memory`() {
    var stream = MessageStream()
    let header: [UInt8] = [0x64, 0x00, 0x10, 0x00, 0x04]
    var messages = stream.append(header[...])
    for _ in 0..<16 { messages += stream.append([UInt8](repeating: 7, count: 65_536)[...]) }

    #expect(messages.map(\.body.count) == [MessageStream.mostKept])
  }

  struct Start: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let request: StartupRequest?
  }

  @Test(arguments: [
    Start(testDescription: "too short", bytes: [0, 0, 0, 8, 4], request: nil),
    Start(testDescription: "TLS", bytes: [0, 0, 0, 8, 4, 210, 22, 47], request: .encryption),
    Start(testDescription: "GSSAPI", bytes: [0, 0, 0, 8, 4, 210, 22, 48], request: .encryption),
    Start(testDescription: "login", bytes: [0, 0, 0, 9, 0, 3, 0, 0, 0], request: .login),
    Start(testDescription: "HTTP", bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8), request: .unknown),
  ])
  func `a connection starts with a request`(_ start: Start) {
    #expect(StartupRequest.read(start.bytes)?.request == start.request)
  }
}
