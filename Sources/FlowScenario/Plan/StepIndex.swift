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
    for step in innerSteps(of: step) { collect(step, into: &spans) }
  }

  /// The values of `scenario:` in steps and in the steps inside of them, in file order.
  static func inclusions(in steps: [Node]) -> [Node] {
    var found: [Node] = []
    for step in steps {
      if let file = step["scenario"], file.kind == .scalar { found.append(file) }
      found += inclusions(in: innerSteps(of: step))
    }
    return found
  }

  private static func innerSteps(of step: Node) -> [Node] {
    step["do"].map { Array($0.items) } ?? []
  }
}
