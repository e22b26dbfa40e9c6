/// How a call that failed is tried again.
public struct RetryPolicy: Sendable, Hashable {
  /// How often the call is made at most, the first time included; 1 or more.
  public var attempts: Int
  /// How long to wait before the second attempt.
  public var backoff: Duration
  /// By how much each wait is longer than the one before it; 1 or more.
  public var factor: Double
  /// The longest wait; nil means without bound.
  public var maximum: Duration?
  /// Which part of each wait is left to chance, 0 to 1.
  public var jitter: Double
  /// The error codes that are tried again; empty means every failure is.
  public var codes: [String]

  /// The wait before an attempt, from the second on; `chance`, from 0 up to 1, shortens it by its part of the jitter.
  ///
  /// It is longer where the answer has `asked` for that, up to the longest wait, or five minutes.
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

  /// What anybody may ask for who answers.
  private static let longestAsked = Duration.seconds(300)

  /// Ten years, in seconds: no wait is longer.
  private static let longest = 315_360_000
}
