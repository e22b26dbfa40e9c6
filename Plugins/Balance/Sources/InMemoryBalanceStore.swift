import FlowCore

/// Keeps a balance for as long as the component lives.
struct InMemoryBalanceStore: BalanceStore {
  private var current: Decimal

  init(balance: Decimal) {
    current = balance
  }

  func balance() -> Decimal { current }

  /// Always nil: a crash takes the change with it, and a step with `retry` may want each attempt done.
  func balance(after key: String) -> Decimal? { nil }

  mutating func apply(_ change: BalanceChange, key: String) throws(BalanceError) -> Decimal {
    current = try change.applied(to: current)
    return current
  }
}
