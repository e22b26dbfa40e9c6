internal import FlowCore
internal import FlowEngine

/// The requests of programs in a journal whose steps have their answers.
///
/// Such a step is served, and its program does not run again. So nobody sends these requests, and
/// an equal request of a later program is another one: it has the next number.
struct FinishedRequests: Sendable {
  /// The latest numbers of equal requests, by the tasks that received them.
  private var numbers: [Address: [Int: Int]] = [:]

  /// The hash of a component's call without its number among equal ones.
  static func question(_ name: String, _ tag: UInt64) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(tag)
    return hasher.finalize()
  }

  /// Takes a call of a journal, or returns false for one that is made again.
  mutating func take(_ call: Transcript.Call, in calls: CallList) -> Bool {
    guard let arrival = call.marks.arrival, call.answer != nil,
      let caller = call.address.caller, let place = call.address.calls.last,
      let step = calls.latest(at: arrival.step), calls.isAnswered(step)
    else { return false }
    let question = Self.question(place.name, place.tag)
    numbers[caller, default: [:]][question] = max(
      numbers[caller]?[question] ?? 0, place.number)
    return true
  }

  /// Returns true if a task received some of them.
  func contains(callsOf caller: Address) -> Bool { numbers[caller] != nil }

  /// The number of the next new request, the `count`th equal one since, or nil if there were none.
  func number(after count: Int, _ question: Int, calledBy caller: Address) -> Int? {
    numbers[caller]?[question].map { $0 + count }
  }
}
