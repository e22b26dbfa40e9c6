/// The progress of a search.
package struct SearchProgress: Sendable {
  /// The number of schedules tried.
  package let tried: Int
  /// The number of different results so far.
  package let outcomes: Int
  /// The present stage.
  package let stage: SearchStage
  /// The time taken so far, in real time.
  package let elapsed: Duration
}

extension Exploration {
  func progress(in stage: SearchStage, after elapsed: Duration) -> SearchProgress {
    SearchProgress(tried: tried, outcomes: outcomeCount, stage: stage, elapsed: elapsed)
  }
}

/// The stages of a search, in this order.
package enum SearchStage: Sendable, Hashable {
  /// The plain order.
  case plain
  /// Faults in the plain order.
  case faults
  /// Crashes in the plain order.
  case crashes
  /// So many delays.
  case delays(Int)
  /// Random orders.
  case chance
  /// Smaller versions of a failing schedule.
  case shrinking
}

/// Measures the duration of a search, and reports its progress from time to time.
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
