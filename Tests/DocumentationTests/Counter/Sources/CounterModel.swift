/// A number that grows up to a limit.
struct CounterModel: Sendable {
  let limit: Int
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts on, or throws and stays as it is.
  mutating func add(_ amount: Int) throws(CounterError) {
    guard amount >= 0 else { throw .negative(amount) }
    guard amount <= limit - count else { throw .full(limit: limit) }
    count += amount
  }
}

/// Why a counter does not count on.
enum CounterError: Error, Hashable, CustomStringConvertible {
  /// The amount is below zero.
  case negative(Int)
  /// The count would exceed the limit.
  case full(limit: Int)

  /// `the count would exceed 10`.
  var description: String {
    switch self {
    case .negative(let amount): "the amount \(amount) is negative"
    case .full(let limit): "the count would exceed \(limit)"
    }
  }
}
