import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

/// The answers and errors that are the same in SQLite, PostgreSQL and MariaDB.
@Suite(
  .enabled(if: TestServer.isHere, TestServer.absence),
  .enabled(if: MariaDBServer.isHere, MariaDB.absence))
struct SameAnswerTests {
  enum Dialect: CaseIterable, Sendable {
    case sqlite, postgreSQL, mariaDB

    /// The type of a column with numbers that the database chooses.
    var identity: String {
      switch self {
      case .sqlite: "INTEGER PRIMARY KEY"
      case .postgreSQL: "SERIAL PRIMARY KEY"
      case .mariaDB: "INT AUTO_INCREMENT PRIMARY KEY"
      }
    }
  }

  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sqlite: String
    let postgreSQL: String
    let mariaDB: String
    var parameters: [Value] = []
    let expected: String

    init(
      _ id: String, all sql: String, with parameters: [Value] = [], _ expected: String
    ) {
      self.init(id, sql, sql, sql, with: parameters, expected)
    }

    init(
      _ id: String, _ sqlite: String, _ postgreSQL: String, _ mariaDB: String,
      with parameters: [Value] = [], _ expected: String
    ) {
      testDescription = id
      self.sqlite = sqlite
      self.postgreSQL = postgreSQL
      self.mariaDB = mariaDB
      self.parameters = parameters
      self.expected = expected
    }

