internal import FlowCore
package import FlowPlan
internal import FlowSystem

/// The parts of calls between components that differ between two runs of one scenario.
///
/// A value is reported where it is new: not where a later call or answer repeats it.
package struct ProposedVarying {
  /// The parts of one of a component's calls, by their paths.
  package struct Parts: Hashable {
    /// Parts of the input whose values occur more than once in a run.
    package fileprivate(set) var same: [String] = []
    /// Other parts of the input.
    package fileprivate(set) var any: [String] = []
    /// Parts of the answer.
    package fileprivate(set) var answer: [String] = []
  }

  /// A call as `varies` names it.
  private struct Name: Hashable {
    let component: String
    let call: String
  }

  /// A recorded call and its counterpart.
  private struct Pair {
    let name: Name
    let first: Transcript.Call
    let second: Transcript.Call
  }

  /// A differing part of an input.
  private struct Difference {
    let name: Name
    let place: ProposedPlace
  }

  /// The most calls of one group to search for a counterpart.
  private static let mostCounterparts = 100

  /// The names of the components, in the order of their first differing calls.
  package private(set) var components: [String] = []
  private var calls: [Name] = []
  private var parts: [Name: Parts] = [:]
  private let types: CallTypes

  /// Compares the calls of two runs.
  package init(_ first: Transcript, _ second: Transcript, of plan: Plan) {
    types = CallTypes(plan)
    var (given, answered) = (VariedValues(), VariedValues())
    var inputs: [Difference] = []
    for pair in Self.pairs(first.calls, second.calls, plan) {
      for change in inputChanges(pair) where !answered.explains(change, isGiven: true) {
        inputs.append(
          Difference(name: pair.name, place: ProposedPlace(of: change, at: change.place)))
        given.learn(change)
      }
      given.learn(from: pair.first.input, pair.second.input.served)
      for change in answerChanges(pair) where !given.explains(change, isGiven: true) {
        add(ProposedPlace(of: change, at: change.place).path, to: \.answer, of: pair.name)
        answered.learn(change)
      }
      if case (.output(let first)?, .output(let second)?) = (pair.first.answer, pair.second.answer)
      {
        answered.learn(from: first, second.served)
      }
    }
    let repeated = Self.repeated(inputs)
    let same = Set(
      inputs.filter { repeated.contains($0.place.values) }
        .map { "\($0.name.call) \($0.place.path)" })
    for input in inputs {
      let isSame = same.contains("\(input.name.call) \(input.place.path)")
      add(input.place.path, to: isSame ? \.same : \.any, of: input.name)
    }
  }

  /// The calls of a component with the parts that differ.
  package func calls(of component: String) -> [(name: String, parts: Parts)] {
    calls.filter { $0.component == component }.map { ($0.call, parts[$0] ?? Parts()) }
  }

  private mutating func add(
    _ path: String, to kind: WritableKeyPath<Parts, [String]>, of name: Name
  ) {
    guard ValuePath(path) != nil else { return }
    if !components.contains(name.component) { components.append(name.component) }
    if parts[name] == nil { calls.append(name) }
    var known = parts[name] ?? Parts()
    if !known[keyPath: kind].contains(path) { known[keyPath: kind].append(path) }
    parts[name] = known
  }

  private func inputChanges(_ pair: Pair) -> [FieldChange] {
    let type = types[pair.first.name]?.input
    return FieldChange.between(
      pair.first.matchedInput(by: pair.second, as: type), pair.second.input.served,
      as: type.map(ValueType.record) ?? .dynamic)
  }

  private func answerChanges(_ pair: Pair) -> [FieldChange] {
    guard case (.output(let first)?, .output(let second)?) = (pair.first.answer, pair.second.answer)
    else { return [] }
    let type = types[pair.first.name].map { ValueType.record($0.output) } ?? .dynamic
    let now = second.served
    return FieldChange.between(first.matched(by: .plain(now), as: type).json, now, as: type)
  }

  /// The pairs of values that occur more than once, and always with the same counterpart.
  private static func repeated(_ inputs: [Difference]) -> Set<[String]> {
    let known = Dictionary(grouping: inputs.map(\.place.values)) { $0 }
    let firsts = Dictionary(grouping: known.keys, by: \.first)
    let seconds = Dictionary(grouping: known.keys, by: \.last)
    return Set(
      known.filter { values, all in
        all.count > 1 && firsts[values.first]?.count == 1 && seconds[values.last]?.count == 1
      }.keys)
  }
}

// MARK: - Pairs

extension ProposedVarying {
  /// The calls that one maker makes under one name, during one step.
  private struct Group: Hashable {
    let caller: Address
    let name: String
    let step: Address?
  }

  private static func pairs(_ first: CallList, _ second: CallList, _ plan: Plan) -> [Pair] {
    var left: [Group: [Transcript.Call]] = [:]
    for number in second.indices {
      if let group = group(second, number) { left[group, default: []].append(second[number]) }
    }
    return first.indices.compactMap { number in
      guard let group = group(first, number), let name = name(first, number, plan),
        let others = left[group], let index = nearest(to: first[number], others)
      else { return nil }
      return Pair(
        name: name, first: first[number],
        second: left[group]?.remove(at: index) ?? others[index])
    }
  }

  private static func group(_ calls: CallList, _ number: Int) -> Group? {
    guard calls.isOfComponent(number), let caller = calls[number].address.caller,
      let own = calls[number].address.calls.last
    else { return nil }
    // A label may have what varies.
    let name = own.name.split(separator: ".").prefix(2).joined(separator: ".")
    return Group(caller: caller.untagged, name: name, step: calls[number].marks.arrival?.step)
  }

  /// The name of a call of a component of the scenario itself, or nil.
  private static func name(_ calls: CallList, _ number: Int, _ plan: Plan) -> Name? {
    guard let caller = calls[number].address.caller?.outsideLane,
      let owner = calls.latest(at: caller).map({ calls[$0].component }),
      let component = plan.components.first(where: { $0.name == owner }),
      let own = calls[number].address.calls.last,
      let requirement = component.plugin.requirement(of: own)
    else { return nil }
    return Name(component: owner, call: requirement.name)
  }

  /// The index of the call with the fewest differences in its input, or nil without calls.
  private static func nearest(to call: Transcript.Call, _ others: [Transcript.Call]) -> Int? {
    let counts = others.prefix(mostCounterparts).map { other in
      FieldChange.between(call.matchedInput(by: other, as: nil), other.input.served).count
    }
    return counts.indices.min { counts[$0] < counts[$1] }
  }
}

extension FieldChange {
  /// The place with all elements in place of one.
  var place: String {
    let pieces = path.split(separator: "[", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces.first ?? "")) { text, piece in
      guard let end = piece.firstIndex(of: "]"), UInt32(piece[..<end]) != nil else {
        return "\(text)[\(piece)"
      }
      return "\(text)[*\(piece[end...])"
    }
  }
}
