/// The places of a plan's steps in a picture: each below its predecessors and beside its concurrent
/// steps.
///
/// In whole pixels, from the left and from the top. The same graph has the same layout.
struct PlanLayout {
  /// A part of the picture.
  struct Box: Sendable {
    var x = 0
    var y = 0
    var width = 0
    var height = 0

    var right: Int { x + width }
    var bottom: Int { y + height }
    var middle: Int { x + width / 2 }

    /// Returns true if less than `gap` is between the two boxes.
    func isNear(_ other: Box, gap: Int) -> Bool {
      x < other.right + gap && other.x < right + gap && y < other.bottom && other.y < bottom
    }

    /// Returns the smallest box around both.
    func union(_ other: Box) -> Box {
      let (left, top) = (min(x, other.x), min(y, other.y))
      return Box(
        x: left, y: top, width: max(right, other.right) - left,
        height: max(bottom, other.bottom) - top)
    }

    func moved(right distance: Int) -> Box {
      var copy = self
      copy.x += distance
      return copy
    }
  }

  /// A labelled frame around a group of steps.
  struct Frame: Sendable {
    let box: Box
    let label: String
  }

  private static let width = 208
  private static let heights = [28, 44]
  /// The gap between a step and the next one, and between neighbours.
  static let gap = (below: 22, beside: 18)
  /// The padding of a frame around its steps.
  private static let frame = (top: 24, side: 8, bottom: 8)
  /// The margin for edges around steps.
  static let margin = (left: 24, right: 48, end: 12)

  /// The steps in the order of their numbers, from 1.
  private(set) var nodes: [PlanGraph.Node] = []
  /// The box of each node.
  private(set) var boxes: [Box] = []
  /// The frames, the outer ones before their inner ones.
  private(set) var frames: [Frame] = []
  /// The size of the picture.
  private(set) var size = Box()

  /// The groups around each node, from the outside in, and the numbers of the nodes in each group.
  private var groups: [[Int]] = []
  private var members: [Int: ClosedRange<Int>] = [:]

  /// Creates the layout of a graph.
  init(_ graph: PlanGraph) {
    collect(graph.items, in: [])
    // A branch that waits for others has later numbers than they do.
    if nodes.enumerated().contains(where: { $1.id != $0 + 1 }) {
      let order = nodes.indices.sorted { nodes[$0].id < nodes[$1].id }
      nodes = order.map { nodes[$0] }
      groups = order.map { groups[$0] }
    }
    boxes = nodes.map { Self.box(0, 0, lines: min($0.lines.count, 2)) }
    place(below: graph.edges)
    place(graph.items, at: Self.margin.left)
    let all = frames.map(\.box) + boxes
    size = all.dropFirst().reduce(all.first ?? Box()) { $0.union($1) }
    size = Box(
      width: size.right + Self.margin.right, height: size.bottom + Self.margin.end)
  }

  /// Returns the box of a node with one line or two.
  static func box(_ x: Int, _ y: Int, lines: Int) -> Box {
    Box(x: x, y: y, width: width, height: heights[lines - 1])
  }

  private mutating func collect(_ items: [PlanGraph.Item], in outer: [Int]) {
    for item in items {
      switch item {
      case .node(let node):
        nodes.append(node)
        groups.append(outer)
        for group in outer {
          let known = members[group] ?? node.id...node.id
          members[group] = min(known.lowerBound, node.id)...max(known.upperBound, node.id)
        }
      case .group(let group): collect(group.items, in: outer + [group.id])
      }
    }
  }

  // MARK: - From top to bottom

  private mutating func place(below edges: [PlanGraph.Edge]) {
    for index in nodes.indices { boxes[index].y = Self.frame.top * groups[index].count }
    // The edges to a node come after those to its predecessors.
    for edge in edges where edge.kind != .data && edge.from < edge.to {
      let index = edge.to - 1
      for other in nodes(before: edge) {
        boxes[index].y = max(boxes[index].y, y(of: index, below: other))
      }
    }
  }

  /// Returns the nodes that end before the target of an edge starts: at the end of a loop, all
  /// nodes of the loop.
  private func nodes(before edge: PlanGraph.Edge) -> [Int] {
    let from = edge.from - 1
    guard edge.kind == .branch("done"), let loop = groups[from].last, let all = members[loop] else {
      return [from]
    }
    return all.map { $0 - 1 }
  }

  private func y(of index: Int, below other: Int) -> Int {
    let common = zip(groups[index], groups[other]).prefix { $0 == $1 }.count
    let opened = groups[index].count - common
    let closed = groups[other].count - common
    return boxes[other].bottom + closed * Self.frame.bottom + Self.gap.below
      + opened * Self.frame.top
  }

  // MARK: - From left to right

  /// Places items at the left, or beside items at the same height.
  private mutating func place(_ items: [PlanGraph.Item], at left: Int) {
    for (item, box) in zip(items, arranged(items)) {
      guard let box else { continue }
      switch item {
      case .node(let node): boxes[node.id - 1].x = left + box.x
      case .group(let group):
        frames.append(Frame(box: box.moved(right: left), label: group.label))
        place(group.items, at: left + box.x + Self.frame.side)
      }
    }
  }

  /// Returns the boxes of items, with the first column at 0.
  ///
  /// Nil for a group without steps.
  private func arranged(_ items: [PlanGraph.Item]) -> [Box?] {
    var placed: [Box] = []
    return items.map { item in
      guard let size = size(of: item) else { return nil }
      let box = Self.free(size, beside: placed)
      placed.append(box)
      return box
    }
  }

  /// Returns the box moved to the first free place to the right.
  private static func free(_ box: Box, beside placed: [Box]) -> Box {
    let isFree = { (box: Box) in !placed.contains { $0.isNear(box, gap: gap.beside) } }
    // As in all plans without branches.
    if isFree(box) { return box }
    let columns = placed.map { box.moved(right: $0.right + gap.beside) }.sorted { $0.x < $1.x }
    return columns.first(where: isFree) ?? box
  }

  private func size(of item: PlanGraph.Item) -> Box? {
    switch item {
    case .node(let node): return boxes[node.id - 1]
    case .group(let group):
      let inner = arranged(group.items).compactMap { $0 }
      guard let first = inner.first else { return nil }
      let all = inner.dropFirst().reduce(first) { $0.union($1) }
      return Box(
        x: 0, y: all.y - Self.frame.top, width: all.right + 2 * Self.frame.side,
        height: all.height + Self.frame.top + Self.frame.bottom)
    }
  }
}
