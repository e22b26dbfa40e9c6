package import FlowCore
package import FlowYAML

extension Value {
  /// A node without a declared type: numbers with a fraction become exact decimals.
  package init(_ node: Node) {
    switch node.kind {
    case .scalar: self = Value.scalar(node)
    case .sequence: self = .list(node.items.map { Value($0) })
    case .mapping: self = .map(ValueMap(node.entries.map { ($0.key.text, Value($0.value)) }))
    }
  }

  /// A node in the form of a declared type; nil when it has another one.
  init?(_ node: Node, as type: ValueType) {
    let value: Value? =
      switch (type, node.scalar) {
      case (.optional, .null?): .null
      case (.optional(let wrapped), _): Value(node, as: wrapped)
      case (.decimal, .int?), (.decimal, .bigInt?), (.decimal, .float?):
        Decimal(node.text).map(Value.decimal)
      case (.double, .int(let number)?): .double(Double(number))
      case (.double, .float(let number)?): .double(number)
      case (.double, .bigInt?): Double(node.text).map(Value.double)
      case (.uint, .bigInt?): UInt(node.text).map(Value.uint)
      case (.bytes, .string?): .bytes(Bytes(Array(node.text.utf8)))
      case (.string, .bigInt?): nil
      case (.list(let element), nil) where node.kind == .sequence: Value.list(node, of: element)
      case (.map(let element), nil) where node.kind == .mapping: Value.map(node, of: element)
      default: try? Value(node).converted(to: type)
      }
    guard let value else { return nil }
    self = value
  }

  private static func list(_ node: Node, of type: ValueType) -> Value? {
    let values = node.items.compactMap { Value($0, as: type) }
    return values.count == node.items.count ? .list(values) : nil
  }

  private static func map(_ node: Node, of type: ValueType) -> Value? {
    let pairs = node.entries.compactMap { entry in
      Value(entry.value, as: type).map { (entry.key.text, $0) }
    }
    return pairs.count == node.entries.count ? .map(ValueMap(pairs)) : nil
  }

  private static func scalar(_ node: Node) -> Value {
    switch node.scalar {
    case .null?, nil: .null
    case .bool(let value)?: .bool(value)
    case .int(let number)?: .int(Int(number))
    case .bigInt?: Decimal(node.text).map(Value.decimal) ?? .string(node.text)
    case .float(let number)?: Decimal(node.text).map(Value.decimal) ?? .double(number)
    case .string?: .string(node.text)
    }
  }
}

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
