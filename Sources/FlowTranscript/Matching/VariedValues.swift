internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// The values that differ between two runs for a known reason.
///
/// An id that a server assigns anew each time is an input of the next call, and part of the answer to
/// it. So are a port, a host or an account given on the command line. The pairs of recorded and present
/// values come from varying parts of answers and from the inputs of the same call in both runs. They
/// explain where a later answer repeats such a value: as a whole, or as whole words of a longer
/// string. Of a hidden string only its number varies, which distinguishes it from other hidden
/// strings.
struct VariedValues {
  private struct Pair: Hashable {
    let recorded: [UInt8]
    let now: [UInt8]

    /// By bytes: two forms of one accented letter are not the same.
    init(_ recorded: String, _ now: String) {
      (self.recorded, self.now) = (Array(recorded.utf8), Array(now.utf8))
    }
  }

  private static let most = 1_000

  /// The names of the members that had each pair of whole values.
  private var pairs: [Pair: Set<String>] = [:]
  /// The pairs in the input of the present call, which its answer may repeat under any name.
  private var asked: Set<Pair> = []
  private var texts = EchoedText()
  /// The same with shorter words, which count in what the scenario itself computes of an answer.
  private var computed = EchoedText()
  /// The pieces of strings in the input of the present call.
  private var askedTexts = EchoedText(needsContext: false)
  private var passedOn = PassedOnValues()
  private var hidden = HiddenPairs()
  /// The values that differ, but are equal where the recorded ones are.
  var same = SameValues()
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

  /// True if no value varies.
  var isEmpty: Bool { pairs.isEmpty }

  /// True if a change of this value may be explained.
  func mayExplain(_ value: JSON) -> Bool { !pairs.isEmpty || value.mayHidePart }

  /// Returns the value with the placeholder numbers of the recording, as far as they are known.
  func renumbered(_ value: Value) -> Value { hidden.renumbered(value, isOwn: canVary) }

  /// Notes the placeholders in an input that is the same in both runs.
  mutating func noteSame(_ input: JSON) {
    for text in input.texts { hidden.noteSame(text, canPair: canVary) }
  }

  /// Notes the placeholders in a served answer.
  mutating func serve(_ answer: Value) {
    for text in Redactor.placeholders(in: answer) {
      served.formUnion(PlaceholderNumbers.places(in: Array(text.utf8)).map(\.name))
    }
  }

  /// Notes the present values in the places of patterns.
  ///
  /// `name` is that of the member with the value.
  mutating func learn(from recorded: RecordedValue, _ now: JSON, named name: String = "") {
    switch recorded {
    case .plain, .body: return
    case .pattern(let pattern):
      guard let example = pattern.example, pattern.accepts(now, as: nil) else { return }
      if case .unordered = pattern.demand { return }
      for change in FieldChange.between(example.served, now, at: name) { learn(change) }
    case .array(let elements):
      guard case .array(let others) = now else { return }
      for (element, other) in zip(elements, others) { learn(from: element, other, named: name) }
    case .object(let members, let isLiteral):
      let content = isLiteral ? now[JSON.literalName] ?? now : now
      for member in members {
        if let value = content[member.name] { learn(from: member.value, value, named: member.name) }
      }
    }
  }

  /// Notes the differences between the inputs of one call in both runs, whatever their reason.
  mutating func ask(_ recorded: JSON, _ now: JSON) {
    asked.removeAll()
    askedTexts = EchoedText(needsContext: false)
    passedOn.ask(now)
    for change in FieldChange.between(recorded, now) {
      guard let (old, new) = change.texts else { continue }
      asked.insert(Pair(old, new))
      askedTexts.learn(old, new)
      let pieces = learn(change)
      for piece in pieces { asked.insert(Pair(piece.recorded, piece.now)) }
      passedOn.add([(old, new)] + pieces, named: change.name)
    }
  }

  /// Returns the differences of an answer from the present values that were passed on, where it has
  /// the recorded ones.
  func due(
    _ recorded: RecordedValue, _ now: JSON, as type: ValueType, at path: String
  ) -> [FieldChange] {
    passedOn.due(recorded, now, as: type, at: path)
  }

