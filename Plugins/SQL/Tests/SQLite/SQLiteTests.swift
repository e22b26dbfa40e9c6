import CSQLite
import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

@Suite struct SQLiteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (Value.null, "null", "null"), (.bool(true), "integer", "1"), (.int(-3), "integer", "-3"),
    (.uint(3), "integer", "3"), (.double(0.5), "real", "0.5"),
    (.double(.infinity), "real", "inf"),
    (.decimal(Decimal(significand: 1250, scale: 2)), "real", "12.5"),
    (.decimal(Decimal(significand: 300, scale: 2)), "real", "3.0"),
    (.decimal(Decimal(significand: -1_000, scale: 0)), "real", "-1000.0"),
    (.decimal(Decimal(9_007_199_254_740_993)), "integer", "9007199254740993"),
    (.optional(.decimal(Decimal(significand: 50, scale: 1))), "real", "5.0"),
    (
      .decimal(Decimal(significand: 1_234_567_890_123_456, scale: 2)), "text",
      "\"12345678901234.56\""
    ),
    (
      .number(WrittenNumber("12345678901234567890123456789012345678901")!), "text",
      "\"12345678901234567890123456789012345678901\""
    ),
    (.number(WrittenNumber("-0")!), "integer", "0"),
    (.number(WrittenNumber("1E1")!), "real", "10.0"),
    (.string("O'Brien\0ø"), "text", "\"O'Brien\\u{0}ø\""), (.string(""), "text", "\"\""),
    (.bytes(Bytes([0, 255])), "blob", "2 bytes"), (.bytes(Bytes([])), "blob", "0 bytes"),
    (.timestamp(.epoch), "text", "\"1970-01-01T00:00:00Z\""),
    (.duration(.milliseconds(1500)), "text", "\"1.5s\""),
    (.list([.int(1), .string("a")]), "text", #""[1,\"a\"]""#),
    (.map(ValueMap([("a", .bool(true))])), "text", #""{\"a\":true}""#),
  ])
  func `a parameter of each type is bound`(_ value: Value, type: String, text: String) async throws
  {
    let rows = try await SQL.with(["file": ":memory:"]) {
      await $0.rows("SELECT typeof(?1) AS type, ?1 AS value", value)
    }

    #expect(rows == "[{type: \"\(type)\", value: \(text)}]")
  }

  @Test(arguments: [
    ("BOOLEAN", "1", "true"), ("bool", "0", "false"), ("BOOLEAN", "2", "2"),
    ("DECIMAL(10,2)", "12.10", "12.1"), ("NUMERIC", "7", "7"), ("NUMERIC", "'x'", "\"x\""),
    ("NUMERIC", "'0.12345678901234567890'", "0.12345678901234568"),
    ("NUMERIC", "0.1 + 0.2", "0.30000000000000004"),
    ("TIMESTAMP", "'2026-01-31T09:00:00.5+01:00'", "2026-01-31T08:00:00.5Z"),
    ("DATETIME", "'2026-01-31 08:00:00'", "\"2026-01-31 08:00:00\""),
    ("DATE", "'2026-01-31'", "\"2026-01-31\""), ("REAL", "1", "1.0"), ("TEXT", "1", "\"1\""),
    ("BLOB", "x'00'", "1 bytes"), ("TEXT", "CAST(x'ff' AS TEXT)", "1 bytes"),
    ("ANY", "NULL", "null"),
  ])
  func `a declared type decides what a value is where nothing is lost`(
    _ type: String, _ written: String, _ read: String
  ) async throws {
    try await SQL.with(["file": ":memory:"]) { database in
      #expect(
        await database.transaction([
          "CREATE TABLE t (v \(type))", "INSERT INTO t VALUES (\(written))",
        ])
          == "[0, 1]")
      #expect(
        await database.text("query", ["sql": "SELECT v FROM t"])
          == "{rows: [{v: \(read)}], columns: [{name: \"v\", type: \"\(type)\"}]}")
    }
  }

  @Test func `a statement answers its changes, the last number and its rows`() async throws {
    try await SQL.with(["file": ":memory:"]) { database in
      func execute(_ sql: String) async -> String { await database.text("execute", ["sql": sql]) }

      #expect(
        await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
          == "{changes: 0, last_id: null, rows: []}")
      #expect(
        await execute("INSERT INTO t (v) VALUES (1), (2)") == "{changes: 2, last_id: 2, rows: []}")
      #expect(
        await execute("UPDATE t SET v = v + 1 RETURNING v")
          == "{changes: 2, last_id: null, rows: [{v: 2}, {v: 3}]}")
      #expect(await execute("DELETE FROM t WHERE v > 5") == "{changes: 0, last_id: null, rows: []}")
      #expect(
        await execute("CREATE INDEX i ON t (v)") == "{changes: 0, last_id: null, rows: []}")
    }
  }

  @Test(arguments: [
    ("", "syntax: the statement is empty"), ("-- nothing\n;", "syntax: the statement is empty"),
    ("SELECT 1; SELECT 2", "syntax: there are several statements: use 'transaction' or 'migrate'"),
    ("/* a */ begin", "syntax: BEGIN is not allowed here: use 'transaction'"),
    ("SELECT 1 AS a, 2 AS a", "syntax: two columns are named 'a': rename one with AS"),
    ("SELEC 1", #"syntax: line 1, column 1: near "SELEC": syntax error"#),
    ("SELECT x", "syntax: line 1, column 8: no such column: x"),
    ("SELECT 'é',\n  y\nFROM sqlite_master", "syntax: line 2, column 3: no such column: y"),
    ("SELECT 1\nFROM\n    tt", "syntax: no such table: tt"),
    (
      "SELECT \(String(repeating: "x", count: 2000))",
      "syntax: line 1, column 8: no such column: \(String(repeating: "x", count: 984))…"
    ),

    ("SELECT ?", "data: the statement needs 1 parameter, got 0"),
    ("DELETE FROM t", "forbidden: the statement may change something: use 'execute'"),
    ("ATTACH 'other.db' AS o", "forbidden: ATTACH and VACUUM INTO are not allowed"),
    ("SELECT v FROM t", "too_large: the result has more than 3 rows"),
    ("SELECT zeroblob(1000)", "too_large: the result has more than 100 bytes"),
    (
      "SELECT '\(String(repeating: "a", count: 1 << 20))'",
      "too_large: the statement has more than 1048576 bytes"
    ),
  ])
  func `what cannot be asked is an error of its class`(_ sql: String, _ error: String) async throws
  {
    let settings: [String: any FieldValue] = ["file": ":memory:", "max_rows": 3, "max_bytes": 100]
    try await SQL.with(settings) { database in
      _ = await database.transaction([
        "CREATE TABLE t (v)", "INSERT INTO t VALUES (1), (2), (3), (4)",
      ])

      #expect(await database.rows(sql) == error)
      #expect(await database.rows("SELECT 1 AS a; -- the end") == "[{a: 1}]")
    }
  }

  @Test(arguments: [
    ("SELECT abs(-9223372036854775808)", "data: integer overflow"),
    (
      "SELECT sum(v) FROM (SELECT 9223372036854775807 AS v UNION ALL SELECT 1)",
      "data: integer overflow"
    ),
    ("INSERT INTO t VALUES (json_extract('[', '$'))", "data: malformed JSON"),
    ("VACUUM", "ok"),
    ("CREATE VIRTUAL TABLE f USING fts5(a, a)", "syntax: vtable constructor failed: f"),
    ("ALTER TABLE t DROP COLUMN v", "syntax: cannot drop column \"v\": no other columns exist"),
  ])
  func `a value fails while a statement runs, and a statement itself`(
    _ sql: String, _ error: String
  ) async throws {
    try await SQL.with(["file": ":memory:"]) { database in
      _ = await database.changes("CREATE TABLE t (v)")
      let answer = await database.changes(sql)

      #expect((answer == "0" ? "ok" : answer) == error)
    }
  }

  @Test(arguments: [
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "{changes: 0, last_id: null, rows: []}"),
    ("CREATE VIRTUAL TABLE r USING rtree(id, a, b)", "{changes: 0, last_id: null, rows: []}"),
    ("CREATE TABLE c AS SELECT 1 AS a UNION SELECT 2", "{changes: 0, last_id: null, rows: []}"),
    ("INSERT INTO g VALUES ('x'), ('y')", "{changes: 2, last_id: 2, rows: []}"),
    ("DROP TABLE g", "{changes: 0, last_id: null, rows: []}"),
    ("ANALYZE", "{changes: 0, last_id: null, rows: []}"),
  ])
  func `only rows of the statement itself are counted`(
    _ sql: String, _ answer: String
  ) async throws {
    try await SQL.with(["file": ":memory:"]) { database in
      _ = await database.changes("CREATE VIRTUAL TABLE g USING fts5(a)")

      #expect(await database.text("execute", ["sql": sql]) == answer)
    }
  }

  static let mismatches: [(String, [Value], String)] = [
    (
      "SELECT 1 AS v WHERE 'a' LIKE '%?%'", [Value.string("a")],
      """
      data: line 1, column 32: '?' in quotes is text, not a placeholder: \
      put the whole text into the parameter
      """
    ),
    (
      "SELECT 1 AS v WHERE 2 IN (?1)", [.list([.int(2)])],
      """
      data: line 1, column 27: '?1' is one value of IN (...), and its parameter is a list: \
      write 'IN (SELECT value FROM json_each(?1))'
      """
    ),
    (
      "SELECT 1 AS v WHERE 2 IN (SELECT value FROM json_each(?))", [.list([.int(2)])],
      "[{v: 1}]"
    ),
    ("SELECT [a?], `b?` AS v FROM (SELECT 1 AS [a?], 2 AS `b?`)", [], #"[{"a?": 1, v: 2}]"#),
  ]

  @Test(arguments: mismatches)
  func `a parameter that does not match is named`(
    _ sql: String, _ parameters: [Value], _ answer: String
  ) async throws {
    let rows = try await SQL.with(["file": ":memory:"]) {
      await $0.field("rows", "query", ["sql": sql, "parameters": parameters])
    }

    #expect(rows == answer)
  }

  @Test(arguments: [
    (Value.double(.nan), "data: parameter 1 is NaN, which SQLite cannot store"),
    (.uint(.max), "data: parameter 1 is greater than SQLite's greatest integer"),
    (
      .list([.int(1), .map(ValueMap([("low", .double(-.infinity))]))]),
      "data: parameter 1 cannot be written as JSON: '[1].low' is -inf, which JSON cannot hold"
    ),
  ])
  func `a value that SQLite cannot store is refused`(_ value: Value, _ error: String) async throws {
    let answer = try await SQL.with(["file": ":memory:"]) { await $0.rows("SELECT ?", value) }

    #expect(answer == error)
  }

  @Test func `rows have the columns that the table has now`() async throws {
    let settings = ["file": "t.db"]
    try await SQL.with(settings, in: folder.directory.path) { database in
      _ = await database.changes("CREATE TABLE t (a, b)")
      _ = await database.changes("INSERT INTO t VALUES (1, 2)")
      #expect(await database.rows("SELECT * FROM t") == "[{a: 1, b: 2}]")

      try await SQL.with(settings, in: folder.directory.path) { other in
        _ = await other.changes("ALTER TABLE t DROP COLUMN a")
      }

      #expect(await database.rows("SELECT * FROM t") == "[{b: 2}]")
    }
  }

  @Test func `a statement whose answer is too long changes nothing`() async throws {
    try await SQL.with(["file": ":memory:", "max_rows": 2]) { database in
      #expect(await database.changes("CREATE TABLE t (v)") == "0")
      #expect(
        await database.changes("INSERT INTO t VALUES (1), (2), (3) RETURNING v")
          == "too_large: the result has more than 2 rows")
      #expect(await database.rows("SELECT count(*) AS n FROM t") == "[{n: 0}]")
    }
  }

  @Test func `of a transaction everything stays or nothing`() async throws {
    try await SQL.with(["file": ":memory:"]) { database in
      #expect(
        await database.transaction(["CREATE TABLE t (v UNIQUE)", "INSERT INTO t VALUES (1), (2)"])
          == "[0, 2]")
      #expect(
        await database.transaction(["DELETE FROM t WHERE v = 1", "INSERT INTO t VALUES (2)"])
          == "constraint: statement 2: UNIQUE constraint failed: t.v")
      #expect(
        await database.transaction(["DELETE FROM t", "COMMIT"])
          == "syntax: statement 2: COMMIT is not allowed here: use 'transaction'")
      #expect(await database.rows("SELECT v FROM t ORDER BY v") == "[{v: 1}, {v: 2}]")
    }
  }

  @Test(arguments: [
    "/* all of src/*.sql */ COMMIT", "/* /* */ */ COMMIT", "\u{feff}COMMIT", "-- x\n;COMMIT",
  ])
  func `no comment hides the end of a transaction`(_ sql: String) async throws {
    let error = try await SQL.with(["file": ":memory:"]) { await $0.changes(sql) }

    #expect(error == "syntax: COMMIT is not allowed here: use 'transaction'")
  }

  @Test func `a migration is done whole or not at all`() async throws {
    try folder.write("CREATE TABLE t (v); -- ;\nINSERT INTO t VALUES (';');;\n", to: "good.sql")
    try folder.write(
      "INSERT INTO t VALUES (2);\n-- ;\n\nINSERT INTO u VALUES (1);\n", to: "bad.sql")
    try folder.write("BEGIN; INSERT INTO t VALUES (2); COMMIT;", to: "own.sql")
    try folder.write([0xff], to: "bytes.sql")
    try folder.write("\u{feff}SELECT 1;\n", to: "mark.sql")
    try folder.write("\u{feff}SELECT 1;\n-- ø\nCREATE tabel x (v);\n", to: "word.sql")
    try folder.write("SELECT 1;".utf16.flatMap { [UInt8($0 & 0xff), 0] }, to: "wide.sql")
    try await SQL.with(["file": ":memory:"], in: folder.directory.path) { database in
      let expected = [
        ("good.sql", "{statements: 2}"),
        ("bad.sql", "syntax: bad.sql:4: no such table: u"),
        ("word.sql", "syntax: word.sql:3:8: near \"tabel\": syntax error"),
        ("mark.sql", "{statements: 1}"),
        ("wide.sql", "file: 'wide.sql' is in UTF-16, not UTF-8"),
        ("own.sql", "syntax: own.sql:1: BEGIN is not allowed here: use 'transaction'"),
        ("bytes.sql", "file: 'bytes.sql' is not UTF-8 text"),
        ("none.sql", "file: cannot read 'none.sql': no such file"),
        ("../x.sql", "file: cannot read '../x.sql': the path is outside the scenario's folder"),
      ]
      for (path, answer) in expected {
        #expect(await database.text("migrate", ["path": path]) == answer)
      }
      #expect(await database.rows("SELECT v FROM t") == "[{v: \";\"}]")
    }
  }
}
