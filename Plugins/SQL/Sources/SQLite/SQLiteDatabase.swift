private import CSQLite
internal import FlowCore

/// A file of SQLite, or a database in memory.
struct SQLiteDatabase: Database {
  /// What stands for no file: the database is gone with the connection.
  static let inMemory = ":memory:"

  let path: String
  let busyTimeout: Duration
  let limits: ResultLimits

  /// A file by its path in a folder; it is made when something is written to it first.
  ///
  /// - Throws: `FileError` when the path leads out of the folder, or its own folder is missing.
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
}

/// A connection to SQLite.
@safe final class SQLiteSession: Session {
  private let handle: OpaquePointer
  private let watch: SQLiteWatch
  private let limits: ResultLimits

  init(_ database: SQLiteDatabase) throws(SQLError) {
    var handle: OpaquePointer?
    // No link: what stands behind it may have changed since the path was checked.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
    let code = unsafe sqlite3_open_v2(database.path, &handle, flags, nil)
    guard let handle = unsafe handle, code == SQLITE_OK else {
      let error = unsafe SQLError(sqlite: handle, code)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe self.handle = handle
    watch = SQLiteWatch(patience: database.busyTimeout)
    limits = database.limits
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe watch.install(on: handle)
  }

  // A connection to a file cannot break: what fails, fails by itself.
  var isLost: Bool { false }
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

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
      // The count is that of the last statement that changed rows, which may not be this one.
      let changes = unsafe sqlite3_total_changes(handle) == before ? 0 : sqlite3_changes(handle)
      let id = unsafe sqlite3_last_insert_rowid(handle)
      return Execution(
        result: result, changes: Int(changes), lastID: changes == 0 || id == 0 ? nil : Int(id))
    }
  }

  func run(script: String, _ stop: Stop) throws(SQLError) -> Int {
    try watch.during(stop) { () throws(SQLError) in
      // With a zero byte at its end: SQLite would copy what is left of another text for each statement.
      let text = Array(script.utf8) + [0]
      var rest = text[...]
      var count = 0
      while true {
        let start = Statement.beginning(of: rest, nestsComments: false).startIndex
        do throws(SQLError) {
          guard let statement = try statement(takenFrom: &rest) else { return count }
          if stop.isRequested { throw SQLError.cancelled }
          while try statement.step() {}
        } catch {
          throw .inLine(text[..<start].count { $0 == UInt8(ascii: "\n") } + 1, error)
        }
        count += 1
      }
    }
  }

  /// The next statement of a script; nil at its end.
  private func statement(
    takenFrom script: inout ArraySlice<UInt8>
  ) throws(SQLError) -> SQLiteStatement? {
    let text = script
    guard let statement = try unsafe SQLiteStatement(takingFrom: &script, handle) else {
      return nil
    }
    let own = text.prefix(text.count - script.count)
    try Statement(sql: String(decoding: own, as: UTF8.self), parameters: []).check()
    return statement
  }

  // At once, so that a transaction that reads first and then writes finds no other's lock in between.
  func begin(_ stop: Stop) throws(SQLError) { try control("BEGIN IMMEDIATE", stop) }
  func commit(_ stop: Stop) throws(SQLError) { try control("COMMIT", stop) }
  // Without a stop, nothing interrupts it; what cannot be undone now is undone when the file is next opened.
  func rollback() { try? control("ROLLBACK", nil) }
  func close() { unsafe sqlite3_close_v2(handle) }

  private func control(_ sql: String, _ stop: Stop?) throws(SQLError) {
    try watch.during(stop) { () throws(SQLError) in
      let prepared = try prepare(Statement(sql: sql, parameters: []))
      while try prepared.step() {}
    }
  }

  private func prepare(_ statement: Statement) throws(SQLError) -> SQLiteStatement {
    var rest = Array(statement.sql.utf8)[...]
    guard let prepared = try unsafe SQLiteStatement(takingFrom: &rest, handle) else {
      throw .noStatement
    }
    guard try unsafe SQLiteStatement(takingFrom: &rest, handle) == nil else {
      throw .severalStatements
    }
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
