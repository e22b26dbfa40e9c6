private import Dispatch
private import FlowCore
private import Synchronization

/// The connection of one component, on a separate thread so that it blocks no other.
actor DatabaseClient {
  private let database: any Database
  private let thread = DatabaseThread()
  private var session: (any Session)?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Creates a client that connects on its first call.
  init(_ database: any Database) {
    self.database = database
  }

  func query(_ statement: Statement, _ stop: Stop) throws(SQLError) -> QueryAnswer {
    try statement.check()
    return try withSession(stop) { session throws(SQLError) in
      let result = try session.query(statement, stop)
      return QueryAnswer(rows: result.rows, columns: result.columns)
    }
  }

  func execute(_ statement: Statement, _ stop: Stop) throws(SQLError) -> ExecuteAnswer {
    try statement.check()
    let work: (any Session) throws(SQLError) -> ExecuteAnswer = { session throws(SQLError) in
      let execution = try session.execute(statement, stop)
      return ExecuteAnswer(
        changes: execution.changes, lastID: execution.lastID, rows: execution.result.rows)
    }
    // A result that is too long is only found after the change.
    return try statement.mayAnswerRows ? inTransaction(stop, work) : withSession(stop, work)
  }

  /// Runs all statements or none, and returns the number of rows changed by each.
  func transaction(_ statements: [Statement], _ stop: Stop) throws(SQLError) -> [Int] {
    for (index, statement) in statements.enumerated() {
      do { try statement.check() } catch { throw .inStatement(index + 1, error) }
    }
    return try inTransaction(stop) { session throws(SQLError) in
      var changes: [Int] = []
      for (index, statement) in statements.enumerated() {
        do throws(SQLError) {
          changes.append(try session.execute(statement, stop).changes)
          // A procedure may also have undone the changes.
          guard session.isInTransaction else {
            throw .endedTransaction(keepsChanges: statement.firstWord != "CALL")
          }
        } catch {
          throw .inStatement(index + 1, error)
        }
      }
      return changes
    }
  }

  /// Runs a script in a transaction, and returns the number of its statements.
  func migrate(_ script: Script, _ stop: Stop) throws(SQLError) -> Int {
    try inTransaction(stop) { session throws(SQLError) in
      do throws(SQLError) {
        let count = try session.run(script: script.text, stop)
        guard session.isInTransaction || !session.keepsTransactions else {
          throw .endedTransaction(keepsChanges: false)
        }
        return count
      } catch {
        throw .inFile(script.path, error)
      }
    }
  }

  /// Keeps a copy of the database under a name.
  func snapshot(_ name: String, _ stop: Stop) throws(SQLError) {
    let name = try SnapshotName(name)
    try withSession(stop) { session throws(SQLError) in try session.snapshot(name, stop) }
  }

  /// Makes the database what it was at a snapshot, or empty without a name.
  func restore(_ name: String?, _ stop: Stop) throws(SQLError) {
    let name = try name.map { name throws(SQLError) in try SnapshotName(name) }
    try withSession(stop) { session throws(SQLError) in try session.restore(name, stop) }
  }

  /// Closes an open connection.
  func close() {
    session?.close()
    session = nil
  }

  private func connected(_ stop: Stop) throws(SQLError) -> any Session {
    if let session { return session }
    let new = try database.connect(stop)
    session = new
    return new
  }

  private func inTransaction<Answer>(
    _ stop: Stop, _ work: (any Session) throws(SQLError) -> Answer
  ) throws(SQLError) -> Answer {
    try withSession(stop) { session throws(SQLError) in
      try session.begin(stop)
      let answer = try work(session)
      if stop.isRequested { throw .cancelled }
      try session.commit(stop)
      return answer
    }
  }

  /// Works with the connection, undoes an unfinished transaction, and forgets a lost connection.
  private func withSession<Answer>(
    _ stop: Stop, _ work: (any Session) throws(SQLError) -> Answer
  ) throws(SQLError) -> Answer {
    if stop.isRequested { throw .cancelled }
    let session = try connected(stop)
    defer {
      if session.isInTransaction { session.rollback() }
      if session.isLost { close() }
    }
    do throws(SQLError) {
      let answer = try work(session)
      guard !session.isInTransaction else { throw .openTransaction }
      return answer
    } catch {
      // Whatever the database reports, the statement was interrupted.
      throw stop.isRequested ? .cancelled : error
    }
  }
}

/// The thread of one client, as an executor.
private final class DatabaseThread: SerialExecutor {
  // A serial queue that may block has its own thread, outside of the concurrent pool.
  private let queue = DispatchQueue(label: "flow.sql")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// A request to end a call early, made by any thread and checked by the one working for the call,
/// which also leaves the database's notices here.
final class Stop: Sendable {
  private struct State {
    var isRequested = false
    var notices: [String] = []
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var isRequested: Bool { state.withLock { $0.isRequested } }

  /// The notices and warnings of the database during the call.
  var notices: [String] { state.withLock { $0.notices } }

  /// Adds a notice, or drops it after too many.
  func note(_ notice: String) {
    state.withLock { state in
      guard state.notices.count < Self.mostNotices else { return }
      state.notices.append(notice.shortened(to: Self.longestNotice))
    }
  }

  private static let mostNotices = 100
  private static let longestNotice = 1_000

  /// Ends the call as soon as possible.
  func request() {
    state.withLock { state in
      state.isRequested = true
      state.wake?()
    }
  }

  /// Does work while a stop request calls `wake`, for work waiting for something else.
  func waking<Answer, Failure: Error>(
    _ wake: @escaping @Sendable () -> Void, during work: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    state.withLock { $0.wake = wake }
    defer { state.withLock { $0.wake = nil } }
    return try work()
  }
}
