/// How far a search is.
package struct SearchProgress: Sendable {
  /// How many schedules were tried.
  package let tried: Int
  /// How many ends there were so far.
  package let outcomes: Int
  /// What is tried at present.
  package let stage: SearchStage
  /// How long it has taken so far, in real time.
  package let elapsed: Duration
}

extension Exploration {
  func progress(in stage: SearchStage, after elapsed: Duration) -> SearchProgress {
    SearchProgress(tried: tried, outcomes: outcomeCount, stage: stage, elapsed: elapsed)
  }
}

/// What a search tries, in this order.
package enum SearchStage: Sendable, Hashable {
  /// The plain order.
  case plain
  /// Faults in the plain order.
  case faults
  /// Crashes in the plain order.
  case crashes
  /// So many delays.
  case delays(Int)
  /// Orders that chance decides.
  case chance
  /// Less of what fails.
  case shrinking
}

/// Measures how long a search takes, and tells from time to time how far it is.
struct ProgressMeter<Progress> {
  private static var interval: Duration { .milliseconds(100) }

  private let start = ContinuousClock.now
  private var next: ContinuousClock.Instant
  private let tell: (@Sendable (Progress) -> Void)?

  init(_ tell: (@Sendable (Progress) -> Void)?) {
    self.tell = tell
    next = start.advanced(by: Self.interval)
  }

  /// The time since the beginning.
  var elapsed: Duration { start.duration(to: .now) }

  /// Tells how far the search is after this time, unless it was told a moment ago.
  mutating func note(_ progress: (Duration) -> Progress) {
    guard let tell else { return }
    let now = ContinuousClock.now
    guard now >= next else { return }
    next = now.advanced(by: Self.interval)
    tell(progress(start.duration(to: now)))
  }
}
