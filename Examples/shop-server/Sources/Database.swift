private import CSQLite

/// A connection to a file of SQLite, for one thread at a time.
@safe final class Database {
  private let handle: OpaquePointer

  /// Opens a file, or creates a missing one.
  init(_ path: String) throws(DatabaseError) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_open(path, &handle)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      defer { unsafe sqlite3_close(handle) }
      throw unsafe DatabaseError(message: String(cString: sqlite3_errstr(code)))
    }
    unsafe self.handle = handle
    // Another process may have the file for a moment.
    unsafe sqlite3_busy_timeout(handle, 5_000)
  }

  deinit {
    unsafe sqlite3_close(handle)
  }

  /// Runs one statement and returns its rows, while SQLite converts strings to numbers where
  /// needed.
  @discardableResult
  func run(_ sql: String, _ values: String...) throws(DatabaseError) -> [[String]] {
    var statement: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    defer { unsafe sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      let count = Int32(clamping: value.utf8.count)
      try check(unsafe flow_sqlite_bind_text(statement, Int32(index + 1), value, count))
    }
    var rows: [[String]] = []
    while true {
      let code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try check(code == SQLITE_DONE ? SQLITE_OK : code)
        return rows
      }
      rows.append(
        (0..<(unsafe sqlite3_column_count(statement))).map { column in
          unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? ""
        })
    }
  }

  /// Does all of the work or none of it, and returns when the work would survive a crash.
  func transaction<Result>(_ work: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try work()
      try run("COMMIT")
      return result
    } catch {
      // SQLite itself has ended the transaction after some failures.
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else {
      throw unsafe DatabaseError(message: String(cString: sqlite3_errmsg(handle)))
    }
  }
}

/// A failure of the database, in SQLite's words or ours.
struct DatabaseError: Error, CustomStringConvertible {
  let message: String

  var description: String { "the database failed: " + message }
}
