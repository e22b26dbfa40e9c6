import FlowCore
import FlowSQL
import Testing

@testable import DatabaseProxyPlugin

struct StatementLedgerTests {
  private func statement(_ sql: String, rows: Int = 0, isIn: Bool = false) -> EndedStatement {
    var statement = EndedStatement(text: StatementText(Array(sql.utf8), .mariaDB), rows: rows)
    statement.isInTransaction = isIn
    return statement
  }

  @Test func `texts have their statements and rows, in an order that no connection decides`() throws
  {
    let ledger = StatementLedger()
    var (first, second): (Int?, Int?) = (nil, nil)

    ledger.add([statement("SELECT 2", rows: 2, isIn: true)], transaction: &first)
    ledger.add([statement("DELETE FROM t", rows: 9, isIn: true)], transaction: &second)
    ledger.add([statement("SELECT 3", rows: 3, isIn: true)], transaction: &first)
    let seen = try ledger.statements(kind: nil, containing: nil)

    #expect(seen.statements.map(\.transaction) == [1, 2, 1])
    #expect(
      seen.texts == [
        StatementCount(text: "DELETE FROM t", count: 1, rows: 9),
        StatementCount(text: "SELECT ?", count: 2, rows: 5),
      ])
  }

  @Test func `a server that claims too many rows is not believed`() throws {
    let ledger = StatementLedger()
    var transaction: Int?

    ledger.add(
      [statement("DELETE FROM t", rows: .max), statement("DELETE FROM t", rows: .min)],
      transaction: &transaction)

    #expect(try ledger.statements(kind: nil, containing: nil).texts.map(\.rows) == [1 << 48])
  }
}
