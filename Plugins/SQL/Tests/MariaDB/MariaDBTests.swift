import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

/// The tests' own server of MariaDB.
enum MariaDB {
  static let absence = Comment(rawValue: MariaDBServer.absence)

  /// Runs work with a component on the server.
  static func onServer<Success>(
    _ parameters: String = "", settings: [String: any FieldValue] = [:], in folder: String = ".",
    _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    let url = try await MariaDBServer.shared().url(parameters)
    return try await SQL.with(
      settings.merging(["url": url]) { given, _ in given }, in: folder, work)
  }
}

@Suite(.enabled(if: MariaDBServer.isHere, MariaDB.absence)) struct MariaDBTests {
  @Test(arguments: [
    ("NULL", "null", "null"), ("1", "int", "1"), ("CAST(-7 AS SIGNED)", "int", "-7"),
    ("9223372036854775807", "bigint", "9223372036854775807"),
    ("18446744073709551615", "bigint unsigned", "18446744073709551615"),
    ("CAST(0.1 AS FLOAT)", "float", "0.1"), ("1e300", "double", "1e+300"),
    ("12.50", "decimal", "12.50"), ("'O''Brien'", "varchar", "\"O'Brien\""),
    ("'größer'", "varchar", "\"größer\""), ("''", "varchar", "\"\""),
    ("x'00ff'", "varbinary", "2 bytes"), ("DATE '2026-01-31'", "date", "\"2026-01-31\""),
    ("TIME '08:00:01'", "time", "\"08:00:01\""),
    ("TIMESTAMP '2026-01-31 08:00:00'", "datetime", "\"2026-01-31 08:00:00\""),
    ("REPEAT('x', 70000)", "text", "\"\(String(repeating: "x", count: 70_000))\""),
  ])
  func `a value of each type is read`(_ sql: String, _ type: String, _ value: String) async throws {
    let sql = ["sql": "SELECT \(sql) AS v"]

    try await MariaDB.onServer { database in
      let columns = await database.field("columns", "query", sql)
      let rows = try await database.call("query", sql)
      #expect(columns == #"[{name: "v", type: "\#(type)"}]"#)
      guard case .record(let answer) = rows, case .list(let list)? = answer["rows"],
        case .map(let row)? = list.first
      else {
        Issue.record("no row")
        return
      }
      #expect(row["v"]?.description == value)
    }
  }

  @Test func `values are sent as they are`() async throws {
    let long = String(repeating: "ü", count: 40_000)
    let values: [(Value, String)] = [
      (.null, "null"), (.bool(true), "1"), (.int(-5), "-5"), (.uint(.max), "18446744073709551615"),
      (.double(0.1), "0.1"), (.string("a\0b'\\\""), #""a\u{0}b'\\\"""#), (.string(""), "\"\""),
      (.string(long), "\"\(long)\""),
      (.list([.int(1), .string("x")]), #""[1,\"x\"]""#),
    ]

    let price = try #require(Decimal("12.50"))
    let start = try #require(Timestamp("2026-01-31T09:00:00+01:00"))

    try await MariaDB.onServer { database in
      for (value, expected) in values {
        #expect(await database.rows("SELECT ? AS v", value) == "[{v: \(expected)}]")
      }
      #expect(
        await database.rows("SELECT HEX(?) AS v", .bytes(Bytes([0, 255]))) == #"[{v: "00FF"}]"#)
      #expect(
        await database.rows("SELECT ? + 0.05 AS v", .decimal(price))
          == "[{v: 12.55}]")
      #expect(
        await database.rows(
          "SELECT TIMESTAMPDIFF(HOUR, ?, '2026-01-31 10:00:00') AS v",
          .timestamp(start)) == "[{v: 2}]")
      #expect(
        await database.rows("SELECT ?", .double(.nan))
          == "data: parameter 1 is nan, which MySQL cannot store")
      #expect(
        await database.rows("SELECT 1 AS v FROM DUAL WHERE 'a?' LIKE '%?\\'?%'", .int(1))
          == """
          data: line 1, column 33: '?' in quotes is text, not a placeholder: \
          put the whole text into the parameter
          """)
      #expect(
        await database.rows("SELECT 1 AS v FROM DUAL WHERE 1 NOT IN (0, ?)", .list([.int(1)]))
          == """
          data: line 1, column 44: '?' is one value of IN (...), and its parameter is a list: \
          write a placeholder for each value
          """)
    }
  }

  @Test func `a statement changes rows, and its own transaction is over`() async throws {
    try await MariaDB.onServer { database in
      #expect(
        await database.changes(
          "CREATE TABLE c (id INT AUTO_INCREMENT PRIMARY KEY, t VARCHAR(9) UNIQUE)") == "0")
      #expect(await database.changes("INSERT INTO c (t) VALUES (?), ('b')", .string("a")) == "2")
      // Also the rows that stay as they are.
      #expect(await database.changes("UPDATE c SET t = t") == "2")
      #expect(
        await database.field(
          "last_id", "execute", ["sql": "INSERT INTO c (t) VALUES ('c')"]) == "3")
      #expect(
        await database.field(
          "rows", "execute", ["sql": "DELETE FROM c WHERE id = 3 RETURNING t"]) == #"[{t: "c"}]"#)
      #expect(
        await database.transaction(["DELETE FROM c", "INSERT INTO c (t) VALUES ('x'), ('x')"])
          .hasPrefix("constraint: statement 2: Duplicate entry 'x' for key 't'"))
      #expect(await database.rows("SELECT COUNT(*) AS n FROM c") == "[{n: 2}]")
      #expect(
        await database.transaction(["DELETE FROM c", "CREATE TABLE c2 (i INT)"])
          == "syntax: statement 2: the statement ended the transaction, and the changes before it stay"
      )
      #expect(await database.changes("DROP TABLE c, c2") == "0")
    }
  }

  @Test(arguments: [
    ("SELECT nope", "syntax: Unknown column 'nope' in 'SELECT'"),
    ("SELEC 1", "syntax: You have an error in your SQL syntax"),
    ("SELECT 1; SELECT 2", "syntax: You have an error in your SQL syntax"),
    ("-- nothing", "syntax: the statement is empty"),
    ("SELECT * FROM mysql.user", "forbidden: SELECT command denied to user 'flow'@'localhost'"),
    ("SELECT 1 AS a, 2 AS a", "syntax: two columns are named 'a'"),
    (
      "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no stock'",
      "constraint: no stock (SQLSTATE 45000)"
    ),
    ("CALL none()", "syntax: PROCEDURE flow.none does not exist"),
    ("BEGIN", "syntax: BEGIN is not allowed here: use 'transaction'"),
    (
      "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t",
      "syntax: "
    ),
  ])
  func `an error of the server has a code`(_ sql: String, _ expected: String) async throws {
    let answer = try await MariaDB.onServer { await $0.changes(sql) }

    #expect(answer.lowercased().hasPrefix(expected.lowercased()), "\(answer)")
  }

  @Test(arguments: [
    (
      "SET STATEMENT max_statement_time = 0.01 FOR SELECT SLEEP(600) AS v FROM seq_1_to_3",
      "timeout: Query execution was interrupted (max_statement_time exceeded)"
    ),
    (
      "SELECT (SELECT seq FROM seq_1_to_3 b WHERE b.seq <= a.seq) AS v FROM seq_1_to_5 a",
      "data: Subquery returns more than 1 row"
    ),
    ("SELECT same_three(seq) AS v FROM seq_1_to_5", "constraint: three (SQLSTATE 45001)"),
    (
      "SELECT CAST(seq AS UNSIGNED) - 3 AS v FROM seq_1_to_5",
      """
      data: BIGINT UNSIGNED value is out of range in \
      'cast(`flow`.`seq_1_to_5`.`seq` as unsigned) - 3'
      """
    ),
    ("CALL same_rows()", "constraint: three (SQLSTATE 45001)"),
  ])
  func `an error in place of a row is that of the server`(
    _ sql: String, _ expected: String
  ) async throws {
    try await MariaDB.onServer { database in
      _ = await database.changes(
        """
        CREATE FUNCTION IF NOT EXISTS same_three(a INT) RETURNS INT BEGIN IF a = 3 THEN
        SIGNAL SQLSTATE '45001' SET MESSAGE_TEXT = 'three'; END IF; RETURN a; END
        """)
      _ = await database.changes(
        """
        CREATE PROCEDURE IF NOT EXISTS same_rows()
        BEGIN SELECT same_three(seq) AS v FROM seq_1_to_5; END
        """)
      let connection = await database.rows("SELECT CONNECTION_ID() AS v")

      #expect(await database.rows(sql) == expected)
      #expect(await database.rows("SELECT CONNECTION_ID() AS v") == connection)
    }
  }

  @Test func `a procedure with several results is refused`() async throws {
    try await MariaDB.onServer { database in
      _ = await database.changes("CREATE TABLE w (i INT)")
      for (name, body) in [
        ("w1", "INSERT INTO w VALUES (1); SELECT 1 AS a;"), ("w2", "SELECT 1 AS a; SELECT 2 AS b;"),
        ("w3", "SELECT 1 AS a; INSERT INTO w VALUES (3); SELECT 2 AS b; SELECT 3 AS c;"),
      ] {
        #expect(await database.changes("CREATE PROCEDURE \(name)() BEGIN \(body) END") == "0")
      }

      #expect(await database.field("rows", "execute", ["sql": "CALL w1()"]) == "[{a: 1}]")
      #expect(
        await database.rows("CALL w2()")
          == "syntax: the statement has 2 results, of which only one can be returned")
      #expect(
        await database.changes("CALL w3()")
          == "syntax: the statement has 3 results, of which only one can be returned; its changes stay"
      )
      #expect(
        await database.transaction(["CALL w3()"])
          == "syntax: statement 1: the statement has 3 results, of which only one can be returned")
      #expect(await database.rows("SELECT i FROM w") == "[{i: 1}, {i: 3}]")
      for sql in ["TABLE w", "PROCEDURE w1", "PROCEDURE w2", "PROCEDURE w3"] {
        #expect(await database.changes("DROP \(sql)") == "0")
      }
    }
  }

  @Test func `of several new rows no id is the last one`() async throws {
    try await MariaDB.onServer { database in
      _ = await database.changes(
        "CREATE TEMPORARY TABLE s (id INT AUTO_INCREMENT PRIMARY KEY, n INT UNIQUE)")
      func lastID(_ sql: String) async -> String {
        await database.field("last_id", "execute", ["sql": sql])
      }

      #expect(await lastID("INSERT INTO s (n) VALUES (1), (2)") == "null")
      #expect(await lastID("INSERT INTO s (n) SELECT seq FROM seq_11_to_13") == "null")
      #expect(await lastID("INSERT INTO s (n) VALUES (1) ON DUPLICATE KEY UPDATE n = 9") == "null")
      #expect(await lastID("INSERT INTO s (id, n) VALUES (77, 3)") == "77")
      #expect(
        await database.field(
          "rows", "execute", ["sql": "INSERT INTO s (n) VALUES (4), (5) RETURNING id"])
          == "[{id: 78}, {id: 79}]")
    }
  }

  @Test func `a statement cannot change the formats of values`() async throws {
    try await MariaDB.onServer { database in
      _ = await database.changes("CREATE TEMPORARY TABLE z (t TIMESTAMP, v VARCHAR(9))")
      _ = await database.changes("INSERT INTO z VALUES ('2026-01-31 08:00:00', 'ü')")
      #expect(await database.changes("SET time_zone = '+05:00'") == "0")
      #expect(await database.changes("SET NAMES latin1") == "0")

      #expect(
        await database.rows("SELECT t, v FROM z WHERE v = ?", .string("ü"))
          == #"[{t: 2026-01-31T08:00:00Z, v: "ü"}]"#)
      #expect(await database.changes("SET time_zone = '+05:00'") == "0")
      #expect(
        await database.field("rows", "execute", ["sql": "DELETE FROM z RETURNING t"])
          == "[{t: 2026-01-31T08:00:00Z}]")
    }
  }

  @Test func `a query writes nothing`() async throws {
    try await MariaDB.onServer { database in
      #expect(await database.changes("CREATE TABLE q (i INT)") == "0")
      for sql in ["INSERT INTO q VALUES (1)", "DROP TABLE q", "CREATE TABLE q2 (i INT)"] {
        #expect(await database.rows(sql).hasPrefix("forbidden: "))
      }
      #expect(await database.changes("DROP TABLE q") == "0")
    }
  }

  @Test func `a file runs to its first mistake`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      CREATE TABLE f (i INT);
      CREATE PROCEDURE p() BEGIN INSERT INTO f VALUES (1); INSERT INTO f VALUES (2); END;
      CALL p();
      """, to: "good.sql")
    try folder.write("INSERT INTO f VALUES (3); INSERT INTO f VALUES ('x', 1)", to: "bad.sql")
    try folder.write("DELIMITER //\nSELECT 1//", to: "client.sql")

    try await MariaDB.onServer(in: folder.path(".")) { database in
      #expect(await database.field("statements", "migrate", ["path": "good.sql"]) == "3")
      #expect(
        await database.field("statements", "migrate", ["path": "bad.sql"])
          == "data: bad.sql: statement 2: Column count doesn't match value count at row 1")
      #expect(
        await database.field("statements", "migrate", ["path": "client.sql"])
          == "syntax: client.sql: statement 1: 'DELIMITER' is a command of mysql, not a statement")
      #expect(await database.rows("SELECT i FROM f ORDER BY i") == "[{i: 1}, {i: 2}]")
      _ = await database.changes("DROP TABLE f")
      _ = await database.changes("DROP PROCEDURE p")
    }
  }

  @Test func `a result has limits, after which the connection goes on`() async throws {
    let numbers = "SELECT seq FROM seq_1_to_1000"

    try await MariaDB.onServer(settings: ["max_rows": 10, "max_bytes": 1_000]) { database in
      let connection = await database.rows("SELECT CONNECTION_ID() AS v")
      #expect(await database.rows(numbers) == "too_large: the result has more than 10 rows")
      #expect(
        await database.rows("SELECT REPEAT('x', 2000) AS v")
          == "too_large: the result has more than 1000 bytes")
      #expect(await database.rows("SELECT CONNECTION_ID() AS v") == connection)
      // The rest of a long result is not read.
      #expect(
        await database.rows("SELECT seq FROM seq_1_to_900000000")
          == "too_large: the result has more than 10 rows")
      #expect(await database.rows("SELECT 1 AS v") == "[{v: 1}]")
    }
  }

  @Test func `a cancelled call ends its statement at the server`() async throws {
    try await MariaDB.onServer { observer in
      try await MariaDB.onServer { database in
        let call = Task { await database.rows("SELECT SLEEP(600) AS stuck") }
        let running =
          "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE '%AS stuck'"
          + " AND command IN ('Query', 'Execute')"
        while await observer.rows(running) != "[{n: 1}]" { await Task.yield() }
        call.cancel()

        #expect(await call.value == "CancellationError()")
        #expect(await observer.rows(running) == "[{n: 0}]")
        #expect(await database.rows("SELECT 1 AS v") == "[{v: 1}]")
      }
    }
  }

  @Test func `a lost connection is opened again`() async throws {
    try await MariaDB.onServer { database in
      #expect(
        await database.rows("KILL CONNECTION_ID()").hasPrefix("unavailable: "))
      #expect(await database.rows("SELECT 1 AS v") == "[{v: 1}]")
    }
  }

  @Test func `a wrong password is an error without the password`() async throws {
    let url = try await MariaDBServer.shared().url(password: "wrong-one")

    let answer = try await SQL.with(["url": url]) { await $0.rows("SELECT 1") }

    #expect(answer.hasPrefix("unavailable: cannot connect: Access denied for user 'flow'"))
    #expect(!answer.contains("wrong-one"))
  }
}
