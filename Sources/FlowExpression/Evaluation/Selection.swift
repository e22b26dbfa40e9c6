internal import FlowCore

/// Selection of a field by its name, after the definition's "Field Selection".
struct Selection: Sendable {
  private let name: String
  private let place: PartPlace

  init(_ name: String, _ place: PartPlace) {
    self.name = name
    self.place = place
  }

  /// The field's value, or for an optional an optional.
  func value(of operand: Value) throws(EvaluationError) -> Value {
    if case .optional = operand { return try optional(of: operand) }
    guard let value = try field(of: operand) else { throw .noSuchField(in: operand, place) }
    return value
  }

  /// The field's value in an optional, empty for an absent key.
  func optional(of operand: Value) throws(EvaluationError) -> Value {
    .optional(try present(in: operand))
  }

  /// Returns true if a map has the key, or a record a value for the field.
  func isPresent(in operand: Value) throws(EvaluationError) -> Bool {
    try present(in: operand) != nil
  }

  private func field(of operand: Value) throws(EvaluationError) -> Value? {
    switch operand {
    case .map(let map): map[.string(name)]
    case .record(let record): record[name]
    default: throw .noFields(operand, place)
    }
  }

  /// The field's value, or nil for an absent key and for an optional field without a value.
  private func present(in operand: Value) throws(EvaluationError) -> Value? {
    if case .optional(let wrapped) = operand { return try wrapped.flatMap(present) }
    guard case .record(let record) = operand else { return try field(of: operand) }
    guard let index = record.type.index(of: name) else {
      guard let value = record[name] else { throw .noSuchField(in: operand, place) }
      return value
    }
    if case .optional = record.type.fields[index].type, case .null = record.values[index] {
      return nil
    }
    return record.values[index]
  }
}

extension Code {
  /// A field of a record whose type the checker knows: `steps.page.items`.
  static func field(
    of operand: Code, _ type: RecordType, at index: Int, _ selection: Selection
  ) -> Code {
    // A described answer is a map, in which an optional field may be absent.
    let isAbsentByDefault = type.fields[index].defaultValue == .null
    let key = Value.string(type.fields[index].name)
    return .computed { (frame) throws(EvaluationError) in
      let value = try operand.value(&frame)
      if case .record(let record) = value, record.type === type { return record.values[index] }
      if isAbsentByDefault, case .map(let map) = value, map[key] == nil { return .null }
      return try selection.value(of: value)
    }
  }

  /// `operand.name` of a map, a record or an optional.
  static func selection(_ operand: Code, _ selection: Selection) -> Code {
    .computed { (frame) throws(EvaluationError) in
      try selection.value(of: try operand.value(&frame))
    }
  }

  /// `operand.?name`.
  static func optionalSelection(_ operand: Code, _ selection: Selection) -> Code {
    .computed { (frame) throws(EvaluationError) in
      try selection.optional(of: try operand.value(&frame))
    }
  }

  /// `has(operand.name)`.
  static func fieldTest(_ operand: Code, _ selection: Selection) -> Code {
    .computed { (frame) throws(EvaluationError) in
      .bool(try selection.isPresent(in: try operand.value(&frame)))
    }
  }

  /// `operand[index]` and `operand[?index]`.
  static func index(_ operand: Code, _ index: Code, isOptional: Bool, _ span: Range<Int>) -> Code {
    let indexing = Indexing(place: PartPlace(span: span, path: span))
    return .computed { (frame) throws(EvaluationError) in
      let container = try operand.value(&frame)
      let key = try index.value(&frame)
      guard case .optional(let wrapped) = container else {
        let element = try indexing.element(of: container, key)
        if isOptional { return .optional(element) }
        guard let element else { throw indexing.missing(key, container) }
        return element
      }
      guard let wrapped else { return container }
      return .optional(try indexing.element(of: wrapped, key))
    }
  }
}

private struct Indexing: Sendable {
  let place: PartPlace

  func element(of container: Value, _ key: Value) throws(EvaluationError) -> Value? {
    switch (container, key) {
    case (.list(let values), _):
      guard let position = Self.position(key) else {
        throw .noMatchingOverload("[]", [container, key], place.span)
      }
      return values.indices.contains(position) ? values[position] : nil
    case (.map(let map), _) where MapKey.isPossible(key): return map[key]
    case (.record(let record), .string(let name)): return record[name]
    case (.map, _), (.record, _): throw .noMatchingOverload("[]", [container, key], place.span)
    default: throw .noElements(container, place)
    }
  }

  private static func position(_ key: Value) -> Int? {
    switch key {
    case .int(let number): number
    case .uint(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    case .number(let number): position(number.value)
    default: nil
    }
  }

  func missing(_ key: Value, _ container: Value) -> EvaluationError {
    guard case .list(let values) = container else { return .noSuchKey(in: container, place) }
    return .noSuchElement(key, count: values.count, place)
  }
}
