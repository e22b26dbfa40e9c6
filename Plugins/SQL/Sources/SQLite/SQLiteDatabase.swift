private import CSQLite
internal import FlowCore
internal import FlowSQL

/// A file of SQLite, or a database in memory.
struct SQLiteDatabase: Database {
  /// The path for a database without a file, which is lost with the connection.
  static let inMemory = ":memory:"

  private(set) var path: String
  let busyTimeout: Duration
  let limits: ResultLimits

  /// Opens a file by its path in a folder.
  ///
  /// It is created by the first write.
  ///
  /// - Throws: `FileError` if the path is outside the folder, or its own folder is missing.
  init(
    _ path: String, in folder: Directory, busyTimeout: Duration, limits: ResultLimits
  ) throws(FileError) {
    self.path = path == Self.inMemory ? path : try folder.fullPath(of: path)
    self.busyTimeout = busyTimeout
    self.limits = limits
  }

  func connect(_ stop: Stop) throws(SQLError) -> any Session {
    try SQLiteSession(self)
  }

  /// Returns the database of another path with the same settings.
  func at(_ path: String) -> SQLiteDatabase {
    var copy = self
    copy.path = path
    return copy
  }
}

/// A connection to SQLite.
@safe final class SQLiteSession: Session {
  private let handle: OpaquePointer
  private let watch: SQLiteWatch
  private let limits: ResultLimits
  private let copies: SQLiteCopies

