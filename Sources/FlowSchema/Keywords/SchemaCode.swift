internal import FlowCore

/// The nodes of a compiled schema, shared by its copies.
final class SchemaCode: Sendable {
  let nodes: [Node]
  let root: Int
  /// For each resource, the nodes that a `$dynamicRef` may choose, by name.
  let dynamicAnchors: [[String: Int]]
  let limits: SchemaLimits

  init(nodes: [Node], root: Int, dynamicAnchors: [[String: Int]], limits: SchemaLimits) {
    self.nodes = nodes
    self.root = root
    self.dynamicAnchors = dynamicAnchors
    self.limits = limits
  }
}
