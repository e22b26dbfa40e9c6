internal import FlowCore
internal import FlowPostgreSQL
internal import FlowSQL

/// A server of PostgreSQL.
struct PostgreSQLDatabase: Database {
  private(set) var address: PostgreSQLAddress
  let connectTimeout: Duration
  let limits: ResultLimits

  init(_ address: PostgreSQLAddress, connectTimeout: Duration, limits: ResultLimits) {
    self.address = address
    self.connectTimeout = connectTimeout
    self.limits = limits
  }

  func connect(_ stop: Stop) throws(SQLError) -> any Session { try session(stop) }
}

extension PostgreSQLDatabase {
  /// Connects to another database of the server, of those that every server has.
  fileprivate func elsewhere(_ stop: Stop) throws(SQLError) -> PostgreSQLSession {
    var copy = self
    copy.address.parameters["dbname"] = "postgres"
    do throws(SQLError) { return try copy.session(stop) } catch {
      if case .cancelled = error { throw error }
      copy.address.parameters["dbname"] = "template1"
      return try copy.session(stop)
    }
  }

  private func session(_ stop: Stop) throws(SQLError) -> PostgreSQLSession {
    let connection = try StoppableConnection(address, within: connectTimeout, limits, stop)
    return try PostgreSQLSession(connection, of: self, stop)
  }
}

/// The operations of a connection to PostgreSQL.
final class PostgreSQLSession: Session {
  private let connection: StoppableConnection
  private let database: PostgreSQLDatabase
  private var types = PostgreSQLTypes()
  private var limits: ResultLimits { database.limits }

  init(
    _ connection: StoppableConnection, of database: PostgreSQLDatabase, _ stop: Stop
  ) throws(SQLError) {
    self.connection = connection
    self.database = database
    do { try control(Self.formats("SET"), stop) } catch {
      connection.close()
      throw error
    }
  }

  /// Statements that set the formats of values, overriding those of the server or the URL.
  private static func formats(_ set: String) -> String {
    ["DateStyle = ISO", "bytea_output = hex", "extra_float_digits = 3", "client_encoding = UTF8"]
      .map { "\(set) \($0)" }.joined(separator: "; ")
  }

  /// Statements that open a transaction with these formats, whatever an earlier statement has set.
  private static func beginning(_ begin: String) -> String {
    "\(begin); \(formats("SET LOCAL"))"
  }

  var isLost: Bool { connection.isLost }
  var isInTransaction: Bool { connection.isInTransaction }
  var keepsTransactions: Bool { true }

  /// Runs in a read-only transaction, whatever functions the statement calls.
  func query(_ statement: Statement, _ stop: Stop) throws(SQLError) -> ResultRows {
    try control(Self.beginning("BEGIN READ ONLY"), stop)
    let result = try execute(statement, stop).result
    guard isInTransaction else { throw .endedTransaction(keepsChanges: false) }
    try control("COMMIT", stop)
    return result
  }

  func execute(_ statement: Statement, _ stop: Stop) throws(SQLError) -> Execution {
    try connection.waking(stop) { () throws(SQLError) in
      do throws(SQLError) {
        try connection.send(statement.sql, try encoded(statement, stop))
        let reply = try read(stop)
        return Execution(result: try named(reply, stop), changes: reply.changes, lastID: nil)
      } catch {
        // The server names neither the place nor the reason.
        guard case .unmatchedParameters = error else { throw error }
        try Placeholders(statement.sql, .postgreSQL).check(given: statement.parameters.count)
        throw error
      }
    }
  }

  private func encoded(
    _ statement: Statement, _ stop: Stop
  ) throws(SQLError) -> PostgreSQLParameters {
    var parameters = PostgreSQLParameters()
    guard !statement.parameters.isEmpty else { return parameters }
    let types = try parameterTypes(of: statement, stop)
    let placeholders = Placeholders(statement.sql, .postgreSQL)
    for (index, value) in statement.parameters.enumerated() {
      if let type = types?[index], PostgreSQLTypes.isScalar(type) {
        try placeholders.checkListed(index + 1, value)
      }
      // The server refuses an unused parameter, but not one with a type.
      let declared = placeholders.isUsed(index + 1) ? PostgreSQLTypes.declared(value) : 0
      try parameters.append(value, as: types?[index], declared: declared)
    }
    return parameters
  }

  func run(script: String, _ stop: Stop) throws(SQLError) -> Int {
    try connection.waking(stop) { () throws(SQLError) in
      try connection.send(script)
      var count = 0
      do throws(SQLError) {
        try connection.results(stop) { result throws(SQLError) in
          if result.endsStatement { count += 1 }
        }
      } catch {
        if case .at = error { throw error }
        // A server error without a position: the statements before have run.
        throw .inStatement(count + 1, error)
      }
      return count
    }
  }

