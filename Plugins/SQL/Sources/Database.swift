internal import FlowCore

/// A database that can be connected to.
protocol Database: Sendable {
  /// Connects, on the thread of the client; called again after a connection was lost.
  func connect(_ stop: Stop) throws(SQLError) -> any Session
}

/// One connection.
///
/// It belongs to the thread of its client, which makes one call at a time.
protocol Session: AnyObject {
  /// Whether nothing can be done with it any more: it is then closed, and another one opened.
  var isLost: Bool { get }
  /// Whether a transaction is open.
  var isInTransaction: Bool { get }

  /// Runs a statement that changes nothing.
  func query(_ statement: Statement, _ stop: Stop) throws(SQLError) -> ResultRows
  /// Runs a statement, as a transaction of its own unless one is open.
  func execute(_ statement: Statement, _ stop: Stop) throws(SQLError) -> Execution
  /// Runs all statements of a text and answers how many there were.
  func run(script: String, _ stop: Stop) throws(SQLError) -> Int

  /// Opens a transaction.
  func begin(_ stop: Stop) throws(SQLError)
  /// Makes what was done in the transaction last.
  func commit(_ stop: Stop) throws(SQLError)
  /// Undoes what was done in the transaction, whatever was asked to stop; loses the connection where that fails.
  func rollback()
  /// Closes the connection; the last call.
  func close()
}

/// What became of a statement.
struct Execution {
  var result: ResultRows
  var changes: Int
  var lastID: Int?
}

/// How much of a result is read.
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

  /// No rows yet.
  ///
  /// - Throws: `.repeatedColumn`, as a row has one value of a name.
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

  /// Gives the columns their types.
  mutating func nameTypes(_ types: [String?]) {
    for (index, type) in zip(columns.indices, types) { columns[index].type = type }
  }

  /// Counts the bytes of a value before it is made.
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
