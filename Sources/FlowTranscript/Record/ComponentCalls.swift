internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction

/// Puts the calls between components into an order that no schedule changes.
///
/// They are kept until the step's call has its answer. The calls of one task keep their order,
/// which the program determines. Tasks are ordered by their calls, the component's own task first.
/// Tasks with the same calls and different answers, as in polling, are ordered by time.
struct ComponentCalls {
  /// The unfinished calls, and the calls of steps with inner calls, without the latest one.
  private var open: [Address: Call] = [:]
  private var crowds = 0
  /// The groups of requests from outside, by their scopes.
  private var turns: [Address?: RequestTurns] = [:]
  /// The number of requests of each conversation so far.
  private var said: [Address: Int] = [:]
  /// The last caller and its call, since it often calls again.
  private var latest: Latest?

  private struct Latest {
    let owner: Call
    let call: Call
    var isOpen = true
  }

  /// True if no component has called another one.
  var isEmpty: Bool { open.isEmpty && latest == nil }

  /// Takes an event of a component's call.
  ///
  /// Returns false for every other event.
  mutating func take(_ event: Event) -> Bool {
    switch event {
    case .invoked(let invocation):
      guard !invocation.address.calls.isEmpty else { return false }
      let (owner, call) = (owner(of: invocation), Call(invocation))
      forgetLatest()
      crowds += 1
      owner.begin(call, newCrowd: crowds)
      if invocation.isFromOutside {
        if invocation.keepsOrder { call.begin(in: turns(of: invocation.address.scope)) }
        if let conversation = invocation.address.conversation {
          said[conversation, default: 0] += 1
        }
      }
      latest = Latest(owner: owner, call: call)
    case .emitted(let address, let event, let payload):
      guard !address.calls.isEmpty, let call = call(at: address) else { return false }
      call.reports.append((event, payload))
    case .completed(let invocation, let outcome):
      guard !invocation.address.calls.isEmpty, let call = takeOpen(at: invocation.address) else {
        return false
      }
      call.outcome = outcome
      call.isLate = invocation.isLate
      if invocation.continuesRequest, let conversation = invocation.address.conversation {
        call.after = said[conversation] ?? 0
      }
      call.end()
    default: return false
    }
    return true
  }

  private mutating func turns(of scope: Address?) -> RequestTurns {
    if let known = turns[scope] { return known }
    let new = RequestTurns()
    turns[scope] = new
    return new
  }

  /// The call around another one.
  ///
  /// A step's call is kept from here on.
  private mutating func owner(of call: Invocation) -> Call {
    if let latest, latest.owner.invocation.address.isCaller(of: call.address) {
      return latest.owner
    }
    guard let address = call.address.caller else { return Call(call) }
    if let latest, latest.isOpen, latest.call.invocation.address == address { return latest.call }
    if let owner = open[address] { return owner }
    let owner = Call(call.at(address))
    open[address] = owner
    return owner
  }

  private mutating func forgetLatest() {
    if let latest, latest.isOpen { open[latest.call.invocation.address] = latest.call }
    latest = nil
  }

  private mutating func takeOpen(at address: Address) -> Call? {
    guard let latest, latest.isOpen, latest.call.invocation.address == address else {
      return open.removeValue(forKey: address)
    }
    self.latest?.isOpen = false
    return latest.call
  }

  /// An unfinished or kept call.
  ///
  /// A task that it started may still report events after its answer.
  private func call(at address: Address) -> Call? {
    if let latest, latest.call.invocation.address == address { return latest.call }
    if let call = open[address] { return call }
    guard let caller = address.caller else { return nil }
    return call(at: caller)?.inner.last { $0.invocation.address == address }
  }

  /// Passes on the events of the calls during a step's call, in order.
  mutating func visit(_ address: Address, _ say: (Event) -> Void) {
    guard let call = open.removeValue(forKey: address) else { return }
    forgetLatest()
    Self.visit(call.inner, at: address, isMoved: false, say)
  }

  /// Passes on the events of calls made by tasks of components, in the order of their addresses.
  ///
  /// A task runs in parallel with the steps, so its calls have no place among theirs.
  mutating func visitTasks(_ say: (Event) -> Void) {
    let lanes = open.filter { $0.key.calls.last?.isLane == true }
    for lane in lanes.keys { open[lane] = nil }
    forgetLatest()
    for lane in lanes.sorted(by: { $0.key.key < $1.key.key }) {
      let requests = lane.value.inner.filter(\.invocation.isFromOutside)
      let scope = lane.key.calls.last?.isScope == true ? lane.key : nil
      turns(of: scope).visit(requests, at: lane.key, say)
      let others = lane.value.inner.filter { !$0.invocation.isFromOutside }
      Self.visit(others, at: lane.key, isMoved: false, say)
    }
  }

