internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// What may vary between two runs, and did: by that what the scenario takes from it is recognised.
///
/// An id that a server gives anew each time is an input of the next call, and in the answer to that. Only as a whole
/// value: the 1 that is now a 2 would explain every digit of others. Of what is hidden only the numbers vary, which
/// tell hidden texts apart.
struct VariedValues {
  private struct Pair: Hashable {
    let recorded: [UInt8]
    let now: [UInt8]

    /// By bytes: two forms of one accented letter are not the same.
    init(_ recorded: String, _ now: String) {
      (self.recorded, self.now) = (Array(recorded.utf8), Array(now.utf8))
    }
  }

  private static let most = 200
  /// The shortest value that is recognised elsewhere than in what the scenario gives: other ones are found by chance.
  private static let shortest = 8

  private var pairs: Set<Pair> = []
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
    guard !recorded.isEmpty, pairs.count < Self.most else { return }
    pairs.insert(Pair(recorded, now))
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

  /// Whether a change is one of what has varied: as a whole.
  mutating func explains(
    _ change: FieldChange, isGiven: Bool, ofComponent isOfComponent: Bool = false
  ) -> Bool {
    guard let (recorded, now) = change.texts else { return false }
    if pair(recorded, now, isOfComponent) { return true }
    guard isGiven || recorded.utf8.count >= Self.shortest else { return false }
    return pairs.contains(Pair(recorded, now))
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
