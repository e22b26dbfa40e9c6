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
      guard let index = reported[key]?.firstIndex(where: event.isSame) else {
        return (event.recorded, event.invocation)
      }
      reported[key]?.remove(at: index)
    }
    return nil
  }

  private func reported(_ calls: CallList) -> [EventQueue.Key: [RecordedValue]] {
    let names = Set(events.map(\.recorded.name))
    var reported: [EventQueue.Key: [RecordedValue]] = [:]
    for number in calls.indices where calls.hasEvents(number) {
      for event in calls[number].emitted where names.contains(event.event) {
        let key = EventQueue.Key(scope: scopes[number], name: event.event)
        reported[key, default: []].append(event.payload)
      }
    }
    return reported
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
