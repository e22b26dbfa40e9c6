internal import FlowCore
private import Synchronization

/// A statement that a program has run, as scenarios see it.
struct SeenStatement: RecordRepresentable, Hashable {
  var text: String
  var kind: String
  var rows: Int
  var transaction: Int?
  var error: String?
  var limited: Bool

  static let record = Record(
    SeenStatement.init(text:kind:rows:transaction:error:limited:),
    Field("text", \.text, "The text with '?' for literals, and one blank between words."),
    Field("kind", \.kind, "The first word in capitals, such as SELECT."),
    Field("rows", \.rows, "The number of returned or changed rows."),
    Field(
      "transaction", \.transaction,
      "The number of the transaction of its own BEGIN, from 1, or null outside of one."),
    Field("error", \.error, "The SQLSTATE of its error, such as 40001, or null."),
    Field("limited", \.limited, "True if the text bounds the rows, as LIMIT does."))
}

/// The statements with one text.
struct StatementCount: RecordRepresentable, Hashable {
  var text: String
  var count: Int
  var rows: Int

  static let record = Record(
    StatementCount.init(text:count:rows:),
    Field("text", \.text, "The text with '?' for literals."),
    Field("count", \.count, "The number of statements with this text."),
    Field("rows", \.rows, "The number of their rows."))
}

/// The answer of `statements`.
struct SeenStatements: Sendable {
  var count: Int
  var statements: [SeenStatement]
  var texts: [StatementCount]

  static let record = Record(
    SeenStatements.init(count:statements:texts:),
    Field("count", \.count, "The number of statements."),
    Field("statements", \.statements, "The statements, in the order of their ends."),
    Field("texts", \.texts, "The different texts, in alphabetical order."))

  /// Creates the answer for some statements.
  init(_ statements: [SeenStatement]) {
    var (texts, places): ([StatementCount], [String: Int]) = ([], [:])
    for statement in statements {
      let place = places[statement.text] ?? texts.count
      if place == texts.count {
        places[statement.text] = place
        texts.append(StatementCount(text: statement.text, count: 0, rows: 0))
      }
      texts[place].count += 1
      texts[place].rows += statement.rows
    }
    // Connections at the same time end their statements in any order.
    texts.sort { $0.text < $1.text }
    self.init(count: statements.count, statements: statements, texts: texts)
  }

  private init(count: Int, statements: [SeenStatement], texts: [StatementCount]) {
    (self.count, self.statements, self.texts) = (count, statements, texts)
  }
}

/// The statements of all connections since the opening or the last reset.
final class StatementLedger: Sendable {
  /// The most statements that are kept.
  static let most = 10_000
  /// The most rows of a statement, beyond which a server is not believed.
  private static let mostRows = 1 << 48

  private struct State {
    var statements: [SeenStatement] = []
    var isOverfull = false
    var isLost = false
    var transactions = 0
  }

  private let state = Mutex(State())

  /// Adds statements of a connection, whose transaction it keeps.
  func add(_ new: [EndedStatement], transaction: inout Int?) {
    if new.isEmpty { return }
    state.withLock { state in
      for statement in new {
        if statement.begins || statement.isInTransaction && transaction == nil {
          state.transactions += 1
          transaction = state.transactions
        }
        if !statement.isInTransaction { transaction = nil }
        guard state.statements.count < Self.most else {
          state.isOverfull = true
          return
        }
        state.statements.append(
          SeenStatement(
            text: statement.text.text, kind: statement.text.kind,
            rows: min(max(statement.rows, 0), Self.mostRows), transaction: transaction,
            error: statement.error, limited: statement.text.isLimited))
      }
    }
  }

  /// Notes a connection that can no longer be followed.
  func lose() { state.withLock { $0.isLost = true } }

  /// Returns the statements of a kind and a text, nil for all.
  func statements(
    kind: String?, containing text: String?
  ) throws(ComponentError) -> SeenStatements {
    let state = state.withLock { $0 }
    if state.isLost {
      throw ComponentError(
        .unknown, "a connection could not be followed, so statements are missing")
    }
    if state.isOverfull {
      throw ComponentError(
        .overfull, "there were more than \(Self.most) statements; call 'reset' more often")
    }
    let kind = kind?.uppercased()
    let found = state.statements.filter {
      (kind == nil || $0.kind == kind) && (text.map($0.text.contains) ?? true)
    }
    return SeenStatements(found)
  }

  /// Forgets the statements.
  func reset() {
    state.withLock {
      ($0.statements, $0.isOverfull, $0.isLost, $0.transactions) = ([], false, false, 0)
    }
  }
}

extension ErrorCode {
  static let overfull = ErrorCode("overfull", "There were too many statements.")
  static let unknown = ErrorCode("unknown", "Some statements could not be read.")
}
