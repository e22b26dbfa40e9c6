internal import FlowCore
private import FlowSQL

/// A statement with the values of its placeholders.
struct Statement: RecordRepresentable {
  var sql: String
  var parameters: [Value]

  static let record = Record(
    Statement.init(sql:parameters:),
    Field("sql", \.sql, "A single statement. Pass values in 'parameters'.", code: true),
    Field("parameters", \.parameters, "The values of the placeholders, in order.", default: []))

  /// The most bytes of a statement.
  static let greatestLength = 1 << 20

  /// Rejects statements that no database may receive.
  func check() throws(SQLError) {
    guard sql.utf8.count <= Self.greatestLength else {
      throw .tooLong(limit: Self.greatestLength)
    }
    guard !sql.utf8.contains(0) else { throw .zeroByte }
    // The databases differ in nesting comments, so a statement has to pass both readings.
    for nestsComments in [true, false] {
      let word = Self.firstWord(of: Array(sql.utf8)[...], nestsComments: nestsComments)
      if Self.controlWords.contains(word) { throw .transactionControl(word) }
    }
  }

  /// True if the statement may return rows and change data.
  ///
  /// All such statements can run in a transaction.
  var mayAnswerRows: Bool {
    ["SELECT", "WITH", "VALUES", "TABLE"].contains(firstWord)
      || sql.lowercased().contains("returning")
  }

  /// The first word after blanks and comments, in capitals.
  var firstWord: String { Self.firstWord(of: Array(sql.utf8)[...]) }

  /// True if the statement inserts, updates or deletes rows.
  var changesRows: Bool { isInsert || ["UPDATE", "DELETE"].contains(firstWord) }

  /// True if the statement inserts rows, or replaces them.
  var isInsert: Bool { ["INSERT", "REPLACE", "LOAD"].contains(firstWord) }

  /// The first words of statements that read or change rows.
  static let rowWords: Set = ["SELECT", "WITH", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE"]

  /// True if the statement changes the schema.
  ///
  /// The rows that it writes are not counted: they are those of a copied or a virtual table.
  var definesSchema: Bool { ["CREATE", "ALTER", "DROP"].contains(firstWord) }

  /// True if there is nothing but comments.
  var isEmpty: Bool {
    Self.beginning(of: Array(sql.utf8)[...], nestsComments: false).isEmpty
  }

  // Words that start or end transactions. Each operation has its own transaction.
  private static let controlWords: Set = [
    "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE",
  ]

  /// Returns the first word of a statement after blanks and comments, in capitals.
  static func firstWord(of sql: ArraySlice<UInt8>, nestsComments: Bool = true) -> String {
    let word = beginning(of: sql, nestsComments: nestsComments).prefix {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
    }
    return String(decoding: word, as: UTF8.self).uppercased()
  }

  /// Skips the blanks, comments, semicolons and byte order marks at the start.
  ///
  /// PostgreSQL allows nested comments, SQLite does not.
  static func beginning(
    of text: ArraySlice<UInt8>, nestsComments: Bool
  ) -> ArraySlice<UInt8> {
    var rest = text
    while let byte = rest.first {
      if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = SQLLexer.afterComment(rest, isNested: nestsComments)
      } else if rest.starts(with: "\u{feff}".utf8) {
        rest = rest.dropFirst(3)
      } else if byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ";") {
        rest.removeFirst()
      } else {
        break
      }
    }
    return rest
  }
}

/// The statements of a file.
struct Script: Sendable {
  let path: String
  let text: String

  private static let greatestLength = 16 << 20

  /// Reads a file of the scenario's folder.
  init(reading path: String, in folder: Directory) throws(SQLError) {
    let bytes: [UInt8]
    do { bytes = try folder.read(path, limit: Self.greatestLength) } catch { throw .file(error) }
    let text: String
    do { text = try String(plainText: bytes) } catch {
      throw .notText(path, encoding: error.encoding)
    }
    guard !bytes.contains(0) else { throw .notText(path, encoding: nil) }
    self.path = path
    self.text = text
  }

  /// Returns an error for a part of a script that only psql understands, or nil.
  ///
  /// `byte` is the place where a server failed.
  static func problem(at byte: Int, in text: [UInt8]) -> SQLError? {
    if byte < text.count, text[byte] == UInt8(ascii: "\\") {
      // No command is longer. Anything else is not shown: it could end with the start of a secret.
      let name = text[(byte + 1)...].prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
      let word = name.count <= 20 ? String(decoding: name, as: UTF8.self) : ""
      return .at(SQLPlace(byte: byte, in: text), .psqlCommand("\\" + word))
    }
    return copyFromClient(in: text, before: byte).map {
      .at(SQLPlace(byte: $0, in: text), .copyingFromClient)
    }
  }

  /// Returns the first byte of a `COPY ...
  ///
  /// FROM STDIN`, whose lines of data would be taken for statements.
  private static func copyFromClient(in text: [UInt8], before end: Int) -> Int? {
    for statement in text.prefix(end).split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    {
      let own = Statement.beginning(of: statement, nestsComments: true)
      let words = String(decoding: own, as: UTF8.self).uppercased().split(
        whereSeparator: \.isWhitespace)
      let from = words.lastIndex(of: "FROM")
      if words.first == "COPY", let from, words.dropFirst(from + 1).first == "STDIN" {
        return own.startIndex
      }
    }
    return nil
  }
}

/// A column of a result.
struct Column: RecordRepresentable, Hashable {
  var name: String
  var type: String?

  static let record = Record(
    Column.init(name:type:),
    Field("name", \.name, "The name of the column."),
    Field("type", \.type, "The type in the database. Absent for an expression in SQLite."))
}

/// The values of a row by the names of their columns.
struct Row: FieldValue {
  let values: ValueMap

  static var valueType: ValueType { .map(.dynamic) }
  var encoded: Value { .map(values) }

  init(_ values: ValueMap) { self.values = values }

  init(decoding value: Value) throws(DecodeError) {
    guard case .map(let values) = value else { throw DecodeError(expected: Self.valueType, value) }
    self.values = values
  }
}

/// The answer of `query`.
struct QueryAnswer: Sendable {
  var rows: [Row]
  var columns: [Column]

  static let record = Record(
    QueryAnswer.init(rows:columns:),
    Field("rows", \.rows, "The rows, each a map from column names to values."),
    Field("columns", \.columns, "The columns, in order."))
}

/// The answer of `execute`.
struct ExecuteAnswer: Sendable {
  var changes: Int
  var lastID: Int?
  var rows: [Row]

  static let record = Record(
    ExecuteAnswer.init(changes:lastID:rows:),
    Field("changes", \.changes, "The number of inserted, changed and deleted rows."),
    Field("last_id", \.lastID, "The id of the last inserted row, in SQLite."),
    Field("rows", \.rows, "The rows of the result, such as those of RETURNING. Usually empty."))
}
