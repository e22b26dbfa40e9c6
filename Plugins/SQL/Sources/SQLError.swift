internal import FlowCore

/// A failed statement.
indirect enum SQLError: CodedError, CustomStringConvertible {
  /// A cancelled call, a `CancellationError` in scenarios.
  case cancelled
  /// The class and the message of the database's error.
  case database(ErrorCode, String)
  /// A missing or broken connection, with the reason.
  case notConnected(String)
  case lost(String)
  case file(FileError)
  case notText(String, encoding: String?)
  case tooLong(limit: Int)
  case tooManyRows(Int)
  case tooManyBytes(Int)
  /// A value of more than this number of bytes.
  case tooLongValue(Int)
  /// A statement for which SQLite would need more than this number of bytes.
  case tooMuchMemory(Int)
  /// A forbidden use in a statement, as a sentence.
  case refused(String)
  case zeroByte
  case noStatement
  case severalStatements
  case transactionControl(String)
  case openTransaction
  /// The end of a transaction by a statement, which may have made the changes before it permanent.
  case endedTransaction(keepsChanges: Bool)
  /// The number of results of a procedure.
  case severalResults(Int, staysChanged: Bool)
  case repeatedColumn(String)
  case noSnapshot(SnapshotName)
  case snapshotName(String)
  /// A database that is not copied, and the reason.
  case uncopied(String, String)
  case copying
  case copyingFromClient
  /// A command of psql, such as `\set`.
  case psqlCommand(String)
  /// A command of the `mysql` client.
  case clientCommand(String)
  case changing
  case parameterCount(expected: Int, given: Int)
  /// A parameter, from 1, and the reason why it does not fit.
  case parameter(Int, String)
  /// A placeholder inside of quotes.
  case quotedPlaceholder(String)
  /// A placeholder in `IN (…)` whose parameter is a list, and what to write instead.
  case listInParentheses(String, String)
  /// A message of PostgreSQL about placeholders and parameters that do not match.
  case unmatchedParameters(String)
  /// The failed one of several statements, from 1.
  case inStatement(Int, SQLError)
  /// A position in a statement or a file.
  case at(SQLPlace, SQLError)
  case inFile(String, SQLError)

  var code: ErrorCode {
    switch self {
    case .database(let code, _): code
    case .cancelled, .notConnected, .lost: .unavailable
    case .file, .notText: .file
    case .tooLong, .tooManyRows, .tooManyBytes, .tooLongValue, .tooMuchMemory: .tooLarge
    case .zeroByte, .noStatement, .severalStatements, .transactionControl, .openTransaction,
      .endedTransaction, .severalResults, .repeatedColumn, .copying, .copyingFromClient,
      .psqlCommand,
      .clientCommand:
      .syntax
    case .changing, .refused, .uncopied: .forbidden
    case .noSnapshot: .missing
    case .parameterCount, .parameter, .snapshotName, .quotedPlaceholder, .listInParentheses,
      .unmatchedParameters:
      .data
    case .inStatement(_, let error), .at(_, let error), .inFile(_, let error): error.code
    }
  }

  var description: String {
    switch self {
    case .cancelled: "the call was cancelled"
    case .database(_, let message), .unmatchedParameters(let message): Self.bounded(message)
    case .notConnected(let reason): "cannot connect: \(Self.bounded(reason))"
    case .lost(let reason): "the connection was lost: \(Self.bounded(reason))"
    case .file(let error): "\(error)"
    case .notText(let path, let encoding?): "'\(path)' is in \(encoding), not UTF-8"
    case .notText(let path, nil): "'\(path)' is not UTF-8 text"
    case .tooLong(let limit): "the statement has more than \(limit) bytes"
    case .tooManyRows(let limit): "the result has more than \(limit) rows"
    case .tooManyBytes(let limit): "the result has more than \(limit) bytes"
    case .tooLongValue(let limit): "a value has more than \(limit) bytes; 'max_bytes' is the limit"
    case .tooMuchMemory(let limit): "SQLite needs more than \(limit) bytes of memory"
    case .refused(let reason): reason
    case .inStatement(let number, let error): "statement \(number): \(error)"
    case .at(let place, let error): "\(place): \(error)"
    case .inFile(let path, .at(let place, let error)): "\(path):\(place.suffix): \(error)"
    case .inFile(let path, let error): "\(path): \(error)"
    case .parameterCount(let expected, let given):
      "the statement needs \(Self.parameters(expected)), got \(given)"
    case .parameter(let number, let reason): "parameter \(number) \(reason)"
    case .quotedPlaceholder(let text):
      "'\(text)' in quotes is text, not a placeholder: put the whole text into the parameter"
    case .listInParentheses(let text, let hint):
      "'\(text)' is one value of IN (...), and its parameter is a list: \(hint)"
    case .noSnapshot(let name): "there is no snapshot '\(name.text)'"
    case .snapshotName(let text):
      "'\(Self.bounded(text))' is no name of a snapshot: use up to \(SnapshotName.greatestLength) "
        + "letters, digits and underscores"
    case .uncopied(let name, let reason): "'\(Self.bounded(name))' is not copied: \(reason)"
    default: misuse
    }
  }

  /// The problem with a statement rejected before any database saw it.
  private var misuse: String {
    switch self {
    case .zeroByte: "the statement contains a zero byte"
    case .noStatement: "the statement is empty"
    case .severalStatements: "there are several statements: use 'transaction' or 'migrate'"
    case .transactionControl(let word): "\(word) is not allowed here: use 'transaction'"
    case .openTransaction: "the statement leaves a transaction open, which was rolled back"
    case .endedTransaction(true):
      "the statement ended the transaction, and the changes before it stay"
    case .endedTransaction(false): "the statement ended the transaction"
    case .severalResults(let count, let staysChanged):
      "the statement has \(count) results, of which only one can be returned"
        + (staysChanged ? "; its changes stay" : "")
    case .repeatedColumn(let name): "two columns are named '\(name)': rename one with AS"
    case .copying: "COPY from and to the client is not supported: the connection was closed"
    case .copyingFromClient:
      "COPY ... FROM STDIN is not supported: use INSERT, as 'pg_dump --inserts' does"
    case .psqlCommand(let word): "'\(word)' is a command of psql, not a statement"
    case .clientCommand(let word): "'\(word)' is a command of mysql, not a statement"
    case .changing: "the statement may change something: use 'execute'"
    default: code.summary
    }
  }

  private static func parameters(_ count: Int) -> String {
    count == 1 ? "1 parameter" : "\(count) parameters"
  }

  /// Shortens a message of a database, which may quote a whole value.
  private static func bounded(_ text: String) -> String { text.shortened(to: greatestLength + 1) }

  private static let greatestLength = 1000
}

extension ErrorCode {
  static let constraint = ErrorCode(
    "constraint", "The statement violates a key, a reference, a check or a trigger of the database."
  )
  static let busy = ErrorCode(
    "busy", "Another connection holds a lock or has changed the same rows. A retry may help.")
  static let syntax = ErrorCode(
    "syntax", "The statement is malformed, uses an unknown name, or is not allowed here.")
  static let data = ErrorCode(
    "data", "A value does not fit, or the number of parameters is wrong.")
  static let forbidden = ErrorCode(
    "forbidden", "The user lacks a permission, or a query would change the database.")
  static let unavailable = ErrorCode(
    "unavailable",
    "The database cannot be used: no connection, a full disk, or a file that is not a database.")
  static let timeout = ErrorCode(
    "timeout", "The statement exceeded a time limit of the server.")
  static let tooLarge = ErrorCode(
    "too_large", "The statement, its result or one of the values is too large.")
  static let missing = ErrorCode("missing", "There is no snapshot of this name.")
  static let file = ErrorCode("file", "The SQL file cannot be read.")

  /// Every error code of the operations.
  static let all: [ErrorCode] = [
    .constraint, .busy, .syntax, .data, .forbidden, .unavailable, .timeout, .tooLarge,
  ]
}
