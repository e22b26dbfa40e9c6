internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// Brings the calls that components make of each other into an order that no schedule changes.
///
/// They are kept until the step's call has its answer. The calls of one task keep their order, which the program
/// determines. Tasks come in the order of what they called, the component's own first; those that asked the same one
/// after the other and were answered differently, as when something is polled, come in the order of time.
struct ComponentCalls {
  /// A call with what was said about it, and the calls that it made.
  fileprivate final class Call {
    let invocation: Invocation
    /// What was reported meanwhile.
    var reports: [(event: String, payload: Value)] = []
    /// What the component has not waited for has no answer any more.
    var outcome = Outcome.cancelled
    var inner: [Call] = []
    /// The call during which it is made.
    weak var owner: Call?
    /// What it asks and has no answer to, as often as it asks at the same time.
    var asking: [Question: (count: Int, crowd: Int)] = [:]
    /// Equal calls that went on at the same time share a number.
    var crowd = 0
    /// Whether one of them was answered otherwise.
    var isTied = false
    /// What orders tasks, once everything was said about it.
    private(set) lazy var key = makeKey()

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Ends one of the calls that it makes.
    func end(_ question: Question) {
      guard let index = asking.index(forKey: question) else { return }
      asking.values[index].count -= 1
      // What nobody asks any more is not kept: the next one to ask begins a new crowd.
      if asking.values[index].count == 0 { asking.remove(at: index) }
    }

    /// Puts a call among the equal ones that go on, or into a new crowd, of this number.
    func begin(_ call: Call, newCrowd: Int) {
      call.owner = self
      inner.append(call)
      let add: (inout (count: Int, crowd: Int)) -> Int = { asked in
        asked.count += 1
        return asked.crowd
      }
      call.crowd = add(&asking[Question(call.invocation), default: (0, newCrowd)])
    }
  }

  /// What equal calls share.
  fileprivate struct Question: Hashable {
    let name: String
    let tag: UInt64

    init(_ invocation: Invocation) {
      let call = invocation.address.calls.last
      (name, tag) = (call?.name ?? "", call?.tag ?? 0)
    }

    /// By the input alone: few calls of other names have the same one.
    func hash(into hasher: inout Hasher) { hasher.combine(tag) }
  }

  /// The calls that have not ended, and those of steps that have called.
  private var open: [Address: Call] = [:]
  private var crowds = 0

  /// Whether no component has called another one.
  var isEmpty: Bool { open.isEmpty }

  /// Takes an event of a call that a component makes; false for every other one.
  mutating func take(_ event: Event) -> Bool {
    switch event {
    case .invoked(let invocation):
      guard let caller = invocation.address.caller else { return false }
      let call = Call(invocation)
      open[invocation.address] = call
      crowds += 1
      owner(at: caller, of: invocation).begin(call, newCrowd: crowds)
    case .emitted(let address, let event, let payload):
      guard !address.calls.isEmpty, let call = call(at: address) else { return false }
      call.reports.append((event, payload))
    case .completed(let invocation, let outcome):
      guard !invocation.address.calls.isEmpty,
        let call = open.removeValue(forKey: invocation.address)
      else { return false }
      call.outcome = outcome
      call.owner?.end(Question(invocation))
    default: return false
    }
    return true
  }

  /// The call during which another one is made; a step's is kept from here on.
  private mutating func owner(at address: Address, of invocation: Invocation) -> Call {
    if let owner = open[address] { return owner }
    let owner = Call(invocation.at(address))
    open[address] = owner
    return owner
  }

  /// A call that goes on or is kept; what it started may still report after its answer.
  private func call(at address: Address) -> Call? {
    if let call = open[address] { return call }
    guard let caller = address.caller else { return nil }
    return call(at: caller)?.inner.last { $0.invocation.address == address }
  }

  /// Says what happened in the calls that were made during a step's call, in their order.
  mutating func visit(_ address: Address, _ say: (Event) -> Void) {
    guard let call = open.removeValue(forKey: address) else { return }
    Self.visit(call.inner, at: address, isMoved: false, say)
  }

  /// Says what happened in the calls that tasks made which components had started, in the order of their addresses.
  ///
  /// A task goes on beside the steps, so its calls stand in no place among theirs.
  mutating func visitTasks(_ say: (Event) -> Void) {
    let lanes = open.filter { $0.key.calls.last?.isLane == true }
    for lane in lanes.keys { open[lane] = nil }
    for lane in lanes.sorted(by: { $0.key.key < $1.key.key }) {
      Self.visit(lane.value.inner, at: lane.key, isMoved: false, say)
    }
  }

