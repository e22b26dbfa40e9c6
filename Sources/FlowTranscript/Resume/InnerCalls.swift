internal import FlowCore
internal import FlowEngine
internal import Synchronization

/// The calls between components in a journal, found by the call around them.
final class InnerCalls: CallNumbers {
  /// The result of looking for a component's call.
  enum Finding {
    /// The call is recorded, under a number.
    case found(Int)
    /// The call is not recorded, and may be made.
    case new
    /// The call differs from the recorded one, or nil if nothing more was recorded.
    case other(Transcript.Call?)
  }

  /// A repeated or served call, and the calls made during it.
  private struct Owner {
    /// True if it had its answer, so no new call may be made during it.
    let isAnswered: Bool
    /// The numbers of the remaining calls, by their addresses.
    var left: [Address: Int]
    /// The calls of the component's own task, in the program's order.
    var own: ArraySlice<Int>
    /// Finds the call of a task among equal ones.
    var tasks: TaskOrder
    /// The places of the calls, by their numbers.
    let places: [Int: Address.Call]
    /// The number of equal calls so far, by the hash of what they ask.
    var asked: [Int: Int] = [:]
  }

  private let calls: CallList
  /// The numbers of the calls that were made during others, by the addresses of these, in order.
  private let byCaller: [Address: [Int]]
  /// The requests that no program sends again.
  private let finished: FinishedRequests
  private let owners = Mutex<[Address: Owner]>([:])

  /// The calls of a journal.
  init(_ calls: CallList) {
    self.calls = calls
    var byCaller: [Address: [Int]] = [:]
    var finished = FinishedRequests()
    if calls.hasCallsOfComponents {
      for number in calls.indices where calls.isOfComponent(number) {
        let call = calls[number]
        guard let caller = call.address.caller, !finished.take(call, in: calls) else { continue }
        byCaller[caller, default: []].append(number)
      }
    }
    (self.byCaller, self.finished) = (byCaller, finished)
  }

  /// A recorded task that a component starts again, or nil for any other call.
  private func task(_ address: Address) -> Owner? {
    guard address.calls.last?.isLane == true else { return nil }
    let numbers = byCaller[address.recorded]
    // Its requests are numbered after those that are not sent again.
    guard numbers != nil || finished.contains(callsOf: address.recorded) else { return nil }
    return owner(of: numbers ?? [], isAnswered: false)
  }

  private func owner(of numbers: [Int], isAnswered: Bool) -> Owner {
    let recorded = numbers.map { ($0, calls[$0]) }
    let places = Dictionary(
      uniqueKeysWithValues: recorded.compactMap { number, call in
        call.address.calls.last.map { (number, $0) }
      })
    return Owner(
      isAnswered: isAnswered,
      left: Dictionary(recorded.map { ($1.address, $0) }) { first, _ in first },
      // Nothing orders the requests of a program.
      own: recorded.filter { $1.lane == 0 && $1.marks.arrival == nil }.map(\.0)[...],
      tasks: TaskOrder(
        recorded.map { number, call in
          TaskOrder.Entry(
            number: number, lane: call.lane,
            question: places[number].map { FinishedRequests.question($0.name, $0.tag) } ?? 0)
        }),
      places: places)
  }

  /// The recorded number of a component's call, and that of its task.
  ///
  /// Without it a task could get another task's answer, and would do something new with it.
  func place(
    calledBy caller: Address, _ name: String, tag: UInt64, task: Int
  ) -> (number: Int?, lane: Int)? {
    owners.withLock { owners in
      guard var owner = owners[caller] ?? self.task(caller) else { return nil }
      let question = FinishedRequests.question(name, tag)
      let found = owner.tasks.take(question, by: task)?.number
      owner.asked[question, default: 0] += 1
      let number =
        found.flatMap { owner.places[$0]?.number }
        ?? finished.number(after: owner.asked[question] ?? 0, question, calledBy: caller.recorded)
      owners[caller] = owner
      return (number, owner.tasks.lane(of: task))
    }
  }

  /// Returns true if the task's question remains, but not after the task's earlier questions.
  func isUnsure(calledBy caller: Address, _ name: String, tag: UInt64, task: Int) -> Bool {
    owners.withLock { owners in
      guard var owner = owners[caller] ?? self.task(caller) else { return false }
      defer { owners[caller] = owner }
      return owner.tasks.isUnsure(FinishedRequests.question(name, tag), by: task)
    }
  }

  /// Starts a recorded call.
  ///
  /// Returns false if no call was made during it.
  func begin(_ call: Transcript.Call, at address: Address) -> Bool {
    guard let numbers = byCaller[address.recorded] else { return false }
    // The same call may have been tried several times.
    let end = call.answerLine ?? .max
    let inner = numbers.filter { call.line < calls.line(of: $0) && calls.line(of: $0) < end }
    let owner = owner(of: inner, isAnswered: call.answer != nil)
    owners.withLock { $0[address] = owner }
    return true
  }

  /// Ends a call.
  ///
  /// Returns the recorded calls that were not made again, in order.
  func end(_ address: Address) -> [Transcript.Call] {
    let owner = owners.withLock { $0.removeValue(forKey: address) }
    return calls(owner)
  }

  /// The remaining recorded calls of an unfinished call, in order.
  func left(of address: Address) -> [Transcript.Call] {
    calls(owners.withLock { $0[address] })
  }

  private func calls(_ owner: Owner?) -> [Transcript.Call] {
    owner?.left.values.sorted().map { calls[$0] } ?? []
  }

  /// Finds a call, once.
  ///
  /// The component's own task has to make its calls in their order, and all of them before a new one: a call that
  /// comes in the place of a recorded one would do the same again in another way.
  func take(_ invocation: Invocation, by caller: Address) -> Finding {
    owners.withLock { owners in
      guard var owner = owners[caller] ?? task(caller) else { return .new }
      let number = owner.left.removeValue(forKey: invocation.address.recorded)
      if invocation.lane == 0, let next = owner.own.first, next != number {
        return .other(calls[next])
      }
      guard let number else { return owner.isAnswered ? .other(nil) : .new }
      if let index = owner.own.firstIndex(of: number) { owner.own.remove(at: index) }
      owners[caller] = owner
      return .found(number)
    }
  }
}

extension Transcript.Call {
  /// True if it had an answer, or an error.
  var hasEnded: Bool {
    switch answer {
    case nil, .cancelled?: false
    case .output?, .error?: true
    }
  }

  /// Returns true if it must be made again together with the call around it.
  func isMissed(by caller: Transcript.Call) -> Bool {
    caller.answer == nil || hasEnded
  }
}