  /// Notes the differences between the inputs of both runs.
  ///
  /// They were given on purpose, so shorter words are recognised in answers, as a port is.
  mutating func give(_ recorded: JSON, _ now: JSON) {
    ask(recorded, now)
    for change in FieldChange.between(recorded, now) {
      if let texts = change.texts { self.texts.learn(texts.recorded, texts.now, shortest: 4) }
    }
  }

  /// Notes a difference, and returns its pieces.
  @discardableResult mutating func learn(
    _ change: FieldChange
  ) -> [(recorded: String, now: String)] {
    guard let (recorded, now) = change.texts, !recorded.isEmpty, !recorded.isIdentical(to: now),
      pairs.count < Self.most
    else { return [] }
    pairs[Pair(recorded, now), default: []].insert(change.name)
    computed.learn(recorded, now, shortest: 4)
    return self.texts.learn(recorded, now)
  }

  /// Returns a value with every known value in it replaced, once.
  ///
  /// `name` is that of the member with the value.
  func translated(_ value: JSON, named name: String = "") -> JSON {
    switch value {
    case .string(let text):
      same.counterpart(of: value) ?? .string(replacement(of: text, name) ?? translated(text))
    case .number(let text):
      same.counterpart(of: value) ?? .number(replacement(of: text, name) ?? text)
    case .array(let elements): .array(elements.map { translated($0, named: name) })
    case .object(let members):
      .object(
        members.map { member in
          let isTag = member.name.utf8.first == UInt8(ascii: "$")
          return JSON.Member(
            member.name, translated(member.value, named: isTag ? name : member.name))
        })
    case .null, .bool: value
    }
  }

  private func translated(_ text: String) -> String {
    askedTexts.translated(texts.translated(text, after: same.texts))
  }

  private func replacement(of text: String, _ name: String) -> String? {
    let bytes = Array(text.utf8)
    let known = pairs.filter { pair, names in
      pair.recorded == bytes
        && (bytes.count >= EchoedText.shortest || asked.contains(pair) || names.contains(name))
    }
    // Of several ones none is certain.
    return known.count == 1
      ? known.first.map { String(decoding: $0.key.now, as: UTF8.self) } : nil
  }

  /// Returns true if a value is the recorded one except for placeholder numbers, also in its keys.
  mutating func isSame(
    _ recorded: JSON?, _ now: JSON?, ofComponent isOfComponent: Bool = false
  ) -> Bool {
    guard let recorded, let now, now.mayHidePart else { return false }
    return pair(recorded.text, now.text, isOfComponent)
  }

  private mutating func pair(_ recorded: String, _ now: String, _ isOfComponent: Bool) -> Bool {
    hidden.pair(recorded: recorded, now: now, canPair: canPair(isOfComponent))
  }

  private func canPair(
    _ isOfComponent: Bool
  ) -> (PlaceholderNumbers.Place, PlaceholderNumbers.Place) -> Bool {
    { [canVary, served] recorded, now in
      canVary(now) && !(isOfComponent && served.contains(recorded.name))
    }
  }

  /// Returns the strings that are the same in both values, but whose hidden texts are not: equal
  /// ones in one run alone.
  mutating func otherNumbers(
    _ recorded: JSON?, _ now: JSON?, at path: String
  ) -> [FieldChange] {
    guard let recorded, let now, now.mayHidePart else { return [] }
    switch (recorded, now) {
    case (.string(let text), .string(let other)) where text.isIdentical(to: other):
      return pair(text, other, false)
        ? [] : [FieldChange(path: path, recorded: recorded, now: now, type: .dynamic)]
    case (.array(let elements), .array(let others)):
      return zip(elements, others).enumerated().flatMap {
        otherNumbers($0.element.0, $0.element.1, at: "\(path)[\($0.offset)]")
      }
    case (.object(let members), .object):
      return members.flatMap {
        otherNumbers($0.value, now[$0.name], at: path.isEmpty ? $0.name : "\(path).\($0.name)")
      }
    default: return []
    }
  }

