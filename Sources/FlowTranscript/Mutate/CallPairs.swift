package import FlowCore
package import FlowPlan
internal import FlowSystem

/// A recorded scenario of a suite.
package struct SuiteRecording: Sendable {
  /// The path that identifies the scenario in the suite.
  package let key: String
  /// The scenario.
  package let plan: Plan
  /// Its recording.
  package let transcript: Transcript

  /// Creates the recording of a scenario.
  package init(key: String, _ plan: Plan, _ transcript: Transcript) {
    (self.key, self.plan, self.transcript) = (key, plan, transcript)
  }

  /// The numbers of the recorded calls.
  package var calls: Range<Int> { 0..<transcript.calls.count }

  /// The address of a call.
  package func address(ofCall number: Int) -> Address { transcript.calls[number].address }

  /// A call in words: `api.get {path: "/orders/7"}`.
  package func title(ofCall number: Int) -> String {
    let call = transcript.calls[number]
    let input = call.input.served
    return input == .object([]) ? call.name : "\(call.name) \(input.summary(as: .dynamic))"
  }
}

/// The calls that two versions of a suite have in common.
///
/// A call is the same if its plugin's operation and its input are. Among several of them the one at the
/// same address of the same scenario comes first, then the others of this scenario in their order,
/// then those of all scenarios. At last, the same step has the same call, whatever its input.
package struct CallPairs: Sendable {
  /// A call of a suite.
  package struct Place: Hashable, Sendable {
    /// The number of its scenario.
    package let scenario: Int
    /// The number of the call in the scenario's recording.
    package let call: Int

    /// Creates the place of a call.
    package init(scenario: Int, call: Int) { (self.scenario, self.call) = (scenario, call) }
  }

  /// The features by which two calls are the same.
  fileprivate struct Key: Hashable {
    var scenario: String?
    var address: Address?
    var attempt: Int?
    let operation: String
    var input: JSON?
  }

  /// The features that a round of the search compares.
  fileprivate struct Round {
    var comparesScenario = false
    var comparesAddress = false
    var comparesInput = true
  }

  private static let rounds = [
    Round(comparesScenario: true, comparesAddress: true), Round(comparesScenario: true), Round(),
    Round(comparesScenario: true, comparesAddress: true, comparesInput: false),
  ]

  /// The calls of the later version by those of the earlier one.
  package private(set) var later: [Place: Place] = [:]
  /// The calls of the earlier version by those of the later one.
  package private(set) var earlier: [Place: Place] = [:]
  /// All calls of the later version, by their operations and inputs.
  private var laterCalls: [Key: [Place]] = [:]
  /// All calls of the earlier version, by their operations and inputs.
  private var earlierCalls: [Key: [Place]] = [:]
  private var earlierKeys: [Place: Key] = [:]
  private var laterKeys: [Place: Key] = [:]

  /// Finds the pairs.
  package init(from old: [SuiteRecording], to new: [SuiteRecording]) {
    let (before, after) = (Self.keys(of: old), Self.keys(of: new))
    for (place, key) in after {
      laterKeys[place] = key
      laterCalls[key.inAnyScenario, default: []].append(place)
    }
    for (place, key) in before {
      earlierKeys[place] = key
      earlierCalls[key.inAnyScenario, default: []].append(place)
    }
    for round in Self.rounds { pair(before, after, round) }
  }

  /// Returns the calls of the later version with the same operation and input as an earlier one.
  package func likenesses(of place: Place) -> [Place] {
    earlierKeys[place].flatMap { laterCalls[$0.inAnyScenario] } ?? []
  }

  /// Returns the earlier call with the same operation and input as a later one: its pair, or else the
  /// one that is as far along among the equal calls of the earlier version as it is in its scenario.
  package func origin(of place: Place) -> Place? {
    guard let key = laterKeys[place]?.inAnyScenario, let alike = earlierCalls[key] else {
      return nil
    }
    if let pair = earlier[place], earlierKeys[pair]?.inAnyScenario == key { return pair }
    let before = (laterCalls[key] ?? []).count {
      $0.scenario == place.scenario && $0.call < place.call
    }
    return alike[min(before, alike.count - 1)]
  }

  private mutating func pair(
    _ before: [(Place, Key)], _ after: [(Place, Key)], _ round: Round
  ) {
    var waiting: [Key: [Place]] = [:]
    for (place, key) in after.reversed() where earlier[place] == nil {
      waiting[key.only(round), default: []].append(place)
    }
    for (place, key) in before where later[place] == nil {
      guard let found = waiting[key.only(round)]?.popLast() else { continue }
      later[place] = found
      earlier[found] = place
    }
  }

  private static func keys(of suite: [SuiteRecording]) -> [(Place, Key)] {
    suite.enumerated().flatMap { number, recording in
      let plugins = Dictionary(
        recording.plan.allComponents.map { ($0.name, $0.plugin.plugin.name) },
        uniquingKeysWith: { first, _ in first })
      let attempts = recording.transcript.calls.attempts
      return recording.transcript.calls.enumerated().map { index, call in
        // A component may have another name in each version.
        let plugin = plugins[call.component] ?? call.component
        let key = Key(
          scenario: recording.key, address: call.address, attempt: attempts[index],
          operation: plugin + call.name.memberName, input: call.input.question)
        return (Place(scenario: number, call: index), key)
      }
    }
  }
}

extension CallPairs.Key {
  fileprivate func only(_ round: CallPairs.Round) -> Self {
    var key = self
    if !round.comparesScenario { key.scenario = nil }
    if !round.comparesAddress { (key.address, key.attempt) = (nil, nil) }
    if !round.comparesInput { key.input = nil }
    return key
  }

  fileprivate var inAnyScenario: Self { only(CallPairs.Round()) }
}
