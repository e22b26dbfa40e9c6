internal import FlowCore
internal import FlowYAML

/// A schema by its file and a part of it: `order.schema.json#/$defs/item`.
package struct SchemaReference {
  /// The key that names a schema in an expectation.
  package static let key = "schema"
  private static let endings = [".json", ".yaml", ".yml"]

  /// The text as it is written.
  let text: String
  /// The path of the file, relative to the folder of the scenario.
  let path: String
  /// The part behind `#`, or nil.
  let fragment: String?

  /// Reads a text, or returns nil if it is no path of a schema.
  ///
  /// A URL counts, so that it can be refused: it looks like one that is fetched.
  init?(_ text: String) {
    guard !Interpolation.contains(text), !text.utf8.contains(UInt8(ascii: "\n")) else {
      return nil
    }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    guard Self.endings.contains(where: { path.lowercased().hasSuffix($0) && path != $0 }) else {
      return nil
    }
    (self.text, self.path) = (text, path)
    fragment = parts.count > 1 ? String(parts[1]) : nil
  }

  /// Finds the schema that a mapping in an expectation names, or nil if it names none.
  static func entry(of node: Node, on type: ValueType) -> (Node, SchemaReference)? {
    if case .record(let record) = type.unwrapped, record.index(of: key) != nil { return nil }
    guard node.kind == .mapping, let value = node[key], value.kind == .scalar,
      value.scalar == .string, let reference = SchemaReference(value.text)
    else { return nil }
    return (value, reference)
  }

  /// True for a text with a scheme, such as `https://example.com/order.json`.
  var isURL: Bool { path.contains("://") }
}
