public import FlowCore

/// The types of messages as scenarios see them.
///
/// A message that contains itself has any value in the place of its own, since types end.
public struct MessageValueTypes {
  private let schema: ProtobufSchema
  private let isInput: Bool
  private let cycles: [String: Int]
  private var known: [String: ValueType] = [:]

  /// Creates the types of a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - isInput: True for messages of steps, whose enums have known names. The enum of an answer
  ///     may have others.
  public init(_ schema: ProtobufSchema, isInput: Bool) {
    (self.schema, self.isInput) = (schema, isInput)
    var search = CycleSearch(schema)
    cycles = search.cycles()
  }

  /// Returns the type of a message by its full name.
  public mutating func type(of message: String) -> ValueType {
    if let type = known[message] { return type }
    let type = special(message) ?? record(message)
    known[message] = type
    return type
  }

  private func special(_ name: String) -> ValueType? {
    switch name {
    case WellKnownTypes.timestamp: .timestamp
    case WellKnownTypes.duration: .duration
    case WellKnownTypes.fieldMask: .string
    case WellKnownTypes.any, WellKnownTypes.structure: .map(.dynamic)
    case WellKnownTypes.value: .dynamic
    case WellKnownTypes.list: .list(.dynamic)
    default: WellKnownTypes.wrappers[name].map(Self.type)
    }
  }

  private mutating func record(_ name: String) -> ValueType {
    guard let message = schema.messages[name] else { return .dynamic }
    let names = message.fields.map(\.jsonName)
    // Scenarios could not write another name.
    guard names.allSatisfy(\.isFieldName), Set(names).count == names.count else { return .dynamic }
    return .record(RecordType(message.fields.map { field($0, of: name) }))
  }

  private mutating func field(_ field: MessageField, of message: String) -> RecordType.Field {
    let single = type(field.kind, of: message)
    let summary = field.name == field.jsonName ? "" : "The field '\(field.name)'."
    let (type, absent): (ValueType, Value?) =
      switch field.cardinality {
      case .implicit: (single, single.absence(field.kind, schema))
      case .optional: (.optional(single), .null)
      case .required: (single, nil)
      case .repeated: (.list(single), .list([]))
      case .map: (.map(single), .map(ValueMap()))
      }
    return RecordType.Field(
      name: field.jsonName, type: type, summary: summary, defaultValue: absent)
  }

  private mutating func type(_ kind: FieldKind, of message: String) -> ValueType {
    switch kind {
    case .scalar(let kind): Self.type(kind)
    case .message(let name):
      cycles[name] == cycles[message] && cycles[name] != nil ? .dynamic : type(of: name)
    case .enumeration(WellKnownTypes.nullValue): .dynamic
    case .enumeration(let name): enumeration(name)
    }
  }

  private func enumeration(_ name: String) -> ValueType {
    guard let type = schema.enums[name], isInput || type.isClosed else { return .string }
    return .enumeration(type.members.map(\.name))
  }

  private static func type(_ kind: ScalarKind) -> ValueType {
    switch kind {
    case .double, .float: .double
    case .uint64, .fixed64: .uint
    case .bool: .bool
    case .string: .string
    case .bytes: .bytes
    case .int32, .int64, .uint32, .sint32, .sint64, .fixed32, .sfixed32, .sfixed64: .int
    }
  }
}

extension ValueType {
  /// The value of an absent field that is never null.
  fileprivate func absence(_ kind: FieldKind, _ schema: ProtobufSchema) -> Value {
    switch kind {
    case .scalar(let kind): kind.zero
    case .enumeration(let name):
      (schema.enums[name]?.members.first?.name).map(Value.string) ?? .null
    case .message: .null
    }
  }
}

extension String {
  /// True for a name that scenarios can write.
  fileprivate var isFieldName: Bool {
    let letters = unicodeScalars
    guard let first = letters.first, first.isLetter else { return false }
    return letters.allSatisfy { $0.isLetter || "0"..."9" ~= $0 || $0 == "_" || $0 == "-" }
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { "a"..."z" ~= self || "A"..."Z" ~= self }
}

/// The messages that contain themselves, by Tarjan's search for strongly connected components.
private struct CycleSearch {
  private let schema: ProtobufSchema
  private var order: [String: Int] = [:]
  private var low: [String: Int] = [:]
  private var stack: [String] = []
  private var waiting: Set<String> = []
  private var result: [String: Int] = [:]

  init(_ schema: ProtobufSchema) { self.schema = schema }

  /// Returns the number of the cycle of each message that is in one.
  mutating func cycles() -> [String: Int] {
    for name in schema.messages.keys.sorted() where order[name] == nil { visit(name) }
    return result
  }

  private mutating func visit(_ name: String) {
    let number = order.count
    order[name] = number
    low[name] = number
    stack.append(name)
    waiting.insert(name)
    let parts = parts(of: name)
    for part in parts {
      if order[part] == nil {
        visit(part)
        low[name] = min(low[name] ?? number, low[part] ?? number)
      } else if waiting.contains(part) {
        low[name] = min(low[name] ?? number, order[part] ?? number)
      }
    }
    if low[name] == number { close(name, number, isSelf: parts.contains(name)) }
  }

  private mutating func close(_ name: String, _ number: Int, isSelf: Bool) {
    var members: [String] = []
    while let last = stack.popLast() {
      waiting.remove(last)
      members.append(last)
      if last == name { break }
    }
    guard members.count > 1 || isSelf else { return }
    for member in members { result[member] = number }
  }

  private func parts(of name: String) -> [String] {
    (schema.messages[name]?.fields ?? []).compactMap { field in
      if case .message(let part) = field.kind { part } else { nil }
    }
  }
}
