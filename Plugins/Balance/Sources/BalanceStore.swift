import FlowCore

/// What keeps a balance outside of this process and numbers its changes.
protocol BalanceStore: Sendable {
  /// The balance now.
  ///
  /// - Throws: `BalanceError`, `CancellationError`.
  func state(_ context: Context) async throws -> BalanceState

  /// Changes the balance, once for each call however often it is tried, and answers the new one.
  ///
  /// - Throws: `BalanceError`, `CancellationError`.
  func apply(_ change: BalanceChange, _ context: Context) async throws -> BalanceState
}

/// A balance, and how many changes led to it.
struct BalanceState: Sendable, Hashable {
  let balance: Decimal
  let version: Int
}

/// An answer of the component that a store is reached by; what that declares means that the store does not answer, but
/// for the error that is expected.
func answerOfStore<Answer>(
  except expected: ErrorCode? = nil, _ ask: () async throws -> Answer
) async throws -> Answer {
  do { return try await ask() } catch let error as ComponentError
    where error.code != .unexpected && error.code != expected
  {
    throw BalanceError.unavailable("\(error)")
  }
}
