/// The policy for repeating a failed call.
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
