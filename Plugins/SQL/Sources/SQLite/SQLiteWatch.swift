private import CSQLite
internal import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What SQLite asks while it works: whether to go on, whether to wait for a lock, and whether something is allowed.
///
/// `sqlite3_interrupt` is not used: one that comes between two statements is lost, and the second of them goes on.
final class SQLiteWatch {
  private let patience: Duration
  private var stop: Stop?
  /// When the present wait for a lock began.
  private var waitBegin: ContinuousClock.Instant?

  init(patience: Duration) {
    self.patience = patience
  }

  /// Lets a connection ask this object, which outlives it.
  func install(on handle: OpaquePointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, Self.instructionsBetweenQuestions,
      { context in unsafe SQLiteWatch.at(context)?.isStopped == true ? 1 : 0 }, context)
    unsafe sqlite3_busy_handler(
      handle,
      { context, count in
        unsafe SQLiteWatch.at(context)?.waits(attempt: Int(count)) == true ? 1 : 0
      }, context)
    unsafe sqlite3_set_authorizer(
      handle, { _, action, first, _, _, _ in unsafe SQLiteWatch.answer(action, first) }, nil)
  }

  // Some 10 microseconds, in which the question costs next to nothing.
  private static let instructionsBetweenQuestions: Int32 = 1000

  /// Does work that ends when a call is stopped.
  func during<Answer>(
    _ stop: Stop?, _ work: () throws(SQLError) -> Answer
  ) throws(SQLError) -> Answer {
    self.stop = stop
    defer { self.stop = nil }
    return try work()
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> SQLiteWatch? {
    unsafe context.map { unsafe Unmanaged<SQLiteWatch>.fromOpaque($0).takeUnretainedValue() }
  }

  private var isStopped: Bool { stop?.isRequested == true }

  /// Waits a moment for a lock; whether to try again.
  private func waits(attempt: Int) -> Bool {
    if attempt == 0 { waitBegin = .now }
    guard !isStopped, let waitBegin, ContinuousClock.now - waitBegin < patience else {
      return false
    }
    // This thread has nothing else to do, and SQLite does not say when a lock is free.
    usleep(UInt32(min(25, attempt + 1) * 1000))
    return true
  }

  /// Refuses what reaches files that no setting names.
  private static func answer(_ action: Int32, _ first: UnsafePointer<CChar>?) -> Int32 {
    let name = unsafe first.map { unsafe String(cString: $0) }
    switch action {
    // VACUUM attaches a database without a name, and VACUUM INTO one with that of its file.
    case SQLITE_ATTACH: return name == "" || name == ":memory:" ? SQLITE_OK : SQLITE_DENY
    case SQLITE_PRAGMA:
      let isForbidden = ["temp_store_directory", "data_store_directory"]
        .contains(name?.lowercased())
      return isForbidden ? SQLITE_DENY : SQLITE_OK
    default: return SQLITE_OK
    }
  }
}

extension SQLError {
  /// What the last call of a connection failed with.
  init(sqlite handle: OpaquePointer?, _ code: Int32) {
    let message = unsafe String(
      cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
    self = .database(Self.class(ofSQLite: code), message)
  }

  // https://www.sqlite.org/rescode.html; the lower byte is the primary code.
  private static func `class`(ofSQLite code: Int32) -> ErrorCode {
    switch code & 0xff {
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_MISMATCH, SQLITE_RANGE: .data
    case SQLITE_TOOBIG: .tooLarge
    case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: .forbidden
    case SQLITE_CANTOPEN, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_INTERNAL, SQLITE_IOERR,
      SQLITE_NOMEM, SQLITE_NOTADB, SQLITE_PROTOCOL, SQLITE_INTERRUPT:
      .unavailable
    default: .syntax
    }
  }
}
