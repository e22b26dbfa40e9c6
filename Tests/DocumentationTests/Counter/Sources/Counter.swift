public import FlowCore

/// Counts up to a limit.
public actor Counter: Component {
  /// The plugin `counter`.
  public static let plugin = Plugin(
    "counter", version: "1.0", "Counts up to a limit.", state: .memory,
    settings: Parameter<Int>("limit", "The maximum count.", default: 10),
    events: [reached],
    operations: [
      Operation(
        "add", "Adds to the count.", Parameter<Int>("amount", "The number to add.", default: 1),
        answers: count, errors: [.negative, .full]
      ) { counter, context, amount in try await counter.add(amount, context) }
    ]
  ) { _, limit in Counter(limit: limit) }

  static let count = Record<Int>("count", "The current count.")
  static let reached = EventKind("reached", "The count has reached its limit.", count)

  private let limit: Int
  private var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  func add(_ amount: Int, _ context: Context) throws(CounterError) -> Int {
    guard amount >= 0 else { throw .negative(amount) }
    guard amount <= limit - count else { throw .full(limit: limit) }
    count += amount
    if count == limit { context.emit(Self.reached, count) }
    return count
  }
}

/// Why a counter refuses to count.
enum CounterError: CodedError, CustomStringConvertible {
  case negative(Int)
  case full(limit: Int)

  var code: ErrorCode {
    switch self {
    case .negative: .negative
    case .full: .full
    }
  }

  var description: String {
    switch self {
    case .negative(let amount): "the amount \(amount) is negative"
    case .full(let limit): "the count would exceed \(limit)"
    }
  }
}

extension ErrorCode {
  static let negative = ErrorCode("negative", "The amount is negative.")
  static let full = ErrorCode("full", "The count would exceed the limit.")
}
