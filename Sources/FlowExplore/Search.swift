internal import FlowCore
internal import FlowEngine

/// The order of the tried schedules: all with few delays, then priorities and random ones.
///
/// Where these come upon an order again, the next untried one follows, until none is left.
///
/// Emmi, Qadeer and Rakamarić, "Delay-Bounded Scheduling" (2011): most faults show with very few
/// delays of an otherwise plain order.
struct Search {
  /// One schedule to try.
  struct Trial: Sendable, Hashable {
    var strategy: Steering.Strategy
    var faults: [Schedule.Fault] = []
    var crash: Int?

    /// Its stage of the search.
    var stage: SearchStage {
      if crash != nil { return .crashes }
      guard case .given(let delays) = strategy, !isWholeOrder else { return .chance }
      if !delays.isEmpty { return .delays(delays.count) }
      return faults.isEmpty ? .plain : .faults
    }

    /// True for an order that was chosen at every moment, which is no combination of delays.
    fileprivate var isWholeOrder: Bool {
      guard case .given(let delays) = strategy else { return true }
      return delays.first?.length == .behindOthers
    }

    /// True if its order is one of all those without faults.
    fileprivate var isOrder: Bool { isWholeOrder || stage == .plain }
  }

  /// A tried schedule of delays, and the further delays that are possible after them.
  private struct Parent {
    let delays: [Schedule.Delay]
    let faults: [Schedule.Fault]
    let moments: Int
  }

  private let maxDelays: Int
  private var budget: Int
  private let seed: UInt64
  private var tried = 0
  /// The longest run so far, in moments.
  private var longest = 0
  /// The plain order and each fault in it, then the schedules derived from them.
  private var parents: [Parent] = []
  private var next = 0
  /// The moment of the parent for the next delay.
  private var moment = 0
  /// The number of faults that were possible in the plain order.
  private var faultCount = 0
  /// The remaining faults, or nil until the plain order has shown the possible ones.
  private var faults: ArraySlice<Schedule.Fault>?
  /// The journal lines after which a crash is still to be tried.
  private var crashes: Range<Int> = 0..<0
  /// The number of delays of which every combination was tried, or nil.
  private(set) var completedDelays: Int?
  /// The tried orders without faults.
  private(set) var orders = TriedOrders()
  /// True if the last schedule by chance had an order that was tried before.
  private var isOldOrder = false
  /// The scope of the search if nothing was left to vary before the budget was used up, or nil.
  private(set) var scope: SearchScope?

  init(maxDelays: Int, budget: Int, seed: UInt64) {
    self.maxDelays = maxDelays
    self.budget = budget
    self.seed = seed
  }

  /// Limits the number of further trials, including the last one returned.
  mutating func limit(to count: Int) { budget = min(budget, max(0, tried - 1) + count) }

  /// Returns the next trial, or nil if the budget is used up.
  mutating func nextTrial() -> Trial? {
    guard tried < budget else { return nil }
    defer { tried += 1 }
    if tried == 0 { return Trial(strategy: .given([])) }
    if let fault = faults?.popFirst() { return Trial(strategy: .given([]), faults: [fault]) }
    if let crash = crashes.popFirst() { return Trial(strategy: .given([]), crash: crash) }
    // Half of the budget: a fault that needs more delays is found sooner by chance.
    if tried <= budget / 2 || orders.isComplete, let trial = nextDelay() { return trial }
    // Nothing can be decided, or is to be.
    guard longest > 0, maxDelays > 0, !orders.isComplete else {
      scope = SearchScope(
        orders: maxDelays == 0 && !orders.isComplete ? nil : orders.count, faults: faultCount,
        delays: longest == 0 ? 0 : maxDelays)
      return nil
    }
    return isOldOrder ? untried() ?? byChance() : byChance()
  }

  /// Returns the schedule of an order that no run has had, or nil.
  private func untried() -> Trial? {
    orders.untried().map { choices in
      let delays = choices.enumerated().filter { $0.element > 0 }
        .map { Schedule.Delay(at: $0.offset, count: $0.element, .behindOthers) }
      return Trial(strategy: .given(delays))
    }
  }

  /// The next trials of the same kind, at most `count`, as long as no result can change them.
  func upcoming(like trial: Trial, _ count: Int) -> [Trial] {
    var copy = self
    var trials: [Trial] = []
    while trials.count < count, let next = copy.nextTrial(), next.stage == trial.stage {
      trials.append(next)
    }
    return trials
  }

  /// Notes the result of a trial: its decisions, the calls that can fail, and the journal lines.
  mutating func note(
    _ trial: Trial, _ steering: Steering, faults possible: () -> [Schedule.Fault],
    journalLines: Int
  ) {
    if trial.crash != nil { return }
    let moments = steering.moments
    longest = max(longest, moments)
    if trial.isOrder { note(order: steering, of: trial) }
    guard case .given(let delays) = trial.strategy, !trial.isWholeOrder else { return }
    if faults == nil {
      let all = possible()
      (faults, faultCount) = (all[...], all.count)
      // After the last line the run is over.
      crashes = 1..<max(1, journalLines)
    }
    if delays.count < maxDelays {
      parents.append(Parent(delays: delays, faults: trial.faults, moments: moments))
    }
  }

  private mutating func note(order steering: Steering, of trial: Trial) {
    let wanted = trial.stage == .chance ? orders.untried() : nil
    isOldOrder = !orders.note(steering.widths, steering.choices)
    guard case .given = trial.strategy, let wanted else { return }
    orders.giveUp(wanted)
    // The next untried order is sought in the same way.
    isOldOrder = true
  }

  /// Returns a tried schedule with one more delay at its end.
  private mutating func nextDelay() -> Trial? {
    while next < parents.count {
      let parent = parents[next]
      let first = (parent.delays.last?.moment ?? -1) + 1
      moment = max(moment, first)
      if moment < parent.moments {
        defer { moment += 1 }
        return Trial(
          strategy: .given(parent.delays + [Schedule.Delay(at: moment, count: 1, .untilIdle)]),
          faults: parent.faults)
      }
      if next + 1 == parents.count || parents[next + 1].delays.count > parent.delays.count {
        completedDelays = parent.delays.count + 1
      }
      next += 1
      moment = 0
      // What is behind is not needed any more.
      if next > 1_000 {
        parents.removeFirst(next)
        next = 0
      }
    }
    return nil
  }

  /// Returns, in turn, an order of priorities that changes once or twice, and a purely random
  /// order.
  private func byChance() -> Trial {
    var generator = SeededGenerator(seed: seed, label: "trial \(tried)")
    let seed = generator.next()
    if tried.isMultiple(of: 2) { return Trial(strategy: .random(seed)) }
    let falls = (0..<(tried % 4 == 1 ? 1 : 2)).map { _ in
      Int.random(in: 0..<longest, using: &generator)
    }
    return Trial(strategy: .priorities(seed, falls: falls))
  }
}