  /// Says what happened in the calls of one; `isMoved` where the recording has that at another address.
  fileprivate static func visit(
    _ calls: [Call], at caller: Address, isMoved: Bool, _ say: (Event) -> Void
  ) {
    let isOneTask = calls.allSatisfy { $0.invocation.lane == calls.first?.invocation.lane }
    // As in most calls; the keys have all that was said.
    let sorted =
      isOneTask
      ? [(lane: calls.first?.invocation.lane ?? 0, calls: calls, key: [])] : lanes(of: calls)
    if !isOneTask { markTies(calls) }
    // The component's own task has the number 0 also where it called nothing.
    let isOwnFirst = sorted.first?.lane == 0
    var counts: [Question: Int] = [:]
    for (index, lane) in sorted.enumerated() {
      for call in lane.calls {
        let question = Question(call.invocation)
        counts[question, default: 0] += 1
        let number = counts[question] ?? 1
        let isSame = !isMoved && call.invocation.address.calls.last?.number == number
        call.visit(
          at: isSame
            ? call.invocation.address
            : caller.call(question.name, number: number, tag: question.tag),
          lane: isOwnFirst ? index : index + 1, isMoved: !isSame, say)
      }
    }
  }

  /// What a replay finds calls by that go on at the same time: what their tasks asked before, and now.
  private struct Trace: Hashable {
    var history = 0
    let isOwn: Bool
    var crowd = 0

    mutating func add(_ question: Question) {
      var hasher = Hasher()
      hasher.combine(history)
      hasher.combine(question)
      history = hasher.finalize()
    }
  }

  /// Marks equal calls that went on at the same time and were answered differently, in tasks that had asked the same.
  private static func markTies(_ calls: [Call]) {
    if Set(calls.map(\.crowd)).count == calls.count { return }
    var traces: [Int: Trace] = [:]
    var groups: [Trace: [Call]] = [:]
    for call in calls {
      let lane = call.invocation.lane
      var trace = traces[lane] ?? Trace(isOwn: lane == 0)
      trace.crowd = call.crowd
      groups[trace, default: []].append(call)
      trace.add(Question(call.invocation))
      traces[lane] = trace
    }
    for group in groups.values where Set(group.map(\.answer)).count > 1 {
      for call in group { call.isTied = true }
    }
  }
}

extension ComponentCalls {
  /// The calls of one task, and what orders it among the others.
  fileprivate typealias Lane = (lane: Int, calls: [Call], key: [UInt8])

  /// The tasks in their order, the component's own first.
  fileprivate static func lanes(of calls: [Call]) -> [Lane] {
    let lanes = Dictionary(grouping: calls, by: \.invocation.lane)
    let firsts = lanes.values.compactMap(\.first)
    let answers = Dictionary(grouping: firsts) { Question($0.invocation) }
      .mapValues { Set($0.map(\.key)).count }
    let keyed = lanes.map { lane, calls -> Lane in
      let question = calls.first.map { Question($0.invocation) }
      let isTimed = question.flatMap { answers[$0] } ?? 1 > 1
      let time = isTimed ? calls.first?.crowd ?? 0 : 0
      let key = (calls.first?.question ?? []) + time.orderedBytes + calls.flatMap(\.key)
      return (lane: lane, calls: calls, key: key)
    }
    return keyed.sorted { left, right in
      if left.lane == 0 || right.lane == 0 { return left.lane == 0 && right.lane != 0 }
      return left.key.lexicographicallyPrecedes(right.key)
    }
  }
}

extension ComponentCalls.Call {
  /// What was called, with what.
  fileprivate var question: [UInt8] {
    Array(invocation.address.calls.last?.name.utf8 ?? "".utf8) + [0]
      + invocation.input.canonicalText + [0]
  }

  /// What came of it at once.
  fileprivate var answer: [UInt8] {
    reports.reduce(into: outcome.key) {
      $0 += Array($1.event.utf8) + [0] + $1.payload.canonicalText + [0]
    }
  }

  /// What orders tasks: what was called, with what and what came of it, but not the numbers of equal calls.
  fileprivate func makeKey() -> [UInt8] {
    var key = question + answer
    // Of two calls with one answer, one may have called others: it comes first, as it would have if they had followed
    // each other, when the second one finds what the first one has kept.
    key.append(inner.isEmpty ? 1 : 0)
    key += ComponentCalls.lanes(of: inner).flatMap(\.key)
    return key + [0]
  }

  fileprivate func visit(
    at address: Address, lane: Int, isMoved: Bool, _ say: (Event) -> Void
  ) {
    var called = isMoved ? invocation.at(address) : invocation
    called.lane = lane
    called.isTied = isTied
    say(.invoked(called))
    for report in reports {
      say(.emitted(address, event: report.event, payload: report.payload))
    }
    ComponentCalls.visit(inner, at: address, isMoved: isMoved, say)
    say(.completed(called, outcome))
  }
}

extension Invocation {
  fileprivate func at(_ address: Address) -> Invocation {
    var copy = self
    copy.address = address
    return copy
  }
}

extension Int {
  /// Bytes that compare as the number does, 0 or more.
  fileprivate var orderedBytes: [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}

extension Outcome {
  fileprivate var key: [UInt8] {
    switch self {
    case .answer(let value): value.canonicalText
    case .error(let error): Array("\(error.code.name) \(error.message)".utf8)
    case .cancelled: []
    }
  }
}
