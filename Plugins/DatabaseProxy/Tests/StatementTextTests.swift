import FlowCore
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
    Case("SELECT $1::int4, \"A \"\"b\"\"\".c", "SELECT $1::int4, \"A \" \"b\" \"\".c"),
    Case("DO $x$ begin; $1 end $x$", "DO ?"),
    Case("SELECT $$a'b$$, x'0f', 0x1F, .5", "SELECT ?, ?, ?, ?"),
    Case("SELECT größe FROM t1", "SELECT größe FROM t1"),
    Case("SELECT 'open", "SELECT ?"),
    Case("SELECT $x$ open", "SELECT ?"),
    Case("/* open", ""),
    Case("", ""),
  ])
  func `a text has no literals and no comments`(_ sample: Case) {
    #expect(StatementText(Array(sample.sql.utf8)).text == sample.text)
  }

  @Test func `the kind is the first word`() {
    let kinds = ["select 1", "(select 1)", "/* a */ Insert into t default values", "-- none"]
      .map { StatementText(Array($0.utf8)).kind }

    #expect(kinds == ["SELECT", "SELECT", "INSERT", ""])
  }

  @Test func `a semicolon outside of quotes separates statements`() {
    let script = "BEGIN; INSERT INTO t VALUES (';'); ; -- ;\nCOMMIT"

    #expect(
      StatementText.all(in: Array(script.utf8)).map(\.text)
        == ["BEGIN", "INSERT INTO t VALUES (?)", "COMMIT"])
  }

  @Test func `no bytes end the reader`() {
    var numbers = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
        "'\"$\\/*-e;1.a \n".utf8.randomElement(using: &numbers) ?? 0
      }
      let text = StatementText(bytes).text
      #expect(StatementText.all(in: bytes).count <= bytes.count)
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
