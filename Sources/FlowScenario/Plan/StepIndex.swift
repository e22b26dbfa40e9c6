internal import FlowYAML

/// Where each id of a scenario stands, to tell an unknown step from one that is out of reach.
///
/// Made only when an unknown step is found: a scenario without mistakes never pays for it.
final class StepIndex {
  private struct Entry {
    let span: Span
    /// The innermost branch around the step, and the step whose branch it is; nil in a loop inside.
    let branch: (name: String, step: Span)?
  }

  private let blocks: [[Node]]
  private lazy var entries: [String: Entry] = {
    var entries: [String: Entry] = [:]
    for step in blocks.joined() { Self.collect(step, nil, into: &entries) }
    return entries
  }()

  init(_ scenario: Scenario) {
    blocks = [scenario.steps, scenario.finally]
  }

  /// The problem with a reference to an unknown step, seen from a line; nil when no step has the id.
  func problem(withUnknown id: String, seenFrom line: Int) -> Problem? {
    guard let entry = entries[id] else { return nil }
    let lines = entry.span.start.line...entry.span.end.line
    if lines.contains(line) { return .ownAnswer(id) }
    if let branch = entry.branch, branch.step.start.line...branch.step.end.line ~= line {
      return .otherBranch(id, line: lines.lowerBound, branch: branch.name)
    }
    return line < lines.lowerBound
      ? .laterStep(id, line: lines.lowerBound) : .otherBlock(id, line: lines.lowerBound)
  }

  private static func collect(
    _ step: Node, _ branch: (name: String, step: Span)?, into entries: inout [String: Entry]
  ) {
    if let id = step["id"], entries[id.text] == nil {
      entries[id.text] = Entry(span: step.span, branch: branch)
    }
    let isLoop = step["for"] != nil || step["repeat"] != nil
    for block in [step["do"], step["else"], step["finally"]].compactMap({ $0 }) {
      for inner in block.items { collect(inner, isLoop ? nil : branch, into: &entries) }
    }
    guard let branches = step["parallel"] else { return }
    for entry in branches.entries {
      for inner in entry.value.branchSteps {
        collect(inner, (entry.key.text, step.span), into: &entries)
      }
    }
  }

  /// The values of `scenario:` in steps and in the steps inside of them, in file order.
  static func inclusions(in steps: [Node]) -> [Node] {
    var found: [Node] = []
    for step in steps {
      if let file = step["scenario"], file.kind == .scalar { found.append(file) }
      found += inclusions(in: step.innerSteps)
    }
    return found
  }
}

extension Node {
  /// The steps of a branch, as a list or behind `do`.
  var branchSteps: [Node] {
    kind == .mapping ? self["do"].map { Array($0.items) } ?? [] : Array(items)
  }

  /// All steps inside of a step.
  fileprivate var innerSteps: [Node] {
    let blocks = ["do", "else", "finally"].compactMap { self[$0] }.flatMap { Array($0.items) }
    return blocks + (self["parallel"].map { $0.entries.flatMap(\.value.branchSteps) } ?? [])
  }

  /// The blocks of a step whose ids are known beside the step's own.
  var blocksOfSameScope: [[Node]] {
    let isLoop = self["for"] != nil || self["repeat"] != nil
    let names = isLoop ? ["finally"] : ["do", "else", "finally"]
    let blocks = names.compactMap { self[$0].map { Array($0.items) } }
    let branches = isLoop ? nil : self["parallel"]?.entries.map(\.value.branchSteps)
    return blocks + (branches ?? [])
  }
}
