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
  package static let usualPatience = 15

  private let patience: Int
  private let connection: PostgreSQLConnection

  /// Connects to the database of a URL.
  ///
  /// - Throws: `DatabaseError`, without a password, when libpq is missing or the server refuses.
  package init(
    _ url: String, patience: Int = DatabaseConnection.usualPatience
  ) throws(DatabaseError) {
    self.patience = patience
    let library: PostgreSQLLibrary
    do throws(LibraryError) { library = try PostgreSQLLibrary.system() } catch {
      throw DatabaseError(error.description, isLost: false)
    }
    guard var address = PostgreSQLAddress(url, in: library) else {
      throw DatabaseError("libpq does not understand the address", isLost: false)
    }
    address.parameters.merge(Self.usualParameters) { given, _ in given }
    address.parameters["client_encoding"] = "UTF8"
    do throws(PostgreSQLError) {
      connection = try PostgreSQLConnection(blockingFor: address)
    } catch {
      throw Self.problem(error, patience, isLost: true)
    }
  }

  private static let usualParameters = [
    "fallback_application_name": "flow", "connect_timeout": "10", "keepalives_idle": "10",
    "keepalives_interval": "5", "keepalives_count": "3",
  ]

  /// Runs one statement, and returns the rows of its result.
  ///
  /// - Throws: `DatabaseError` with the server's message, or after 15 s without a response.
  @discardableResult
  package func run(_ sql: String, _ parameters: [Parameter] = []) throws(DatabaseError) -> [Row] {
    let answer: PostgreSQLResult
    do throws(PostgreSQLError) { answer = try self.answer(to: sql, parameters) } catch {
      throw Self.problem(error, patience, isLost: connection.isBroken)
    }
    if answer.isCopy { throw DatabaseError("the server asks for the data of a COPY", isLost: true) }
    guard answer.endsStatement else { throw failure(of: answer) }
    return (0..<answer.rowCount).map { Row(columns: answer.row($0)) }
  }

  /// Returns the one result of a statement, or that of a `COPY` after it.
  private func answer(
    to sql: String, _ parameters: [Parameter]
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    try connection.send(sql, parameters.map(\.value), rowByRow: false)
    try connection.flush(.each(.seconds(patience)))
    guard var answer = try next() else { throw .lost(connection.message) }
    // A statement has one result and then an end. That of COPY is repeated until data are sent or
    // taken.
    while !answer.isCopy, let other = try next() { if other.isCopy { answer = other } }
    return answer
  }

  /// Returns the next result, or nil at the end.
  private func next() throws(PostgreSQLError) -> PostgreSQLResult? {
    while true {
      switch try connection.receive(.each(.seconds(patience))) {
      case .result(let result): return result
      case .end: return nil
      case .incomplete: continue
      }
    }
  }

  /// Returns the error of a failed statement.
  private func failure(of result: PostgreSQLResult) -> DatabaseError {
    // Class 57 is an operator's intervention, such as a shutdown of the server.
    let code = result.field("C") ?? ""
    return DatabaseError(
      Self.line(result.field("M") ?? connection.message),
      isLost: connection.isBroken || code.hasPrefix("57P"), isDuplicate: code == "23505")
  }

  private static func problem(
    _ error: PostgreSQLError, _ patience: Int, isLost: Bool
  ) -> DatabaseError {
    switch error {
    case .notStarted(let reason): DatabaseError(reason, isLost: true)
    case .lost(let message): DatabaseError(line(message), isLost: isLost)
    case .late, .stopped, .tooLong:
      DatabaseError("the server has not responded for \(patience) s", isLost: true)
    }
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
  fileprivate var value: PostgreSQLValue {
    switch self {
    case .text(let text): PostgreSQLValue(text)
    case .bytes(let bytes): PostgreSQLValue(binary: bytes)
    }
  }
}
