internal import FlowYAML

/// Where each id of a scenario stands, to tell an unknown step from one that is out of reach.
///
/// Made only when an unknown step is found: a scenario without mistakes never pays for it.
final class StepIndex {
  private let blocks: [[Node]]
  private lazy var spans: [String: Span] = {
    var spans: [String: Span] = [:]
    for step in blocks.joined() { Self.collect(step, into: &spans) }
    return spans
  }()

  init(_ scenario: Scenario) {
    blocks = [scenario.steps, scenario.finally]
  }

  /// The problem with a reference to an unknown step, seen from a line; nil when no step has the id.
  func problem(withUnknown id: String, seenFrom line: Int) -> Problem? {
    guard let span = spans[id] else { return nil }
    if line < span.start.line { return .laterStep(id, line: span.start.line) }
    return line <= span.end.line ? .ownAnswer(id) : .otherBlock(id, line: span.start.line)
  }

  private static func collect(_ step: Node, into spans: inout [String: Span]) {
    if let id = step["id"], spans[id.text] == nil { spans[id.text] = step.span }
    guard let inner = step["do"] else { return }
    for step in inner.items { collect(step, into: &spans) }
  }
}
