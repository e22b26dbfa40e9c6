package import FlowCore
internal import FlowYAML

/// Reads YAML and JSON files for components; JSON is read as the YAML that it also is.
package enum DocumentReader {
  /// The largest document that is read, in bytes.
  private static let largest = 64 << 20

  /// The document at a path of a folder.
  @Sendable package static func read(_ directory: Directory, _ path: String) throws -> Document {
    let bytes = try directory.read(path, limit: largest)
    let root: Node
    do {
      root = try Node(parsing: bytes)
    } catch {
      let position = error.mark.map { Position(line: $0.line, column: $0.column) }
      throw DocumentError(path: path, position: position, message: error.message)
    }
    return Document(path: path, value: Value(root)) { fieldPath in
      let mark = Self.node(at: fieldPath, from: root).span.start
      return Position(line: mark.line, column: mark.column)
    }
  }

  /// The node at a path, or the last one on the way to it.
  private static func node(at path: FieldPath, from root: Node) -> Node {
    var node = root
    for step in path.steps {
      switch step {
      case .field(let name):
        guard let inner = node[name] else { return node }
        node = inner
      case .index(let index):
        guard let inner = node.items.dropFirst(index).first else { return node }
        node = inner
      }
    }
    return node
  }
}
