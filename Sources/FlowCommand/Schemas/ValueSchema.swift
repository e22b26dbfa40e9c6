internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The schema of values of a type, as a place in a file takes them.
struct ValueSchema: Sendable {
  /// A place for values.
  enum Place: Sendable {
    /// A file without expressions.
    case plain
    /// A part of a scenario, where an expression may take the place of any value.
    case computed
    /// A part of an expectation, where records are partial and a schema may describe any value.
    case expected
  }

  let place: Place

  /// The texts of durations.
  static let duration = "^[+-]?(0|([0-9.]+(ns|us|µs|μs|ms|s|m|h|d))+)$"
  /// The texts of timestamps.
  static let timestamp =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?"
    + "([Zz]|[+-][0-9]{2}:[0-9]{2})$"

  /// Returns the schema of a type.
  func part(_ type: ValueType) -> SchemaPart {
    switch type {
    case .dynamic: .any
    case .optional(let wrapped): part(wrapped).orNull
    case .record(let record): computed(self.record(record))
    case .list(let element): described(.list(of: part(element)))
    case .map(let element): computed(map(of: element))
    case .bool: described(SchemaPart("boolean"))
    case .int, .uint: described(SchemaPart("integer"))
    case .double, .decimal: described(SchemaPart("number"))
    case .string, .bytes: described(SchemaPart("string"))
    case .duration: described(SchemaPart("string", pattern: Self.duration))
    case .timestamp: described(SchemaPart("string", pattern: Self.timestamp))
    case .enumeration(let names): described(.words(names))
    }
  }

  /// Returns the schema of a record's fields, without an expression for all of them.
  func record(_ type: RecordType) -> SchemaPart {
    var properties = type.fields.map { (name: $0.name, part: field($0)) }
    if case .expected = place {
      properties += type.computedFields.map { (name: $0.name, part: field($0)) }
      if type.index(of: Self.schemaKey.name) == nil { properties.append(Self.schemaKey) }
      return .object(properties, others: type.others.type.map(part))
    }
    return .object(
      properties, required: type.fields.filter(\.isRequired).map(\.name),
      others: type.others.type.map(part))
  }

  private func field(_ field: RecordType.Field) -> SchemaPart {
    let text = "\(field.summary)\nType: \(field.type.description)."
    if case .expected = place { return part(field.type).described(text) }
    let value = field.isSecret ? nil : field.defaultValue?.schemaDefault
    let described = part(field.type)
      .described(text + (value.map { " Default: \($0.text.shownJSON)." } ?? ""))
    return value.map { described.with("default", $0) } ?? described
  }

  private func map(of element: ValueType) -> SchemaPart {
    let map = SchemaPart.map(of: part(element))
    guard case .expected = place else { return map }
    return map.with("properties", .object([.init(Self.schemaKey.name, Self.schemaKey.part.json)]))
  }

  /// The key of an expectation that names a schema.
  private static let schemaKey = (
    name: SchemaReference.key,
    part: SchemaPart.any.described("A JSON Schema that the value must fit.")
  )

  /// The definition of a schema in the place of a value.
  static let described = (
    name: SchemaReference.key,
    part: SchemaPart.object([schemaKey], required: [SchemaReference.key])
  )

  private func computed(_ part: SchemaPart) -> SchemaPart {
    if case .plain = place { part } else { part.orExpression }
  }

  /// Returns the schema of a value that is not an object, or of a schema that describes it.
  private func described(_ part: SchemaPart) -> SchemaPart {
    guard case .expected = place else { return computed(part) }
    return .either([part.orExpression, .reference(Self.described.name)])
  }
}

extension Value {
  /// The value as a default in a schema, or nil for one that says nothing.
  fileprivate var schemaDefault: JSON? {
    switch self {
    case .bool(let value): .bool(value)
    case .int, .uint, .double, .decimal, .number: .number(json)
    case .string(let text) where !text.isEmpty: .string(text)
    case .duration(let time): .string(time.flowText)
    default: nil
    }
  }
}
