import FlowCore

/// A balance as its owner knows it: the store's last answer.
///
/// A change that breaks a rule is refused here, without a round trip to the store.
struct BalanceModel: Sendable {
  /// The balance in the store's last answer.
  private(set) var balance: Decimal
  private var store: any BalanceStore

  /// The balance that the store has now.
  init(store: any BalanceStore) throws(BalanceError) {
    self.store = store
    balance = try self.store.balance()
  }

  /// Asks the store again; the balance keeps its value when the store fails.
  mutating func load() throws(BalanceError) {
    balance = try store.balance()
  }

  /// Changes the balance in the store, unless one of its latest changes has the same key.
  ///
  /// - Returns: The balance after the change.
  @discardableResult
  mutating func apply(
    _ change: BalanceChange, key: String
  ) throws(BalanceError) -> Decimal {
    // Asked before the rules are, which the change may not meet a second time.
    if let done = try store.balance(after: key) {
      // Others may have followed it.
      balance = try store.balance()
      return done
    }
    _ = try change.applied(to: balance)
    do {
      balance = try store.apply(change, key: key)
      return balance
    } catch {
      // Somebody else has changed the store meanwhile, and this is its answer.
      if case .insufficient(_, let current) = error { balance = current }
      throw error
    }
  }
}
