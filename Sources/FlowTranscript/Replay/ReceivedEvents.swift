internal import FlowCore
internal import FlowEngine

/// The events that steps of a replayed run received, which must be among those that were reported.
///
/// A step may receive an event before the call that reported it is made again, since it does not matter which of two
/// branches comes first. So the two are compared when the run has ended.
struct ReceivedEvents {
  fileprivate struct Event {
    let recorded: Transcript.Call
    let invocation: Invocation
  }

  private var events: [Event] = []
  /// The scopes of calls that reported something, by their numbers; without those of the main scenario.
  private var scopes: [Int: Address] = [:]

  /// Notes that a call was made, by its number in the transcript.
  mutating func note(_ calls: CallList, _ number: Int, _ invocation: Invocation) {
    guard let scope = invocation.scope, calls.hasEvents(number) else { return }
    scopes[number] = scope
  }

  /// Notes that a step received what is recorded.
  mutating func receive(_ call: Transcript.Call, _ invocation: Invocation) {
    events.append(Event(recorded: call, invocation: invocation))
  }

  /// The first event that was received and not reported, each being received once; nil for none.
  func firstUnreported(_ calls: CallList) -> (Transcript.Call, Invocation)? {
    // As in nearly all runs.
    if events.isEmpty { return nil }
    var reported = reported(calls)
    for event in events {
      let key = EventQueue.Key(scope: event.invocation.scope, name: event.recorded.name)
      var reports = reported.removeValue(forKey: key)
      guard reports?.take(event) == true else { return (event.recorded, event.invocation) }
      reported[key] = reports
    }
    return nil
  }

  private func reported(_ calls: CallList) -> [EventQueue.Key: Reports] {
    let names = Set(events.map(\.recorded.name))
    var reported: [EventQueue.Key: Reports] = [:]
    for number in calls.indices where calls.hasEvents(number) {
      for event in calls[number].emitted where names.contains(event.event) {
        let key = EventQueue.Key(scope: scopes[number], name: event.event)
        reported[key, default: Reports()].payloads.append(event.payload)
      }
    }
    return reported
  }

  /// What was reported under one name.
  private struct Reports {
    var payloads: [RecordedValue] = []
    private var taken: Set<Int> = []
    private var index: ValueIndex?

    /// Takes the first report that is what was received; false without one.
    mutating func take(_ event: Event) -> Bool {
      guard let found = first(event) else { return false }
      taken.insert(found)
      return true
    }

    private mutating func first(_ event: Event) -> Int? {
      guard case .output(let output)? = event.recorded.answer else { return nil }
      // A pattern may be any of them.
      if output.hasPatterns {
        return payloads.indices.first { !taken.contains($0) && event.isSame(as: payloads[$0]) }
      }
      var index = self.index ?? index(as: .record(event.invocation.outputType))
      self.index = nil
      defer { self.index = index }
      return index.first(
        like: output, whereLeft: { !taken.contains($0) }, { event.isSame(as: payloads[$0]) })
    }

    private func index(as type: ValueType) -> ValueIndex {
      var index = ValueIndex(as: type)
      for (number, payload) in payloads.enumerated() { index.add(number, payload) }
      return index
    }
  }
}

extension ReceivedEvents.Event {
  /// Whether a report is what was received, patterns on either side taking what the other one has.
  fileprivate func isSame(as report: RecordedValue) -> Bool {
    guard case .output(let output)? = recorded.answer else { return false }
    let type = ValueType.record(invocation.outputType)
    let received = output.matched(by: .plain(report.served), as: type).served
    let reported = report.matched(by: .plain(received), as: type).served
    guard let first = try? Value(received, as: type), let second = try? Value(reported, as: type)
    else { return false }
    return first.isSame(as: second)
  }
}
