internal import FlowCore
internal import FlowPlan
internal import FlowSystem

/// The graph of a plan as a picture, in which each step has the sign of how it ended.
struct PlanPicture: Sendable {
  /// A step or a condition in its place.
  struct Node: Sendable {
    let shape: PlanGraph.Shape
    let box: PlanLayout.Box
    /// One line or two.
    let lines: [String]
    /// The end of the step, or nil if it did not run.
    let state: RunTrace.Span.State?
  }

  /// The most nodes.
  static let most = 150
  /// The most characters of a line in a box.
  private static let longestLine = 26

  /// The width and the height.
  let size: PlanLayout.Box
  let frames: [PlanLayout.Frame]
  /// The nodes in the order of their numbers, from 1.
  let nodes: [Node]
  /// The edges between the numbers of nodes.
  let edges: [PlanGraph.Edge]

  /// Creates the picture of a plan after a run.
  ///
  /// Nil if it would show nothing new, or be too large to look at.
  init?(_ graph: PlanGraph, _ trace: RunTrace) {
    guard graph.isTelling, 2...Self.most ~= graph.nodeCount else { return nil }
    let layout = PlanLayout(graph)
    var states: [String: RunTrace.Span.State] = Dictionary(minimumCapacity: graph.nodeCount)
    // Read in place, since a copy of a span is much work.
    for index in trace.spans.indices where trace.spans[index].isStep {
      let state = trace.spans[index].state
      let path = trace.spans[index].address.path
      if state.weight >= states[path]?.weight ?? 0 { states[path] = state }
    }
    let nodes = zip(layout.nodes, layout.boxes).map { node, box in
      Node(
        shape: node.shape, box: box,
        lines: node.lines.prefix(2).map { $0.cut(toCells: Self.longestLine) },
        state: node.path.flatMap { states[$0] })
    }
    self.init(size: layout.size, frames: layout.frames, nodes: nodes, edges: graph.edges)
  }

  init(
    size: PlanLayout.Box, frames: [PlanLayout.Frame], nodes: [Node], edges: [PlanGraph.Edge]
  ) {
    (self.size, self.frames, self.nodes, self.edges) = (size, frames, nodes, edges)
  }

  /// Returns the picture as a block to open, described by the list with an id.
  func html(describedBy list: HTML) -> HTML {
    var text: HTML = "<details class=\"g plan\"><summary>The plan as a graph</summary>"
    text += "<div tabindex=\"0\" role=\"group\" aria-label=\"graph\">"
    text += "<svg role=\"img\" aria-label=\"graph of the plan; the list of steps has the same\" "
    text += "aria-details=\"\(list)\" width=\"\(size.width)\" height=\"\(size.height)\">"
    for frame in frames { text += html(frame) }
    writeLines(to: &text)
    for node in nodes { write(node, to: &text) }
    text += "</svg></div></details>"
    return text
  }

  private func html(_ frame: PlanLayout.Frame) -> HTML {
    let box = frame.box
    return """
      <rect class="frame" x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" \
      rx="6"/><text class="a" x="\(box.x + 8)" y="\(box.y + 16)">\
      \(text: frame.label.cut(toCells: Self.longestLine))</text>
      """
  }

  private func write(_ node: Node, to text: inout HTML) {
    let (box, mark) = (node.box, node.state.map { Mark($0) })
    text += node.shape == .condition ? "<path" : "<rect"
    if let mark {
      text += " class=\""
      text += mark.style
      text += "\""
    }
    switch node.shape {
    case .condition:
      text += " d=\"M\(box.x) \(box.y + box.height / 2)l10 -14h188l10 14-10 14H\(box.x + 10)z\"/>"
    case .step, .loop:
      text.append(" x=\"", box.x)
      text.append("\" y=\"", box.y)
      text.append("\" width=\"", box.width)
      text.append("\" height=\"", box.height)
      text += node.shape == .loop ? "\" rx=\"14\"/>" : "\" rx=\"4\"/>"
    }
    for (index, line) in node.lines.enumerated() {
      text.append(index == 0 ? "<text x=\"" : "<text class=\"a\" x=\"", box.x + 12)
      text.append("\" y=\"", box.y + 18 + 17 * index)
      text += "\">"
      if index == 0, let mark {
        text += mark.sign
        text += " "
      }
      text.append(text: line)
      text += "</text>"
    }
  }

  // MARK: - Edges

  /// Writes the edges between steps, with their heads and labels.
  private func writeLines(to text: inout HTML) {
    var (order, data, heads, labels): (HTML, HTML, HTML, HTML) = ("", "", "", "")
    for edge in edges {
      let label =
        edge.kind == .data
        ? write(edge, to: &data, head: &heads) : write(edge, to: &order, head: &heads)
      if case .branch(let name) = edge.kind {
        labels += "<text class=\"a\" x=\"\(label.x)\" y=\"\(label.y)\">\(text: name)</text>"
      }
    }
    if !order.isEmpty { text += "<path class=\"order\" d=\"\(order)\"/>" }
    if !data.isEmpty { text += "<path class=\"data\" d=\"\(data)\"/>" }
    if !heads.isEmpty { text += "<path class=\"head\" d=\"\(heads)\"/>" }
    text += labels
  }

  /// Writes the path of an edge and returns the place of its label.
  ///
  /// The path leads down, or around the steps between, on the left side for an edge back.
  private func write(
    _ edge: PlanGraph.Edge, to path: inout HTML, head: inout HTML
  ) -> (x: Int, y: Int) {
    let (from, to) = (nodes[edge.from - 1].box, nodes[edge.to - 1].box)
    let (start, end) = (from.y + from.height / 2, to.y + to.height / 2)
    if edge.kind != .data, edge.from < edge.to, !isBlocked(from, to) {
      let half = (from.bottom + to.y) / 2
      path += """
        M\(from.middle) \(from.bottom)C\(from.middle) \(half) \(to.middle) \(half) \
        \(to.middle) \(to.y - 6)
        """
      head += "M\(to.middle) \(to.y)l-4 -7h8z"
      // At its end, since several may start at one place.
      return (to.middle + 6, to.y - 9)
    }
    if edge.kind != .data, edge.from >= edge.to {
      path += "M\(from.x) \(start)C\(from.x - 16) \(start) \(to.x - 16) \(end) \(to.x - 6) \(end)"
      head += "M\(to.x) \(end)l-7 -4v8z"
      return (to.x, to.y - 5)
    }
    let bow = max(from.right, to.right) + (edge.kind == .data ? 16 : 28)
    path += "M\(from.right) \(start)C\(bow) \(start) \(bow) \(end) \(to.right + 6) \(end)"
    head += "M\(to.right) \(end)l7 -4v8z"
    return (to.right + 8, end - 5)
  }

  /// Returns true if a step is between two others in about the same column.
  private func isBlocked(_ from: PlanLayout.Box, _ to: PlanLayout.Box) -> Bool {
    let middles = min(from.middle, to.middle)...max(from.middle, to.middle)
    return nodes.contains { node in
      let box = node.box
      return box.y > from.y && box.bottom < to.y && box.x < middles.upperBound
        && box.right > middles.lowerBound
    }
  }
}

extension RunTrace.Span.State {
  /// The rank among several ends of a step, of which the highest is shown.
  fileprivate var weight: Int {
    switch self {
    case .notRun: 0
    case .passed: 1
    case .cancelled: 2
    case .running: 3
    case .failed: 4
    }
  }
}
