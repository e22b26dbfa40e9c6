internal import FlowCore

// Every sentence about what two runs do not have in common.
extension TranscriptDifference {
  /// A line for each difference, indented below what it belongs to; none when there is none.
  package var lines: [String] {
    section("header", header.flatMap(\.noteLines)) + section("inputs", inputs.flatMap(\.noteLines))
      + section("calls", calls.flatMap(\.lines)) + section("outputs", outputs.flatMap(\.noteLines))
      + (end.map { [$0.text] } ?? [])
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [title] + lines.map { "  " + $0 }
  }
}

extension TranscriptDifference.Call {
  /// `added refund#1, balance.add`.
  package var title: String {
    "\(kind.rawValue) \(Value.escaped(address)), \(Value.escaped(name))"
  }

  fileprivate var lines: [String] {
    [title] + fields.flatMap(\.noteLines).map { "  " + $0 }
  }
}

extension FieldChange {
  /// `input.amount: recorded 12.50, now 30.00`.
  var text: String { "\(Value.escaped(path)): recorded \(text(recorded)), now \(text(now))" }

  private func text(_ json: JSON?) -> String {
    json.map { $0.summary(as: type) } ?? "nothing"
  }
}

extension JSON {
  /// A value on one line, by its type where it fits; what a matcher accepts in its place.
  func summary(as type: ValueType = .dynamic) -> String {
    if let matcher { return "\(matcher)" }
    let shown = replacingMatchers { matcher, _ in matcher.example ?? .string("\(matcher)") }
    let value = (try? Value(shown, as: type)) ?? (try? Value(dynamic: shown))
    return value?.summary() ?? "what cannot be read"
  }
}
