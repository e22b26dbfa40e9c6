internal import FlowEngine

/// Takes from a schedule what its failure does not need: halves of its delays first, then smaller parts.
///
/// Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), in its greedy form.
struct Shrinker {
  private static let mostTries = 2_000

  /// The smallest schedule so far that fails in the same way.
  private(set) var best: Schedule
  private(set) var tries = 0
  private var size: Int
  private var index = 0
  private var hasChanged = false
  private var stage = Stage.delays
  private var tried: Schedule?

  private enum Stage {
    case delays, counts, faults, done
  }

  init(_ schedule: Schedule) {
    best = schedule
    size = max(1, schedule.delays.count / 2)
  }

  /// Returns the next schedule to try, or nil if nothing can be removed.
  mutating func candidate() -> Schedule? {
    while tries < Self.mostTries {
      switch stage {
      case .delays: if let next = withoutDelays() { return take(next) }
      case .counts: if let next = withSmallerCount() { return take(next) }
      case .faults: if let next = withoutFault() { return take(next) }
      case .done: return nil
      }
    }
    return nil
  }

  /// Takes note of whether the candidate failed in the same way.
  mutating func note(failed: Bool) {
    tries += 1
    guard failed, let tried else { return index += stage == .delays ? size : 1 }
    hasChanged = true
    // Of smaller counts, the same delay may lose one more.
    best = tried
  }

  private mutating func take(_ schedule: Schedule) -> Schedule {
    tried = schedule
    return schedule
  }

  private mutating func withoutDelays() -> Schedule? {
    if index < best.delays.count {
      var copy = best
      copy.delays.removeSubrange(index..<min(index + size, copy.delays.count))
      return copy
    }
    if size == 1 && !hasChanged { begin(.counts) } else { begin(.delays) }
    size = max(1, size / 2)
    return nil
  }

  private mutating func withSmallerCount() -> Schedule? {
    while index < best.delays.count, best.delays[index].count == 1 { index += 1 }
    guard index < best.delays.count else {
      begin(.faults)
      return nil
    }
    var copy = best
    copy.delays[index].count -= 1
    return copy
  }

  private mutating func withoutFault() -> Schedule? {
    guard index < best.faults.count else {
      begin(.done)
      return nil
    }
    var copy = best
    copy.faults.remove(at: index)
    return copy
  }

  private mutating func begin(_ stage: Stage) {
    self.stage = stage
    index = 0
    hasChanged = false
  }
}
