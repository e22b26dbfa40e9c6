import FlowCore

/// Keeps a balance, and is right about it when its owner is not: others may change it, too.
///
/// Its model calls it, one call at a time. A store must apply the rules of `BalanceChange` to the
/// balance that it holds itself.
protocol BalanceStore: Sendable {
  /// The balance now.
  ///
  /// - Throws: `.unavailable` or `.brokenFile`.
  mutating func balance() throws(BalanceError) -> Decimal

  /// The balance after the change of this key; nil if it is none of the latest.
  ///
  /// - Throws: `.unavailable` or `.brokenFile`.
  mutating func balance(after key: String) throws(BalanceError) -> Decimal?

  /// Changes the balance, remembers the key, and answers the new balance; after an error nothing
  /// has changed.
  ///
  /// - Throws: what `BalanceChange.applied(to:)` throws, `.unavailable` or `.brokenFile`.
  mutating func apply(_ change: BalanceChange, key: String) throws(BalanceError) -> Decimal
}
