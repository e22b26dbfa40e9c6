private import CSQLite
internal import FlowCore

/// The limits of a connection and its protection from untrusted SQL, set before the first
/// statement.
///
/// See https://www.sqlite.org/security.html.
struct SQLiteBounds {
  /// The largest value and the largest stored row, in bytes.
  let value: Int

  /// Creates the limits matching those of a result.
  init(_ limits: ResultLimits) {
    // SQLite's own tables have rows of this length, however small the limit of a result is.
    value = min(max(limits.bytes, Self.leastValue), Int(Int32.max))
  }

  private static let leastValue = Statement.greatestLength

  /// Sets the limits of a connection, which must not have an authorizer yet.
  func install(on handle: OpaquePointer) throws(SQLError) {
    for (limit, bound) in limits { unsafe sqlite3_limit(handle, limit, bound) }
    for (flag, value) in Self.flags {
      let code = unsafe flow_sqlite_configure(handle, flag, value)
      guard code == SQLITE_OK else { throw unsafe SQLError(sqlite: handle, code, bounds: self) }
    }
    let modules = CStrings(SQLiteRights.modules.sorted())
    // Only read, although C does not declare it constant.
    _ = unsafe modules.withPointers { unsafe sqlite3_drop_modules(handle, .init(mutating: $0)) }
    // A file may come from a stranger: pages are checked, and never mapped into memory.
    let checks = "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON"
    unsafe sqlite3_exec(handle, checks, nil, nil, nil)
  }

  /// The memory of SQLite in this process, in bytes.
  ///
  /// Limited because a statement may keep thousands of long values at a time.
  static let memory = 512 << 20

  /// The name of SQLite's functions for file access, or nil if they cannot be installed.
  ///
  /// The settings apply to the whole process and are made once.
  static let fileFunctions: String? = {
    sqlite3_hard_heap_limit64(Int64(memory))
    // SQLite keeps the name, so it is a constant.
    let name: StaticString = "flow"
    let start = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    return unsafe flow_sqlite_register_files(start) == SQLITE_OK ? "\(name)" : nil
  }()

  private var limits: [(limit: Int32, bound: Int32)] {
    [
      (SQLITE_LIMIT_LENGTH, Int32(value)),
      (SQLITE_LIMIT_SQL_LENGTH, Int32(Statement.greatestLength)),
      (SQLITE_LIMIT_COLUMN, 2000), (SQLITE_LIMIT_EXPR_DEPTH, 1000),
      (SQLITE_LIMIT_COMPOUND_SELECT, 500), (SQLITE_LIMIT_VDBE_OP, 5_000_000),
      (SQLITE_LIMIT_FUNCTION_ARG, 127), (SQLITE_LIMIT_ATTACHED, 10),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 5000), (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1000), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
  }

  private static let flags: [(flag: Int32, value: Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
  ]
}
