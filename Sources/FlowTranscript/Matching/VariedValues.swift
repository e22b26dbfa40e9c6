internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// The values that may vary between two runs, and did.
///
/// They explain changes of later values that the scenario takes from them. An id that a server
/// assigns anew each time is an input of the next call, and part of the answer to it. Only whole
/// values count: the 1 that is now a 2 would explain every digit of other values. Of a hidden
/// string only its number varies, which distinguishes it from other hidden strings.
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
  /// The shortest value to be recognised outside of the scenario's own input.
  ///
  /// Shorter ones match by chance.
  private static let shortest = 8

  private var pairs: Set<Pair> = []
  private var hidden = HiddenPairs()
  /// The placeholders in served answers.
  ///
  /// A component has them from there and makes no such string itself.
  private var served: Set<String> = []
  /// True if the number of a placeholder may vary, unless it was served.
  private let canVary: @Sendable (PlaceholderNumbers.Place) -> Bool

  /// Creates a record of no varied values.
  ///
  /// `canVary` returns true for each placeholder whose number may vary.
  init(canVary: @escaping @Sendable (PlaceholderNumbers.Place) -> Bool = { _ in true }) {
    self.canVary = canVary
  }

  /// True if a change of this value may be explained.
  func mayExplain(_ value: JSON) -> Bool { !pairs.isEmpty || value.mayHidePart }

  /// Returns the value with the placeholder numbers of the recording, as far as they are known.
  func renumbered(_ value: Value) -> Value { hidden.renumbered(value) }

  /// Notes the placeholders in a served answer.
  mutating func serve(_ answer: Value) {
    for text in Redactor.placeholders(in: answer) {
      served.formUnion(PlaceholderNumbers.places(in: Array(text.utf8)).map(\.name))
    }
  }

  /// Notes the present values in the places of patterns.
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

  /// Returns true if a value is the recorded one except for placeholder numbers, also in its keys.
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

  /// Returns true if every change, of an input of the scenario or of a component, is explained by
  /// varied values.
  mutating func explains(_ changes: [FieldChange], ofComponent isOfComponent: Bool) -> Bool {
    // Correspondences of placeholders count only if they explain everything.
    var copy = self
    let areExplained = changes.allSatisfy {
      copy.explains($0, isGiven: true, ofComponent: isOfComponent)
    }
    guard areExplained else { return false }
    self = copy
    return true
  }

  /// Returns true if a change of a whole value is explained by a varied value.
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
  /// Both values, if both are strings or both numbers.
  fileprivate var texts: (recorded: String, now: String)? {
    switch (recorded, now) {
    case (.string(let recorded)?, .string(let now)?), (.number(let recorded)?, .number(let now)?):
      (recorded, now)
    default: nil
    }
  }
}

extension JSON {
  /// True if the value may contain a placeholder.
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