  func snapshot(_ name: SnapshotName, _ stop: Stop) throws(SQLError) {
    try copying(stop) { copies throws(SQLError) in try copies.take(name) }
  }

  func restore(_ name: SnapshotName?, _ stop: Stop) throws(SQLError) {
    try copying(stop) { copies throws(SQLError) in try copies.putBack(name) }
  }

  /// Copies the database by a connection to another one of its server, and loses this connection.
  private func copying(
    _ stop: Stop, _ work: (PostgreSQLCopies) throws(SQLError) -> Void
  ) throws(SQLError) {
    let named = try execute(Statement(sql: "SELECT current_database() AS name"), stop)
    let name = try named.result.text("name")
    try PostgreSQLCopies.check(name)
    // A database with a connection can neither be copied nor renamed.
    connection.lose()
    connection.close()
    let server = try database.elsewhere(stop)
    defer { server.close() }
    try work(PostgreSQLCopies(of: name, by: server, stop))
  }

  func begin(_ stop: Stop) throws(SQLError) { try control(Self.beginning("BEGIN"), stop) }
  func commit(_ stop: Stop) throws(SQLError) { try control("COMMIT", stop) }

  func rollback() {
    // The server undoes the work of a closed connection.
    do { try control("ROLLBACK", nil) } catch { connection.lose() }
  }

  func close() { connection.close() }

  private func control(_ sql: String, _ stop: Stop?) throws(SQLError) {
    try connection.waking(stop) { () throws(SQLError) in
      try connection.send(sql)
      try connection.results(stop) { _ in }
    }
  }

  /// Returns the parameter types that the server expects, or nil without a list among the values.
  ///
  /// They decide how a list is written.
  private func parameterTypes(
    of statement: Statement, _ stop: Stop
  ) throws(SQLError) -> [UInt32]? {
    guard statement.parameters.contains(where: \.isCollection) else { return nil }
    var types: [UInt32] = []
    try connection.prepare(statement.sql, statement.parameters.map(PostgreSQLTypes.declared))
    try connection.results(stop) { _ in }
    try connection.describe()
    try connection.results(stop) { result in types = result.parameterTypes }
    guard types.count == statement.parameters.count else {
      throw .parameterCount(expected: types.count, given: statement.parameters.count)
    }
    return types
  }

  /// The rows sent by the server.
  private struct Reply {
    var rows: ResultRows
    var types: [UInt32] = []
    var changes = 0
    var hasBegun = false
    var isEmpty = false
  }

  private func read(_ stop: Stop) throws(SQLError) -> Reply {
    var reply = Reply(rows: try ResultRows([], limits))
    try connection.results(stop) { result throws(SQLError) in
      if !reply.hasBegun {
        reply.hasBegun = true
        reply.types = result.columnTypes
        reply.rows = try ResultRows(
          result.columnNames.map { Column(name: $0, type: nil) }, limits)
      }
      for row in 0..<result.rowCount { try Self.take(row, of: result, into: &reply) }
      reply.changes = result.changes
      reply.isEmpty = result.isEmpty
    }
    guard !reply.isEmpty else { throw .noStatement }
    return reply
  }

  private static func take(
    _ row: Int, of result: PostgreSQLResult, into reply: inout Reply
  ) throws(SQLError) {
    var values: [Value] = []
    for (column, type) in reply.types.enumerated() {
      try reply.rows.count(bytes: result.length(row, column) + 1)
      values.append(result.text(row, column).map { PostgreSQLTypes.value($0, type) } ?? .null)
    }
    try reply.rows.append(values)
  }

  /// Adds the names of the columns' types, asking the server once for each.
  private func named(_ reply: Reply, _ stop: Stop) throws(SQLError) -> ResultRows {
    for type in Set(reply.types).sorted() where types.name(of: type) == nil {
      var parameters = PostgreSQLParameters()
      try parameters.append(.int(Int(type)), as: nil, declared: 0)
      try connection.send("SELECT typname FROM pg_catalog.pg_type WHERE oid = $1", parameters)
      guard case .string(let name)? = try read(stop).rows.rows.first?.values["typname"] else {
        continue
      }
      types.add(name, of: type)
    }
    var rows = reply.rows
    rows.nameTypes(reply.types.map { types.name(of: $0) })
    return rows
  }
}

extension Value {
  fileprivate var isCollection: Bool {
    switch self {
    case .list, .map, .record: true
    default: false
    }
  }
}
