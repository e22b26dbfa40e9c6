internal import FlowCore
internal import FlowSQL

/// A server of MySQL or MariaDB.
struct MariaDBDatabase: Database {
  let address: MariaDBAddress
  let library: MariaDBLibrary
  let connectTimeout: Duration
  let limits: ResultLimits

  func connect(_ stop: Stop) throws(SQLError) -> any Session { try session() }

  /// Connects.
  fileprivate func session() throws(SQLError) -> MariaDBSession {
    let connection = try open(
      within: connectTimeout, first: "SET autocommit = 1, time_zone = '+00:00'")
    return MariaDBSession(connection, of: self)
  }

  private func open(
    within timeout: Duration, first: String
  ) throws(SQLError) -> MariaDBConnection {
    // A message is longer than its value.
    let longest = limits.bytes.addingReportingOverflow(1 << 20)
    return try MariaDBConnection(
      address, in: library, within: timeout, first: first,
      longest: max(1 << 20, min(1 << 30, longest.overflow ? .max : longest.partialValue)))
  }

  /// Ends a connection at the server, with the statement that it runs.
  fileprivate func kill(_ number: UInt) {
    // Without another connection the server notices by itself that this one has ended.
    try? open(within: .seconds(5), first: "KILL \(number)").close()
  }
}

/// The operations of a connection to MySQL or MariaDB.
final class MariaDBSession: Session {
  private let connection: MariaDBConnection
  private let database: MariaDBDatabase

  init(_ connection: MariaDBConnection, of database: MariaDBDatabase) {
    self.connection = connection
    self.database = database
  }

  var isLost: Bool { connection.isLost }
  var isInTransaction: Bool { connection.isInTransaction }
  // A statement such as CREATE TABLE ends the transaction before it.
  var keepsTransactions: Bool { false }

  /// Runs in a read-only transaction of a read-only session.
  ///
  /// In a read-only transaction alone, MariaDB commits it before DROP TABLE, and then drops it.
  func query(_ statement: Statement, _ stop: Stop) throws(SQLError) -> ResultRows {
    do throws(SQLError) {
      try control(
        "\(Self.formats); SET SESSION TRANSACTION READ ONLY; START TRANSACTION READ ONLY", stop)
      let result = try execute(statement, stop).result
      guard isInTransaction else { throw .endedTransaction(keepsChanges: false) }
      try control("COMMIT; \(Self.writable)", stop)
      return result
    } catch {
      if !isLost { rollback() }
      throw error
    }
  }

  /// The formats of values, set again before each transaction: a statement may have changed them.
  private static let formats = """
    SET time_zone = '+00:00', character_set_client = utf8mb4, character_set_results = utf8mb4
    """

  private static let writable = "SET SESSION TRANSACTION READ WRITE"

  func execute(_ statement: Statement, _ stop: Stop) throws(SQLError) -> Execution {
    guard !statement.isEmpty else { throw .noStatement }
    let execution = try connection.waking(stop) { () throws(SQLError) in
      do throws(MariaDBError) {
        return try result(of: try connection.prepare(statement.sql), statement)
      } catch {
        guard error.isUnpreparable, statement.parameters.isEmpty else {
          throw connection.fail(error)
        }
        try control(statement.sql, nil)
        return .success(Execution(result: try ResultRows([], database.limits), changes: 0))
      }
    }
    noteWarnings(stop)
    return try execution.get()
  }

  /// Runs a prepared statement and reads all of its rows.
  ///
  /// The inner errors are those of this side, after which the connection goes on.
  private func result(
    of prepared: MariaDBStatement, _ statement: Statement
  ) throws(MariaDBError) -> Result<Execution, SQLError> {
    var parameters: [MariaDBParameter] = []
    do throws(SQLError) {
      try Placeholders.check(statement, .mariaDB, expected: prepared.parameterCount)
      for (index, value) in statement.parameters.enumerated() {
        parameters.append(try MariaDBParameter(value, number: index + 1))
      }
    } catch {
      return .failure(error)
    }
    try prepared.execute(parameters)
    let columns = prepared.columns
    var rows = Result { () throws(SQLError) in
      try ResultRows(
        columns.map { Column(name: $0.name, type: $0.typeName) }, database.limits)
    }
    var dropped = 0
    while !columns.isEmpty, try prepared.step() {
      if case .success(let before) = rows {
        rows = try Self.adding(prepared, columns, to: before)
        continue
      }
      // A small rest is read and dropped, since the connection is used again.
      dropped += 1
      guard dropped < Self.mostDroppedRows else {
        connection.abandonResult()
        return rows.map { Execution(result: $0, changes: 0) }
      }
    }
    // With RETURNING the server sends a row for each change, and no counts.
    let counts = columns.isEmpty ? prepared.counts : nil
    let further = try prepared.finish()
    return rows.flatMap { rows in
      if further > 0 {
        return .failure(.severalResults(further + 1, staysChanged: !isInTransaction))
      }
      let returned = statement.changesRows ? rows.rows.count : 0
      return .success(
        Execution(
          result: rows, changes: counts?.changes(of: statement) ?? returned,
          lastID: counts?.lastID(of: statement)))
    }
  }

