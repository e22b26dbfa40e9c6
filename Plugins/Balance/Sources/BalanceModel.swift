import FlowCore

/// The balance as its owner knows it: the last answer of its file, or its own value without a file.
///
/// A change that breaks a rule is refused here, without asking the file. The file decides again by
/// its content.
struct BalanceModel: Sendable {
  /// The balance known last.
  private(set) var balance: Decimal
  private let file: BalanceFile?

  /// Creates the model of a balance on a server.
  init(known balance: Decimal) {
    self.balance = balance
    file = nil
  }

  /// Creates the model with the file's balance, or the opening balance.
  init(opening: Decimal, file: BalanceFile?) throws(BalanceError) {
    balance = opening
    self.file = file
    try load()
  }

  /// Reads the file again.
  ///
  /// The balance keeps its value if that fails.
  mutating func load() throws(BalanceError) {
    balance = try file?.balance() ?? balance
  }

  /// Changes the balance, unless one of the file's latest changes has the same key.
  ///
  /// Without a file no key is asked for, and every attempt is a change: a crash takes the change with it, and a step with
  /// `retry` may want each attempt done.
  ///
  /// - Returns: The balance after the change.
  mutating func apply(_ change: BalanceChange, key: () -> String) throws(BalanceError) -> Decimal {
    // Checked before the rules, which the change may not meet a second time.
    let key = file == nil ? "" : key()
    if let done = try file?.balance(after: key) {
      // Others may have followed it.
      try load()
      return done
    }
    let changed = try change.applied(to: balance)
    do {
      balance = try file?.apply(change, key: key) ?? changed
      return balance
    } catch {
      // Somebody else has changed the file meanwhile, and this is its balance.
      if case .insufficient(_, let current) = error { balance = current }
      throw error
    }
  }
}
