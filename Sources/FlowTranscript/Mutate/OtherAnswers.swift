internal import FlowCore
internal import FlowSystem

/// For each answer of a transcript, a different one to another call of the same operation.
struct OtherAnswers {
  /// A recorded answer.
  struct Answer {
    let json: JSON
    let call: Transcript.Call
    let type: RecordType
    /// The places where every value of a type is as good as the recorded one.
    let volatile: Set<FieldPath>

    /// Its line in the transcript, from 1.
    fileprivate var line: Int { call.answerLine ?? call.line }
  }

  /// An answer in the place of another one.
  struct Other {
    /// The answer, with the volatile values of the replaced one.
    let json: JSON
    /// The part of the replaced answer in which a difference means something.
    let before: JSON
    /// The same part of the answer.
    let after: JSON
    /// Its line in the transcript, from 1.
    let line: Int
  }

  /// The answers by the positions of their calls.
  private let answers: [Int: Answer]
  /// The parts of the answers in which a difference means something.
  private let compared: [Int: JSON]
  /// For each call, the next one of its operation with a different answer, or else the first one.
  private var next: [Int: Int] = [:]

  /// Finds a different answer for each of these, by the positions of their calls.
  init(_ answers: [Int: Answer]) {
    self.answers = answers
    compared = answers.mapValues { answer in
      answer.json.comparable(as: .record(answer.type), at: Self.root, answer.volatile)
    }
    var calls: [String: [Int]] = [:]
    for (index, answer) in answers.sorted(by: { $0.key < $1.key }) {
      calls[answer.call.name, default: []].append(index)
    }
    for calls in calls.values { compare(calls) }
  }

  private static let root = FieldPath([.field("ok")])

  /// Finds the next different answers to the calls of one operation.
  private mutating func compare(_ calls: [Int]) {
    guard let first = calls.first else { return }
    // From the end, so that each answer is compared with one other.
    for (place, call) in calls.enumerated().reversed() {
      let following = place + 1 < calls.count ? calls[place + 1] : nil
      if let following, compared[following] != compared[call] {
        next[call] = following
      } else if let following, let other = next[following] {
        next[call] = other
      } else {
        next[call] = compared[first] == compared[call] ? nil : first
      }
    }
  }

  /// The answer to the call at a position.
  subscript(index: Int) -> Answer? { answers[index] }

  /// Returns the answer of another call in the place of a call's own, or nil if all are the same.
  func answer(besides index: Int) -> Other? {
    guard let own = answers[index], let before = compared[index],
      let other = next[index].flatMap({ answers[$0] })
    else { return nil }
    let type = ValueType.record(own.type)
    let json = other.json.keeping(own.json, as: type, at: Self.root, own.volatile)
    let after = json.comparable(as: type, at: Self.root, own.volatile)
    return after == before ? nil : Other(json: json, before: before, after: after, line: other.line)
  }
}

extension JSON {
  /// Returns the tree without volatile values, without fields that restate others, and without
  /// those that a live run compares only where the scenario reads them.
  fileprivate func comparable(
    as type: ValueType, at path: FieldPath, _ volatile: Set<FieldPath>
  ) -> JSON {
    if volatile.contains(path) { return .null }
    switch self {
    case .array(let elements):
      return .array(
        elements.enumerated().map {
          $1.comparable(as: type.element, at: path.appending(.index($0)), volatile)
        })
    case .object(let members):
      let kept = members.filter { member in
        guard let field = type.field(member.name) else { return true }
        return !field.isVolatile && field.comparison != .whenRead
          && !field.isRestated(by: members)
      }
      return .object(
        kept.map { member in
          let value = member.value.comparable(
            as: type.inside(member.name), at: path.appending(.field(member.name)), volatile)
          return Member(member.name, value)
        })
    default: return self
    }
  }

  /// Returns the tree with the volatile values of another one.
  fileprivate func keeping(
    _ own: JSON, as type: ValueType, at path: FieldPath, _ volatile: Set<FieldPath>
  ) -> JSON {
    if volatile.contains(path) { return own }
    switch (self, own) {
    case (.array(let elements), .array(let others)):
      let kept = zip(elements, others).enumerated().map { index, pair in
        pair.0.keeping(pair.1, as: type.element, at: path.appending(.index(index)), volatile)
      }
      return .array(kept + elements.dropFirst(others.count))
    case (.object(let members), .object(let others)):
      let values = Dictionary(others.map { ($0.name, $0.value) }) { first, _ in first }
      return .object(
        members.map { member in
          guard let own = values[member.name] else { return member }
          let isVolatile = type.field(member.name)?.isVolatile == true
          let value =
            isVolatile
            ? own
            : member.value.keeping(
              own, as: type.inside(member.name), at: path.appending(.field(member.name)), volatile)
          return Member(member.name, value)
        })
    default: return self
    }
  }

  /// Returns the way to the only part that differs from another tree, empty for more than one.
  func difference(from other: JSON) -> [FieldPath.Step] {
    switch (self, other) {
    case (.array(let left), .array(let right)) where left.count == right.count:
      let places = left.indices.filter { left[$0] != right[$0] }
      guard places.count == 1, let place = places.first else { return [] }
      return [.index(place)] + left[place].difference(from: right[place])
    case (.object(let left), .object(let right)) where left.map(\.name) == right.map(\.name):
      let places = left.indices.filter { left[$0] != right[$0] }
      guard places.count == 1, let place = places.first else { return [] }
      return [.field(left[place].name)] + left[place].value.difference(from: right[place].value)
    default: return []
    }
  }
}

extension ValueType {
  /// The field of a record with a name, or nil.
  fileprivate func field(_ name: String) -> RecordType.Field? {
    if case .record(let record) = unwrapped { record.field(name) } else { nil }
  }

  /// The type of a member as the format of transcripts writes it.
  fileprivate func inside(_ name: String) -> ValueType {
    name == JSON.literalName ? self : member(name)
  }
}
