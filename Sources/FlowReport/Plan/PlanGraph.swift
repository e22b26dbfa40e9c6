/// A plan as nodes and edges, before it is written in a language for graphs.
package struct PlanGraph: Sendable {
  /// What a node stands for.
  enum Shape: Sendable {
    /// A step that is not a loop.
    case step
    /// The `if` of the step after it.
    case condition
    /// The beginning of a loop's iterations.
    case loop
  }

  /// A step, a condition or the head of a loop.
  struct Node: Sendable {
    /// The number, from 1.
    let id: Int
    let shape: Shape
    /// One or two lines of bounded length, free of control characters; no language's escapes.
    let lines: [String]
  }

  /// A loop with its body, another scenario, or `finally`.
  struct Group: Sendable {
    /// The number, from 1, apart from those of the nodes.
    let id: Int
    /// One line, as those of a node.
    let label: String
    let items: [Item]
  }

  /// A node or a group, in the order of the file.
  enum Item: Sendable {
    case node(Node)
    case group(Group)
  }

  /// A way from one node to another.
  struct Edge: Sendable, Hashable {
    /// Why there is a way.
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
  }

  /// The scenario's name, or its file; one line, as those of a node.
  let title: String
  /// The steps and, last, the group of `finally`.
  let items: [Item]
  /// First those of the order, then those of the data; never one twice.
  let edges: [Edge]
}
