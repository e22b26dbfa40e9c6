internal import FlowCore
internal import FlowSystem

/// The values in the inputs of calls that differ from the recorded ones, which answers must repeat
/// as they are today.
///
/// A server that is asked for today's order and answers with the recorded one is wrong, although its
/// answer has not changed. Only values that were passed on count, as opposed to those that two
/// answers have in common: two states or dates may be equal by chance. Short ones count in the answer
/// to the call that was given them, or under the name that they had there.
struct PassedOnValues {
  /// A value of today in place of a recorded one.
  private struct Passed {
    let now: String
    /// The names of the members of inputs with the value.
    var names: Set<String>
    /// The number of the latest call that was given it.
    var call: Int
  }

  private static let most = 1_000
  /// The shortest value that counts in the answer to its own call, in bytes.
  private static let shortestAsked = 4

  /// By the recorded values.
  private var passed: [[UInt8]: [Passed]] = [:]
  private var texts = EchoedText()
  private var call = 0
  /// The input of the present call, as text.
  private var input = JSON.null

  /// Notes the input of the next call.
  mutating func ask(_ input: JSON) {
    call += 1
    self.input = input
  }

  /// Notes values of the present call's input, and their pieces, under the name of their member.
  mutating func add(_ values: [(recorded: String, now: String)], named name: String) {
    guard passed.count < Self.most else { return }
    for value in values where !value.recorded.isEmpty && !value.recorded.isIdentical(to: value.now)
    {
      texts.learn(value.recorded, value.now)
      var known = passed[Array(value.recorded.utf8)] ?? []
      if let index = known.firstIndex(where: { $0.now.isIdentical(to: value.now) }) {
        known[index].names.insert(name)
        known[index].call = call
      } else {
        known.append(Passed(now: value.now, names: [name], call: call))
      }
      passed[Array(value.recorded.utf8)] = known
    }
  }

  /// Returns the parts of an answer with a recorded value in place of today's.
  ///
  /// Parts that differ from the recorded ones, and volatile ones, are left out.
  func due(
    _ recorded: RecordedValue, _ now: JSON, as type: ValueType, at path: String,
    named name: String = ""
  ) -> [FieldChange] {
    if passed.isEmpty { return [] }
    switch recorded {
    case .pattern: return []
    case .plain(let value), .body(_, let value):
      return due(value, now, as: type, at: path, named: name)
    case .array(let elements):
      guard case .array(let others) = now else { return [] }
      return zip(elements, others).enumerated().flatMap {
        due(
          $0.element.0, $0.element.1, as: type.unwrapped.element, at: "\(path)[\($0.offset)]",
          named: name)
      }
    case .object(let members, let isLiteral):
      let content = isLiteral ? now[JSON.literalName] ?? now : now
      return members.flatMap { member in
        content[member.name].map {
          due(
            member.value, $0, as: type.unwrapped.member(member.name), at: "\(path).\(member.name)",
            named: member.name)
        } ?? []
      }
    }
  }

  private func due(
    _ recorded: JSON, _ now: JSON, as type: ValueType, at path: String, named name: String
  ) -> [FieldChange] {
    switch (recorded, now) {
    case (.string(let text), .string(let other)) where text.isIdentical(to: other):
      guard let today = today(text, name) ?? todayInside(text) else { return [] }
      return [FieldChange(due: .string(today), now: now, as: type, at: path)]
    case (.number(let text), .number(let other)) where text.isIdentical(to: other):
      guard let today = today(text, name) else { return [] }
      // A number may have been passed on in a text, whose counterpart is none.
      let due: JSON = Double(today) == nil ? .string(today) : .number(today)
      return [FieldChange(due: due, now: now, as: type, at: path)]
    case (.array(let elements), .array(let others)):
      return zip(elements, others).enumerated().flatMap {
        due(
          $0.element.0, $0.element.1, as: type.unwrapped.element, at: "\(path)[\($0.offset)]",
          named: name)
      }
    case (.object(let members), .object):
      return members.flatMap { member in
        let isTag = member.name.utf8.first == UInt8(ascii: "$")
        return now[member.name].map {
          due(
            member.value, $0, as: type.unwrapped.member(member.name), at: "\(path).\(member.name)",
            named: isTag ? name : member.name)
        } ?? []
      }
    default: return []
    }
  }

  /// The value of today for a whole recorded one, or nil.
  private func today(_ text: String, _ name: String) -> String? {
    let values = passed[Array(text.utf8)] ?? []
    let length = text.utf8.count
    let known = values.filter {
      length >= EchoedText.shortest || $0.names.contains(name)
        || $0.call == call && length >= Self.shortestAsked
    }
    // Of several ones none is certain, nor if the call was given the recorded one as well.
    guard values.count == 1, let today = known.first, !input.text.contains(text) else {
      return nil
    }
    return today.now
  }

  /// The longer text with the values of today in it, or nil if it is the same.
  private func todayInside(_ text: String) -> String? {
    if texts.isEmpty { return nil }
    let today = texts.translated(text)
    guard !today.isIdentical(to: text), !input.text.contains(text) else { return nil }
    let isCertain = passed.allSatisfy { recorded, values in
      values.count == 1 || !text.contains(String(decoding: recorded, as: UTF8.self))
    }
    return isCertain ? today : nil
  }
}
