import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

@Suite(.enabled(if: TestServer.isHere, TestServer.absence)) struct PostgreSQLTests {
  @Test(arguments: [
    ("NULL::int4", "int4", "null"), ("true", "bool", "true"), ("7::int2", "int2", "7"),
    ("9223372036854775807", "int8", "9223372036854775807"), ("0.1::float4", "float4", "0.1"),
    ("'-Infinity'::float8", "float8", "-inf"), ("1e300::float8", "float8", "1e+300"),
    ("12.50", "numeric", "12.50"), ("'NaN'::numeric", "numeric", "\"NaN\""),
    (
      "1234567890123456789012345678901234567890.5", "numeric",
      "\"1234567890123456789012345678901234567890.5\""
    ),
    ("'O''Brien'", "text", "\"O'Brien\""), ("'a'::varchar(3)", "varchar", "\"a\""),
    ("'\\x00ff'::bytea", "bytea", "2 bytes"),
    ("'2026-01-31 09:00:00.5+01'::timestamptz", "timestamptz", "2026-01-31T08:00:00.5Z"),
    ("'2026-01-31 09:00:00+05:30'::timestamptz", "timestamptz", "2026-01-31T03:30:00Z"),
    ("'infinity'::timestamptz", "timestamptz", "\"infinity\""),
    ("'2026-01-31 09:00'::timestamp", "timestamp", "\"2026-01-31 09:00:00\""),
    ("'2026-01-31'::date", "date", "\"2026-01-31\""),
    ("'1h'::interval", "interval", "\"01:00:00\""),
    ("'{\"a\": [1, 2.50]}'::jsonb", "jsonb", "{a: [1, 2.50]}"), ("'null'::json", "json", "null"),
    (
      "'7B1F7B0E-5b7e-4d8e-9d8e-0a1b2c3d4e5f'::uuid", "uuid",
      "\"7b1f7b0e-5b7e-4d8e-9d8e-0a1b2c3d4e5f\""
    ),
    ("ARRAY[1, NULL, 3]", "_int4", "[1, null, 3]"), ("ARRAY[]::text[]", "_text", "[]"),
    (#"ARRAY['a "b" \', 'NULL', '', 'ø,{']"#, "_text", #"["a \"b\" \\", "NULL", "", "ø,{"]"#),
    ("ARRAY[[1], [2]]", "_int4", "\"{{1},{2}}\""), ("'[1:1]={7}'::int4[]", "_int4", "[7]"),
    ("'[2:2]={7}'::int4[]", "_int4", "\"[2:2]={7}\""), ("'10.0.0.1'::inet", "inet", "\"10.0.0.1\""),
    ("'{1.0, 2}'::numeric[]", "_numeric", "[1.0, 2]"),
    ("'x'::information_schema.character_data", "varchar", "\"x\""),
  ])
  func `a value of each type is read`(_ sql: String, _ type: String, _ value: String) async throws {
    let answer = try await SQL.onServer { await $0.text("query", ["sql": "SELECT \(sql) AS v"]) }

    #expect(answer == "{rows: [{v: \(value)}], columns: [{name: \"v\", type: \"\(type)\"}]}")
  }

  @Test(arguments: [
    (Value.null, "int4", "null"), (.bool(false), "bool", "false"), (.int(-3), "int8", "-3"),
    (.uint(.max), "numeric", "18446744073709551615"), (.double(.infinity), "float8", "inf"),
    (.decimal(Decimal(significand: 1250, scale: 2)), "numeric", "12.50"),
    (.string("O'Brien \\ ø"), "text", "\"O'Brien \\\\ ø\""),
    (.bytes(Bytes([0, 255])), "bytea", "2 bytes"),
    (.timestamp(.epoch), "timestamptz", "1970-01-01T00:00:00Z"),
    (.duration(.milliseconds(1500)), "interval", "\"00:00:01.5\""),
    (.map(ValueMap([("a", .list([.int(1)]))])), "jsonb", "{a: [1]}"),
    (.list([.int(1), .string("a")]), "jsonb", "[1, \"a\"]"), (.list([.int(1)]), "text", "\"[1]\""),
    (.list([.int(1), .null]), "int4[]", "[1, null]"),
    (.list([.string("a \"b\" \\"), .string("NULL")]), "text[]", #"["a \"b\" \\", "NULL"]"#),
  ])
  func `a parameter of each type is bound`(
    _ value: Value, _ type: String, _ text: String
  ) async throws {
    let rows = try await SQL.onServer { await $0.rows("SELECT $1::\(type) AS v", value) }

    #expect(rows == "[{v: \(text)}]")
  }

  @Test(arguments: [
    ("", "syntax: the statement is empty"),
    ("SELECT 1; SELECT 2", "syntax: cannot insert multiple commands into a prepared statement"),
    ("SELEC 1", #"syntax: line 1, column 1: syntax error at or near "SELEC""#),
    ("SELECT x", #"syntax: line 1, column 8: column "x" does not exist"#),
    ("SELECT 'é',\n  y", #"syntax: line 2, column 3: column "y" does not exist"#),
    (
      "SELECT relnmae\nFROM pg_class",
      """
      syntax: line 1, column 8: column "relnmae" does not exist; hint: Perhaps you meant to \
      reference the column "pg_class.relname".
      """
    ),
    ("SELECT $1 +", "syntax: line 1, column 12: syntax error at end of input"),
    ("\\dt", "syntax: line 1, column 1: '\\dt' is a command of psql, not a statement"),
    ("SELECT 1 AS a, 2 AS a", "syntax: two columns are named 'a': rename one with AS"),
    ("SELECT 1 / 0", "data: division by zero"),
    ("SELECT 'a'::int4", #"data: line 1, column 8: invalid input syntax for type integer: "a""#),
    ("SELECT $1::text", "data: the statement needs 1 parameter, got 0"),
    ("CREATE TABLE t (v int)", "forbidden: cannot execute CREATE TABLE in a read-only transaction"),
    ("SELECT generate_series(1, 10)", "too_large: the result has more than 3 rows"),
    ("SELECT repeat('a', 1000)", "too_large: the result has more than 100 bytes"),
    (
      "COPY (SELECT 1) TO STDOUT",
      "syntax: COPY from and to the client is not supported: the connection was closed"
    ),
  ])
  func `what cannot be asked is an error of its class`(_ sql: String, _ error: String) async throws
  {
    try await SQL.onServer(settings: ["max_rows": 3, "max_bytes": 100]) { database in
      #expect(await database.rows(sql) == error)
      #expect(await database.rows("SELECT 1 AS a") == "[{a: 1}]")
    }
  }

  static let mismatches: [(String, [Value], String)] = [
    (
      "SELECT 1 AS v WHERE 'a' LIKE '%$1%'", [Value.string("a")],
      """
      data: line 1, column 32: '$1' in quotes is text, not a placeholder: \
      put the whole text into the parameter
      """
    ),
    (
      "SELECT $2::text AS v,\n  $a$ $1 $a$ AS w -- $1", [.decimal(Decimal(1)), .string("a")],
      """
      data: line 2, column 7: '$1' in quotes is text, not a placeholder: \
      put the whole text into the parameter
      """
    ),
    ("SELECT $2::text AS v -- $1", [.int(1), .int(2)], "data: parameter 1 is not used"),
    (
      "SELECT $1::text AS v", [.int(1), .decimal(Decimal(2))],
      "data: the statement needs 1 parameter, got 2"
    ),
    (
      "SELECT 1 AS v WHERE 1 IN ($1)", [.list([.int(1)])],
      """
      data: line 1, column 27: '$1' is one value of IN (...), and its parameter is a list: \
      write '= any($1)', or '<> all($1)' in place of NOT IN
      """
    ),
    (
      "SELECT 1 AS v WHERE 'a' IN ('b' , $1 )", [.list([.string("a")])],
      """
      data: line 1, column 35: '$1' is one value of IN (...), and its parameter is a list: \
      write '= any($1)', or '<> all($1)' in place of NOT IN
      """
    ),
    ("SELECT 1 AS v WHERE '{a}'::text[] IN ($1)", [.list([.string("a")])], "[{v: 1}]"),
    ("SELECT 1 AS v WHERE '[1]'::jsonb IN ($1)", [.list([.int(1)])], "[{v: 1}]"),
    ("SELECT 1 AS v WHERE 'a' IN (SELECT unnest($1::text[]))", [.list([.string("a")])], "[{v: 1}]"),
    (
      "SELECT 'it''s $1' || \"v$2\" AS v FROM (SELECT $1 AS \"v$2\") x", [.string("a")],
      "[{v: \"it's $1a\"}]"
    ),
  ]

  @Test(arguments: mismatches)
  func `a parameter that does not match is named`(
    _ sql: String, _ parameters: [Value], _ answer: String
  ) async throws {
    try await SQL.onServer { database in
      #expect(
        await database.field("rows", "query", ["sql": sql, "parameters": parameters]) == answer)
      #expect(await database.rows("SELECT 1 AS a") == "[{a: 1}]")
    }
  }

  @Test func `a statement cannot change the formats of values`() async throws {
    let sql = "SELECT '2026-01-31 09:00:00+00'::timestamptz AS t, 0.1::float8 + 0.2 AS f"
    try await SQL.onServer { database in
      for setting in [
        "DateStyle = german", "bytea_output = escape", "extra_float_digits = 0",
        "client_encoding = latin1",
      ] {
        #expect(await database.changes("SET \(setting)") == "0")
      }

      #expect(
        await database.rows(sql) == "[{t: 2026-01-31T09:00:00Z, f: 0.30000000000000004}]")
      #expect(await database.rows("SELECT '\\x00ff'::bytea AS b") == "[{b: 2 bytes}]")
      #expect(await database.rows("SELECT 'ü' || $1 AS v", .string("ö")) == "[{v: \"üö\"}]")
      #expect(await database.changes("CREATE TEMPORARY TABLE z (t timestamptz)") == "0")
      #expect(
        await database.field(
          "rows", "execute",
          ["sql": "INSERT INTO z VALUES ('2026-01-31 09:00+00') RETURNING t"])
          == "[{t: 2026-01-31T09:00:00Z}]")
      #expect(await database.rows("SHOW DateStyle") == "[{DateStyle: \"ISO, DMY\"}]")
    }
  }

  @Test func `a time limit of the server's own is an error of its class`() async throws {
    try await SQL.onServer { database in
      #expect(
        await database.transaction(["SET LOCAL statement_timeout = 1", "SELECT pg_sleep(3600)"])
          == "timeout: statement 2: canceling statement due to statement timeout")
      #expect(await database.rows("SELECT 1 AS a") == "[{a: 1}]")
    }
  }

  @Test func `a rule of the database is an error of its class`() async throws {
    try await SQL.onServer { database in
      #expect(
        await database.changes("CREATE TEMPORARY TABLE t (v int4 UNIQUE CHECK (v > 0), w text)")
          == "0")
      #expect(await database.changes("INSERT INTO t VALUES ($1, $2)", .int(1), .string("a")) == "1")
      #expect(
        await database.changes("INSERT INTO t VALUES (1)")
          == #"constraint: duplicate key value violates unique constraint "t_v_key": Key (v)=(1) already exists."#
      )
      #expect(
        await database.changes("INSERT INTO t VALUES ($1, $2)", .int(-1), .string("hidden"))
          == #"constraint: new row for relation "t" violates check constraint "t_v_check""#)
      #expect(
        await database.changes("DO $$ BEGIN RAISE 'not on Sundays'; END $$")
          == "constraint: not on Sundays")
      #expect(
        await database.changes("INSERT INTO t (w) VALUES ($1)", .string("a\0b"))
          == "data: parameter 1 contains a zero byte, which PostgreSQL cannot store")
      #expect(await database.changes("UPDATE t SET v = 2 RETURNING v") == "1")
    }
  }

  @Test func `a statement whose answer is too long changes nothing`() async throws {
    try await SQL.onServer(settings: ["max_rows": 2]) { database in
      #expect(await database.changes("CREATE TEMPORARY TABLE t (v int4)") == "0")
      #expect(
        await database.changes("INSERT INTO t VALUES (1), (2), (3) RETURNING v")
          == "too_large: the result has more than 2 rows")
      #expect(await database.rows("SELECT count(*) AS n FROM t") == "[{n: 0}]")
    }
  }

  @Test func `more parameters than there can be are refused`() async throws {
    let values = [Value](repeating: .null, count: 65_536)
    let answer = try await SQL.onServer {
      await $0.text("query", ["sql": "SELECT 1 AS a", "parameters": values])
    }

    #expect(answer == "data: parameter 65536 is one more than PostgreSQL accepts")
  }

  @Test func `of a transaction everything stays or nothing`() async throws {
    try await SQL.onServer { database in
      #expect(
        await database.transaction([
          "CREATE TEMPORARY TABLE t (v int4 UNIQUE)", "INSERT INTO t VALUES (1), (2)",
        ]) == "[0, 2]")
      #expect(
        await database.transaction(["DELETE FROM t WHERE v = 1", "INSERT INTO t VALUES (2)"])
          == """
          constraint: statement 2: duplicate key value violates unique constraint "t_v_key": \
          Key (v)=(2) already exists.
          """)
      #expect(await database.rows("SELECT v FROM t ORDER BY v") == "[{v: 1}, {v: 2}]")
    }
  }

  @Test func `a migration is done whole or not at all`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "CREATE TEMPORARY TABLE m (v text); -- ;\nINSERT INTO m VALUES ($a$;$a$);;\n", to: "good.sql")
    try folder.write("INSERT INTO m VALUES ('ø');\n\nINSERT INTO none VALUES (1);\n", to: "bad.sql")
    try folder.write("INSERT INTO m VALUES (2);\nINSERT INTO m VALUES (1 / 0);\n", to: "zero.sql")
    try folder.write("INSERT INTO m VALUES (3); COMMIT;", to: "own.sql")
    try folder.write("\u{feff}SELECT 1;\n", to: "mark.sql")
    try folder.write("\u{feff}SELECT 1;\n-- ø\nCREATE tabel x (v int);\n", to: "word.sql")
    try folder.write(
      "SET x.y = 'COPY a FROM STDIN';\nSELECT 1; -- data\n\ncopy m (v)\n from stdin WITH (FORMAT text);\n7\tq\n\\.\n",
      to: "dump.sql")
    try folder.write("SELECT 1;\n\\connect other\n", to: "meta.sql")
    try await SQL.onServer(in: folder.directory.path) { database in
      let expected = [
        ("good.sql", "{statements: 2}"),
        ("bad.sql", "syntax: bad.sql:3:13: relation \"none\" does not exist"),
        ("mark.sql", "{statements: 1}"),
        ("word.sql", "syntax: word.sql:3:8: syntax error at or near \"tabel\""),
        (
          "dump.sql",
          "syntax: dump.sql:4:1: COPY ... FROM STDIN is not supported: use INSERT, as 'pg_dump --inserts' does"
        ),
        ("meta.sql", "syntax: meta.sql:2:1: '\\connect' is a command of psql, not a statement"),
        ("zero.sql", "data: zero.sql: statement 2: division by zero"),
        ("own.sql", "syntax: own.sql: the statement ended the transaction"),
      ]
      for (path, answer) in expected {
        #expect(await database.text("migrate", ["path": path]) == answer)
      }
      #expect(await database.rows("SELECT v FROM m") == "[{v: \";\"}, {v: \"3\"}]")
    }
  }

  @Test func `types of the database's own have their names`() async throws {
    try await SQL.onServer { database in
      #expect(await database.changes("CREATE TYPE pg_temp.mood AS ENUM ('good')") == "0")
      for _ in 0..<2 {
        #expect(
          await database.text("query", ["sql": "SELECT 'good'::pg_temp.mood AS v"])
            == "{rows: [{v: \"good\"}], columns: [{name: \"v\", type: \"mood\"}]}")
      }
    }
  }
}