  /// Returns true if every change, of an input of the scenario or of a component, is explained by
  /// varied values.
  mutating func explains(_ changes: [FieldChange], ofComponent isOfComponent: Bool) -> Bool {
    // Correspondences of placeholders count only if they explain everything.
    var copy = self
    let areExplained = changes.allSatisfy {
      copy.explains($0, isGiven: true, ofComponent: isOfComponent)
        || !isOfComponent && copy.isComputed($0)
    }
    guard areExplained else { return false }
    self = copy
    return true
  }

  /// Returns true if a text that the scenario computes has today's words in place of recorded ones.
  func isComputed(_ change: FieldChange) -> Bool { change.texts.map(computed.explains) ?? false }

  /// Returns changes with the values of today in the recorded strings, such as another port, so that
  /// only the rest differs.
  ///
  /// A change without any other difference stays as it is.
  func translated(_ changes: [FieldChange]) -> [FieldChange] {
    changes.map { change in
      guard case .string? = change.recorded, let recorded = change.recorded else { return change }
      let today = translated(recorded, named: change.name)
      return today == change.now
        ? change
        : FieldChange(path: change.path, recorded: today, now: change.now, type: change.type)
    }
  }

  /// Returns true if a change of a whole value is explained by a varied value.
  mutating func explains(
    _ change: FieldChange, isGiven: Bool, ofComponent isOfComponent: Bool = false
  ) -> Bool {
    guard change.hiddenTexts.map({ areCorresponding($0, isOfComponent) }) ?? true,
      let (recorded, now) = change.texts
    else { return false }
    // Nothing but the numbers of hidden texts.
    if recorded.isIdentical(to: now), change.hiddenTexts != nil { return true }
    let pair = Pair(recorded, now)
    if asked.contains(pair) || texts.explains(recorded, now) { return true }
    if askedTexts.explains(recorded, now) { return true }
    guard let names = pairs[pair] else { return false }
    return isGiven || recorded.utf8.count >= EchoedText.shortest || names.contains(change.name)
  }
}

extension VariedValues {
  private mutating func areCorresponding(
    _ texts: (recorded: String, now: String), _ isOfComponent: Bool
  ) -> Bool {
    hidden.pairPlaces(
      recorded: texts.recorded, now: texts.now, canPair: canPair(isOfComponent))
  }
}

extension FieldChange {
  /// The name of the member with the value, without indices.
  fileprivate var name: String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path.utf8.index(after: $0) }
    return String(path[(end ?? path.startIndex)...].prefix { $0 != "[" })
  }

  /// Both values, if both are strings or both numbers, and without the numbers of hidden texts if
  /// both contain some.
  fileprivate var texts: (recorded: String, now: String)? {
    hiddenTexts.map {
      (PlaceholderNumbers.removed(from: $0.recorded), PlaceholderNumbers.removed(from: $0.now))
    } ?? writtenTexts
  }

  /// Both values as they are written, if both contain hidden texts.
  fileprivate var hiddenTexts: (recorded: String, now: String)? {
    guard let recorded, let now, recorded.mayHidePart, now.mayHidePart else { return nil }
    return writtenTexts
  }

  private var writtenTexts: (recorded: String, now: String)? {
    switch (recorded, now) {
    case (.string(let recorded)?, .string(let now)?), (.number(let recorded)?, .number(let now)?):
      (recorded, now)
    case (.object(let recorded)?, .object(let now)?): Self.texts(recorded, now)
    default: nil
    }
  }

  /// The strings of two values with the same tag, such as `{"$decimal":"12.50"}`.
  private static func texts(
    _ recorded: [JSON.Member], _ now: [JSON.Member]
  ) -> (recorded: String, now: String)? {
    guard recorded.count == 1, now.count == 1, recorded[0].name == now[0].name,
      recorded[0].name.utf8.first == UInt8(ascii: "$"), let old = recorded[0].value.string,
      let new = now[0].value.string
    else { return nil }
    return (old, new)
  }
}

extension PlaceholderNumbers {
  /// Returns a text in which all placeholders of a name are the same.
  fileprivate static func removed(from text: String) -> String {
    String(decoding: removed(from: Array(text.utf8)), as: UTF8.self)
  }
}

extension JSON {
  /// The strings in the value, and the names of its members.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members): members.flatMap { [$0.name] + $0.value.texts }
    case .null, .bool, .number: []
    }
  }

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
