private import CSQLite
internal import FlowCore

/// A prepared statement of SQLite, freed with this object.
@safe final class SQLiteStatement {
  private let connection: OpaquePointer
  private let statement: OpaquePointer
  private let watch: SQLiteWatch
  /// True if the statement reads or changes rows, so that only their values fail while it runs.
  private let isOfRows: Bool
  private lazy var kinds = columns.map { SQLiteColumnKind(declared: $0.type) }
  /// The columns, read after the first step, which prepares the statement again after a change of
  /// the schema.
  private(set) lazy var columns = readColumns()

  /// Prepares the statement at a byte offset and advances past it, or returns nil without a
  /// statement.
  init?(
    _ text: [UInt8], from start: inout Int, _ connection: OpaquePointer, _ watch: SQLiteWatch
  ) throws(SQLError) {
    var statement: OpaquePointer?
    var code = SQLITE_OK
    var used = 0
    var begin = start
    repeat {
      begin = start
      unsafe text[start...].withUnsafeBufferPointer { buffer in
        // An empty buffer may have no address, a misuse for SQLite.
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return used = 0 }
        unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { start in
          var tail: UnsafePointer<CChar>?
          code = unsafe sqlite3_prepare_v2(
            connection, start, Int32(clamping: buffer.count), &statement, &tail)
          used = unsafe tail.map { unsafe $0 - start } ?? buffer.count
        }
      }
      if code != SQLITE_OK { throw unsafe watch.failure(of: connection, code, start, in: text) }
      start += used
      // A comment or a lone semicolon has no statement.
    } while unsafe statement == nil && used > 0 && start < text.count
    guard let statement = unsafe statement else { return nil }
    unsafe self.connection = connection
    unsafe self.statement = statement
    self.watch = watch
    isOfRows = Statement.rowWords.contains(
      Statement.firstWord(of: text[begin..<start], nestsComments: false))
  }

  private func readColumns() -> [Column] {
    (0..<(unsafe sqlite3_column_count(statement))).map { index in
      unsafe Column(
        name: sqlite3_column_name(statement, index).map { unsafe String(cString: $0) } ?? "",
        type: sqlite3_column_decltype(statement, index).map { unsafe String(cString: $0) })
    }
  }

  deinit {
    unsafe sqlite3_finalize(statement)
  }

  /// True if the statement changes nothing.
  var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(statement) != 0 }

  /// Advances to the next row, or returns false at the end.
  func step() throws(SQLError) -> Bool {
    let code = unsafe sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      let error = unsafe watch.failure(of: connection, code)
      // SQLite has one code for a wrong statement and for a wrong value that it meets in a row.
      if code & 0xff == SQLITE_ERROR, isOfRows, case .database(.syntax, let text) = error {
        throw .database(.data, text)
      }
      throw error
    }
    return false
  }

  // MARK: - Values in

  /// The number of placeholders.
  var parameterCount: Int { unsafe Int(sqlite3_bind_parameter_count(statement)) }

  /// Binds the values to as many placeholders, in order.
  func bind(_ values: [Value]) throws(SQLError) {
    for (index, value) in values.enumerated() {
      let code = try bind(value, Int32(index + 1))
      guard code == SQLITE_OK else { throw unsafe watch.failure(of: connection, code) }
    }
  }

  private func bind(_ value: Value, _ index: Int32) throws(SQLError) -> Int32 {
    switch value {
    case .null, .optional(nil): return unsafe sqlite3_bind_null(statement, index)
    case .bool(let flag): return unsafe sqlite3_bind_int64(statement, index, flag ? 1 : 0)
    case .int(let number): return unsafe sqlite3_bind_int64(statement, index, Int64(number))
    case .uint(let number):
      guard let signed = Int64(exactly: number) else {
        throw .parameter(Int(index), "is greater than SQLite's greatest integer")
      }
      return unsafe sqlite3_bind_int64(statement, index, signed)
    case .double(let number):
      // SQLite would store NULL.
      guard !number.isNaN else { throw .parameter(Int(index), "is NaN, which SQLite cannot store") }
      return unsafe sqlite3_bind_double(statement, index, number)
    case .decimal(let number): return bind(number, index)
    case .number(let number):
      return try number.isLong ? bind(number.text, index) : bind(number.value, index)
    case .bytes(let bytes):
      return unsafe bytes.content.withUnsafeBytes {
        unsafe flow_sqlite_bind_bytes(statement, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    case .optional(let content?): return try bind(content, index)
    case .list, .map, .record:
      do { return bind(try value.jsonText(), index) } catch {
        throw .parameter(Int(index), "cannot be written as JSON: \(error)")
      }
    case .string, .timestamp, .duration, .type: return bind(value.interpolated, index)
    }
  }

  /// Binds a number with a fraction, even if that is zero, so that a division is not cut to a whole
  /// number.
  ///
  /// SQLite keeps 15 digits of such a number. A longer whole number is bound as an integer and any
  /// other as text, which a text column keeps.
  private func bind(_ decimal: Decimal, _ index: Int32) -> Int32 {
    if decimal.isExactInSQLite {
      return unsafe sqlite3_bind_double(statement, index, decimal.double)
    }
    guard let integer = decimal.integer else { return bind(decimal.description, index) }
    return unsafe sqlite3_bind_int64(statement, index, Int64(integer))
  }

  private func bind(_ text: String, _ index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { buffer in
      guard let base = buffer.baseAddress else {
        return unsafe flow_sqlite_bind_text(statement, index, "", 0)
      }
      return unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
        unsafe flow_sqlite_bind_text(statement, index, $0, Int32(clamping: buffer.count))
      }
    }
  }

  // MARK: - Values out

  /// Returns the values of the current row, counted in a result.
  func values(countedIn result: inout ResultRows) throws(SQLError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(kinds.count)
    for (index, kind) in kinds.enumerated() {
      values.append(try value(Int32(index), kind, countedIn: &result))
    }
    return values
  }

  private func value(
    _ index: Int32, _ kind: SQLiteColumnKind, countedIn result: inout ResultRows
  ) throws(SQLError) -> Value {
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER:
      try result.count(bytes: 8)
      return kind.value(Int(unsafe sqlite3_column_int64(statement, index)))
    case SQLITE_FLOAT:
      try result.count(bytes: 8)
      return kind.value(unsafe sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      // The text first: reading it may convert the value and so change its length in bytes.
      let start = unsafe UnsafeRawPointer(sqlite3_column_text(statement, index))
      let bytes = try unsafe bytes(start, index, &result)
      // Bytes that are not UTF-8 are not a text.
      return String(validating: bytes, as: UTF8.self).map(kind.value) ?? .bytes(Bytes(bytes))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(statement, index)
      return .bytes(Bytes(try unsafe bytes(start, index, &result)))
    default:
      try result.count(bytes: 1)
      return .null
    }
  }

  private func bytes(
    _ start: UnsafeRawPointer?, _ index: Int32, _ result: inout ResultRows
  ) throws(SQLError) -> [UInt8] {
    let count = unsafe Int(sqlite3_column_bytes(statement, index))
    try result.count(bytes: count + 1)
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

/// The kind of value for a column's declared type, applied if nothing is lost.
enum SQLiteColumnKind {
  case bool, decimal, timestamp, other

  /// Creates the kind of a type as declared, such as `DECIMAL(10,2)`, or nil for an expression.
  init(declared type: String?) {
    switch type?.prefix(while: { $0 != "(" && $0 != " " }).uppercased() {
    case "BOOLEAN", "BOOL": self = .bool
    case "DECIMAL", "NUMERIC": self = .decimal
    case "TIMESTAMP", "TIMESTAMPTZ", "DATETIME": self = .timestamp
    default: self = .other
    }
  }

  func value(_ integer: Int) -> Value {
    switch self {
    case .bool where integer == 0 || integer == 1: .bool(integer == 1)
    case .decimal: .decimal(Decimal(integer))
    default: .int(integer)
    }
  }

  func value(_ double: Double) -> Value {
    guard case .decimal = self, let decimal = Decimal(double), decimal.isExactInSQLite else {
      return .double(double)
    }
    return .decimal(decimal)
  }

  func value(_ text: String) -> Value {
    switch self {
    case .decimal: Decimal(text).map(Value.decimal) ?? .string(text)
    // A text with a zone is an instant. Without one, the instant is unknown.
    case .timestamp: Timestamp(text).map(Value.timestamp) ?? .string(text)
    default: .string(text)
    }
  }
}

extension Decimal {
  /// True if SQLite returns the number unchanged: it keeps 15 digits of a number with a fraction.
  ///
  /// See https://www.sqlite.org/datatype3.html#type_affinity.
  fileprivate var isExactInSQLite: Bool {
    normalized.significand.magnitude < 1_000_000_000_000_000
  }
}
