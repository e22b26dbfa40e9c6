/// A connection to MySQL or MariaDB: a greeting of the server, a login, and then commands.
///
/// https://mariadb.com/kb/en/clientserver-protocol/
struct MariaDBConversation: Conversation {
  private enum Stage {
    /// The bytes of an incomplete greeting.
    case greeting([UInt8])
    /// Packets in both directions until the server accepts.
    case login
    case commands
  }

  /// A statement whose rows are read by later commands.
  private struct Cursor {
    let statement: StatementText
    var rows = 0
  }

  /// The most prepared statements or pending commands, beyond which nothing is told of.
  private static let most = 10_000
  /// The number that stands for the statement prepared last.
  private static let latest: UInt64 = 0xFFFF_FFFF

  private var stage = Stage.greeting([])
  private var client = PacketStream()
  private var server = PacketStream()
  private var capabilities: Capabilities = []
  private var hasLogin = false
  /// True while the program sends a file of its own.
  private var sendsFile = false
  private var prepared: [UInt64: StatementText] = [:]
  private var latestPrepared: UInt64?
  private var cursors: [UInt64: Cursor] = [:]
  private var pending: [Command] = []
  private var reader: ResultReader?
  /// The packets that are still to come of a prepared statement.
  private var left = 0
  private var isInTransaction = false
  /// The rows of a procedure up to now.
  private var rowsOfCall = 0
  private(set) var isLost = false

  // MARK: - The program

  mutating func takeFromClient(_ bytes: [UInt8]) -> Passage {
    for packet in client.append(bytes[...]) {
      if let reason = note(packet) { return Passage(end: reason) }
    }
    if max(prepared.count, pending.count, cursors.count) > Self.most { isLost = true }
    return Passage(toServer: bytes)
  }

  /// Notes a packet, and returns the reason to end the connection, or nil.
  private mutating func note(_ packet: PacketStream.Packet) -> String? {
    guard hasLogin else { return noteLogin(packet) }
    if sendsFile {
      sendsFile = packet.length > 0
      return nil
    }
    // Another number is that of a packet for a login.
    guard packet.sequence == 0, case .commands = stage else { return nil }
    switch Command.read(packet.body) {
    case .command(let command): pending.append(command)
    case .silent: break
    case .forget(let number): (prepared[number], cursors[number]) = (nil, nil)
    case .unknown: isLost = true
    }
    return nil
  }

  private mutating func noteLogin(_ packet: PacketStream.Packet) -> String? {
    hasLogin = true
    var fields = PacketFields(packet.body.prefix(4))
    let wanted = Capabilities(rawValue: fields.number(4))
    if wanted.contains(.encryption) {
      return "a connection was ended, because the program demands TLS, which the proxy refuses"
    }
    capabilities.formIntersection(wanted)
    if !capabilities.contains(.protocol41) { isLost = true }
    return nil
  }

  // MARK: - The server

  mutating func takeFromServer(_ bytes: [UInt8]) -> Passage {
    guard case .greeting(let first) = stage else {
      return Passage(toClient: bytes, statements: statements(in: bytes[...]))
    }
    let all = first + bytes
    guard let (greeting, count) = Greeting.read(all) else {
      stage = .greeting(all)
      return Passage()
    }
    (stage, capabilities) = (.login, greeting.capabilities)
    let rest = all[count...]
    return Passage(toClient: greeting.bytes + rest, statements: statements(in: rest))
  }

  private mutating func statements(in bytes: ArraySlice<UInt8>) -> [EndedStatement] {
    var found: [EndedStatement] = []
    for packet in server.append(bytes) where !isLost {
      if case .login = stage {
        if packet.body.first == 0 { stage = .commands }
      } else if let statement = response(packet) {
        found.append(statement)
      }
    }
    return found
  }

  /// Takes a packet of the response to the first pending command.
  private mutating func response(_ packet: PacketStream.Packet) -> EndedStatement? {
    guard let command = pending.first else {
      // A server that stops says so without having been asked.
      if packet.body.first != 0xFF { isLost = true }
      return nil
    }
    switch command {
    case .script, .execution, .rows: return result(of: command, packet)
    case .fetch(let number): return fetched(number, packet)
    case .preparation(let text): prepare(text, packet)
    case .columns: if [0xFE, 0xFF].contains(packet.body.first) { pending.removeFirst() }
    case .other: pending.removeFirst()
    case .login, .reset: renew(packet)
    }
    return nil
  }

