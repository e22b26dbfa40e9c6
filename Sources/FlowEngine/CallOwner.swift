internal import FlowCore

/// A call during which a component may call others; touched under the boundary's lock alone.
final class CallOwner {
  /// What the call is inside of.
  let order: OrderScopes
  /// How many equal calls it has made.
  private var counts: [CallQuestion: Int] = [:]
  /// The numbers of the tasks that called, in the order in which they came.
  private var lanes: [UInt64: Int] = [:]
  /// The task that called last, which is nearly always the one that calls next.
  private var latest: (task: UInt64, lane: Int)?
  /// The names of the calls that have not ended.
  var open: [String] = []
  /// Why a call had no answer; the component cannot make it undone.
  private(set) var failure: BoundaryFailure?

  /// A call during which this task may call before all others; nil where none is the first.
  init(_ order: OrderScopes, first task: UInt64? = nil) {
    self.order = order
    if let task { lanes[task] = 0 }
  }

  /// Ends a call that was made.
  func end(_ name: String) {
    if let index = open.lastIndex(of: name) { open.remove(at: index) }
  }

  /// What is said of a call that goes on after its caller's end; nil for none.
  func lateCall(at address: Address) -> BoundaryFailure? {
    open.first.map {
      .lateCall("the call at '\(address)' ended before '\($0)', which it had called")
    }
  }

  /// The number of a task, which may call first now.
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

/// What equal calls share: the name, and the beginning of the digest of the input as it is recorded.
struct CallQuestion: Hashable {
  let name: String
  let input: UInt64

  /// By the input alone: few calls of other names have the same one.
  func hash(into hasher: inout Hasher) { hasher.combine(input) }
}
