public import FlowCore

/// A number or a duration among the options of a step: written, or computed when the step starts.
public enum OptionValue<Value: Sendable>: Sendable {
  /// The value as written, within its bounds.
  case written(Value)
  /// An expression whose value must be within the bounds.
  case computed(PlannedExpression, OptionBounds)

  /// The value, or nil for an expression.
  public var constant: Value? { if case .written(let value) = self { value } else { nil } }

  /// The expression, or nil for a written value.
  package var expression: PlannedExpression? {
    if case .computed(let expression, _) = self { expression } else { nil }
  }

  /// Returns the value as the scenario has it.
  package func text(_ written: (Value) -> String) -> String {
    switch self {
    case .written(let value): written(value)
    case .computed(let expression, _): expression.text
    }
  }
}

/// The bounds of an option, for messages about a computed value.
public struct OptionBounds: Sendable {
  /// The key in quotes: `'attempts'`.
  public let owner: String
  /// The least and the greatest whole number, or nil for a duration from zero.
  public let range: ClosedRange<Int>?

  package init(owner: String, range: ClosedRange<Int>?) {
    self.owner = owner
    self.range = range
  }

  /// Returns the reason against a value, or nil if it is within the bounds.
  public func problem(of value: Value) -> String? {
    switch (value, range) {
    case (.int(let number), let range?) where range.contains(number): nil
    case (.duration(let time), nil) where time >= .zero: nil
    case (_, let range?):
      "\(owner) must be a whole number from \(range.lowerBound) to \(range.upperBound), "
        + "not \(value.summary())"
    case (_, nil): "\(owner) must be a duration of zero or more, not \(value.summary())"
    }
  }
}

/// The policy of a step for repeating it, as planned.
public struct PlannedRetry: Sendable {
  /// The most attempts, including the first one, 1 or more.
  public let attempts: OptionValue<Int>
  /// The wait before the second attempt.
  public let backoff: OptionValue<Duration>
  /// The policy, whose attempts and backoff are replaced by computed ones when the step starts.
  public let policy: RetryPolicy

  package init(attempts: OptionValue<Int>, backoff: OptionValue<Duration>, policy: RetryPolicy) {
    self.attempts = attempts
    self.backoff = backoff
    self.policy = policy
  }
}

/// The policy for repeating a failed call or block.
public struct RetryPolicy: Sendable, Hashable {
  /// The most attempts, including the first one, 1 or more.
  public var attempts: Int
  /// The wait before the second attempt.
  public var backoff: Duration
  /// The growth of each wait over the one before it, 1 or more.
  public var factor: Double
  /// The longest wait, or nil for no bound.
  public var maximum: Duration?
  /// The random part of each wait, 0 to 1.
  public var jitter: Double
  /// The repeated error codes.
  ///
  /// Empty means every failure.
  public var codes: [String]

  package init(
    attempts: Int, backoff: Duration, factor: Double, maximum: Duration? = nil, jitter: Double,
    codes: [String]
  ) {
    self.attempts = attempts
    self.backoff = backoff
    self.factor = factor
    self.maximum = maximum
    self.jitter = jitter
    self.codes = codes
  }

  /// The wait before an attempt, from the second on.
  ///
  /// `chance`, from 0 up to 1, shortens it by its part of the jitter. It is longer if the answer
  /// has `asked` for that, up to the longest wait, or five minutes.
  public func delay(before attempt: Int, chance: Double, asked: Duration? = nil) -> Duration {
    let delay = delay(before: attempt) * (1 - jitter * chance)
    return asked.map { max(delay, min($0, maximum ?? Self.longestAsked)) } ?? delay
  }

  private func delay(before attempt: Int) -> Duration {
    var delay = backoff
    for _ in 2..<max(2, attempt) {
      // Beyond the longest wait, growing further would only overflow.
      if let maximum, delay >= maximum { break }
      delay = min(delay * factor, .seconds(Self.longest))
    }
    if let maximum { delay = min(delay, maximum) }
    return delay
  }

  /// The longest wait that an answer may ask for.
  private static let longestAsked = Duration.seconds(300)

  /// Ten years, in seconds: no wait is longer.
  private static let longest = 315_360_000
}
