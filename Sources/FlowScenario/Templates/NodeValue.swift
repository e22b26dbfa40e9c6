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

  /// A scalar in the form of a declared type; nil when it has another one.
  init?(_ node: Node, as type: ValueType) {
    switch (type, node.scalar) {
    case (.decimal, .int?), (.decimal, .bigInt?), (.decimal, .float?):
      guard let number = Decimal(node.text) else { return nil }
      self = .decimal(number)
    case (.double, .int(let number)?): self = .double(Double(number))
    case (.double, .float(let number)?): self = .double(number)
    case (.bytes, .string?): self = .bytes(Bytes(Array(node.text.utf8)))
    default:
      guard let value = try? Value(node).converted(to: type) else { return nil }
      self = value
    }
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
