package import FlowCore
internal import FlowPlan
internal import FlowSystem
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

  /// Reads a node as a declared type.
  ///
  /// Nil for another form.
  init?(_ node: Node, as type: ValueType) {
    let value: Value? =
      switch (type, node.scalar) {
      case (.optional, .null?): .null
      case (.optional(let wrapped), _): Value(node, as: wrapped)
      case (.decimal, .int?), (.decimal, .bigInt?), (.decimal, .float?):
        Decimal(node.text).map(Value.decimal)
      case (.double, .int(let number)?): .double(Double(number))
      case (.double, .float(let number)?): node.isTooLargeForDouble ? nil : .double(number)
      case (.double, .bigInt?):
        node.isTooLargeForDouble ? nil : Double(node.text).map(Value.double)
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
    case .int(0)? where node.isNegative: WrittenNumber(node.text).map(Value.number) ?? .int(0)
    case .int(let number)?: .int(Int(number))
    case .bigInt?: long(node) ?? .string(node.text)
    case .float(let number)?: long(node) ?? .double(number)
    case .string?: .string(node.text)
    }
  }

  /// An exact decimal, or the text of a number that is longer or a zero with a minus sign.
  private static func long(_ node: Node) -> Value? {
    if let number = Decimal(node.text), number != .zero || !node.isNegative {
      return .decimal(number)
    }
    return WrittenNumber(node.text).map(Value.number)
  }
}

extension Node {
  fileprivate var isNegative: Bool { text.utf8.first == UInt8(ascii: "-") }

  /// True for a number with digits beyond the range of doubles, not for `.inf`.
  var isTooLargeForDouble: Bool {
    switch scalar {
    case .float(let number)?: number.isInfinite && hasDigits
    case .bigInt?: Double(text)?.isInfinite ?? false
    default: false
    }
  }

