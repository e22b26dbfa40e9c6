internal import FlowCore

/// A step of a run, or its call of a component, with its children.
///
/// Equal iterations are one node with their count. A class, since building a page moves trees about
/// a lot, and only their builder changes them.
final class StepNode {
  private let spans: [RunTrace.Span]
  private let index: Int
  /// The number of equal iterations.
  private(set) var count = 1
  /// True if all of them have the title of the first one, since a name may contain values.
  private(set) var hasOneTitle = true
  /// Their total time.
  private(set) var elapsed: Duration
  /// The children in the order of their start.
  private(set) var children: [StepNode]
  /// The common hash of equal iterations.
  private var shape = 0

  /// The most steps considered as one iteration.
  private static let longestPeriod = 16

  private init(_ spans: [RunTrace.Span], _ index: Int, _ children: [StepNode]) {
    self.spans = spans
    self.index = index
    self.children = Self.merged(children)
    elapsed = spans[index].elapsed
    shape = hash
  }

  /// Its span, the first one of several.
  ///
  /// Read in place, since a copy of a span is much work.
  var span: RunTrace.Span {
    _read { yield spans[index] }
  }

  /// Returns the spans of a run as trees.
  static func roots(of trace: RunTrace) -> [StepNode] {
    let spans = trace.spans
    let parents = parents(spans)
    var inside: [[StepNode]] = Array(repeating: [], count: spans.count)
    var roots: [StepNode] = []
    // From the end, since a child starts after its parent.
    for index in spans.indices.reversed() {
      let node = StepNode(spans, index, inside[index].reversed())
      inside[index] = []
      if let parent = parents[index] {
        inside[parent].append(node)
      } else {
        roots.append(node)
      }
    }
    return merged(roots.reversed())
  }

  /// Returns the parent of each span.
  ///
  /// A component's later, spontaneous call is shown at its origin.
  private static func parents(_ spans: [RunTrace.Span]) -> [Int?] {
    var parents = spans.indices.map { spans[$0].parent }
    if !spans.contains(where: { $0.parent == nil && !$0.address.calls.isEmpty }) { return parents }
    var origins: [Address: Int] = [:]
    for index in spans.indices {
      let address = spans[index].address
      if address.calls.isEmpty {
        if origins[address] == nil { origins[address] = index }
      } else if parents[index] == nil {
        parents[index] = origins[address.step]
      }
    }
    return parents
  }

  /// True for a step, false for a step's call of a component.
  var isStep: Bool { span.isStep }

  /// True if something in it failed.
  ///
  /// A step that passed expects the errors of its own calls.
  var hasFailure: Bool {
    span.state == .failed
      || children.contains { ($0.isStep || span.state != .passed) && $0.hasFailure }
  }

  /// The number of nodes, including this one.
  var size: Int { children.reduce(1) { $0 + $1.size } }

  private var hash: Int {
    var hasher = Hasher()
    hasher.combine(isStep ? span.address.path : span.title)
    hasher.combine(span.state)
    hasher.combine(count)
    for child in children { hasher.combine(child.shape) }
    return hasher.finalize()
  }

  /// Returns the nodes with consecutive equal iterations merged into one.
  private static func merged(_ nodes: [StepNode]) -> [StepNode] {
    if nodes.count < 2 { return nodes }
    var result: [StepNode] = []
    result.reserveCapacity(nodes.count)
    var rest = nodes[...]
    while let first = rest.first {
      guard let period = period(of: rest) else {
        result.append(first)
        rest.removeFirst()
        continue
      }
      let turn = rest.prefix(period)
      rest = rest.dropFirst(period)
      while period <= rest.count, isAlike(turn, rest.prefix(period)) {
        for (node, other) in zip(turn, rest) { node.add(other) }
        rest = rest.dropFirst(period)
      }
      for node in turn { node.shape = node.hash }
      result += turn
    }
    return result
  }

  /// Returns the number of nodes at the start that repeat at once, or nil.
  private static func period(of nodes: ArraySlice<StepNode>) -> Int? {
    let longest = min(longestPeriod, nodes.count / 2)
    guard longest > 0 else { return nil }
    return (1...longest).first { isAlike(nodes.prefix($0), nodes.dropFirst($0).prefix($0)) }
  }

  private static func isAlike(_ left: ArraySlice<StepNode>, _ right: ArraySlice<StepNode>) -> Bool {
    zip(left, right).allSatisfy { $0.shape == $1.shape && $0.canMerge }
  }

  /// False for failures and for the attempts of a call, which are shown separately.
  private var canMerge: Bool { isStep && !hasFailure }

  private func add(_ other: StepNode) {
    count += other.count
    hasOneTitle = hasOneTitle && other.hasOneTitle && span.title == other.span.title
    elapsed += other.elapsed
    for index in children.indices { children[index].add(other.children[index]) }
  }
}

extension Address {
  /// The step of a call made by a component.
  fileprivate var step: Address { Address(path: path, iterations: iterations) }
}
