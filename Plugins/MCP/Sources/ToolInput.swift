import FlowCore
import FlowSchema

/// The fields of a tool's call, and how they become its arguments.
struct ToolInput: Sendable {
  /// The fields of `with:`.
  let type: RecordType
  /// The number of fields that are arguments, or nil if the first field has all arguments.
  private let argumentCount: Int?
  private let timeout: Int?
  private let answers: Int?

  /// Creates the fields of an input schema.
  ///
  /// A schema that is not a plain object, or has names that scenarios cannot write, has one field
  /// `arguments`.
  init(_ schema: Value) {
    var fields = Self.fields(schema)
    argumentCount = fields?.count
    if fields == nil {
      let hasDefault = schema["required"]?.list?.isEmpty ?? true
      fields = [
        RecordType.Field(
          name: "arguments", type: .map(.dynamic), summary: "The arguments of the tool.",
          defaultValue: hasDefault ? .map(ValueMap()) : nil)
      ]
    }
    var all = fields ?? []
    timeout = Self.add(
      "timeout", .optional(.duration), "The longest time for the answer.", to: &all)
    answers = Self.add(
      "answers", .optional(.map(.dynamic)),
      "The answers to questions of the tool, by the keys of these.", to: &all)
    type = RecordType(all)
  }

  private static func add(
    _ name: String, _ type: ValueType, _ summary: String, to fields: inout [RecordType.Field]
  ) -> Int? {
    if fields.contains(where: { $0.name == name }) { return nil }
    fields.append(RecordType.Field(name: name, type: type, summary: summary, defaultValue: .null))
    return fields.count - 1
  }

  /// Returns the properties of a plain object, or nil.
  private static func fields(_ schema: Value) -> [RecordType.Field]? {
    let properties = schema["properties"]?.map ?? ValueMap()
    if properties.isEmpty { return isWithoutArguments(schema) ? [] : nil }
    guard properties.entries.allSatisfy({ $0.key.interpolated.isFieldName }),
      !takesOthers(schema),
      case .record(let record)? = (try? Schema(schema))?.valueType
    else { return nil }
    return record.fields.map { field in
      let isNamed = field.type.hasFieldNames
      return RecordType.Field(
        name: field.name, type: isNamed ? field.type : .dynamic,
        summary: ServerText.line(field.summary), defaultValue: field.defaultValue,
        examples: examples(properties[field.name], field.type))
    }
  }

  /// Returns true for an object with arguments of any name, which no field can have.
  private static func takesOthers(_ schema: Value) -> Bool {
    schema["patternProperties"] != nil
      || schema["additionalProperties"].map { $0 != .bool(false) } ?? false
  }

  /// Returns the examples in the schema of a property that have its type.
  private static func examples(_ schema: Value?, _ type: ValueType) -> [Value] {
    (schema?["examples"]?.list ?? []).filter { example in
      // An unfit example is the server's mistake, and does no harm.
      (try? example.converted(to: type)) != nil
    }
  }

  /// Returns true for an object that names no properties, in one of the usual ways.
  private static func isWithoutArguments(_ schema: Value) -> Bool {
    let usual: Set<String> = [
      "$schema", "type", "title", "description", "properties", "required", "additionalProperties",
    ]
    guard let map = schema.map, map["type"] == .string("object"),
      map.entries.allSatisfy({ usual.contains($0.key.interpolated) })
    else { return false }
    let others = map["additionalProperties"]
    return others == .bool(false) || others == nil && map["properties"] != nil
  }

  /// Returns the arguments of a call, without the fields that are absent.
  func arguments(_ input: RecordValue) -> ValueMap {
    guard let argumentCount else { return input.values.first?.sent.map ?? ValueMap() }
    var arguments = ValueMap()
    for index in 0..<argumentCount {
      let (field, value) = (type.fields[index], input.values[index])
      if value == .null, field.defaultValue == .null { continue }
      arguments[.string(field.name)] = value.sent
    }
    return arguments
  }

  /// The longest time for the answer, or nil for that of the component.
  func timeout(_ input: RecordValue) -> Duration? {
    guard let timeout, case .duration(let duration) = input.values[timeout] else { return nil }
    return duration
  }

  /// The answers to questions of the tool.
  func answers(_ input: RecordValue) -> ValueMap {
    guard let answers else { return ValueMap() }
    return input.values[answers].sent.map ?? ValueMap()
  }
}

extension Value {
  /// The value without absent fields of records, as it is sent.
  fileprivate var sent: Value {
    switch self {
    case .record(let record):
      let present = zip(record.type.fields, record.values).filter { field, value in
        value != .null || field.defaultValue != .null
      }
      return .map(ValueMap(present.map { ($0.name, $1.sent) }))
    case .list(let elements): return .list(elements.map(\.sent))
    case .map(let map):
      return .map(ValueMap(map.entries.map { ($0.key.interpolated, $0.value.sent) }))
    default: return self
    }
  }
}

extension ValueType {
  /// True if scenarios can write the names of all fields inside.
  fileprivate var hasFieldNames: Bool {
    switch self {
    case .record(let record):
      record.fields.allSatisfy { $0.name.isFieldName && $0.type.hasFieldNames }
    case .list(let type), .map(let type), .optional(let type): type.hasFieldNames
    default: true
    }
  }
}
