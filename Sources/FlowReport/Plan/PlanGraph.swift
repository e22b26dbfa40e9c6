internal import FlowCore
internal import FlowExpression
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

/// A plan as nodes and edges, before it is written in a language for graphs.
package struct PlanGraph: Sendable {
  enum Shape: String, Sendable {
    case step
    /// The `if` of the step after it.
    case condition
    /// The start of a loop's iterations.
    case loop
  }

  struct Node: Sendable {
    let id: Int
    let shape: Shape
    /// Lines of bounded length, one or two and the recorded values, without control characters and without the escapes of a
    /// language.
    let lines: [String]
    /// The path of the step in a run, starting with the steps that run its scenario, or nil for a
    /// condition.
    let path: String?
  }

  struct Group: Sendable {
    /// The number among groups, from 1, independent of the nodes' numbers.
    let id: Int
    /// One line in the form of a node's lines.
    let label: String
    let items: [Item]
  }

  enum Item: Sendable {
    case node(Node)
    case group(Group)
  }

  struct Edge: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      /// The second comes after the first.
      case order
      /// The second comes after the first in this case: `true`, `false`, `done`.
      case branch(String)
      /// The second reads the answer of the first.
      case data
    }

    let from: Int
    let to: Int
    let kind: Kind

    /// By the nodes: hardly ever two edges have the same ones.
    func hash(into hasher: inout Hasher) { hasher.combine(from << 32 ^ to) }
  }

  /// The scenario's name, or its file, in one line in the form of a node's lines.
  let title: String
  /// The steps and, last, the group of `finally`.
  let items: [Item]
  /// The edges of the order, then the edges of the data, without duplicates.
  let edges: [Edge]
  /// The number of nodes in all items, numbered from 1.
  let nodeCount: Int
}

extension PlanGraph {
  /// True if it shows more than a plain list of steps: a choice, a loop, branches, or the readers
  /// of answers.
  var isTelling: Bool {
    edges.contains { $0.kind != .order }
      || items.contains { if case .group = $0 { true } else { false } }
  }

  /// Creates the graph of a plan, the same for the same plan.
  package init(_ plan: Plan) { self.init(plan, hidingBy: nil) }

  /// Creates the graph of a plan, with secrets hidden by a redactor.
  init(_ plan: Plan, hidingBy redactor: Redactor?) {
    self.init(plan, RecordedValues(), hidingBy: redactor)
  }

  /// Creates the graph of a plan with the values that a run of it computed.
  package init(_ plan: Plan, of trace: RunTrace, hidingBy redactor: Redactor) {
    let values = RecordedValues(trace.redacted(by: redactor))
    self.init(plan, values, hidingBy: redactor.isActive ? redactor : nil)
  }

  private init(_ plan: Plan, _ values: RecordedValues, hidingBy redactor: Redactor?) {
    var builder = PlanGraphBuilder(values, redactor: redactor)
    items = builder.items(plan) + builder.outputs(plan)
    title = builder.line(plan.name ?? plan.file)
    edges = builder.edges
    nodeCount = builder.nodeCount
  }
}

/// Numbers the nodes in file order and draws the edges between them.
private struct PlanGraphBuilder {
  private static let longestLine = 80

  private(set) var nodeCount = 0
  private var groupCount = 0
  private var order: [PlanGraph.Edge] = []
  private var data: [PlanGraph.Edge] = []
  private var known: Set<PlanGraph.Edge> = []
  /// The node with the answer of each visible slot.
  ///
  /// A later block replaces the node of an earlier one.
  private var answers: [Slot: Int] = [:]
  private var drawn: Set<String> = []
  /// The nodes before the next one.
  private var exits: [(node: Int, kind: PlanGraph.Edge.Kind)] = []
  /// The prefix of the steps' paths: the path of the step that runs their scenario, and a slash.
  private var prefix = ""
  private let redactor: Redactor?

  private let values: RecordedValues

  init(_ values: RecordedValues, redactor: Redactor?) {
    self.values = values
    self.redactor = redactor
  }

  var edges: [PlanGraph.Edge] { order + data }

