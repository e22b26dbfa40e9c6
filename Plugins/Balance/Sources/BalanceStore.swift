import FlowCore

/// A store that keeps a balance outside this process and numbers its changes.
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

/// Asks the component behind a store, and turns its declared errors, except `expected`, into a
/// store without an answer.
func answerOfStore<Answer>(
  except expected: ErrorCode? = nil, _ ask: () async throws -> Answer
) async throws -> Answer {
  do { return try await ask() } catch let error as ComponentError
    where error.code != .unexpected && error.code != expected
  {
    throw BalanceError.unavailable("\(error)")
  }
}
