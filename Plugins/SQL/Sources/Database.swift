internal import FlowCore

/// A database to connect to.
protocol Database: Sendable {
  /// Connects on the client's thread, again after each lost connection.
  func connect(_ stop: Stop) throws(SQLError) -> any Session
}

/// A connection to a database.
///
/// It belongs to the thread of its client, which makes one call at a time.
protocol Session: AnyObject {
  /// True if the connection is unusable: it is then closed, and another one opened.
  var isLost: Bool { get }
  /// True if a transaction is open.
  var isInTransaction: Bool { get }

  /// True if a script can run in one transaction, whatever its statements are.
  var keepsTransactions: Bool { get }

  /// Runs a read-only statement.
  func query(_ statement: Statement, _ stop: Stop) throws(SQLError) -> ResultRows
  /// Runs a statement in its own transaction unless one is open.
  func execute(_ statement: Statement, _ stop: Stop) throws(SQLError) -> Execution
  /// Runs all statements of a script and returns their number.
  func run(script: String, _ stop: Stop) throws(SQLError) -> Int

  /// Keeps a copy of the database under a name, in place of an earlier one.
  func snapshot(_ name: SnapshotName, _ stop: Stop) throws(SQLError)
  /// Makes the database what it was at a snapshot, or empty without a name.
  func restore(_ name: SnapshotName?, _ stop: Stop) throws(SQLError)

  /// Opens a transaction.
  func begin(_ stop: Stop) throws(SQLError)
  /// Makes the changes of the transaction permanent.
  func commit(_ stop: Stop) throws(SQLError)
  /// Undoes the changes of the transaction even after a stop, and loses the connection if that
  /// fails.
  func rollback()
  /// Closes the connection.
  ///
  /// This is the last call.
  func close()
}

/// The outcome of a statement.
struct Execution {
  var result: ResultRows
  var changes: Int
  var lastID: Int?
}

/// The largest result to read.
struct ResultLimits: Sendable, Hashable {
  var rows: Int
  var bytes: Int
}

/// The rows of a result, collected up to the limits.
struct ResultRows {
  private(set) var columns: [Column] = []
  private(set) var rows: [Row] = []
  private let limits: ResultLimits
  private var bytes = 0

  /// Creates a result without rows.
  ///
  /// - Throws: `.repeatedColumn`, since a row has one value for each name.
  init(_ columns: [Column], _ limits: ResultLimits) throws(SQLError) {
    var names: Set<[UInt8]> = []
    for column in columns {
      guard names.insert(Array(column.name.utf8)).inserted else {
        throw .repeatedColumn(column.name)
      }
    }
    self.columns = columns
    self.limits = limits
  }

  /// Sets the types of the columns.
  mutating func nameTypes(_ types: [String?]) {
    for (index, type) in zip(columns.indices, types) { columns[index].type = type }
  }

  /// Counts the bytes of a value before creating it.
  mutating func count(bytes: Int) throws(SQLError) {
    self.bytes += bytes
    guard self.bytes <= limits.bytes else { throw .tooManyBytes(limits.bytes) }
  }

  /// Adds a row with a value for each column.
  mutating func append(_ values: [Value]) throws(SQLError) {
    guard rows.count < limits.rows else { throw .tooManyRows(limits.rows) }
    rows.append(Row(ValueMap(Array(zip(columns.map(\.name), values)))))
  }
}
