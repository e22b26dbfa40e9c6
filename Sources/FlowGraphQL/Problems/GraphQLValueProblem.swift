public import FlowCore

/// A contradiction between a value of JSON and its type.
public struct GraphQLValueProblem: Sendable, Hashable {
  /// The place in the value.
  public let path: FieldPath
  /// The contradiction: lower case, no full stop.
  public let message: String
  /// The contradicting value, or nil if it is absent.
  public let actual: Value?
  /// The place in the schema, or nil for none.
  public let rule: String?

  init(_ path: FieldPath, _ message: String, _ actual: Value?, rule: String? = nil) {
    (self.path, self.message, self.actual, self.rule) = (path, message, actual, rule)
  }
}
