internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// What may vary between two runs, and did: by that what the scenario derives from it is recognised.
///
/// An id that a server gives anew each time stands in the path of the next request, and in the answer to that. Of what
/// is hidden only the numbers vary, which tell hidden texts apart.
struct VariedValues {
  private struct Pair: Hashable {
    let recorded: [UInt8]
    let now: [UInt8]
  }

  private static let most = 200
  /// How many ways of reading two texts are tried.
  private static let mostPlaces = 5_000
  /// The longest text that is looked at, in bytes.
  private static let longest = 4_096
  /// The shortest value that is recognised elsewhere than in what the scenario gives: other ones are found by chance.
  private static let shortest = 8

  private var pairs: [Pair] = []
  private var hidden = HiddenPairs()
  /// What is hidden in answers that were served: a component has it from there, and makes no such text itself.
  private var served: Set<String> = []
  /// Whether the number of a placeholder may vary: not that of one which was served.
  private let canVary: @Sendable (PlaceholderNumbers.Place) -> Bool

  /// Nothing that has varied yet; `canVary` says of which placeholders the number may.
  init(canVary: @escaping @Sendable (PlaceholderNumbers.Place) -> Bool = { _ in true }) {
    self.canVary = canVary
  }

  /// Whether it may explain a change of a value.
  func mayExplain(_ value: JSON) -> Bool { !pairs.isEmpty || value.mayHidePart }

  /// A value in which what is hidden has the numbers of the recording, as far as they are known.
  func renumbered(_ value: Value) -> Value { hidden.renumbered(value) }

  /// Takes note of what is hidden in an answer that was served.
  mutating func serve(_ answer: Value) {
    for text in Redactor.placeholders(in: answer) {
      served.formUnion(PlaceholderNumbers.places(in: Array(text.utf8)).map(\.name))
    }
  }

  /// Takes note of what stands now in the places of patterns.
  mutating func learn(from recorded: RecordedValue, _ now: JSON) {
    switch recorded {
    case .plain: return
    case .pattern(let pattern):
      guard let example = pattern.example else { return }
      for change in FieldChange.between(example, now) {
        if let (recorded, now) = change.texts { add(recorded, now) }
      }
    case .array(let elements):
      guard case .array(let others) = now else { return }
      for (element, other) in zip(elements, others) { learn(from: element, other) }
    case .object(let members, let isLiteral):
      let content = isLiteral ? now[JSON.literalName] ?? now : now
      for member in members {
        if let value = content[member.name] { learn(from: member.value, value) }
      }
    }
  }

  private mutating func add(_ recorded: String, _ now: String) {
    let pair = Pair(recorded: Array(recorded.utf8), now: Array(now.utf8))
    guard !pair.recorded.isEmpty, pairs.count < Self.most, !pairs.contains(pair) else { return }
    pairs.append(pair)
  }

  /// Whether a value is the recorded one but for the numbers of what is hidden, also in its keys.
  mutating func isSame(
    _ recorded: JSON?, _ now: JSON?, ofComponent isOfComponent: Bool = false
  ) -> Bool {
    guard let recorded, let now, now.mayHidePart else { return false }
    return pair(recorded.text, now.text, isOfComponent)
  }

  private mutating func pair(_ recorded: String, _ now: String, _ isOfComponent: Bool) -> Bool {
    hidden.pair(recorded: recorded, now: now) { [canVary, served] recorded, now in
      canVary(now) && !(isOfComponent && served.contains(recorded.name))
    }
  }

  /// Whether changes of what the scenario gives, or a component, are all of what has varied.
  mutating func explains(_ changes: [FieldChange], ofComponent isOfComponent: Bool) -> Bool {
    // What is found out about what is hidden counts only where it explains everything.
    var copy = self
    let areExplained = changes.allSatisfy {
      copy.explains($0, isGiven: true, ofComponent: isOfComponent)
    }
    guard areExplained else { return false }
    self = copy
    return true
  }

  /// Whether a change is one of what has varied: the same text, or number, but for that.
  mutating func explains(
    _ change: FieldChange, isGiven: Bool, ofComponent isOfComponent: Bool = false
  ) -> Bool {
    guard let (recorded, now) = change.texts else { return false }
    if pair(recorded, now, isOfComponent) { return true }
    if pairs.isEmpty { return false }
    let known = isGiven ? pairs : pairs.filter { $0.recorded.count >= Self.shortest }
    return Self.isSame(Array(recorded.utf8), Array(now.utf8), but: known)
  }

  /// Whether a text becomes another one when some of what is recorded in it is replaced.
  private static func isSame(_ recorded: [UInt8], _ now: [UInt8], but pairs: [Pair]) -> Bool {
    // As nearly all others.
    let pairs = pairs.filter { recorded.contains($0.recorded[0]) && now.count >= $0.now.count }
    guard !pairs.isEmpty, max(recorded.count, now.count) <= longest else { return false }
    // How far both texts have been read; each place is looked at once.
    var (waiting, known) = ([(0, 0)], Set<Int>())
    while let (first, second) = waiting.popLast() {
      if first == recorded.count, second == now.count { return true }
      guard known.count < mostPlaces else { return false }
      guard known.insert(first * (longest + 1) + second).inserted else { continue }
      for pair in pairs
      where recorded.has(pair.recorded, at: first) && now.has(pair.now, at: second) {
        waiting.append((first + pair.recorded.count, second + pair.now.count))
      }
      if first < recorded.count, second < now.count, recorded[first] == now[second] {
        waiting.append((first + 1, second + 1))
      }
    }
    return false
  }
}

extension [UInt8] {
  /// Whether some bytes stand at a place.
  fileprivate func has(_ part: [UInt8], at start: Int) -> Bool {
    guard start + part.count <= count else { return false }
    for (index, byte) in part.enumerated() where self[start + index] != byte { return false }
    return true
  }
}

extension FieldChange {
  /// Both values, where both are texts or both numbers.
  fileprivate var texts: (recorded: String, now: String)? {
    switch (recorded, now) {
    case (.string(let recorded)?, .string(let now)?), (.number(let recorded)?, .number(let now)?):
      (recorded, now)
    default: nil
    }
  }
}

extension JSON {
  /// Whether something hidden may stand in it.
  fileprivate var mayHidePart: Bool {
    switch self {
    case .string(let text): text.utf8.contains(UInt8(ascii: "$"))
    case .array(let elements): elements.contains(where: \.mayHidePart)
    case .object(let members):
      members.contains { $0.name.utf8.contains(UInt8(ascii: "$")) || $0.value.mayHidePart }
    case .null, .bool, .number: false
    }
  }
}
