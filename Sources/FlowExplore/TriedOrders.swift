internal import FlowEngine

/// The tried orders of a run without faults, as the tree of its choices.
///
/// At each moment one of the ready tasks is chosen, and every choice leads to another moment or to
/// the end of the run. An order is a way to an end.
struct TriedOrders {
  /// A moment that some order has reached.
  private struct Node {
    /// The number of ready tasks.
    var width: Int
    /// The next moments, by the choices that lead to them.
    var next: [Int: Int] = [:]
    /// The choices with nothing left behind them.
    var done: Set<Int> = []

    var isDone: Bool { done.count >= width }
  }

  /// The most moments to keep, some 10 MB.
  ///
  /// With more, a search does not try all orders in a sensible time.
  private static let mostNodes = 50_000

  private var nodes: [Node] = []
  /// The number of different orders so far.
  private(set) var count = 0
  /// True if there is no other order.
  private(set) var isComplete = false
  private var isTooLarge = false

  /// Notes the order of a run.
  ///
  /// - Parameters:
  ///   - widths: The numbers of ready tasks at its moments, each at least two.
  ///   - choices: The positions of the chosen ones, as many.
  /// - Returns: True for a new order.
  mutating func note(_ widths: [Int], _ choices: [Int]) -> Bool {
    if nodes.count > Self.mostNodes { (nodes, isTooLarge) = ([], true) }
    if isTooLarge { return true }
    if isComplete { return false }
    var way: [(node: Int, choice: Int)] = []
    for (width, choice) in zip(widths, choices) {
      let node = node(behind: way.last, width)
      // Another run with the same choices has seen the end of it.
      if nodes[node].done.contains(choice) { return false }
      way.append((node, choice))
    }
    count += 1
    close(way)
    return true
  }

  /// Returns the choices up to an untried one, or nil if there is none, or too many to know.
  func untried() -> [Int]? {
    guard !isComplete, !isTooLarge, !nodes.isEmpty else { return nil }
    var (node, choices) = (0, [Int]())
    while let choice = (0..<nodes[node].width).first(where: { !nodes[node].done.contains($0) }) {
      choices.append(choice)
      guard let next = nodes[node].next[choice] else { return choices }
      node = next
    }
    return nil
  }

  /// Gives up the last of some choices if no run has come there.
  ///
  /// A run that differs from time to time may not have the moment again.
  mutating func giveUp(_ choices: [Int]) {
    guard untried() == choices else { return }
    var way: [(node: Int, choice: Int)] = []
    for choice in choices {
      way.append((way.last.flatMap { nodes[$0.node].next[$0.choice] } ?? 0, choice))
    }
    close(way)
  }

  /// The moment behind a choice, or the first one.
  private mutating func node(behind last: (node: Int, choice: Int)?, _ width: Int) -> Int {
    let known = last.map { nodes[$0.node].next[$0.choice] } ?? (nodes.isEmpty ? nil : 0)
    if let known {
      // A run that differs from time to time may have other ready tasks.
      nodes[known].width = max(nodes[known].width, width)
      return known
    }
    nodes.append(Node(width: width))
    if let last { nodes[last.node].next[last.choice] = nodes.count - 1 }
    return nodes.count - 1
  }

  /// Notes that nothing is left behind the last choice of a way.
  private mutating func close(_ way: [(node: Int, choice: Int)]) {
    for (node, choice) in way.reversed() {
      nodes[node].done.insert(choice)
      if !nodes[node].isDone { return }
    }
    isComplete = true
    nodes = []
  }
}

extension Steering {
  /// The positions of the chosen tasks at each moment.
  var choices: [Int] {
    var choices = Array(repeating: 0, count: moments)
    for delay in delays { choices[delay.moment] = delay.count }
    return choices
  }
}
