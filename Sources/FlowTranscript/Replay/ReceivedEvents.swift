internal import FlowCore
internal import FlowEngine

/// The events received by steps of a replayed run, to compare with the reported ones.
///
/// A step may receive an event before the reporting call is made again, because two branches come
/// in any order. So the two are compared at the end of the run.
struct ReceivedEvents {
  fileprivate struct Event {
    let recorded: Transcript.Call
    let invocation: Invocation
  }

  private var events: [Event] = []
  /// The scopes of reporting calls, by their numbers, without those of the main scenario.
  private var scopes: [Int: Address] = [:]

  /// Notes a call by its number in the transcript.
  mutating func note(_ calls: CallList, _ number: Int, _ invocation: Invocation) {
    guard let scope = invocation.scope, calls.hasEvents(number) else { return }
    scopes[number] = scope
  }

  /// Notes a received event.
  mutating func receive(_ call: Transcript.Call, _ invocation: Invocation) {
    events.append(Event(recorded: call, invocation: invocation))
  }

  /// The first received event that was not reported, or nil.
  ///
  /// Each report is received once.
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

  /// The reports with one name.
  private struct Reports {
    var payloads: [RecordedValue] = []
    private var taken: Set<Int> = []
    private var index: ValueIndex?

    /// Takes the first report equal to the received event.
    ///
    /// Returns false without one.
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
  /// Returns true if a report equals the received event.
  ///
  /// Patterns on either side accept the other's value.
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
