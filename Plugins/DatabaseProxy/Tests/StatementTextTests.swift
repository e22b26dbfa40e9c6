import FlowCore
import FlowSQL
import Testing

@testable import DatabaseProxyPlugin

struct StatementTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let sql: String
    let text: String
    var testDescription: String { sql }

    init(_ sql: String, _ text: String) { (self.sql, self.text) = (sql, text) }
  }

  @Test(arguments: [
    Case("select 1", "select ?"),
    Case(
      "SELECT  a.b,\n\tc -- no\nFROM t /* x /* y */ z */ WHERE d= -1.5e-3",
      "SELECT a.b, c FROM t WHERE d = - ?"),
    Case("SELECT a||'b'<>c, d->>'e' --no", "SELECT a || ? <> c, d ->> ?"),
    Case(
      "INSERT INTO t (a, b) VALUES ('O''Brien', E'a\\'b')", "INSERT INTO t (a, b) VALUES (?, ?)"),
    Case("SELECT $1::int4, \"A \"\"b\"\"\".c", "SELECT $1::int4, \"A \"\"b\"\"\".c"),
    Case("DO $x$ begin; $1 end $x$", "DO ?"),
    Case("SELECT $$a'b$$, x'0f', 0x1F, .5", "SELECT ?, ?, ?, ?"),
    Case("SELECT größe FROM t1", "SELECT größe FROM t1"),
    Case("SELECT 'open", "SELECT ?"),
    Case("SELECT $x$ open", "SELECT ?"),
    Case("/* open", ""),
    Case("", ""),
  ])
  func `a text has no literals and no comments`(_ sample: Case) {
    #expect(StatementText(Array(sample.sql.utf8), .postgreSQL).text == sample.text)
  }

  @Test(arguments: [
    Case("SELECT `a b`, \"x\\\"y\" FROM `t` # no", "SELECT `a b`, ? FROM `t`"),
    Case("SELECT 'a\\'b', 5--1 -- no\n, x'0f', 0b1", "SELECT ?, ? - - ?, ?, ?"),
    Case("SELECT @@version, @a := 2fa.b /* /* */ + 1e5", "SELECT @@version, @a := 2fa.b + ?"),
    Case("/*!40101 SET NAMES utf8*/ ;", "SET NAMES utf8;"),
    Case("SELECT a FROM t WHERE b=? AND c IN(?,?)", "SELECT a FROM t WHERE b = ? AND c IN (?, ?)"),
  ])
  func `a text for MariaDB follows its own rules`(_ sample: Case) {
    #expect(StatementText(Array(sample.sql.utf8), .mariaDB).text == sample.text)
  }

  @Test(arguments: [
    "SELECT a FROM t LIMIT 5", "SELECT a FROM t UNION SELECT b FROM u LIMIT $1 OFFSET 3",
    "SELECT a FROM t OFFSET 2 FETCH FIRST ROW ONLY", "WITH x AS (SELECT 1) SELECT * FROM x LIMIT 1",
    "SELECT count(*), max(a) FROM t WHERE b IN (SELECT c FROM u)",
    "SELECT coalesce(sum(a), 0) AS s FROM t",
  ])
  func `a statement is limited by its text`(_ sql: String) {
    #expect(StatementText(Array(sql.utf8), .postgreSQL).isLimited)
  }

  @Test(arguments: [
    "SELECT a FROM t", "SELECT a FROM (SELECT b FROM u LIMIT 5) x", "SELECT a FROM t LIMIT ALL",
    "SELECT t.limit FROM t", "SELECT count(*) FROM t GROUP BY a", "SELECT count(*) OVER () FROM t",
    "SELECT count(*) FROM t UNION SELECT a FROM t", "SELECT a, count(*) FROM t",
    "SELECT unnest(array_agg(a)) FROM t", "SELECT a FROM t ORDER BY a FETCH NEXT 2 ROWS WITH TIES",
    "INSERT INTO t VALUES (1)", "SELECT 'LIMIT 5' FROM t", "",
  ])
  func `another statement is not limited`(_ sql: String) {
    #expect(!StatementText(Array(sql.utf8), .postgreSQL).isLimited)
  }

  @Test func `the kind is the first word`() {
    let kinds = ["select 1", "(select 1)", "/* a */ Insert into t default values", "-- none"]
      .map { StatementText(Array($0.utf8), .postgreSQL).kind }

    #expect(kinds == ["SELECT", "SELECT", "INSERT", ""])
  }

  @Test func `a semicolon outside of quotes separates statements`() {
    let script = "BEGIN; INSERT INTO t VALUES (';'); ; -- ;\nCOMMIT"

    #expect(
      StatementText.all(in: Array(script.utf8), .postgreSQL).map(\.text)
        == ["BEGIN", "INSERT INTO t VALUES (?)", "COMMIT"])
  }

  @Test(arguments: [SQLDialect.sqlite, .postgreSQL, .mariaDB])
  func `no bytes end the reader`(_ dialect: SQLDialect) {
    var numbers = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
        "'\"$\\/*-e;1.a \n#`@![?()M".utf8.randomElement(using: &numbers) ?? 0
      }
      let text = StatementText(bytes, dialect).text
      #expect(StatementText.all(in: bytes, dialect).count <= bytes.count)
      #expect(text.utf8.count <= bytes.count * 3 + 1)
    }
  }
}

/// Numbers that are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 33
  }
}