  /// Takes a packet of the response to a new login or a reset.
  private mutating func renew(_ packet: PacketStream.Packet) {
    guard packet.body.first == 0 || packet.body.first == 0xFF else { return }
    pending.removeFirst()
    guard packet.body.first == 0 else { return }
    (prepared, latestPrepared, cursors, isInTransaction) = ([:], nil, [:], false)
  }

  /// Takes a packet of the response to a preparation.
  ///
  /// https://mariadb.com/kb/en/com_stmt_prepare/#com_stmt_prepare-response
  private mutating func prepare(_ text: StatementText, _ packet: PacketStream.Packet) {
    if left == 0 {
      var fields = PacketFields(packet.body.prefix(9))
      guard fields.number(1) == 0 else {
        latestPrepared = nil
        pending.removeFirst()
        return
      }
      let number = fields.number(4)
      (prepared[number], latestPrepared) = (text, number)
      let counts = [Int(fields.number(2)), Int(fields.number(2))]
      let ends = capabilities.contains(.noEndAfterColumns) ? 0 : 1
      left = counts.reduce(0) { $0 + ($1 == 0 ? 0 : $1 + ends) }
    } else {
      left -= 1
    }
    if left == 0 { pending.removeFirst() }
  }

  private mutating func result(
    of command: Command, _ packet: PacketStream.Packet
  ) -> EndedStatement? {
    var reader = self.reader ?? ResultReader(capabilities)
    switch reader.take(packet) {
    case .more: self.reader = reader
    case .file: sendsFile = true
    case .unknown: isLost = true
    case .end(let result):
      self.reader = nil
      return ended(command, result)
    }
    return nil
  }

  /// Notes a result of a command, which may have more of them.
  private mutating func ended(
    _ command: Command, _ result: ResultReader.Result
  ) -> EndedStatement? {
    let hasMore = result.status?.contains(.moreResults) ?? false
    if !hasMore { pending.removeFirst() }
    let text: StatementText?
    switch command {
    case .script(let texts):
      text = texts.first
      // The results of a procedure end with one that has no columns.
      let isDone = text?.kind != "CALL" || !result.hasColumns
      if hasMore { pending[0] = .script(isDone ? Array(texts.dropFirst()) : texts) }
    case .execution(let number):
      let number = number == Self.latest ? latestPrepared ?? number : number
      text = prepared[number]
      if result.status?.contains(.cursor) == true {
        cursors[number] = text.map { Cursor(statement: $0) }
        _ = pass(result)
        return nil
      }
    default: text = nil
    }
    return statement(text, result)
  }

  /// Creates the statement of a result, or adds to the rows of a procedure.
  private mutating func statement(
    _ text: StatementText?, _ result: ResultReader.Result
  ) -> EndedStatement? {
    let (wasIn, isIn) = pass(result)
    guard let text else { return nil }
    var rows = result.rows
    if text.kind == "CALL" {
      // A server could claim any number.
      rowsOfCall = min(rowsOfCall + rows, 1 << 48)
      if result.hasColumns, result.error == nil { return nil }
      (rows, rowsOfCall) = (rowsOfCall, 0)
    }
    var statement = EndedStatement(text: text, rows: rows, error: result.error)
    let isBegin = ["BEGIN", "START"].contains(text.kind) && isIn
    statement.isInTransaction = wasIn || isIn
    statement.begins = isBegin || !wasIn && isIn
    return statement
  }

  /// Takes over the status of a result, and returns whether there was and is a transaction.
  private mutating func pass(_ result: ResultReader.Result) -> (was: Bool, is: Bool) {
    let before = isInTransaction
    if let status = result.status { isInTransaction = status.contains(.inTransaction) }
    // A deadlock ends the transaction of its victim.
    if result.number == 1213 { isInTransaction = false }
    return (before, isInTransaction)
  }

  private mutating func fetched(
    _ number: UInt64, _ packet: PacketStream.Packet
  ) -> EndedStatement? {
    var reader = self.reader ?? ResultReader(capabilities, ofRows: true)
    guard case .end(var result) = reader.take(packet) else {
      self.reader = reader
      return nil
    }
    self.reader = nil
    pending.removeFirst()
    let cursor = cursors[number]
    cursors[number]?.rows += result.rows
    guard result.error != nil || result.status?.contains(.lastRow) == true else {
      _ = pass(result)
      return nil
    }
    result.rows += cursor?.rows ?? 0
    cursors[number] = nil
    return statement(cursor?.statement, result)
  }
}
