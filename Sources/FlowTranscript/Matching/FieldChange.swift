internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
package import FlowSystem

/// A part of a transcript that differs between two runs.
package struct FieldChange: Sendable, Hashable {
  /// The position in the line, as member names and indices from 0: `input.items[2].title`.
  package let path: String
  /// The recorded value, or nil.
  package let recorded: JSON?
  /// The present value, or nil.
  package let now: JSON?
  /// The type of the value, or `dynamic` if it is unknown.
  let type: ValueType
  /// True if the recorded string is hidden now and otherwise the same.
  private(set) var isHiddenSince = false

  /// The position in words where an element around it has a name: `message 7 (tool, search), content`.
  private(set) var words: String?

  /// True if the recorded value is that of today, and the present one is as in the recording.
  private(set) var isDue = false

  /// Creates the change of a value that should be today's and is the recorded one.
  init(due: JSON, now: JSON, as type: ValueType, at path: String) {
    self.init(path: path, recorded: due, now: now, type: type)
    isDue = true
  }

  init(path: String, recorded: JSON?, now: JSON?, type: ValueType) {
    self.path = path
    self.recorded = recorded
    self.now = now
    self.type = type
  }

  /// Returns the change, marked if the present value is hidden by a new pattern or as a secret.
  func explained(by redactor: Redactor) -> FieldChange {
    guard case .string(let text)? = recorded, case .string(let other)? = now else { return self }
    let hidden = redactor.redacted(text)
    guard hidden != text else { return self }
    let texts = [hidden, other].map { PlaceholderNumbers.removed(from: Array($0.utf8)) }
    var copy = self
    copy.isHiddenSince = texts[0] == texts[1]
    return copy
  }

  /// Returns the change with the words for an element that has it, whose own path this is.
  func named(_ element: String, behind path: String) -> FieldChange {
    var copy = self
    let rest = self.path.dropFirst(path.count).drop { $0 == "." }
    copy.words = rest.isEmpty ? element : "\(element), \(String(rest).escaped)"
    return copy
  }

  /// Returns the changes from one text to another, in the order of the recorded one, then of new
  /// parts.
  ///
  /// Values of a known type are compared by it: the decimal `12.5` is `12.50`. The elements of a list
  /// belong together by their places, and those of the named `lists` by what they are.
  static func between(
    _ recorded: JSON?, _ now: JSON?, as type: ValueType = .dynamic, at path: String = "",
    naming lists: [NamedList] = []
  ) -> [FieldChange] {
    if recorded == now { return [] }
    let type = type.unwrapped
    switch (recorded, now) {
    case (.object(let first)?, .object(let second)?) where !first.isTagged && !second.isTagged:
      let (before, after) = (MemberIndex(recorded), MemberIndex(now))
      let names = first.map(\.name) + second.map(\.name).filter { before[$0] == nil }
      return names.flatMap { name in
        between(
          before[name], after[name], as: type.member(name),
          at: path.isEmpty ? name : "\(path).\(name)", naming: lists)
      }
    case (.array(let first)?, .array(let second)?):
      if let list = lists.first(where: { $0.path == path }) {
        return NamedElements(list, first, second).changes(at: path) {
          between($0, $1, as: type.element, at: $2, naming: lists)
        }
      }
      return (0..<max(first.count, second.count)).flatMap { index in
        between(
          first.dropFirst(index).first, second.dropFirst(index).first, as: type.element,
          at: "\(path)[\(index)]", naming: lists)
      }
    case (let first?, let second?) where isSame(first, second, type): return []
    default: return [FieldChange(path: path, recorded: recorded, now: now, type: type)]
    }
  }

  private static func isSame(_ first: JSON, _ second: JSON, _ type: ValueType) -> Bool {
    // A value that does not fit its type is compared as text, which is done already.
    guard let first = try? Value(first, as: type), let second = try? Value(second, as: type) else {
      return false
    }
    return first.isSame(as: second)
  }
}

extension [JSON.Member] {
  /// True for an object that encodes one value, such as `{"$decimal":"12.50"}`, or a pattern.
  fileprivate var isTagged: Bool {
    count == 1 && self[0].name.utf8.first == UInt8(ascii: "$")
      || contains { JSON.isReserved($0.name) }
  }
}

extension FieldChange {
  /// The most lines for one change.
  private static let mostLines = 40

  /// The change for a person: on one line, or as a difference of lines, which are indented.
  package var noteLines: [String] {
    let name = title
    if isHiddenSince, let now {
      return [
        "\(name): recorded as a string that is now hidden as \(now.summary(as: type))",
        "the transcript still shows it: record again to hide it there",
      ]
    }
    if isDue, let recorded, let now {
      return [
        "\(name): this run passed on \(recorded.summary(as: type)), and the answer has the recorded "
          + now.summary(as: type)
      ]
    }
    if case (.bytes(let old)?, .bytes(let new)?) = (value(recorded), value(now)) {
      return ["\(name): \(BytesText.difference(Array(old.content), Array(new.content)))"]
    }
    guard let expected, let now, expected.isLong || now.isLong else { return [text] }
    if case (.string(let old), .string(let new)) = (expected, now) {
      if !old.contains("\n"), !new.contains("\n") { return ["\(name): \(Self.place(old, new))"] }
      return ["\(name):"] + Self.difference(LineDifference(from: old, to: new))
    }
    return ["\(name):"]
      + Self.difference(LineDifference(from: expected.prettyLines, to: now.prettyLines))
  }

  /// The position for a person.
  var title: String { words ?? path.escaped }

  /// The recorded value, or in place of a pattern the text that it would accept.
  private var expected: JSON? {
    var reader = RecordedValue.Reader()
    guard let recorded, case .pattern(let pattern)? = try? reader.value(recorded),
      let example = pattern.example?.served
    else { return recorded }
    guard let template = pattern.template, let text = now?.string else { return example }
    return .string(template.filled(like: text))
  }

  private func value(_ json: JSON?) -> Value? { json.flatMap { try? Value($0, as: type) } }

  private static func difference(_ difference: LineDifference) -> [String] {
    difference.text(limit: mostLines).map { "  " + $0 }
  }

  /// Describes the place at which two long strings of one line differ.
  private static func place(_ old: String, _ new: String) -> String {
    let difference = TextDifference(old, new)
    let shown = difference.quoted(limit: 80)
    return "recorded \(old.scalarCount) characters, now \(new.scalarCount), first different at "
      + "character \(difference.offset): recorded \(shown[0]), now \(shown[1])"
  }
}

extension [FieldChange] {
  /// The most changes to list for one value.
  private static let mostChanges = 20

  /// The changes for a person, and how many more there are.
  var noteLines: [String] {
    let more = count - Self.mostChanges
    return prefix(Self.mostChanges).flatMap(\.noteLines)
      + (more > 0 ? ["and \(more) more \(more == 1 ? "field" : "fields")"] : [])
  }
}

extension JSON {
  /// The longest value to print on one line, in bytes.
  private static let longestLine = 80

  /// True if the value does not fit on a line.
  fileprivate var isLong: Bool {
    text.utf8.count > Self.longestLine || string?.contains("\n") == true
  }
}
