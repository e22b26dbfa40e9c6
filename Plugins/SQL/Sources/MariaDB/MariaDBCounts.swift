/// The counts that a server of MySQL or MariaDB returns for a statement without a result.
struct MariaDBCounts {
  /// The affected rows, 2 for a row that is found and updated, or replaced.
  let affected: Int
  /// The id of the first new row, or 0.
  let id: Int
  /// A text such as `Records: 3  Duplicates: 1  Warnings: 0`, nil for an `INSERT` of one row.
  let info: String?

  /// Returns the number of rows inserted, updated or deleted by a statement.
  ///
  /// `REPLACE` and `ON DUPLICATE KEY UPDATE` affect a row twice, and `INSERT IGNORE` affects fewer
  /// rows than it is given.
  func changes(of statement: Statement) -> Int {
    if statement.definesSchema { return 0 }
    return statement.isInsert ? min(affected, records) : affected
  }

  /// Returns the id of the row inserted by a statement.
  ///
  /// Nil for several rows, of which the server names the first one alone, and for a row that is
  /// updated instead.
  func lastID(of statement: Statement) -> Int? {
    let isOne = records == 1 && (affected == 1 || statement.firstWord == "REPLACE")
    return id == 0 || statement.isInsert && !isOne ? nil : id
  }

  /// The number of rows given to an `INSERT` or a `REPLACE`.
  private var records: Int {
    let digits = info?.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
    return digits.flatMap { Int($0) } ?? 1
  }
}
