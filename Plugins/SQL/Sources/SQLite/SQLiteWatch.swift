private import CSQLite
internal import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The callbacks of SQLite at work: to continue, to wait for a lock, and to allow an action.
///
/// `sqlite3_interrupt` is not used: between two statements it has no effect, and the second one
/// continues.
final class SQLiteWatch {
  private let patience: Duration
  private let bounds: SQLiteBounds
  private var stop: Stop?
  /// The start of the current wait for a lock.
  private var waitBegin: ContinuousClock.Instant?
  /// The reason for the last refusal.
  private var refusal: String?

  init(patience: Duration, bounds: SQLiteBounds) {
    self.patience = patience
    self.bounds = bounds
  }

  /// Installs the callbacks in a connection.
  ///
  /// This object must outlive it.
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
      handle,
      { context, action, first, second, _, _ in
        let first = unsafe first.map { unsafe String(cString: $0) }
        let second = unsafe second.map { unsafe String(cString: $0) }
        return unsafe SQLiteWatch.at(context)?.allows(action, first, second) == true
          ? SQLITE_OK : SQLITE_DENY
      }, context)
  }

  // Some 10 microseconds, so that the check costs next to nothing.
  private static let instructionsBetweenQuestions: Int32 = 1000

  /// Does work that ends when a call is stopped.
  func during<Answer>(
    _ stop: Stop?, _ work: () throws(SQLError) -> Answer
  ) throws(SQLError) -> Answer {
    self.stop = stop
    refusal = nil
    defer { self.stop = nil }
    return try work()
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> SQLiteWatch? {
    unsafe context.map { unsafe Unmanaged<SQLiteWatch>.fromOpaque($0).takeUnretainedValue() }
  }

  private var isStopped: Bool { stop?.isRequested == true }

  /// Waits a moment for a lock, and returns true to try again.
  private func waits(attempt: Int) -> Bool {
    if attempt == 0 { waitBegin = .now }
    guard !isStopped, let waitBegin, ContinuousClock.now - waitBegin < patience else {
      return false
    }
    // This thread has nothing else to do, and SQLite does not report when a lock is free.
    usleep(UInt32(min(25, attempt + 1) * 1000))
    return true
  }

  /// Returns true if an action is allowed, or remembers the refusal.
  private func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    guard let refusal = SQLiteRights.refusal(of: action, first, second) else { return true }
    self.refusal = refusal
    return false
  }

  /// Returns the error of a connection's last call, with our own message for an action refused
  /// here.
  func failure(of handle: OpaquePointer, _ code: Int32) -> SQLError {
    guard let refusal else { return unsafe SQLError(sqlite: handle, code, bounds: bounds) }
    self.refusal = nil
    return .refused(refusal)
  }

  /// Returns the same error for the statement at a byte offset, with a position if SQLite has one.
  func failure(
    of handle: OpaquePointer, _ code: Int32, _ start: Int, in text: [UInt8]
  ) -> SQLError {
    let offset = unsafe Int(flow_sqlite_error_offset(handle))
    let error = unsafe failure(of: handle, code)
    return offset < 0 ? error : .at(SQLPlace(byte: start + offset, in: text), error)
  }
}

extension SQLError {
  /// Creates the error of a connection's last call.
  init(sqlite handle: OpaquePointer?, _ code: Int32, bounds: SQLiteBounds) {
    switch code & 0xff {
    case SQLITE_TOOBIG:
      self = .tooLongValue(bounds.value)
      return
    case SQLITE_NOMEM:
      self = .tooMuchMemory(SQLiteBounds.memory)
      return
    default: break
    }
    let message = unsafe String(
      cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
    // SQLite has no error code for untrusted use in a file's schema.
    let isUnsafe = message.hasPrefix("unsafe use of ")
    self = .database(isUnsafe ? .forbidden : Self.class(ofSQLite: code), message)
  }

  // https://www.sqlite.org/rescode.html. The lower byte is the primary code.
  private static func `class`(ofSQLite code: Int32) -> ErrorCode {
    switch code & 0xff {
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_MISMATCH, SQLITE_RANGE: .data
    case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: .forbidden
    case SQLITE_CANTOPEN, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_INTERNAL, SQLITE_IOERR,
      SQLITE_NOTADB, SQLITE_PROTOCOL, SQLITE_INTERRUPT:
      .unavailable
    default: .syntax
    }
  }
}
