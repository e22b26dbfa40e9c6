internal import FlowCore

/// A part of a transcript that two runs do not have in common.
package struct FieldChange: Sendable, Hashable {
  /// Where in the line: member names and indices from 0, as in `input.items[2].title`.
  package let path: String
  /// What was recorded; nil for nothing.
  package let recorded: JSON?
  /// What stands there now; nil for nothing.
  package let now: JSON?
  /// What it is, where that is known; `dynamic` elsewhere.
  let type: ValueType

  /// The changes from one text to another, in the order of the recorded one, then of what is new.
  ///
  /// Where the type is known, values are compared by it: the decimal `12.5` is `12.50`.
  static func between(
    _ recorded: JSON?, _ now: JSON?, as type: ValueType = .dynamic, at path: String = ""
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
          at: path.isEmpty ? name : "\(path).\(name)")
      }
    case (.array(let first)?, .array(let second)?):
      return (0..<max(first.count, second.count)).flatMap { index in
        between(
          first.dropFirst(index).first, second.dropFirst(index).first, as: type.element,
          at: "\(path)[\(index)]")
      }
    case (let first?, let second?) where isSame(first, second, type): return []
    default: return [FieldChange(path: path, recorded: recorded, now: now, type: type)]
    }
  }

  private static func isSame(_ first: JSON, _ second: JSON, _ type: ValueType) -> Bool {
    // What does not fit its type is compared as text, and that was done.
    guard let first = try? Value(first, as: type), let second = try? Value(second, as: type) else {
      return false
    }
    return first.isSame(as: second)
  }
}

extension [JSON.Member] {
  /// Whether it is one value, such as `{"$decimal":"12.50"}`, or a matcher.
  fileprivate var isTagged: Bool {
    count == 1 && self[0].name.utf8.first == UInt8(ascii: "$")
      || contains { JSON.isReserved($0.name) }
  }
}