  func line(_ text: String) -> String { Self.line(text, hidingBy: redactor) }

  private static func line(_ text: String, hidingBy redactor: Redactor?) -> String {
    let text = redactor?.redacted(text) ?? text
    // As nearly all texts.
    if text.utf8.count <= longestLine, text.everyByte(satisfies: { 0x20..<0x7F ~= $0 }) {
      return text
    }
    // Escapes lengthen the text, so it is cut before, for speed, and after.
    return text.shortened(to: longestLine).onOneLine.shortened(to: longestLine)
  }

  // MARK: - Items

  mutating func items(_ plan: Plan) -> [PlanGraph.Item] {
    known.reserveCapacity(known.count + plan.steps.count)
    answers.reserveCapacity(plan.steps.count)
    var items = items(plan.steps)
    for (label, steps) in [("invariants", plan.invariants.steps), ("finally", plan.finally)]
    where !steps.isEmpty {
      items.append(group(label) { $0.items(steps) })
    }
    return items
  }

  /// Returns the outputs of a recorded run.
  mutating func outputs(_ plan: Plan) -> [PlanGraph.Item] {
    if values.outputs.isEmpty { return [] }
    return [
      group("outputs") { builder in
        builder.values.outputs.map { output in
          let node = builder.node(.step, [output.text])
          let planned = plan.outputs.first { $0.name == output.name }
          builder.read(planned?.value.expressions ?? [], at: node.id)
          return .node(node)
        }
      }
    ]
  }

  private mutating func items(_ steps: [PlannedStep]) -> [PlanGraph.Item] {
    var items: [PlanGraph.Item] = []
    for step in steps { items += self.items(step) }
    return items
  }

  private mutating func group(
    _ label: String, _ content: (inout Self) -> [PlanGraph.Item]
  ) -> PlanGraph.Item {
    groupCount += 1
    let id = groupCount
    return .group(PlanGraph.Group(id: id, label: line(label), items: content(&self)))
  }

  private mutating func items(_ step: PlannedStep) -> [PlanGraph.Item] {
    guard let condition = step.options?.condition else { return itemAndFinally(step) }
    return choice(condition, of: step, { $0.itemAndFinally(step) }, { _ in [] })
  }

  private mutating func itemAndFinally(_ step: PlannedStep) -> [PlanGraph.Item] {
    let item = item(step)
    guard let finally = step.options?.finally, !finally.isEmpty else { return [item] }
    return [item, group("finally") { $0.items(finally) }]
  }

  /// Adds a condition and its two branches, for true and for false.
  private mutating func choice(
    _ condition: PlannedExpression, of step: PlannedStep,
    _ yes: (inout Self) -> [PlanGraph.Item], _ no: (inout Self) -> [PlanGraph.Item]
  ) -> [PlanGraph.Item] {
    let text = condition.expression.text
    let recorded = values.conditions(of: prefix + step.path, condition)
    let node = node(.condition, [text] + recorded)
    read([condition], at: node.id)
    exits = [(node.id, .branch("true"))]
    let first = yes(&self)
    let ends = exits
    exits = [(node.id, .branch("false"))]
    let second = no(&self)
    exits = ends + exits
    return [.node(node)] + first + second
  }

  private mutating func item(_ step: PlannedStep) -> PlanGraph.Item {
    let content = step.action.content
    switch step.action {
    // In these, the steps inside do not simply follow one another.
    case .loop(let loop): return group(step.label) { $0.items(loop, step) }
    case .parallel(let parallel): return group(step.label) { $0.items(parallel) }
    case .scenario(let scenario) where drawn.insert(scenario.plan.path).inserted:
      return group(step.label) { $0.items(scenario, step) }
    case .block(let block):
      guard let condition = block.condition else { break }
      return group(step.label) {
        $0.choice(condition, of: step, { $0.items(block.steps) }, { $0.items(block.alternative) })
      }
    case .call, .set, .assert, .wait, .await, .scenario: break
    }
    if !step.action.blocks.isEmpty {
      return group(step.label) { $0.items(step.action.blocks.flatMap(\.steps)) }
    }
    let node = node(.step, [step.label, content.summary], of: step)
    read(content.expressions, at: node.id)
    for slot in step.slots { answers[slot] = node.id }
    return .node(node)
  }

