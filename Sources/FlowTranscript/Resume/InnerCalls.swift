internal import FlowCore
internal import FlowEngine
internal import Synchronization

/// The calls in a journal that components made of each other, found by the call during which they were made.
final class InnerCalls: CallNumbers {
  /// What is known of a call that a component makes.
  enum Finding {
    /// It is recorded, under a number.
    case found(Int)
    /// It is not recorded, and may be made.
    case new
    /// It is not what the component called before; nil where that was nothing more.
    case other(Transcript.Call?)
  }

  /// A call that is made again or served, and what was called meanwhile.
  private struct Owner {
    /// Whether it had its answer, so that nothing new may be called.
    let isAnswered: Bool
    /// The numbers of the calls that have not come, by what tells them apart.
    var left: [String: Int]
    /// Those of the component's own task, in their order, which is the program's.
    var own: ArraySlice<Int>
    /// Tells which of equal calls a task makes.
    var tasks: TaskCalls
    /// Where the calls were made, by their numbers.
    let places: [Int: Address.Call]
  }

  private let calls: CallList
  /// The numbers of the calls that were made during others, by the keys of these, in order.
  private let byCaller: [String: [Int]]
  private let owners = Mutex<[Address: Owner]>([:])

  /// The calls of a journal.
  init(_ calls: CallList) {
    self.calls = calls
    var byCaller: [String: [Int]] = [:]
    if calls.hasCallsOfComponents {
      for number in calls.indices where CallKey.isOfComponent(calls.address(of: number)) {
        guard let caller = calls[number].place?.caller else { continue }
        byCaller[caller.key, default: []].append(number)
      }
    }
    self.byCaller = byCaller
  }

  /// A task that a component has started before and starts again; nil for any other call.
  private func task(_ address: Address) -> Owner? {
    guard address.calls.last?.isLane == true, let numbers = byCaller[address.key] else {
      return nil
    }
    return owner(of: numbers, isAnswered: false)
  }

  private func owner(of numbers: [Int], isAnswered: Bool) -> Owner {
    let recorded = numbers.map { ($0, calls[$0]) }
    let places = Dictionary(
      uniqueKeysWithValues: recorded.compactMap { number, call in
        call.place?.calls.last.map { (number, $0) }
      })
    return Owner(
      isAnswered: isAnswered,
      left: Dictionary(recorded.map { ($1.key, $0) }) { first, _ in first },
      own: recorded.filter { $1.lane == 0 }.map(\.0)[...],
      tasks: TaskCalls(
        recorded.map { number, call in
          TaskCalls.Entry(
            number: number, lane: call.lane,
            question: places[number].map { Self.question($0.name, $0.tag) } ?? 0)
        }),
      places: places)
  }

  /// The hash of what a component's call asks.
  private static func question(_ name: String, _ tag: UInt64) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(tag)
    return hasher.finalize()
  }

  /// The number of a call that a component makes, and that of its task, as they are recorded.
  ///
  /// Without it a task could get what another one was answered, and would do something new with that.
  func place(
    calledBy caller: Address, _ name: String, tag: UInt64, task: Int
  ) -> (number: Int?, lane: Int)? {
    owners.withLock { owners in
      guard var owner = owners[caller] ?? self.task(caller) else { return nil }
      let number = owner.tasks.take(Self.question(name, tag), by: task)?.number
      owners[caller] = owner
      return (number.flatMap { owner.places[$0]?.number }, owner.tasks.lane(of: task))
    }
  }

  /// Whether what a task asks is left, but not behind what it had asked before.
  func isUnsure(calledBy caller: Address, _ name: String, tag: UInt64, task: Int) -> Bool {
    owners.withLock { owners in
      guard var owner = owners[caller] ?? self.task(caller) else { return false }
      defer { owners[caller] = owner }
      return owner.tasks.isUnsure(Self.question(name, tag), by: task)
    }
  }

  /// Begins a recorded call; false when nothing was called meanwhile.
  func begin(_ call: Transcript.Call, at address: Address) -> Bool {
    guard let numbers = byCaller[address.key] else { return false }
    // The same call may have been tried several times.
    let end = call.answerLine ?? .max
    let inner = numbers.filter { call.line < calls.line(of: $0) && calls.line(of: $0) < end }
    let owner = owner(of: inner, isAnswered: call.answer != nil)
    owners.withLock { $0[address] = owner }
    return true
  }

  /// Ends a call that was begun; what was called before and not now, in order.
  func end(_ address: Address) -> [Transcript.Call] {
    let owner = owners.withLock { $0.removeValue(forKey: address) }
    return calls(owner)
  }

  /// What was called before during a call that goes on, and not yet now, in order.
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
      let number = owner.left.removeValue(forKey: invocation.address.key)
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
  /// Whether it had an answer, or an error.
  var hasEnded: Bool {
    switch answer {
    case nil, .cancelled?: false
    case .output?, .error?: true
    }
  }

  /// Whether it must be made again when the call is, during which it was made.
  func isMissed(by caller: Transcript.Call) -> Bool {
    caller.answer == nil || hasEnded
  }
}