    func sql(_ dialect: Dialect) -> String {
      switch dialect {
      case .sqlite: sqlite
      case .postgreSQL: postgreSQL
      case .mariaDB: mariaDB
      }
    }
  }

  /// Works with a table of the ids 1, 2 and 3 with the numbers 10, 20 and 30.
  private func withTable<Success>(
    _ dialect: Dialect, _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    func fill(_ database: OpenComponent) async throws -> Success {
      #expect(
        await database.changes(
          "CREATE TEMPORARY TABLE t (id \(dialect.identity), n BIGINT UNIQUE)") == "0")
      #expect(await database.changes("INSERT INTO t (n) VALUES (10), (20), (30)") == "3")
      return try await work(database)
    }
    switch dialect {
    case .sqlite: return try await SQL.with(["file": ":memory:"]) { try await fill($0) }
    case .postgreSQL: return try await SQL.onServer { try await fill($0) }
    case .mariaDB: return try await MariaDB.onServer { try await fill($0) }
    }
  }

  private func answer(to example: Example, _ dialect: Dialect) async throws -> String {
    let input: [String: any FieldValue] = [
      "sql": example.sql(dialect), "parameters": example.parameters,
    ]
    return try await withTable(dialect) { await $0.field("changes", "execute", input) }
  }

  private static let upsert =
    "INSERT INTO t (n) VALUES (20), (40) ON CONFLICT (n) DO UPDATE SET n = "

  static let changes = [
    Example("rows are inserted", all: "INSERT INTO t (n) VALUES (1), (2)", "2"),
    Example(
      "inserted rows are returned", all: "INSERT INTO t (n) VALUES (1), (2) RETURNING n", "2"),
    Example("deleted rows are returned", all: "DELETE FROM t WHERE n > 10 RETURNING n", "2"),
    Example("no deleted row is returned", all: "DELETE FROM t WHERE n > 30 RETURNING n", "0"),
    Example("a row is read", all: "SELECT n FROM t", "0"),
    Example("rows keep their values", all: "UPDATE t SET n = n WHERE n > 10", "2"),
    Example(
      "rows are inserted or updated",
      upsert + "t.n + 1", upsert + "t.n + 1",
      "INSERT INTO t (n) VALUES (20), (40) ON DUPLICATE KEY UPDATE n = n + 1", "2"),
    Example(
      "a row is updated instead",
      "INSERT INTO t (n) VALUES (20) ON CONFLICT (n) DO UPDATE SET n = 21",
      "INSERT INTO t (n) VALUES (20) ON CONFLICT (n) DO UPDATE SET n = 21",
      "INSERT INTO t (n) VALUES (20) ON DUPLICATE KEY UPDATE n = 21", "1"),
    Example(
      "rows are updated to their values",
      upsert + "t.n", upsert + "t.n",
      "INSERT INTO t (n) VALUES (20), (40) ON DUPLICATE KEY UPDATE n = n", "2"),
    Example(
      "a row is replaced", "REPLACE INTO t (id, n) VALUES (1, 11)",
      "INSERT INTO t (id, n) VALUES (1, 11) ON CONFLICT (id) DO UPDATE SET n = 11",
      "REPLACE INTO t (id, n) VALUES (1, 11)", "1"),
    Example(
      "rows are replaced", "REPLACE INTO t (id, n) VALUES (1, 20), (7, 70)",
      "INSERT INTO t (id, n) VALUES (1, 11), (7, 70) ON CONFLICT (id) DO UPDATE SET n = excluded.n",
      "REPLACE INTO t (id, n) VALUES (1, 20), (7, 70)", "2"),
    Example(
      "a row is passed over", "INSERT OR IGNORE INTO t (n) VALUES (20), (40)",
      "INSERT INTO t (n) VALUES (20), (40) ON CONFLICT DO NOTHING",
      "INSERT IGNORE INTO t (n) VALUES (20), (40)", "1"),
    Example(
      "the only row is passed over", "INSERT OR IGNORE INTO t (n) VALUES (20)",
      "INSERT INTO t (n) VALUES (20) ON CONFLICT DO NOTHING",
      "INSERT IGNORE INTO t (n) VALUES (20)", "0"),
    Example("a table is copied", all: "CREATE TEMPORARY TABLE t2 AS SELECT n FROM t", "0"),
    Example("a table is altered", all: "ALTER TABLE t ADD COLUMN m INT DEFAULT 7", "0"),
    Example(
      "a comment is first", all: "/* a */ -- b\nINSERT INTO t (n) VALUES (1) RETURNING n", "1"),
  ]

  @Test(arguments: changes, Dialect.allCases)
  func `a changed row counts once`(_ example: Example, _ dialect: Dialect) async throws {
    #expect(try await answer(to: example, dialect) == example.expected)
  }

  static let codes = [
    Example(
      "a number is too great in the third row",
      "SELECT abs(n - 9223372036854775807 - 31) AS v FROM t ORDER BY n",
      "SELECT n + 9223372036854775780 AS v FROM t ORDER BY n",
      "SELECT n + 9223372036854775780 AS v FROM t ORDER BY n", "data"),
    Example(
      "a number is too great in a change",
      "UPDATE t SET n = abs(n - 9223372036854775807 - 31) WHERE n = 30",
      "UPDATE t SET n = n + 9223372036854775780", "UPDATE t SET n = n + 9223372036854775780", "data"
    ),
    Example(
      "a text is no JSON",
      "SELECT json_extract('{', '$.a') AS v FROM t", "SELECT ('{'::json)->'a' AS v FROM t",
      "INSERT INTO t (n) VALUES ('{')", "data"),
    Example(
      "a list is one value of IN",
      "SELECT n FROM t WHERE n IN (?)", "SELECT n FROM t WHERE n IN ($1)",
      "SELECT n FROM t WHERE n IN (?)", with: [.list([.int(10), .int(20)])], "data"),
    Example(
      "a placeholder is in quotes",
      "SELECT n FROM t WHERE n LIKE '%?%'", "SELECT n FROM t WHERE n::text LIKE '%$1%'",
      "SELECT n FROM t WHERE n LIKE '%?%'", with: [.string("1")], "data"),
    Example("a row is there already", all: "INSERT INTO t (n) VALUES (20)", "constraint"),
    Example("a column is unknown", all: "SELECT m FROM t", "syntax"),
    Example("a table is there already", all: "CREATE TEMPORARY TABLE t (n INT)", "syntax"),
  ]

  @Test(arguments: codes, Dialect.allCases)
  func `a mistake has the same code`(_ example: Example, _ dialect: Dialect) async throws {
    let answer = try await answer(to: example, dialect)

    #expect(answer.prefix { $0 != ":" } == example.expected, "\(answer)")
  }

  static let messages = [
    Example(
      "a parameter is missing", "SELECT ? AS a, ? AS b", "SELECT $1::text AS a, $2::text AS b",
      "SELECT ? AS a, ? AS b", with: [.int(1)], "data: the statement needs 2 parameters, got 1"),
    Example(
      "there is no parameter", "SELECT ?", "SELECT $1::text", "SELECT ?",
      "data: the statement needs 1 parameter, got 0"),
    Example(
      "a parameter is needless", all: "SELECT 1 AS a", with: [.decimal(Decimal(7))],
      "data: the statement needs 0 parameters, got 1"),
    Example(
      "columns have one name", all: "SELECT 1 AS a, 2 AS a",
      "syntax: two columns are named 'a': rename one with AS"),
    Example("there is no statement", all: "/* none */", "syntax: the statement is empty"),
  ]

  @Test(arguments: messages, Dialect.allCases)
  func `a mistake has the same message`(_ example: Example, _ dialect: Dialect) async throws {
    #expect(try await answer(to: example, dialect) == example.expected)
  }

  @Test(arguments: [
    ("INSERT INTO t (n) VALUES (1)", "4"), ("UPDATE t SET n = 11 WHERE n = 10", "null"),
    ("DELETE FROM t", "null"), ("REPLACE INTO t (id, n) VALUES (2, 5)", "2"),
    ("INSERT INTO t (id, n) VALUES (9, 5)", "9"), ("CREATE TEMPORARY TABLE t2 (n INT)", "null"),
  ])
  func `the last id is that of the new row`(_ sql: String, _ id: String) async throws {
    for dialect in [Dialect.sqlite, .mariaDB] {
      let answer = try await withTable(dialect) {
        await $0.field("last_id", "execute", ["sql": sql])
      }
      #expect(answer == id, "\(dialect)")
    }
  }
}