  private mutating func items(_ parallel: PlannedParallel) -> [PlanGraph.Item] {
    let before = exits
    var ends: [Int: [(node: Int, kind: PlanGraph.Edge.Kind)]] = [:]
    var groups: [Int: PlanGraph.Item] = [:]
    // Each after the branches it needs, of which no cycle exists.
    while let index = parallel.branches.indices.first(where: { index in
      ends[index] == nil && parallel.branches[index].needs.allSatisfy { ends[$0] != nil }
    }) {
      let branch = parallel.branches[index]
      exits = branch.needs.isEmpty ? before : branch.needs.flatMap { ends[$0] ?? [] }
      groups[index] = group(branch.name) { $0.items(branch.steps) }
      ends[index] = exits
    }
    let needed = Set(parallel.branches.flatMap(\.needs))
    exits = ends.keys.sorted().filter { !needed.contains($0) }.flatMap { ends[$0] ?? [] }
    return parallel.branches.indices.compactMap { groups[$0] }
  }

  private mutating func items(_ loop: PlannedLoop, _ step: PlannedStep) -> [PlanGraph.Item] {
    let head = node(.loop, [step.action.content.summary], of: step)
    if case .each(let list) = loop.kind { read(list.expressions, at: head.id) }
    let body = items(loop.steps)
    connect(to: head.id)
    // These see the steps of the body.
    switch loop.kind {
    case .each: break
    case .until(let condition, _), .while(let condition, _): read([condition], at: head.id)
    }
    read(loop.outputs.flatMap(\.value.expressions), at: head.id)
    for slot in step.slots { answers[slot] = head.id }
    exits = [(head.id, .branch("done"))]
    return [.node(head)] + body
  }

  /// Adds the steps of another scenario.
  ///
  /// If several steps run it, it is drawn in the first of them.
  private mutating func items(
    _ scenario: PlannedScenario, _ step: PlannedStep
  ) -> [PlanGraph.Item] {
    let head = node(.step, [step.action.content.summary], of: step)
    read(step.action.content.expressions, at: head.id)
    // The other scenario's steps do not see the answers of this one's.
    let (outer, around) = (answers, prefix)
    answers = [:]
    prefix += step.path + "/"
    let items = [.node(head)] + items(scenario.plan)
    (answers, prefix) = (outer, around)
    for slot in step.slots { answers[slot] = head.id }
    return items
  }

  // MARK: - Nodes and edges

  /// Adds a node after the present exits.
  ///
  /// It becomes the only exit.
  private mutating func node(
    _ shape: PlanGraph.Shape, _ lines: [String], of step: PlannedStep? = nil
  ) -> PlanGraph.Node {
    nodeCount += 1
    connect(to: nodeCount)
    exits = [(nodeCount, .order)]
    let isRepeated = lines.count == 2 && lines[0] == lines[1]
    let recorded = step.map { values.lines(of: prefix + $0.path) } ?? []
    return PlanGraph.Node(
      id: nodeCount, shape: shape,
      lines: (lines.dropFirst(isRepeated ? 1 : 0) + recorded).map { [redactor] in
        Self.line($0, hidingBy: redactor)
      },
      path: step.map { prefix + $0.path })
  }

  private mutating func connect(to node: Int) {
    for exit in exits {
      let edge = PlanGraph.Edge(from: exit.node, to: node, kind: exit.kind)
      if known.insert(edge).inserted { order.append(edge) }
    }
  }

  /// Draws an edge from every step whose answer the expressions read.
  private mutating func read(_ expressions: [PlannedExpression], at node: Int) {
    for expression in expressions {
      for reference in expression.expression.references where reference.name.hasPrefix("steps.") {
        guard let source = answers[reference.slot] else { continue }
        let edge = PlanGraph.Edge(from: source, to: node, kind: .data)
        if known.insert(edge).inserted { data.append(edge) }
      }
    }
  }
}
