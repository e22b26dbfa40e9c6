import FlowCore

/// Keeps a balance for as long as the component lives.
struct InMemoryBalanceStore: BalanceStore {
  private var current: Decimal

  init(balance: Decimal) {
    current = balance
  }

  func balance() -> Decimal { current }

  mutating func apply(_ change: BalanceChange) throws(BalanceError) -> Decimal {
    current = try change.applied(to: current)
    return current
  }
}
