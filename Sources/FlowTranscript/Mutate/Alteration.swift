package import FlowCore
internal import FlowPlan
internal import FlowSystem

/// A recorded answer with one value altered.
package struct Alteration: Sendable {
  /// The position of the call among all.
  package let call: Int
  /// The call's address.
  package let address: Address
  /// The attempt of a repeated call, from 1, or nil for other calls.
  package let attempt: Int?
  /// The called operation, `component.operation`.
  package let name: String
  /// The line of the answer in the transcript, from 1.
  package let line: Int
  /// The way from the answer to the value, without the marks of the file's format.
  package var partOfAnswer: [FieldPath.Step] { path.partOfAnswer }
  /// The place in the line, `ok.items[2].title`.
  ///
  /// The code of an error is `error`.
  package let path: FieldPath
  /// The recorded value, or nil for an absent optional one.
  package let recorded: JSON?
  /// The value in its place, or nil for a member that is left out.
  package let altered: JSON?
  /// The difference of the two, which no other alteration of the same place has.
  package let kind: ValueChange
  /// The line of the other answer in the transcript, or nil for an alteration of one value.
  let otherLine: Int?
  /// The type of both.
  let type: ValueType
  /// True for a value that a live run compares only where the scenario reads it, such as a header.
  package let isIncidental: Bool

  /// `spend#1`, or `spend#1, attempt 2`, with the line of a component's call: the address of requests
  /// with other inputs may be the same.
  package var place: String {
    address.words(ofAttempt: attempt) + (address.calls.isEmpty ? "" : " on line \(line)")
  }

  /// The altered value, null for a member that is left out, or nil if it is none of its type.
  package var alteredValue: Value? {
    guard let altered, altered != .null else { return .null }
    return try? Value(altered, as: type)
  }

  /// `87.50 -> 88.50`, and the kind if the values do not show it: `3 -> 10 (maximum)`.
  package var text: String { "\(recordedText) -> \(alteredWords)" }

  /// The altered value in words, and the kind if the values do not show it: `10 (maximum)`.
  package var alteredWords: String {
    let isHidden = kind.isHidden || recordedText == alteredText
    return isHidden ? "\(alteredText) (\(kind))" : alteredText
  }

  /// The recorded value in words: `87.50`.
  package var recordedText: String { recorded?.summary(as: type) ?? "nothing" }

  /// The altered value in words: `88.50`.
  package var alteredText: String {
    if let otherLine { return "the answer on line \(otherLine)" }
    guard let altered else { return "missing" }
    // A summary of bytes contains only their number.
    let isInside = type == .bytes && recorded?.string?.isEmpty == false
    return altered.summary(as: type) + (isInside ? ", the first of them altered" : "")
  }
}

extension Alteration {
  /// The differences in single fields between the whole answers of two calls, in their order.
  ///
  /// Empty for an alteration of one value. Without the fields that restate others, and without those
  /// that a live run compares only where the scenario reads them.
  package var ofFields: [Alteration] {
    guard otherLine != nil, case .record(let record) = type, case .object(let own)? = recorded
    else { return [] }
    return record.fields.compactMap { field in
      let (before, after) = (recorded?[field.name], altered?[field.name])
      guard before != after, field.comparison != .whenRead, !field.isVolatile,
        !field.isRestated(by: own)
      else { return nil }
      return Alteration(
        call: call, address: address, attempt: attempt, name: name, line: line,
        path: path.appending(.field(field.name)), recorded: before, altered: after, kind: kind,
        otherLine: nil, type: field.type, isIncidental: isIncidental)
    }
  }
}

extension Transcript {
  /// The transcript with one value or one whole answer altered.
  package func applying(_ alteration: Alteration) -> Transcript {
    var copy = self
    copy.isAltered = true
    if let answer = answer(alteredBy: alteration) {
      copy.calls.replaceAnswer(of: alteration.call, with: answer)
    }
    return copy
  }

  /// The answer of a call with one value altered, or nil without an answer.
  func answer(alteredBy alteration: Alteration) -> Answer? {
    switch calls[alteration.call].answer {
    case .output(let output)?:
      let path = alteration.path.steps.dropFirst()
      return .output(.plain(output.served.replacing(path, with: alteration.altered)))
    case .error(_, let message)?:
      return .error(code: alteration.altered?.string ?? "", message: message)
    case .cancelled?, nil: return nil
    }
  }
}

extension JSON {
  /// Returns the tree with another value at a place, of which at most the last part is new, or
  /// without the last part.
  func replacing(_ path: ArraySlice<FieldPath.Step>, with value: JSON?) -> JSON {
    let rest = path.dropFirst()
    switch (path.first, self) {
    case (.field(let name)?, .object(var members)):
      let index = members.firstIndex { $0.name.isIdentical(to: name) }
      switch (index, value) {
      case (let index?, nil) where rest.isEmpty: members.remove(at: index)
      case (let index?, _):
        members[index] = Member(name, members[index].value.replacing(rest, with: value))
      case (nil, let value?): members.append(Member(name, value))
      case (nil, nil): break
      }
      return .object(members)
    case (.index(let index)?, .array(var elements)) where index < elements.count:
      elements[index] = elements[index].replacing(rest, with: value)
      return .array(elements)
    default: return value ?? self
    }
  }
}

extension FieldPath {
  /// The way from the answer to the value, without the marks of the file's format.
  var partOfAnswer: [Step] { steps.dropFirst().filter { $0 != .field(JSON.literalName) } }
}
