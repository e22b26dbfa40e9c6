internal import FlowCore

/// A call during which a component may call others.
///
/// Used under the boundary's lock only.
final class CallOwner {
  /// The steps and branches around the call.
  let order: OrderScopes
  /// The number of equal calls made so far.
  private var counts: [CallQuestion: Int] = [:]
  /// The numbers of the calling tasks, in the order of their first calls.
  private var lanes: [UInt64: Int] = [:]
  /// The last calling task, which is nearly always the next one.
  private var latest: (task: UInt64, lane: Int)?
  /// The names of the unfinished calls.
  var open: [String] = []
  /// The reason for a call without an answer.
  ///
  /// The component cannot take it back.
  private(set) var failure: BoundaryFailure?

  /// Creates the owner.
  ///
  /// `task` may call before all others; with nil, no task comes first.
  init(_ order: OrderScopes, first task: UInt64? = nil) {
    self.order = order
    if let task { lanes[task] = 0 }
  }

  /// Ends a call.
  func end(_ name: String) {
    if let index = open.lastIndex(of: name) { open.remove(at: index) }
  }

  /// The failure for a call that continues after its caller's end, or nil.
  func lateCall(at address: Address) -> BoundaryFailure? {
    open.first.map {
      .lateCall("the call at '\(address)' ended before '\($0)', a call that it had made")
    }
  }

  /// The number of a task.
  ///
  /// A task without one gets the next number.
  func lane(of task: UInt64) -> Int {
    if let latest, latest.task == task { return latest.lane }
    return lanes[task] ?? lanes.count
  }

  /// Keeps the first reason why a call had no answer.
  func note(_ failure: BoundaryFailure) {
    if self.failure == nil { self.failure = failure }
  }

  /// Counts a call, in the lane of its task.
  ///
  /// - Throws: `ComponentError` when one before had no answer: what follows says nothing more.
  func number(
    _ question: CallQuestion, _ task: UInt64
  ) throws(ComponentError) -> (number: Int, lane: Int) {
    if let failure { throw ComponentError(.unexpected, failure.message) }
    let lane = lane(of: task)
    if lane == lanes.count { lanes[task] = lane }
    latest = (task, lane)
    return (count(question), lane)
  }

  private func count(_ question: CallQuestion) -> Int {
    // One look into the dictionary for both.
    let add: (inout Int) -> Int = {
      $0 += 1
      return $0
    }
    return add(&counts[question, default: 0])
  }
}

/// The key of equal calls: the name, and the first bytes of the digest of the recorded input.
struct CallQuestion: Hashable {
  let name: String
  let input: UInt64

  /// By the input alone: few calls of other names have the same one.
  func hash(into hasher: inout Hasher) { hasher.combine(input) }
}
