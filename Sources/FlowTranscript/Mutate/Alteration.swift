package import FlowCore

/// A recorded answer with one value altered.
package struct Alteration: Sendable {
  /// Which call, by its position among all.
  let call: Int
  /// The call's address.
  package let address: String
  /// What is called, `component.operation`.
  package let name: String
  /// The line of the answer in the transcript, from 1.
  package let line: Int
  /// Where in the line, `ok.items[2].title`; the code of an error is `error`.
  package let path: FieldPath
  /// What is recorded; nil for an optional value that is not there.
  package let recorded: JSON?
  /// What stands in its place.
  package let altered: JSON
  /// What both are.
  let type: ValueType

  /// `87.50 -> 88.50`.
  package var text: String {
    // Bytes are summed up by their number.
    let text = "\(recorded?.summary(as: type) ?? "nothing") -> \(altered.summary(as: type))"
    return type == .bytes ? text + ", the first of them altered" : text
  }
}

extension Transcript {
  /// The transcript with one value altered.
  package func applying(_ alteration: Alteration) -> Transcript {
    var copy = self
    copy.isAltered = true
    switch calls[alteration.call].answer {
    case .output(let output)?:
      let path = alteration.path.steps.dropFirst()
      copy.calls[alteration.call].answer = .output(output.replacing(path, with: alteration.altered))
    case .error(_, let message)?:
      copy.calls[alteration.call].answer = .error(
        code: alteration.altered.string ?? "", message: message)
    case .cancelled?, nil: break
    }
    return copy
  }
}

extension JSON {
  /// The same with another value at a place, of which at most the last part is new.
  fileprivate func replacing(_ path: ArraySlice<FieldPath.Step>, with value: JSON) -> JSON {
    let rest = path.dropFirst()
    switch (path.first, self) {
    case (.field(let name)?, .object(var members)):
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index] = Member(name, members[index].value.replacing(rest, with: value))
      } else {
        members.append(Member(name, value))
      }
      return .object(members)
    case (.index(let index)?, .array(var elements)) where index < elements.count:
      elements[index] = elements[index].replacing(rest, with: value)
      return .array(elements)
    default: return value
    }
  }
}
