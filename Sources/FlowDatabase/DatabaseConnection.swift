internal import CPostgreSQL
internal import FlowPostgreSQL
internal import FlowSystem

/// A connection to a PostgreSQL server, whose calls block their thread for a bounded time.
///
/// libpq is loaded for the first one. The password comes from the address, PGPASSWORD, PGPASSFILE
/// or a service file, as described in libpq's manual ("Database Connection Control Functions").
///
/// `@unchecked`: its owner makes only one call at a time.
@safe package final class DatabaseConnection: @unchecked Sendable {
  /// A value of a statement.
  package enum Parameter {
    case text(String)
    case bytes([UInt8])
  }

  /// A row of an answer: the bytes of each column, nil for null.
  package struct Row {
    let columns: [[UInt8]?]

    /// A column as a string, or nil if the server is not a real PostgreSQL server and did not send
    /// it.
    subscript(column: Int) -> String? {
      bytes(of: column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a column.
    func bytes(of column: Int) -> [UInt8]? {
      columns.indices.contains(column) ? columns[column] : nil
    }
  }

  /// The default time in seconds to wait for a server that neither sends nor receives.
  package static let usualPatience: Int32 = 15

  private let patience: Int32
  private let pq: flow_pq
  private let handle: OpaquePointer

  /// Connects to the database of a URL.
  ///
  /// - Throws: `DatabaseError`, without a password, when libpq is missing or the server refuses.
  package init(
    _ url: String, patience: Int32 = DatabaseConnection.usualPatience
  ) throws(DatabaseError) {
    self.patience = patience
    let pq: flow_pq
    do throws(LibraryError) { pq = try PostgreSQLLibrary.system().functions } catch {
      throw DatabaseError(error.description, isLost: false)
    }
    self.pq = pq
    // A message of libpq about an address that it does not understand may quote a password.
    guard let options = unsafe pq.conninfoParse(url, nil) else {
      throw DatabaseError("libpq does not understand the address", isLost: false)
    }
    unsafe pq.conninfoFree(options)
    let settings = [
      ("fallback_application_name", "flow"), ("connect_timeout", "10"), ("keepalives_idle", "10"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"),
      // Expanded by libpq: it overrides the options above, but not those below.
      ("dbname", url), ("client_encoding", "UTF8"),
    ]
    let (keywords, values) = (CStrings(settings.map(\.0)), CStrings(settings.map(\.1)))
    let made = unsafe keywords.withPointers { keywords in
      unsafe values.withPointers { unsafe pq.connectdbParams(keywords, $0, 1) }
    }
    guard let made = unsafe made else {
      throw DatabaseError("the system is out of memory", isLost: true)
    }
    guard unsafe pq.status(made) == 0 else {
      defer { unsafe pq.finish(made) }
      let message = unsafe pq.errorMessage(made).map { unsafe String(cString: $0) }
      throw DatabaseError(Self.line(message ?? ""), isLost: true)
    }
    unsafe handle = made
    // By default they are written to the standard error.
    _ = unsafe pq.setNoticeProcessor(handle, { _, _ in }, nil)
    _ = unsafe pq.setnonblocking(handle, 1)
  }

  deinit { unsafe pq.finish(handle) }

  /// Runs one statement, and returns the rows of its result.
  ///
  /// - Throws: `DatabaseError` with the server's message, or after 15 s without a response.
  @discardableResult
  package func run(_ sql: String, _ parameters: [Parameter] = []) throws(DatabaseError) -> [Row] {
    let values = CStrings(bytes: parameters.map(\.content))
    let lengths = parameters.map { Int32($0.content.count) }
    let formats = parameters.map { if case .bytes = $0 { Int32(1) } else { Int32(0) } }
    let sent = unsafe values.withPointers { values in
      unsafe lengths.withUnsafeBufferPointer { lengths in
        unsafe formats.withUnsafeBufferPointer { formats in
          unsafe pq.sendQueryParams(
            handle, sql, Int32(parameters.count), nil, values, lengths.baseAddress,
            formats.baseAddress, 0)
        }
      }
    }
    guard sent == 1 else { throw failure() }
    while case let left = unsafe pq.flush(handle), left != 0 {
      guard left > 0 else { throw failure() }
      try wait(writes: true)
    }
    guard let answer = try next() else { throw failure() }
    var isCopy = answer.isCopy
    // A statement has one result and then an end. That of COPY is repeated until data are sent or
    // taken.
    while !isCopy, let other = try next() { isCopy = other.isCopy }
    if isCopy { throw DatabaseError("the server asks for the data of a COPY", isLost: true) }
    guard answer.endsStatement else { throw failure(of: answer) }
    return (0..<answer.rowCount).map { Row(columns: answer.row($0)) }
  }

  /// Returns the next result, or nil at the end.
  private func next() throws(DatabaseError) -> PostgreSQLResult? {
    while unsafe pq.isBusy(handle) != 0 { try wait(writes: false) }
    return unsafe pq.getResult(handle).map { unsafe PostgreSQLResult($0, pq) }
  }

  /// Waits until the server has sent something, or also takes more.
  private func wait(writes: Bool) throws(DatabaseError) {
    switch unsafe flow_pq_wait(pq.socket(handle), writes, patience * 1_000) {
    case 0:
      throw DatabaseError("the server has not responded for \(patience) s", isLost: true)
    case ..<0: throw failure()
    default: if unsafe pq.consumeInput(handle) == 0 { throw failure() }
    }
  }

  /// Returns the reason that there is no result.
  private func failure(of result: PostgreSQLResult? = nil) -> DatabaseError {
    let own = unsafe pq.errorMessage(handle).map { unsafe String(cString: $0) }
    // Class 57 is an operator's intervention, such as a shutdown of the server.
    let code = result?.field("C") ?? ""
    return DatabaseError(
      Self.line(result?.field("M") ?? own ?? "the server does not respond"),
      isLost: unsafe pq.status(handle) != 0 || code.hasPrefix("57P"),
      isDuplicate: code == "23505")
  }

  /// A message of several lines as one, which a terminal shows as it is: the server may be anybody's.
  private static func line(_ message: String) -> String {
    message.prefix(1_000).split(whereSeparator: \.isNewline)
      .map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ").onOneLine
  }
}

/// An error of the server, or of libpq, on one line and without a password.
package struct DatabaseError: Error, CustomStringConvertible {
  package let description: String
  /// True if the connection is lost, so that a new one may help.
  let isLost: Bool
  /// True if a row to insert existed already.
  let isDuplicate: Bool

  init(_ description: String, isLost: Bool, isDuplicate: Bool = false) {
    self.description = description
    self.isLost = isLost
    self.isDuplicate = isDuplicate
  }
}

extension DatabaseConnection.Parameter {
  fileprivate var content: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }
}
