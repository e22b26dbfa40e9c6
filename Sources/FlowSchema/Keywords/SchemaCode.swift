internal import FlowCore

/// The nodes of a compiled schema, shared by its copies.
package final class SchemaCode: Sendable {
  package let nodes: [SchemaNode]
  package let root: Int
  /// For each resource, the nodes that a `$dynamicRef` may choose, by name.
  package let dynamicAnchors: [[String: Int]]
  package let limits: SchemaLimits

  package init(
    nodes: [SchemaNode], root: Int, dynamicAnchors: [[String: Int]], limits: SchemaLimits
  ) {
    self.nodes = nodes
    self.root = root
    self.dynamicAnchors = dynamicAnchors
    self.limits = limits
  }
}
