internal import FlowSQL

/// The statements of one connection to PostgreSQL, found in the messages of both sides.
///
/// It reads along and changes nothing. A statement is complete with the response of the server.
/// https://www.postgresql.org/docs/current/protocol-flow.html
struct StatementWatch {
  /// Work that the server has yet to respond to.
  private enum Pending {
    /// The statements of a simple query that are still to come.
    case script([StatementText])
    /// An execution of a prepared statement.
    case execution(StatementText)
    /// The end of a group of extended messages.
    case sync
  }

  /// The most prepared statements, portals or pending messages, beyond which nothing is told of.
  private static let most = 10_000

  private var client = MessageStream()
  private var server = MessageStream()
  private var prepared: [[UInt8]: StatementText] = [:]
  private var portals: [[UInt8]: StatementText] = [:]
  private var pending: [Pending] = []
  private var isInTransaction = false
  private var returned = 0

  /// True after bytes or a number of messages that cannot be followed.
  private(set) var isLost = false

  /// Takes bytes of the program after its login.
  mutating func takeFromClient(_ bytes: ArraySlice<UInt8>) {
    for message in client.append(bytes) { note(message) }
    check(client)
  }

  /// Takes bytes of the server, and returns the statements that are complete.
  mutating func takeFromServer(_ bytes: ArraySlice<UInt8>) -> [EndedStatement] {
    var statements: [EndedStatement] = []
    for message in server.append(bytes) {
      if let statement = response(message) { statements.append(statement) }
    }
    check(server)
    return statements
  }

  private mutating func check(_ stream: MessageStream) {
    if stream.isBroken || max(prepared.count, portals.count, pending.count) > Self.most {
      isLost = true
    }
  }

  // MARK: - The program

  private mutating func note(_ message: MessageStream.Message) {
    var fields = MessageFields(message.body)
    switch message.kind {
    case UInt8(ascii: "Q"):
      pending.append(.script(StatementText.all(in: Array(fields.text()), .postgreSQL)))
    case UInt8(ascii: "P"):
      let name = fields.text()
      prepared[Array(name)] = StatementText(Array(fields.text()), .postgreSQL)
    case UInt8(ascii: "B"):
      let portal = fields.text()
      portals[Array(portal)] = prepared[Array(fields.text())]
    case UInt8(ascii: "E"):
      let text = portals[Array(fields.text())] ?? StatementText([], .postgreSQL)
      pending.append(.execution(text))
    case UInt8(ascii: "C"): forget(message.body)
    case UInt8(ascii: "S"): pending.append(.sync)
    default: break
    }
  }

  /// Forgets a closed statement or portal.
  private mutating func forget(_ body: [UInt8]) {
    var fields = MessageFields(Array(body.dropFirst()))
    let name = Array(fields.text())
    if body.first == UInt8(ascii: "S") { prepared[name] = nil } else { portals[name] = nil }
  }

  // MARK: - The server

  private mutating func response(_ message: MessageStream.Message) -> EndedStatement? {
    switch message.kind {
    case UInt8(ascii: "D"):
      returned += 1
      return nil
    case UInt8(ascii: "C"): return completed(by: MessageFields(message.body).tag)
    case UInt8(ascii: "I"), UInt8(ascii: "s"):
      // An empty query, or a portal of which more is to come.
      _ = takePending()
      returned = 0
      return nil
    case UInt8(ascii: "E"): return failed(by: MessageFields(message.body).state)
    case UInt8(ascii: "Z"):
      end(status: message.body.first)
      return nil
    default: return nil
    }
  }

  private mutating func completed(by tag: [Substring]) -> EndedStatement? {
    guard let text = takePending() else { return nil }
    var statement = EndedStatement(text: text)
    let command = tag.first ?? ""
    statement.rows = tag.count > 1 ? tag.last.flatMap { Int($0) } ?? returned : returned
    returned = 0
    statement.isInTransaction = isInTransaction
    switch command {
    case "BEGIN", "START":
      statement.begins = !isInTransaction
      (isInTransaction, statement.isInTransaction) = (true, true)
    case "COMMIT": isInTransaction = text.text.uppercased().hasSuffix(" CHAIN")
    case "ROLLBACK":
      // `ROLLBACK TO` goes back to a savepoint of the same transaction.
      let words = text.text.uppercased()
      isInTransaction = words.contains(" TO ") || words.hasSuffix(" CHAIN")
    default: break
    }
    return statement
  }

  private mutating func failed(by state: String) -> EndedStatement? {
    returned = 0
    guard let text = takePending() else { return nil }
    // The server skips what follows until the end of the group.
    while let next = pending.first {
      if case .sync = next { break }
      if case .script = next { break }
      pending.removeFirst()
    }
    var statement = EndedStatement(text: text)
    (statement.isInTransaction, statement.error) = (isInTransaction, state)
    return statement
  }

  /// Takes the text of the statement that the server responds to.
  private mutating func takePending() -> StatementText? {
    guard let first = pending.first else { return nil }
    switch first {
    case .sync: return nil
    case .execution(let text):
      pending.removeFirst()
      return text
    case .script(let texts):
      // The rest stays until the server is ready again, which also ends an empty or a failed script.
      pending[0] = .script(Array(texts.dropFirst()))
      return texts.first
    }
  }

  /// Notes that the server is ready for a query.
  private mutating func end(status: UInt8?) {
    isInTransaction = status == UInt8(ascii: "T") || status == UInt8(ascii: "E")
    while let next = pending.first {
      pending.removeFirst()
      switch next {
      case .sync, .script: return
      case .execution: continue
      }
    }
  }
}

/// The fields at the beginning of a message.
private struct MessageFields {
  private var rest: ArraySlice<UInt8>

  init(_ body: [UInt8]) { rest = body[...] }

  /// Takes a text that ends with a zero byte, or with what was kept of the message.
  mutating func text() -> ArraySlice<UInt8> {
    let text = rest.prefix { $0 != 0 }
    rest = rest[text.endIndex...].dropFirst()
    return text
  }

  /// The words of the tag of a completed command, such as `INSERT 0 1`.
  var tag: [Substring] {
    var copy = self
    return String(decoding: copy.text(), as: UTF8.self).split(separator: " ")
  }

  /// The SQLSTATE of an error, or an empty string.
  var state: String {
    var copy = self
    while let letter = copy.rest.first, letter != 0 {
      let field = copy.text()
      if letter == UInt8(ascii: "C") { return String(decoding: field.dropFirst(), as: UTF8.self) }
    }
    return ""
  }
}
