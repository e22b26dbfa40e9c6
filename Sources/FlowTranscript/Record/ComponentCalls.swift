internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// Brings the calls that components make of each other into an order that no schedule changes.
///
/// They are kept until the step's call has its answer. The calls of one task keep their order, which the program
/// determines. Tasks come in the order of what they called, the component's own first.
struct ComponentCalls {
  /// A call with what was said about it, and the calls that it made.
  fileprivate final class Call {
    var invocation: Invocation
    var events: [Event] = []
    var end: Event?
    var inner: [Call] = []

    init(_ invocation: Invocation) { self.invocation = invocation }
  }

  /// The calls that have not ended, and those of steps that have called.
  private var open: [Address: Call] = [:]

  /// Whether no component has called another one.
  var isEmpty: Bool { open.isEmpty }

  /// Takes an event of a call that a component makes; false for every other one.
  mutating func take(_ event: Event) -> Bool {
    switch event {
    case .invoked(let invocation):
      guard let caller = invocation.address.caller else { return false }
      let call = Call(invocation)
      open[invocation.address] = call
      if open[caller] == nil { open[caller] = Call(invocation.at(caller)) }
      open[caller]?.inner.append(call)
    case .emitted(let address, _, _):
      guard address.caller != nil, let call = call(at: address) else { return false }
      call.events.append(event)
    case .completed(let invocation, _):
      guard invocation.address.caller != nil, let call = open[invocation.address] else {
        return false
      }
      call.end = event
      open[invocation.address] = nil
    default: return false
    }
    return true
  }

  /// A call that goes on or is kept; what it started may still report after its answer.
  private func call(at address: Address) -> Call? {
    if let call = open[address] { return call }
    guard let caller = address.caller else { return nil }
    return call(at: caller)?.inner.last { $0.invocation.address == address }
  }

  /// The events of the calls that were made during a step's call, in their order.
  mutating func events(of address: Address) -> [Event] {
    guard let call = open.removeValue(forKey: address) else { return [] }
    return Self.events(of: call.inner, at: address)
  }

  /// The events of the calls that tasks made which components had started, in the order of their addresses.
  ///
  /// A task goes on beside the steps, so its calls stand in no place among theirs.
  mutating func eventsOfTasks() -> [Event] {
    let lanes = open.filter { $0.key.calls.last?.isLane == true }
    for lane in lanes.keys { open[lane] = nil }
    return lanes.sorted { $0.key.key < $1.key.key }
      .flatMap { Self.events(of: $0.value.inner, at: $0.key) }
  }

  fileprivate static func events(of calls: [Call], at caller: Address) -> [Event] {
    let isOneTask = calls.allSatisfy { $0.invocation.lane == calls.first?.invocation.lane }
    // As in most calls; the keys have all that was said.
    let sorted =
      isOneTask
      ? [(lane: calls.first?.invocation.lane ?? 0, calls: calls, key: [])] : lanes(of: calls)
    // The component's own task has the number 0 also where it called nothing.
    let isOwnFirst = sorted.first?.lane == 0
    var counts: [Address: Int] = [:]
    return sorted.enumerated().flatMap { index, lane in
      lane.calls.flatMap { call -> [Event] in
        let last = call.invocation.address.calls.last
        let name = last?.name ?? ""
        let first = caller.call(name, number: 1, tag: last?.tag ?? 0)
        counts[first, default: 0] += 1
        let address = caller.call(name, number: counts[first] ?? 1, tag: last?.tag ?? 0)
        return call.events(at: address, lane: isOwnFirst ? index : index + 1)
      }
    }
  }
}

extension ComponentCalls {
  /// The calls of one task, and what orders it among the others.
  fileprivate typealias Lane = (lane: Int, calls: [Call], key: [UInt8])

  /// The tasks in their order, the component's own first.
  fileprivate static func lanes(of calls: [Call]) -> [Lane] {
    let lanes = Dictionary(grouping: calls, by: \.invocation.lane).map { lane, calls in
      (lane: lane, calls: calls, key: calls.flatMap(\.key))
    }
    return lanes.sorted { left, right in
      if left.lane == 0 || right.lane == 0 { return left.lane == 0 && right.lane != 0 }
      return left.key.lexicographicallyPrecedes(right.key)
    }
  }
}

extension ComponentCalls.Call {
  /// What orders tasks: what was called, with what and what came of it, but not the numbers of equal calls.
  fileprivate var key: [UInt8] {
    var key = Array(invocation.address.calls.last?.name.utf8 ?? "".utf8) + [0]
    key += invocation.input.canonicalText + [0]
    if case .completed(_, let outcome)? = end { key += outcome.key }
    for case .emitted(_, let event, let payload) in events {
      key += Array(event.utf8) + [0] + payload.canonicalText + [0]
    }
    // Of two calls with one answer, one may have called others.
    key += ComponentCalls.lanes(of: inner).flatMap(\.key)
    return key + [0]
  }

  fileprivate func events(at address: Address, lane: Int) -> [Event] {
    var called = invocation.at(address)
    called.lane = lane
    var result = [Event.invoked(called)]
    for case .emitted(_, let event, let payload) in events {
      result.append(.emitted(address, event: event, payload: payload))
    }
    result += ComponentCalls.events(of: inner, at: address)
    var outcome = Outcome.cancelled
    // What the component has not waited for has no answer any more.
    if case .completed(_, let answered)? = end { outcome = answered }
    result.append(.completed(called, outcome))
    return result
  }
}

extension Invocation {
  fileprivate func at(_ address: Address) -> Invocation {
    var copy = self
    copy.address = address
    return copy
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
