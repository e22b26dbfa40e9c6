internal import FlowCore
internal import FlowSystem

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
      .first { $0.turn > 0 && !made.contains($0.call) }?.call
  }
}

/// The groups of the requests from outside in two runs.
///
/// Requests of one group may come one after the other in another run, but none may come before one
/// of an earlier group.
struct ComparedTurns {
  /// A request in both runs.
  private struct Request {
    let number: Int
    let recorded: Int
    let now: Int
  }

  /// The requests that came before one of an earlier group, by their recorded numbers.
  private var early: [Int: Request] = [:]

  /// Compares the groups of recorded calls with those of their counterparts.
  init(_ recorded: CallList, _ now: CallList, _ counterparts: [Int?]) {
    guard recorded.hasCallsOfComponents else { return }
    var steps: [Address: [Request]] = [:]
    for (number, other) in counterparts.enumerated() where recorded.isOfComponent(number) {
      guard let other, let then = recorded[number].marks.arrival,
        let arrival = now[other].marks.arrival, then.step == arrival.step, then.turn > 0,
        arrival.turn > 0
      else { continue }
      steps[then.step, default: []].append(
        Request(number: number, recorded: then.turn, now: arrival.turn))
    }
    for requests in steps.values { compare(requests.sorted { $0.recorded < $1.recorded }) }
  }

  private mutating func compare(_ requests: [Request]) {
    var (group, latest, latestBefore) = (0, 0, 0)
    for request in requests {
      if request.recorded > group { (group, latestBefore) = (request.recorded, latest) }
      if request.now < latestBefore { early[request.number] = request }
      latest = max(latest, request.now)
    }
  }

  /// The change of a recorded request's group, or nil if it came in its order.
  func change(of number: Int) -> FieldChange? {
    early[number].map {
      FieldChange(
        path: "turn", recorded: .number(String($0.recorded)), now: .number(String($0.now)),
        type: .dynamic)
    }
  }
}
