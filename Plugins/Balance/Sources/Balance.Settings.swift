public import FlowCore

extension Balance {
  /// Where a balance starts and where it is kept.
  public struct Settings: Sendable {
    /// The balance before the first change; zero or more.
    public var opening: Decimal
    /// A path below the scenario's folder; nil to keep the balance in memory.
    public var file: String?

    /// The opening amount as a balance, with two decimals at least.
    var balance: Decimal {
      get throws(BalanceError) {
        do { return try BalanceChange.addition(opening).applied(to: BalanceChange.zero) } catch {
          throw .illegalOpening(opening)
        }
      }
    }
  }
}