  private static let mostDroppedRows = 10_000

  private static func adding(
    _ statement: MariaDBStatement, _ columns: [MariaDBColumn], to rows: ResultRows
  ) throws(MariaDBError) -> Result<ResultRows, SQLError> {
    var rows = rows
    var values: [Value] = []
    for (index, column) in columns.enumerated() {
      do { try rows.count(bytes: statement.length(index, column) + 1) } catch {
        return .failure(error)
      }
      values.append(try statement.value(index, column))
    }
    do { try rows.append(values) } catch { return .failure(error) }
    return .success(rows)
  }

  func run(script: String, _ stop: Stop) throws(SQLError) -> Int {
    let count = try connection.waking(stop) { () throws(SQLError) in try connection.run(script) }
    noteWarnings(stop)
    return count
  }

  func snapshot(_ name: SnapshotName, _ stop: Stop) throws(SQLError) {
    try copying(stop) { copies throws(SQLError) in try copies.take(name) }
  }

  func restore(_ name: SnapshotName?, _ stop: Stop) throws(SQLError) {
    try copying(stop) { copies throws(SQLError) in
      if let name { try copies.putBack(name) } else { try copies.clear() }
    }
  }

  /// Copies the database by a connection whose settings end with it.
  private func copying(
    _ stop: Stop, _ work: (MariaDBCopies) throws(SQLError) -> Void
  ) throws(SQLError) {
    let session = try database.session()
    defer { session.close() }
    let named = try session.execute(Statement(sql: "SELECT DATABASE() AS name"), stop).result
    let name = try named.text("name")
    guard !name.isEmpty else { throw .uncopied("url", "it has no database") }
    try work(MariaDBCopies(of: name, by: session, stop))
  }

  func begin(_ stop: Stop) throws(SQLError) {
    try control("\(Self.formats); START TRANSACTION", stop)
  }
  func commit(_ stop: Stop) throws(SQLError) { try control("COMMIT", stop) }

  func rollback() {
    // The server undoes the work of a closed connection.
    do { try control("ROLLBACK; \(Self.writable)", nil) } catch { connection.lose() }
  }

  func close() {
    connection.close()
    if connection.wasInterrupted { database.kill(connection.number) }
  }

  /// Runs a statement of this side.
  private func control(_ sql: String, _ stop: Stop?) throws(SQLError) {
    do throws(SQLError) {
      guard let stop else {
        try connection.run(sql)
        return
      }
      try connection.waking(stop) { () throws(SQLError) in _ = try connection.run(sql) }
    } catch {
      if case .inStatement(_, let error) = error { throw error }
      throw error
    }
  }

  /// Asks for the warnings of the latest statement.
  ///
  /// The statement has been carried out, whatever happens here. A lost connection is found by the
  /// next call.
  private func noteWarnings(_ stop: Stop) {
    guard connection.warningCount > 0 else { return }
    let statement = Statement(sql: "SHOW WARNINGS LIMIT 20", parameters: [])
    let shown = try? connection.waking(stop) { () throws(SQLError) in
      do throws(MariaDBError) {
        return try result(of: try connection.prepare(statement.sql), statement)
      } catch {
        throw connection.fail(error)
      }
    }
    for row in (try? shown?.get())?.result.rows ?? [] {
      let texts = ["Level", "Code", "Message"].map { row.values[$0]?.interpolated ?? "" }
      stop.note("\(texts[0]) \(texts[1]): \(texts[2])")
    }
  }
}
