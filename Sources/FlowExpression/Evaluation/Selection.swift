internal import FlowCore

/// Selection of a field by its name, after the definition's "Field Selection".
struct Selection: Sendable {
  private let name: String
  private let key: Value
  private let span: Range<Int>

  init(_ name: SyntaxNode.Name) {
    self.name = name.text
    key = .string(name.text)
    span = name.span
  }

  /// The field's value; of an optional, an optional.
  func value(of operand: Value) throws(EvaluationError) -> Value {
    if case .optional = operand { return try optional(of: operand) }
    guard let value = try field(of: operand) else { throw .noSuchField(name, operand, span) }
    return value
  }

  /// The field's value inside an optional, which is empty when there is no such key.
  func optional(of operand: Value) throws(EvaluationError) -> Value {
    guard case .optional(let wrapped) = operand else { return .optional(try present(in: operand)) }
    guard let wrapped else { return operand }
    return .optional(try present(in: wrapped))
  }

  /// Whether a map has the key, or a record a value for the field.
  func isPresent(in operand: Value) throws(EvaluationError) -> Bool {
    guard case .optional(let wrapped) = operand else { return try present(in: operand) != nil }
    guard let wrapped else { return false }
    return try present(in: wrapped) != nil
  }

  private func field(of operand: Value) throws(EvaluationError) -> Value? {
    switch operand {
    case .map(let map): map[key]
    case .record(let record): record[name]
    default: throw .noFields(name, operand, span)
    }
  }

  /// The field's value; nil for an absent key and for an optional field without a value.
  private func present(in operand: Value) throws(EvaluationError) -> Value? {
    if case .optional(let wrapped) = operand { return try wrapped.flatMap(present) }
    guard case .record(let record) = operand else { return try field(of: operand) }
    guard let index = record.type.index(of: name) else {
      throw .noSuchField(name, operand, span)
    }
    if case .optional = record.type.fields[index].type, case .null = record.values[index] {
      return nil
    }
    return record.values[index]
  }
}