  /// Passes on the events of one caller's calls.
  ///
  /// `isMoved` if the recording has the caller at another address.
  fileprivate static func visit(
    _ calls: [Call], at caller: Address, isMoved: Bool, _ say: (Event) -> Void
  ) {
    guard let first = calls.first else { return }
    // The component's own task has the number 0 even without calls.
    if calls.allSatisfy({ $0.invocation.lane == first.invocation.lane }) {
      // In most calls there is one task, and the order of numbers is the order of starts.
      let lane = first.invocation.lane == 0 ? 0 : 1
      for call in calls {
        call.visit(of: caller, number: call.number, lane: lane, isMoved: isMoved, say)
      }
      return
    }
    markTies(calls)
    let lanes = lanes(of: calls)
    let isOwnFirst = lanes.first?.lane == 0
    var counts: [Question: Int] = [:]
    for (index, lane) in lanes.enumerated() {
      for call in lane.calls {
        let question = Question(call.invocation)
        counts[question, default: 0] += 1
        call.visit(
          of: caller, number: counts[question] ?? 1, lane: isOwnFirst ? index : index + 1,
          isMoved: isMoved, say)
      }
    }
  }

  /// The key by which a replay finds simultaneous calls: the task's earlier questions, and the
  /// present one.
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

  /// Marks simultaneous equal calls with different answers in tasks with the same history.
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
  /// The calls of one task, with its sort keys.
  ///
  /// The numbers of hidden texts depend on the order of time, so they decide only if the key
  /// without them does not.
  fileprivate typealias Lane = (
    lane: Int, number: Int, calls: [Call], key: [UInt8], bareKey: [UInt8]
  )

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
      // The pieces of a stream whose parts are all volatile have equal keys, and an order.
      let number = calls.first?.number ?? 0
      return (lane, number, calls, key, bareKey: PlaceholderNumbers.removed(from: key))
    }
    return keyed.sorted { left, right in
      if left.lane == 0 || right.lane == 0 { return left.lane == 0 && right.lane != 0 }
      if left.key == right.key { return left.number < right.number }
      if left.bareKey == right.bareKey { return left.key.lexicographicallyPrecedes(right.key) }
      return left.bareKey.lexicographicallyPrecedes(right.bareKey)
    }
  }
}

extension ComponentCalls.Call {
  /// The called operation and its input.
  var question: [UInt8] {
    Array(invocation.address.calls.last?.name.utf8 ?? "".utf8) + [0]
      + invocation.constantInput.canonicalText + [0]
  }

  /// The events and the answer.
  var answer: [UInt8] {
    reports.reduce(into: outcome.key(of: invocation)) {
      $0 += Array($1.event.utf8) + [0] + $1.payload.canonicalText + [0]
    }
  }

  /// The sort key of tasks: operations, inputs and answers, without the numbers of equal calls.
  func makeKey() -> [UInt8] {
    var key = question + answer
    // Of two calls with one answer, one may have called others: it comes first, as it would have if they had followed
    // each other, when the second one finds what the first one has kept.
    key.append(inner.isEmpty ? 1 : 0)
    key += ComponentCalls.lanes(of: inner).flatMap(\.key)
    return key + [0]
  }

  /// Passes on the events of a call, whose number among equal calls may differ from its number in
  /// the run.
  fileprivate func visit(
    of caller: Address, number: Int, lane: Int, isMoved: Bool, _ say: (Event) -> Void
  ) {
    var called = invocation
    called.lane = lane
    visit(called, of: caller, number: number, isMoved: isMoved, say)
  }

  /// Passes on the events of a call with other properties than its own.
  func visit(
    _ invocation: Invocation, of caller: Address, number: Int, isMoved: Bool,
    _ say: (Event) -> Void
  ) {
    let own = invocation.address.calls.last
    let isMoved = isMoved || own?.number != number
    let address =
      isMoved
      ? caller.call(own?.name ?? "", number: number, tag: own?.tag ?? 0) : invocation.address
    var called = isMoved ? invocation.at(address) : invocation
    // Its sender left while flow waited for more.
    if invocation.continuesRequest, case .cancelled = outcome { return }
    called.isTied = isTied
    called.isLate = isLate
    called.after = after
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
  /// Bytes in the order of the number, which is 0 or more.
  fileprivate var orderedBytes: [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}

extension Outcome {
  /// The sort key of the outcome of a call, without what varies.
  fileprivate func key(of call: Invocation) -> [UInt8] {
    switch self {
    case .answer(let value): call.withoutEchoes(value.leavingOut(call.volatile).canonicalText)
    case .error(let error): Array("\(error.code.name) \(error.message)".utf8)
    case .cancelled: []
    }
  }
}
