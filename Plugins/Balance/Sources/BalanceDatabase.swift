import FlowCore

/// A balance in a database, reached through an `sql` component.
///
/// The table `balance_change` has a row for each change, with the balance after it. The balance is
/// that of the last row. No row is ever changed, so a change is one `INSERT`, and of two at the
/// same time the row number lets only one pass.
///
/// Each opening adds a row, too. Its number and the place of a call are the key of a finished
/// change. `context.idempotencyKey` would not do: it differs in every recording, and a replay
/// compares what is asked.
struct BalanceDatabase: BalanceStore {
  /// The operations of the `sql` component in use.
  static let uses: [any DeclaredRoleUse] = [query, execute]

  static let role = Role(
    "database", "Keeps the balance: an 'sql' component.", optional: true)
  private static let sql = Parameter<String>("sql", "The statement.")
  private static let values = Parameter<[Value]>("parameters", "The values of the statement.")
  private static let constraint = ErrorCode("constraint", "")
  private static let query = role.call(
    "query", sql, values, answers: Record<[[String: Value]]>("rows", "The rows of the result."),
    errors: failures)
  private static let execute = role.call(
    "execute", sql, values, answers: Record<Int>("changes", "The number of changed rows."),
    errors: failures)
  // Each means that there is no answer, except for a row that exists already.
  private static let failures = [
    "constraint", "busy", "syntax", "data", "forbidden", "unavailable", "timeout", "too_large",
  ].map { ErrorCode($0, "") }

  // Amounts are texts, as SQLite keeps no more than 15 digits. `$1` is understood by PostgreSQL and SQLite.
  private static let table = """
    CREATE TABLE IF NOT EXISTS balance_change \
    (number INTEGER PRIMARY KEY, change_key TEXT UNIQUE, balance TEXT NOT NULL)
    """
  private static let insertion =
    "INSERT INTO balance_change (number, change_key, balance) VALUES ($1, $2, $3)"
  private static let latest =
    "SELECT number, balance FROM balance_change ORDER BY number DESC LIMIT 1"
  private static let done = "SELECT number, balance FROM balance_change WHERE change_key = $1"
  // Each failed attempt is the success of another process, so this is far more than needed.
  private static let attempts = 100

  private static let empty = BalanceError.unavailable("the table 'balance_change' is empty")

  /// The number of the row of its opening.
  private let session: Int

  /// Creates the table unless it exists, and adds the row of this opening.
  ///
  /// - Throws: `BalanceError`, `CancellationError`.
  init(opening: Decimal, _ context: Context) async throws {
    do {
      _ = try await answerOfStore(except: Self.constraint) {
        try await Self.execute(Self.table, [], in: context)
      }
    } catch let error as ComponentError where error.code == Self.constraint {
      // PostgreSQL says so when another one makes the table at the same time.
    }
    session = try await Self.append(key: .null, context) { $0 ?? opening }.version
  }

  func state(_ context: Context) async throws -> BalanceState {
    guard let state = try await Self.row(Self.latest, [], context) else { throw Self.empty }
    return state
  }

  func apply(_ change: BalanceChange, _ context: Context) async throws -> BalanceState {
    // A component that calls this one in a role may call it twice at one place, with other amounts.
    let key = Value.string("\(session) \(context.address) \(change.amount)")
    return try await Self.append(key: key, context) { balance throws(BalanceError) in
      guard let balance else { throw Self.empty }
      return try change.applied(to: balance)
    }
  }

  /// Adds a row after the last one, unless there is one with its key.
  ///
  /// `balance` returns the new balance for the last one, or nil for none.
  private static func append(
    key: Value, _ context: Context, _ balance: (Decimal?) throws(BalanceError) -> Decimal
  ) async throws -> BalanceState {
    var refused: (version: Int, error: ComponentError)?
    for _ in 0..<attempts {
      // Checked before the rules, which the change may not meet a second time.
      if let done = try await row(done, [key], context) { return done }
      let last = try await row(latest, [], context)
      let new = BalanceState(
        balance: try balance(last?.balance), version: (last?.version ?? -1) + 1)
      // Nothing came before it, so it was refused for another reason.
      if let refused, refused.version == new.version {
        throw BalanceError.unavailable("\(refused.error)")
      }
      guard let error = try await insert(new, key: key, context) else { return new }
      refused = (new.version, error)
    }
    throw BalanceError.unavailable("the balance kept changing: gave up after \(attempts) attempts")
  }

  /// Adds a row.
  ///
  /// Returns the violated rule of the table, such as a number or key that exists already.
  private static func insert(
    _ state: BalanceState, key: Value, _ context: Context
  ) async throws -> ComponentError? {
    let values = [.int(state.version), key, .string("\(state.balance)")]
    do {
      _ = try await answerOfStore(except: constraint) {
        try await execute(insertion, values, in: context)
      }
      return nil
    } catch let error as ComponentError where error.code == constraint {
      return error
    }
  }

  private static func row(
    _ sql: String, _ values: [Value], _ context: Context
  ) async throws -> BalanceState? {
    let rows = try await answerOfStore { try await query(sql, values, in: context) }
    guard let row = rows.first else { return nil }
    guard case .int(let number)? = row["number"], case .string(let text)? = row["balance"],
      let balance = Decimal(text), balance >= .zero, 0..<Int.max ~= number
    else {
      throw BalanceError.unavailable("the newest row of 'balance_change' is not a valid balance")
    }
    return BalanceState(balance: balance, version: number)
  }
}
