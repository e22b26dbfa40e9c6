internal import FlowCore
private import Synchronization

/// A change of the balance, and the rules for it.
enum Change {
  case addition(Decimal)
  case subtraction(Decimal)

  /// The balance after the change, exactly.
  func applied(to balance: Decimal) throws(Refusal) -> Decimal {
    switch self {
    case .addition(let amount), .subtraction(let amount):
      guard amount >= .zero else {
        throw .illegal("the amount \(amount) is negative", status: 422)
      }
    }
    if case .subtraction(let amount) = self, amount > balance {
      throw .insufficient(amount, balance: balance)
    }
    // A sum with too many digits loses zeros, which may be those of the cents.
    guard let result = try? sum(with: balance), result.scale >= 2 else {
      throw .illegal("the balance would have more than 38 digits", status: 422)
    }
    return result
  }

  private func sum(with balance: Decimal) throws -> Decimal {
    switch self {
    case .addition(let amount): try balance + amount
    case .subtraction(let amount): try balance - amount
    }
  }
}

/// A balance after one of its changes.
struct NumberedBalance {
  /// The number of the change, from 1, or 0 for the opening balance.
  let number: Int
  let balance: Decimal
}

/// The balance, its latest changes and their keys, in a database for all threads.
///
/// The balance is that of the last change, so that it cannot contradict the changes.
final class Account: Sendable {
  private static let keptChanges = 100_000
  private static let keptKeys = 10_000

  private let database: Mutex<Database>

  /// Opens a file, with the opening balance for a new one.
  static func open(_ path: String, opening: Decimal) throws(StartError) -> Account {
    // The greater scale of two numbers is kept, so every balance has two decimals at least.
    let cents = Decimal(significand: 0, scale: 2)
    guard let balance = try? Change.addition(opening).applied(to: cents) else {
      throw StartError(.badCommandLine, "'--opening': the amount has too many digits")
    }
    do { return try Account(path, opening: balance) } catch {
      throw StartError(.cannotWrite, "cannot use '\(path)': \(error)")
    }
  }

  private init(_ path: String, opening: Decimal) throws {
    let database = try Database(path)
    // A commit then waits for the disk once, not three times.
    try database.run("PRAGMA journal_mode = WAL")
    try database.transaction {
      try database.run(
        "CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY, balance TEXT NOT NULL)")
      try database.run(
        """
        CREATE TABLE IF NOT EXISTS keys
          (id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, number INTEGER NOT NULL, balance TEXT NOT NULL)
        """)
      try database.run(
        "INSERT INTO changes SELECT 0, ?1 WHERE NOT EXISTS (SELECT 1 FROM changes)", "\(opening)")
    }
    _ = try Self.latest(in: database)
    self.database = Mutex(database)
  }

  /// The last change.
  func latest() throws -> NumberedBalance {
    try database.withLock { database in try Self.latest(in: database) }
  }

  /// The changes after one of this number, from the oldest that is kept, at most 100.
  func changes(after number: Int) throws -> [NumberedBalance] {
    try database.withLock { database in
      try database.run(
        "SELECT number, balance FROM changes WHERE number > ?1 ORDER BY number LIMIT 100",
        "\(number)"
      ).map(Self.numbered)
    }
  }

  /// Makes a change, unless its key has been used, and answers the balance after it.
  func apply(_ change: Change, key: String?) throws -> NumberedBalance {
    try database.withLock { database in
      try database.transaction {
        if let key, let known = try Self.balance(of: key, in: database) { return known }
        let changed = try Self.apply(change, in: database)
        if let key { try Self.keep(key, changed, in: database) }
        return changed
      }
    }
  }

  // MARK: - Tables

  private static func latest(in database: Database) throws -> NumberedBalance {
    let rows = try database.run(
      "SELECT number, balance FROM changes ORDER BY number DESC LIMIT 1")
    guard let row = rows.first else { throw DatabaseError(message: "there is no balance") }
    return try numbered(row)
  }

  private static func numbered(_ row: [String]) throws -> NumberedBalance {
    guard let number = Int(row[0]) else {
      throw DatabaseError(message: "'\(row[0])' is not a number")
    }
    return NumberedBalance(number: number, balance: try amount(row[1]))
  }

  private static func amount(_ text: String) throws -> Decimal {
    guard let amount = Decimal(text) else {
      throw DatabaseError(message: "'\(text)' is not an amount")
    }
    return amount
  }

  private static func apply(_ change: Change, in database: Database) throws -> NumberedBalance {
    let before = try latest(in: database)
    let balance = try change.applied(to: before.balance)
    // Zero is no change, and brings no event.
    guard balance != before.balance else { return before }
    let changed = NumberedBalance(number: before.number + 1, balance: balance)
    try database.run(
      "INSERT INTO changes VALUES (?1, ?2)", "\(changed.number)", "\(balance)")
    try database.run(
      "DELETE FROM changes WHERE number <= ?1", "\(changed.number - keptChanges)")
    return changed
  }

  private static func balance(of key: String, in database: Database) throws -> NumberedBalance? {
    try database.run("SELECT number, balance FROM keys WHERE key = ?1", key).first.map(numbered)
  }

  private static func keep(
    _ key: String, _ changed: NumberedBalance, in database: Database
  ) throws {
    try database.run(
      "INSERT INTO keys (key, number, balance) VALUES (?1, ?2, ?3)", key, "\(changed.number)",
      "\(changed.balance)")
    try database.run(
      "DELETE FROM keys WHERE id <= (SELECT max(id) FROM keys) - ?1", "\(keptKeys)")
  }
}
