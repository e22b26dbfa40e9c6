internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// A list of steps inside of a step, as written.
struct NestedSteps {
  enum Scope {
    /// From the steps after the one that they are inside of.
    case outer
    /// From each other alone.
    case loop
    /// As with `outer`, but not from other branches.
    case branch(Branch)
  }

  struct Branch {
    let name: String
    let span: Span
  }

  let steps: [Node]
  var scope = Scope.outer
}

/// The places of each id of a scenario, to distinguish an unknown step from one out of reach.
///
/// Created only when an unknown step is found: a scenario without mistakes never pays for it.
final class StepIndex {
  /// The reason that a step in the file is unknown at a place.
  enum Reason {
    case problem(Problem)
    /// The step, or a part of the scenario around it, cannot be planned, for a reported reason.
    case broken
  }

  private struct Branch {
    let branch: NestedSteps.Branch
    let step: Span
  }

  private struct Entry {
    let span: Span
    let isInLoop: Bool
    /// The branches around the step, from the outside in.
    ///
    /// Branches around a loop around it do not count.
    let branches: [Branch]
  }

  private let blocks: [[Node]]
  /// The values in `components`, which exist before every step.
  private let settings: [Span]
  private let nested: (_ step: Node) -> [NestedSteps]
  private lazy var entries: [String: Entry] = {
    var entries: [String: Entry] = [:]
    for step in blocks.joined() { collect(step, [], isInLoop: false, into: &entries) }
    return entries
  }()
  /// All that may be meant to be ids, wherever they stand: under a mistyped key, without a list around.
  private lazy var written: Set<String> = {
    var ids: Set<String> = []
    for step in blocks.joined() { Self.collectIDs(in: step, into: &ids) }
    return ids
  }()

  init(_ scenario: Scenario, nested: @escaping (_ step: Node) -> [NestedSteps]) {
    blocks = [scenario.steps, scenario.finally, scenario.invariants]
    settings = scenario.components.compactMap { $0.settings?.span }
    self.nested = nested
  }

  /// Returns the reason that a reference at a place does not know a step, or nil if no step has the
  /// id.
  func reason(forUnknown id: String, seenFrom place: Position) -> Reason? {
    if isInSettings(place), entries[id] != nil { return .problem(.stepInSettings(id)) }
    guard let entry = entries[id] else { return written.contains(id) ? .broken : nil }
    let line = entry.span.start.line
    if entry.span.contains(place) { return .problem(.ownAnswer(id)) }
    let other = entry.branches.first {
      $0.step.contains(place) && !$0.branch.span.contains(place)
    }
    if let other { return .problem(.otherBranch(id, line: line, branch: other.branch.name)) }
    if place < entry.span.start { return .problem(.laterStep(id, line: line)) }
    return entry.isInLoop ? .problem(.otherBlock(id, line: line)) : .broken
  }

  /// Returns true for a place in the settings of a component, which are evaluated before any step.
  func isInSettings(_ place: Position) -> Bool { settings.contains { $0.contains(place) } }

  private func collect(
    _ step: Node, _ branches: [Branch], isInLoop: Bool, into entries: inout [String: Entry]
  ) {
    if let id = step["id"], entries[id.text] == nil {
      entries[id.text] = Entry(span: step.span, isInLoop: isInLoop, branches: branches)
    }
    for nested in nested(step) {
      var (isInLoop, branches) = (isInLoop, branches)
      switch nested.scope {
      case .outer: break
      case .loop: (isInLoop, branches) = (true, [])
      case .branch(let branch): branches.append(Branch(branch: branch, step: step.span))
      }
      for inner in nested.steps { collect(inner, branches, isInLoop: isInLoop, into: &entries) }
    }
  }

  private static func collectIDs(in node: Node, into ids: inout Set<String>) {
    for item in node.items { collectIDs(in: item, into: &ids) }
    for entry in node.entries {
      if entry.key.text == "id" { ids.insert(entry.value.text) }
      collectIDs(in: entry.value, into: &ids)
    }
  }
}

extension Span {
  fileprivate func contains(_ mark: Position) -> Bool { start <= mark && mark < end }
}
