import FlowCore

/// Keeps a balance for as long as the component lives.
struct InMemoryBalanceStore: BalanceStore {
  private var current: Decimal
  private var lastKey: String?

  init(balance: Decimal) {
    current = balance
  }

  func balance() -> Decimal { current }

  func balance(after key: String) -> Decimal? { key == lastKey ? current : nil }

  mutating func apply(_ change: BalanceChange, key: String) throws(BalanceError) -> Decimal {
    current = try change.applied(to: current)
    lastKey = key
    return current
  }
}
