private import CSQLite
internal import FlowCore

/// The snapshots of a database of SQLite: a file beside its own for each, or databases in memory.
final class SQLiteCopies {
  private let database: SQLiteDatabase
  /// The snapshots of a database in memory, which end with it.
  private var inMemory: [SnapshotName: SQLiteSession] = [:]

  init(of database: SQLiteDatabase) { self.database = database }

  deinit { close() }

  /// Closes the snapshots in memory.
  func close() {
    for copy in inMemory.values { copy.close() }
    inMemory = [:]
  }

  private var isInMemory: Bool { database.path == SQLiteDatabase.inMemory }

  /// Lends the connection to a snapshot to write.
  func writing(
    _ name: SnapshotName, _ work: (SQLiteSession) throws(SQLError) -> Void
  ) throws(SQLError) {
    guard isInMemory else { return try lending(try file(name), work) }
    if let copy = inMemory[name] { return try work(copy) }
    let copy = try SQLiteSession(database)
    inMemory[name] = copy
    try work(copy)
  }

  /// Lends the connection to a snapshot, or to an empty database without a name.
  func reading(
    _ name: SnapshotName?, _ work: (SQLiteSession) throws(SQLError) -> Void
  ) throws(SQLError) {
    guard let name else {
      return try lending(try SQLiteSession(database.at(SQLiteDatabase.inMemory)), work)
    }
    guard isInMemory else {
      let copy = try file(name)
      // A missing file has just been opened as an empty database, and is not created before a write.
      guard try !copy.isEmpty() else {
        copy.close()
        throw .noSnapshot(name)
      }
      return try lending(copy, work)
    }
    guard let copy = inMemory[name] else { throw .noSnapshot(name) }
    try work(copy)
  }

  private func lending(
    _ session: SQLiteSession, _ work: (SQLiteSession) throws(SQLError) -> Void
  ) throws(SQLError) {
    defer { session.close() }
    try work(session)
  }

  private func file(_ name: SnapshotName) throws(SQLError) -> SQLiteSession {
    try SQLiteSession(database.at("\(database.path).snapshot-\(name.text)"))
  }
}