  init(_ database: SQLiteDatabase) throws(SQLError) {
    let bounds = SQLiteBounds(database.limits)
    guard let files = SQLiteBounds.fileFunctions else {
      throw .notConnected("SQLite does not accept flow's functions for files")
    }
    var handle: OpaquePointer?
    // No links, whose target may have changed since the check of the path.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
    let code = unsafe sqlite3_open_v2(database.path, &handle, flags, files)
    do throws(SQLError) {
      guard let handle = unsafe handle, code == SQLITE_OK else {
        throw unsafe SQLError(sqlite: handle, code, bounds: bounds)
      }
      unsafe sqlite3_extended_result_codes(handle, 1)
      try unsafe bounds.install(on: handle)
    } catch {
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    guard let handle = unsafe handle else { throw .notConnected("the system is out of memory") }
    unsafe self.handle = handle
    watch = SQLiteWatch(patience: database.busyTimeout, bounds: bounds)
    limits = database.limits
    copies = SQLiteCopies(of: database)
    unsafe watch.install(on: handle)
  }

  // A connection to a file cannot break. Each failure stands alone.
  var isLost: Bool { false }
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
  var keepsTransactions: Bool { true }

  func query(_ statement: Statement, _ stop: Stop) throws(SQLError) -> ResultRows {
    try watch.during(stop) { () throws(SQLError) in
      let prepared = try prepare(statement)
      guard prepared.isReadOnly else { throw .changing }
      return try rows(of: prepared)
    }
  }

  func execute(_ statement: Statement, _ stop: Stop) throws(SQLError) -> Execution {
    try watch.during(stop) { () throws(SQLError) in
      let prepared = try prepare(statement)
      unsafe sqlite3_set_last_insert_rowid(handle, 0)
      let before = unsafe sqlite3_total_changes(handle)
      let result = try rows(of: prepared)
      // SQLite counts for the last statement that changed rows, which may be an earlier one.
      // A virtual table is created by statements of its module.
      let isCounted =
        unsafe sqlite3_total_changes(handle) != before && !statement.definesSchema
      let changes = unsafe isCounted ? sqlite3_changes(handle) : 0
      let id = unsafe sqlite3_last_insert_rowid(handle)
      return Execution(
        result: result, changes: Int(changes), lastID: changes == 0 || id == 0 ? nil : Int(id))
    }
  }

  func run(script: String, _ stop: Stop) throws(SQLError) -> Int {
    try watch.during(stop) { () throws(SQLError) in
      // With a zero byte at its end: otherwise SQLite would copy the rest of the script for each
      // statement.
      let text = Array(script.utf8) + [0]
      var end = 0
      var count = 0
      while true {
        let start = Statement.beginning(of: text[end...], nestsComments: false).startIndex
        do throws(SQLError) {
          guard let statement = try statement(in: text, from: &end) else { return count }
          if stop.isRequested { throw SQLError.cancelled }
          while try statement.step() {}
        } catch {
          if case .at = error { throw error }
          throw .at(SQLPlace(lineOf: start, in: text), error)
        }
        count += 1
      }
    }
  }

  /// Returns the next statement of a script, or nil at its end.
  private func statement(
    in script: [UInt8], from start: inout Int
  ) throws(SQLError) -> SQLiteStatement? {
    let begin = start
    guard let statement = try unsafe SQLiteStatement(script, from: &start, handle, watch) else {
      return nil
    }
    let own = String(decoding: script[begin..<start], as: UTF8.self)
    try Statement(sql: own, parameters: []).check()
    return statement
  }

  func snapshot(_ name: SnapshotName, _ stop: Stop) throws(SQLError) {
    try copies.writing(name) { copy throws(SQLError) in
      try copy.become(copyOf: self, stop)
    }
  }

  func restore(_ name: SnapshotName?, _ stop: Stop) throws(SQLError) {
    try copies.reading(name) { copy throws(SQLError) in
      try become(copyOf: copy, stop)
    }
  }

  /// Returns true if nothing was ever written, even no table.
  func isEmpty() throws(SQLError) -> Bool {
    let pages = try rows(of: prepare(Statement(sql: "PRAGMA page_count")))
    return pages.rows.allSatisfy { $0.values["page_count"] == .int(0) }
  }

  /// Takes over the content of another database, all of it or, after a failure, nothing.
  ///
  /// Other connections to this database see it as one change.
  private func become(copyOf other: SQLiteSession, _ stop: Stop) throws(SQLError) {
    try watch.during(stop) { () throws(SQLError) in
      guard let backup = unsafe sqlite3_backup_init(handle, "main", other.handle, "main") else {
        throw unsafe watch.failure(of: handle, sqlite3_errcode(handle))
      }
      let code = unsafe sqlite3_backup_step(backup, -1)
      let end = unsafe sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE, end == SQLITE_OK else {
        // A lock is noted here alone, and not by the connection.
        throw .database(
          code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED ? .busy : .unavailable,
          unsafe String(cString: sqlite3_errstr(code == SQLITE_DONE ? end : code)))
      }
    }
  }

  // Locks at once, so that a transaction that reads first meets no other lock when it writes.
  func begin(_ stop: Stop) throws(SQLError) { try control("BEGIN IMMEDIATE", stop) }
  func commit(_ stop: Stop) throws(SQLError) { try control("COMMIT", stop) }
  // Nothing interrupts it without a stop. A failed rollback is repeated when the file is next
  // opened.
  func rollback() { try? control("ROLLBACK", nil) }

  func close() {
    copies.close()
    unsafe sqlite3_close_v2(handle)
  }

  private func control(_ sql: String, _ stop: Stop?) throws(SQLError) {
    try watch.during(stop) { () throws(SQLError) in
      let prepared = try prepare(Statement(sql: sql, parameters: []))
      while try prepared.step() {}
    }
  }

  private func prepare(_ statement: Statement) throws(SQLError) -> SQLiteStatement {
    let text = Array(statement.sql.utf8)
    var end = 0
    guard let prepared = try unsafe SQLiteStatement(text, from: &end, handle, watch) else {
      throw .noStatement
    }
    guard try unsafe SQLiteStatement(text, from: &end, handle, watch) == nil else {
      throw .severalStatements
    }
    try Placeholders.check(statement, .sqlite, expected: prepared.parameterCount)
    try prepared.bind(statement.parameters)
    return prepared
  }

  private func rows(of statement: SQLiteStatement) throws(SQLError) -> ResultRows {
    var isRow = try statement.step()
    var result = try ResultRows(statement.columns, limits)
    while isRow {
      try result.append(try statement.values(countedIn: &result))
      isRow = try statement.step()
    }
    return result
  }
}
