internal import FlowCore

/// A step of a run, or what it asked of a component, with what is inside of it.
///
/// Iterations that went alike are one node with their count. An object, since the trees of a page are moved about a lot
/// while they are made; only what makes a tree changes it.
final class StepNode {
  private let spans: [RunTrace.Span]
  private let index: Int
  /// How many went alike.
  private(set) var count = 1
  /// Whether all of them have the title of the first one: a name may have values in it.
  private(set) var hasOneTitle = true
  /// How long they took together.
  private(set) var elapsed: Duration
  /// What is inside, in the order in which it began.
  private(set) var children: [StepNode]
  /// What those that go alike have in common.
  private var shape = 0

  /// The longest row of steps that is looked for as an iteration.
  private static let longestPeriod = 16

  private init(_ spans: [RunTrace.Span], _ index: Int, _ children: [StepNode]) {
    self.spans = spans
    self.index = index
    self.children = Self.merged(children)
    elapsed = spans[index].elapsed
    shape = hash
  }

  /// What it is; the first one, where there are several.
  ///
  /// Looked at where it is, since a copy of a span is much work.
  var span: RunTrace.Span {
    _read { yield spans[index] }
  }

  /// What happened in a run, as trees.
  static func roots(of trace: RunTrace) -> [StepNode] {
    let spans = trace.spans
    let parents = parents(spans)
    var inside: [[StepNode]] = Array(repeating: [], count: spans.count)
    var roots: [StepNode] = []
    // From the end, since what is inside of a span began after it.
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

  /// The span around each; what a component asks later, of its own accord, is shown where it was set going.
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

  /// Whether it is a step, and not what a step asked of a component.
  var isStep: Bool { span.isStep }

  /// Whether something in it failed; a step that passed expects the errors of its own calls.
  var hasFailure: Bool {
    span.state == .failed
      || children.contains { ($0.isStep || span.state != .passed) && $0.hasFailure }
  }

  /// How many nodes there are, this one included.
  var size: Int { children.reduce(1) { $0 + $1.size } }

  private var hash: Int {
    var hasher = Hasher()
    hasher.combine(isStep ? span.address.path : span.title)
    hasher.combine(span.state)
    hasher.combine(count)
    for child in children { hasher.combine(child.shape) }
    return hasher.finalize()
  }

  /// The same with iterations that follow each other and went alike as one.
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

  /// How many nodes come again at once, as they are; nil when none do.
  private static func period(of nodes: ArraySlice<StepNode>) -> Int? {
    let longest = min(longestPeriod, nodes.count / 2)
    guard longest > 0 else { return nil }
    return (1...longest).first { isAlike(nodes.prefix($0), nodes.dropFirst($0).prefix($0)) }
  }

  private static func isAlike(_ left: ArraySlice<StepNode>, _ right: ArraySlice<StepNode>) -> Bool {
    zip(left, right).allSatisfy { $0.shape == $1.shape && $0.canMerge }
  }

  /// What failed is shown by itself, and so is each attempt of a call.
  private var canMerge: Bool { isStep && !hasFailure }

  private func add(_ other: StepNode) {
    count += other.count
    hasOneTitle = hasOneTitle && other.hasOneTitle && span.title == other.span.title
    elapsed += other.elapsed
    for index in children.indices { children[index].add(other.children[index]) }
  }
}

extension Address {
  /// The step to which a call belongs that a component makes.
  fileprivate var step: Address { Address(path: path, iterations: iterations) }
}