  /// True if the text contains digits, unlike `.inf` and `.nan`.
  var hasDigits: Bool { text.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
}

/// Reads YAML and JSON files for components.
package enum DocumentReader {
  /// The document at a path of a folder.
  @Sendable package static func read(_ directory: Directory, _ path: String) throws -> Document {
    try document(path, try directory.read(path, limit: largest))
  }

  /// The largest document in bytes.
  static let largest = 64 << 20

  /// The document of a file with this content.
  ///
  /// A schema of GraphQL is one text.
  package static func document(_ path: String, _ bytes: [UInt8]) throws(DocumentError) -> Document {
    if isText(path) { return try text(path, bytes) }
    let root: Node
    do {
      root = try Node(parsing: bytes, as: Format(ofFile: path))
    } catch {
      throw DocumentError(path: path, position: error.mark, message: error.message)
    }
    return document(path, root)
  }

  private static func isText(_ path: String) -> Bool {
    [".graphql", ".graphqls", ".gql"].contains { path.lowercased().hasSuffix($0) }
  }

  private static func text(_ path: String, _ bytes: [UInt8]) throws(DocumentError) -> Document {
    do {
      return Document(path: path, value: .string(try PlainText.text(of: bytes))) { _ in nil }
    } catch {
      throw DocumentError(path: path, position: nil, message: "\(error)")
    }
  }

  private static func document(_ path: String, _ root: Node) -> Document {
    Document(path: path, value: Value(root)) { fieldPath in
      Self.node(at: fieldPath, from: root).span.start
    }
  }

  /// The document of a file, whose path is relative to the working directory.
  package static func document(at path: String) throws -> Document {
    try document(path, try FileSystem.contents(of: path, limit: largest))
  }

  /// The readers for the components of a run.
  static let reading = DocumentReading(one: read, all: readAll)

  /// The documents of a YAML file at a path of a folder, none for an empty file.
  @Sendable package static func readAll(
    _ directory: Directory, _ path: String
  ) throws -> [Document] {
    let bytes = try directory.read(path, limit: largest)
    do throws(YAMLError) {
      return try Node.all(parsing: bytes).map { document(path, $0) }
    } catch {
      throw DocumentError(path: path, position: error.mark, message: error.message)
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

extension ValueType {
  static let names = [
    "any", "bool", "bytes", "decimal", "double", "duration", "int", "list(TYPE)", "map(TYPE)",
    "string", "timestamp",
  ]

  /// The types without others inside, by their names.
  package static let simple = names.compactMap { name in
    ValueType(scenarioText: name).map { (name: name, type: $0) }
  }

  private static let synonyms = [
    "array": "list(any)", "boolean": "bool", "date": "timestamp", "datetime": "timestamp",
    "dict": "map(any)", "float": "double", "integer": "int", "number": "decimal",
    "object": "map(any)", "str": "string", "text": "string", "time": "timestamp",
  ]

  /// The possible intentions behind a mistyped type name.
  static func names(near text: String) -> [String] {
    if let synonym = synonyms[text.lowercased()] { return [synonym] }
    // A list or a map without its elements' type is the commonest mistake.
    return Suggestion.nearest(to: text, among: names.map { String($0.prefix { $0 != "(" }) })
      .map { ["list", "map"].contains($0) ? "\($0)(any)" : $0 }
  }

  /// Reads `decimal`, `list(string)`, `map(list(int))` or `any`.
  ///
  /// Nil for another text.
  package init?(scenarioText text: String) {
    switch text {
    case "any": self = .dynamic
    case "bool": self = .bool
    case "bytes": self = .bytes
    case "decimal": self = .decimal
    case "double": self = .double
    case "duration": self = .duration
    case "int": self = .int
    case "string": self = .string
    case "timestamp": self = .timestamp
    default:
      if let inner = Self.argument(of: "list", text) {
        self = .list(inner)
      } else if let inner = Self.argument(of: "map", text) {
        self = .map(inner)
      } else {
        return nil
      }
    }
  }

  private static func argument(of name: String, _ text: String) -> ValueType? {
    guard text.hasPrefix(name + "("), text.hasSuffix(")"), text.utf8.count < 256 else { return nil }
    return ValueType(scenarioText: String(text.dropFirst(name.count + 1).dropLast()))
  }
}

extension ValueType {
  /// Returns the values of an enumeration, or the durations, near a string.
  func names(near text: String) -> [String] {
    switch unwrapped {
    case .enumeration(let names): Suggestion.nearest(to: text, among: names)
    case .duration: Self.durations(near: text)
    default: []
    }
  }

  /// The type of a list's elements, or nil if no list is allowed here.
  package var elementType: ValueType? {
    switch unwrapped {
    case .list(let element): element
    case .dynamic: .dynamic
    default: nil
    }
  }

  /// The type of a map's values, or nil if no map is allowed here.
  package var entryType: ValueType? {
    switch unwrapped {
    case .map(let element): element
    case .dynamic: .dynamic
    default: nil
    }
  }
}

extension ValueType {
  /// Returns true if a value of `actual` is allowed as this type.
  ///
  /// Whole numbers widen as in `Value.converted(to:)`. Dynamic values are checked when the step
  /// runs.
  package func accepts(_ actual: ValueType) -> Bool {
    switch (self, actual) {
    case (.dynamic, _), (_, .dynamic): return true
    case (.optional(let wrapped), .optional(let other)): return wrapped.accepts(other)
    case (.optional(let wrapped), _): return wrapped.accepts(actual)
    case (_, .optional(let other)): return accepts(other)
    case (.decimal, .int), (.decimal, .uint), (.double, .int), (.double, .decimal), (.uint, .int),
      (.int, .uint):
      return true
    case (.enumeration, .string), (.string, .enumeration), (.enumeration, .enumeration): return true
    case (.list(let element), .list(let other)): return element.accepts(other)
    case (.map(let element), .map(let other)): return element.accepts(other)
    case (.record, .map): return true
    case (.record(let type), .record(let other)): return type.accepts(other)
    default: return self == actual
    }
  }

  init(of value: Value) {
    switch value {
    case .null, .type, .optional: self = .dynamic
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .decimal: self = .decimal
    // By a type it would become a double.
    case .number: self = .dynamic
    case .string: self = .string
    case .bytes: self = .bytes
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .list(let values): self = .list(Self.common(values))
    case .map(let map): self = .map(Self.common(map.entries.map(\.value)))
    case .record(let record): self = .record(record.type)
    }
  }

  private static func common(_ values: [Value]) -> ValueType {
    guard let first = values.first.map({ ValueType(of: $0) }) else { return .dynamic }
    return values.allSatisfy { ValueType(of: $0) == first } ? first : .dynamic
  }
}

extension RecordType {
  fileprivate func accepts(_ other: RecordType) -> Bool {
    if self === other { return true }
    return other.fields.allSatisfy { field in
      (self.field(field.name)?.type ?? others.type)?.accepts(field.type) ?? false
    }
      && fields.allSatisfy { !$0.isRequired || other.index(of: $0.name) != nil }
  }
}
