internal import FlowYAML

/// Where each id of a scenario stands, to tell an unknown step from one that is out of reach.
///
/// Made only when an unknown step is found: a scenario without mistakes never pays for it.
final class StepIndex {
  /// Why a step that stands in the file is not known at a place.
  enum Reason {
    /// The place is wrong.
    case problem(Problem)
    /// The step, or what it stands in, cannot be planned, and the reason for that has been told.
    case broken
  }

  private struct Branch {
    let name: String
    let span: Span
    /// The step whose branch it is.
    let step: Span
  }

  private struct Entry {
    let span: Span
    let isInLoop: Bool
    /// The branches around the step, from the outside in; those around a loop around it do not count.
    let branches: [Branch]
  }

  private let blocks: [[Node]]
  private lazy var entries: [String: Entry] = {
    var entries: [String: Entry] = [:]
    for step in blocks.joined() { Self.collect(step, [], isInLoop: false, into: &entries) }
    return entries
  }()
  /// All that may be meant to be ids, wherever they stand: under a mistyped key, without a list around.
  private lazy var written: Set<String> = {
    var ids: Set<String> = []
    for step in blocks.joined() { Self.collectIDs(in: step, into: &ids) }
    return ids
  }()

  init(_ scenario: Scenario) {
    blocks = [scenario.steps, scenario.finally]
  }

  /// Why a reference does not know a step, seen from a place; nil when no step has the id.
  func reason(forUnknown id: String, seenFrom place: Mark) -> Reason? {
    guard let entry = entries[id] else { return written.contains(id) ? .broken : nil }
    let line = entry.span.start.line
    if entry.span.contains(place) { return .problem(.ownAnswer(id)) }
    let other = entry.branches.first { $0.step.contains(place) && !$0.span.contains(place) }
    if let other { return .problem(.otherBranch(id, line: line, branch: other.name)) }
    if place < entry.span.start { return .problem(.laterStep(id, line: line)) }
    return entry.isInLoop ? .problem(.otherBlock(id, line: line)) : .broken
  }

  private static func collect(
    _ step: Node, _ branches: [Branch], isInLoop: Bool, into entries: inout [String: Entry]
  ) {
    if let id = step["id"], entries[id.text] == nil {
      entries[id.text] = Entry(span: step.span, isInLoop: isInLoop, branches: branches)
    }
    for inner in step.blocksOfSameScope.joined() {
      collect(inner, branches, isInLoop: isInLoop, into: &entries)
    }
    if step.isLoop {
      let body = step["do"].map { Array($0.items) } ?? []
      for inner in body { collect(inner, [], isInLoop: true, into: &entries) }
      return
    }
    for entry in step["parallel"].map({ Array($0.entries) }) ?? [] {
      let branch = Branch(name: entry.key.text, span: entry.value.span, step: step.span)
      for inner in entry.value.branchSteps {
        collect(inner, branches + [branch], isInLoop: isInLoop, into: &entries)
      }
    }
  }

  private static func collectIDs(in node: Node, into ids: inout Set<String>) {
    for item in node.items { collectIDs(in: item, into: &ids) }
    for entry in node.entries {
      if entry.key.text == "id" { ids.insert(entry.value.text) }
      collectIDs(in: entry.value, into: &ids)
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

  /// Whether the step is a loop, whose `do` has a scope of its own.
  fileprivate var isLoop: Bool { self["for"] != nil || self["repeat"] != nil }

  /// The blocks of a step, its branches left out, whose ids are known beside the step's own.
  fileprivate var blocksOfSameScope: [[Node]] {
    let names = isLoop ? ["finally"] : ["do", "else", "finally"]
    return names.compactMap { self[$0].map { Array($0.items) } }
  }

  /// Whether no line of a transcript is about the step: an id would not even keep an address stable.
  var isAbsentFromTranscripts: Bool {
    ["set", "assert", "wait"].contains { self[$0] != nil }
  }

  /// The steps inside of a step whose ids are known beside its own.
  var stepsOfSameScope: [Node] {
    let branches = isLoop ? nil : self["parallel"]?.entries.flatMap(\.value.branchSteps)
    return Array(blocksOfSameScope.joined()) + (branches ?? [])
  }
}

extension Span {
  /// Whether a character is part of the stretch.
  fileprivate func contains(_ mark: Mark) -> Bool { start <= mark && mark < end }
}
