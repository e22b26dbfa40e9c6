internal import FlowCore
internal import FlowPlan
internal import FlowSystem

/// A value on one line, shortened except around its differences from what was expected.
///
///     {items: […], total: 40, nested: {…}}
struct FocusedText {
  /// The longest text that is shown whole, and of a string beside the differences, in characters.
  private static let (longest, longestBeside) = (400, 40)
  /// The number of members shown at each end of a row of members without differences.
  private static let mostBeside = 4

  /// The line.
  let text: String

  /// A difference with the rest of its path from a value.
  typealias Difference = (mismatch: Mismatch, rest: ArraySlice<FieldPath.Step>)

  /// Creates the line of a value with differences inside of it.
  init(_ value: Value, _ differences: [Difference]) {
    text = Self.text(of: value, differences)
  }

  private static func text(of value: Value, _ differences: [Difference]) -> String {
    let whole = value.description
    if whole.utf8.count <= longest { return whole }
    switch value {
    case .optional(let value?): return text(of: value, differences)
    case .map(let map):
      let members = map.entries.map { entry in
        let name = entry.key.interpolated
        return (name: Value.keyText(name), step: FieldPath.Step.field(name), value: entry.value)
      }
      return text(of: members, between: ("{", "}"), differences) ?? whole.shortened(to: longest)
    case .record(let record):
      let members = zip(record.type.fields, record.values).map { field, value in
        (name: field.name, step: FieldPath.Step.field(field.name), value: value)
      }
      return text(of: members, between: ("{", "}"), differences) ?? whole.shortened(to: longest)
    case .list(let values):
      let members = values.enumerated().map { index, value in
        (name: "", step: FieldPath.Step.index(index), value: value)
      }
      return text(of: members, between: ("[", "]"), differences) ?? whole.shortened(to: longest)
    default:
      let here = differences.first { $0.rest.isEmpty }?.mismatch
      return here?.sides(limit: longest).actual ?? whole.shortened(to: longest)
    }
  }

  /// Returns the members with differences and their neighbours, or nil if there is no difference
  /// inside.
  private static func text(
    of members: [(name: String, step: FieldPath.Step, value: Value)],
    between ends: (String, String), _ differences: [Difference]
  ) -> String? {
    var inner: [Int: [Difference]] = [:]
    for (index, member) in members.enumerated() {
      let found = differences.filter { $0.rest.first == member.step }
      if !found.isEmpty { inner[index] = found.map { ($0.mismatch, $0.rest.dropFirst()) } }
    }
    // A missing member has no neighbours, so the first members stand for all.
    guard differences.contains(where: { !$0.rest.isEmpty }) else { return nil }
    let (first, last) = (inner.keys.min() ?? 0, inner.keys.max() ?? 0)
    var parts: [String] = []
    for (index, member) in members.enumerated() {
      let label = member.name.isEmpty ? "" : "\(member.name): "
      if let found = inner[index] {
        parts.append(label + text(of: member.value, found))
      } else if !member.name.isEmpty, first - mostBeside...last + mostBeside ~= index {
        parts.append(label + sketch(of: member.value))
      } else if parts.last != "…" {
        parts.append("…")
      }
    }
    return (ends.0 + parts.joined(separator: ", ") + ends.1).shortened(to: 2 * longest)
  }

  /// Returns a value beside the differences.
  private static func sketch(of value: Value) -> String {
    switch value {
    case .list(let values) where !values.isEmpty: "[…]"
    case .map(let map) where !map.entries.isEmpty: "{…}"
    case .record: "{…}"
    case .optional(let value?): sketch(of: value)
    default: value.summary(limit: longestBeside)
    }
  }
}

extension Value {
  /// The most characters of an answer in one line.
  private static let widestAnswer = 100

  /// Returns the lines of an answer with these differences, with a line for each field of a long one.
  func answerLines(_ mismatches: [Mismatch]) -> [String] {
    let ends = self.ends
    let answer = shortening(ends)
    let differences = mismatches.map { ($0, $0.path.steps[...]) }
    let line = "answer: \(FocusedText(answer, differences).text)"
    guard line.count > Self.widestAnswer, case .record(let record) = answer,
      record.values.count > 1
    else { return [line] + ends.flatMap(\.lines) }
    let fields = zip(record.type.fields, record.values).map { field, value in
      let inside = differences.filter { $0.1.first == .field(field.name) }
        .map { ($0.0, $0.1.dropFirst()) }
      return "  \(field.name): \(FocusedText(value, inside).text)"
    }
    return ["answer:"] + fields + ends.flatMap(\.lines)
  }
}
