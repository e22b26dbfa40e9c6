internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// The recorded requests from outside of the run, by the steps during which they came.
///
/// Requests of one group come in any order, and only after all groups before it, each scope for
/// itself. Whether an earlier one is left out or follows shows only later, so what is noted here is
/// judged at the end of a step.
struct RequestOrder {
  /// The requests whose groups follow each other.
  private struct Sequence: Hashable {
    let step: Address
    let scope: Address?
  }

  /// A request that came before one of an earlier group, or during another step than recorded.
  struct Departure {
    /// The request in the run.
    let invocation: Invocation
    /// The recorded request.
    let call: Int
    /// The recorded one that had not come, or nil for a request during another step.
    let missing: Int?
  }

  /// The requests of a step outside of scopes or in one, by their groups.
  private var sequences: [Sequence: [(turn: Int, call: Int)]] = [:]
  /// The sequences of a step.
  private var steps: [Address: Set<Sequence>] = [:]
  /// The requests of a step that may belong to a later one.
  private var late: [Address: [Int]] = [:]
  private var made: Set<Int> = []
  private(set) var departures: [Departure] = []

  /// Creates the order of the recorded calls, of which nearly no recording has any from outside.
  init(_ calls: CallList) {
    guard calls.hasCallsOfComponents else { return }
    for number in calls.indices where calls.isOfComponent(number) {
      guard let arrival = calls[number].marks.arrival else { continue }
      if arrival.isOfStep {
        let sequence = Sequence(step: arrival.step, scope: calls.address(of: number).scope)
        sequences[sequence, default: []].append((arrival.turn, number))
        steps[arrival.step, default: []].insert(sequence)
      } else {
        late[arrival.step, default: []].append(number)
      }
    }
    for sequence in sequences.keys {
      sequences[sequence]?.sort { ($0.turn, $0.call) < ($1.turn, $1.call) }
    }
  }

  /// The recorded requests that a step's answer waited for.
  func calls(during step: Address) -> [Int] { requests(during: step).flatMap { $0.map(\.call) } }

  /// The requests of a step, by their sequences.
  private func requests(during step: Address) -> [[(turn: Int, call: Int)]] {
    (steps[step.recorded] ?? []).compactMap { sequences[$0] }
  }

  /// The recorded requests that a step's answer waited for, and that others of a later group came
  /// without.
  func skipped(during step: Address) -> [Int] {
    requests(during: step).flatMap { own in
      let latest = own.last { made.contains($0.call) }?.turn ?? 0
      return own.filter { $0.turn < latest && !made.contains($0.call) }.map(\.call)
    }
  }

  /// The recorded requests that came during a step or later.
  func late(during step: Address) -> [Int] { late[step.recorded] ?? [] }

  /// All recorded requests that no step's answer waited for.
  var allLate: [Int] { late.values.flatMap { $0 } }

  /// Notes a request of a recorded scope and its step, and one of an earlier group that has not come.
  ///
  /// Its order counts only where `keepsOrder` is true. `isFree` returns true for one that may be left
  /// out.
  mutating func take(
    _ number: Int, in scope: Address?, _ arrival: Arrival, _ invocation: Invocation,
    keepsOrder: Bool, isFree: (Int) -> Bool
  ) {
    made.insert(number)
    guard invocation.keepsOrder else { return }
    if let step = invocation.step, !arrival.fits(step.recorded) {
      return departures.append(Departure(invocation: invocation, call: number, missing: nil))
    }
    guard keepsOrder, arrival.isOfStep else { return }
    let sequence = Sequence(step: arrival.step, scope: scope)
    let missing = sequences[sequence]?.prefix { $0.turn < arrival.turn }
      .first { !made.contains($0.call) && !isFree($0.call) }?.call
    if let missing {
      departures.append(Departure(invocation: invocation, call: number, missing: missing))
    }
  }

  /// Takes the departures for which a condition holds, without those from requests that never came:
  /// these are missing, and in no order.
  mutating func takeDepartures(where holds: (Invocation) -> Bool) -> [Departure] {
    let taken = departures.filter { holds($0.invocation) }
    departures.removeAll { holds($0.invocation) }
    return taken.filter { $0.missing.map(made.contains) ?? true }
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
    var sequences: [[Address?]: [Request]] = [:]
    for (number, other) in counterparts.enumerated() where recorded.isOfComponent(number) {
      guard let other, let then = recorded[number].marks.arrival,
        let arrival = now[other].marks.arrival, then.step == arrival.step, then.isOfStep,
        arrival.isOfStep
      else { continue }
      sequences[[then.step, recorded.address(of: number).scope], default: []].append(
        Request(number: number, recorded: then.turn, now: arrival.turn))
    }
    for requests in sequences.values { compare(requests.sorted { $0.recorded < $1.recorded }) }
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
