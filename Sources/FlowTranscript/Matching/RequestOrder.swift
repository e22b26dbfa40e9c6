internal import FlowCore

/// The recorded requests from outside of the run, by the steps during which they came.
///
/// Requests of one group come in any order, and only after all groups before it.
struct RequestOrder {
  /// The requests of a step, by their groups.
  private var steps: [Address: [(turn: Int, call: Int)]] = [:]
  private var made: Set<Int> = []

  /// Creates the order of the recorded calls, of which nearly no recording has any from outside.
  init(_ calls: CallList) {
    guard calls.hasCallsOfComponents else { return }
    for number in calls.indices where calls.isOfComponent(number) {
      guard let arrival = calls[number].marks.arrival else { continue }
      steps[arrival.step, default: []].append((arrival.turn, number))
    }
    for step in steps.keys { steps[step]?.sort { ($0.turn, $0.call) < ($1.turn, $1.call) } }
  }

  /// The recorded requests of a step.
  func calls(during step: Address) -> [Int] { steps[step.recorded]?.map(\.call) ?? [] }

  /// Notes a request, and returns one of an earlier group that has not come.
  mutating func take(_ number: Int, _ arrival: Arrival) -> Int? {
    made.insert(number)
    return steps[arrival.step]?.prefix { $0.turn < arrival.turn }
      .first { !made.contains($0.call) }?.call
  }
}
