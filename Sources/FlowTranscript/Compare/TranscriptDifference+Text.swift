internal import FlowCore

// Every sentence about what two runs do not have in common.
extension TranscriptDifference {
  /// A line for each difference, indented below what it belongs to; none when there is none.
  package var lines: [String] {
    section("header", header.map(\.text)) + section("inputs", inputs.map(\.text))
      + section("calls", calls.flatMap(\.lines)) + section("outputs", outputs.map(\.text))
      + (end.map { [$0.text] } ?? [])
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [title] + lines.map { "  " + $0 }
  }
}

extension TranscriptDifference.Call {
  fileprivate var lines: [String] {
    ["\(kind.rawValue) \(Value.escaped(address)), \(Value.escaped(name))"]
      + fields.map { "  " + $0.text }
  }
}

extension FieldChange {
  /// `input.amount: recorded "12.50", now "30"`.
  fileprivate var text: String {
    "\(Value.escaped(path)): recorded \(Self.text(recorded)), now \(Self.text(now))"
  }

  private static func text(_ json: JSON?) -> String {
    guard let json else { return "nothing" }
    return (try? Value(dynamic: json)).map { $0.summary() } ?? "what cannot be read"
  }
}
