internal import FlowCore
internal import FlowSystem

/// The recorded calls that read on for requests from outside, of which the senders left before the end.
///
/// A program that reads a certain number of pieces gets them one by one from a server, and several at
/// once if they come without a pause. So the pieces of such an answer are served with one. Of a complete
/// answer a program reads everything, however it is cut.
struct CutReadings {
  /// The inputs of these calls, with the addresses of their callers.
  private var readings: Set<String> = []

  /// Finds them among the recorded calls: the last one of each reading has no field that is true, by
  /// which it would say that it is the last.
  init(_ calls: CallList, _ optional: OptionalCalls) {
    guard calls.hasCallsOfComponents, optional.hasContinuing else { return }
    var isComplete: [String: Bool] = [:]
    for number in calls.indices where calls.isOfComponent(number) {
      guard optional.isContinuing(at: calls.address(of: number), in: calls) else { continue }
      let call = calls[number]
      isComplete[Self.key(call)] = call.answer?.isOfEnd ?? false
    }
    readings = Set(isComplete.filter { !$0.value }.keys)
  }

  /// Returns true for a call of such a reading.
  func contains(_ call: Transcript.Call) -> Bool {
    !readings.isEmpty && readings.contains(Self.key(call))
  }

  private static func key(_ call: Transcript.Call) -> String {
    "\(call.address.caller?.untagged ?? call.address) \(call.input.json.text)"
  }
}

extension Transcript.Answer {
  fileprivate var isOfEnd: Bool {
    guard case .output(let output) = self, case .object(let members) = output.served else {
      return false
    }
    return members.contains { $0.value == .bool(true) }
  }
}
