internal import FlowCore

/// A field of a record whose type the checker knows: `steps.page.items`.
final class FieldNode: Node {
  private let operand: any Node
  private let type: RecordType
  private let index: Int
  private let selection: Selection

  init(_ operand: any Node, _ type: RecordType, _ index: Int, _ selection: Selection) {
    self.operand = operand
    self.type = type
    self.index = index
    self.selection = selection
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try operand.value(&frame)
    if case .record(let record) = value, record.type === type { return record.values[index] }
    return try selection.value(of: value)
  }
}

/// `operand.name` of a map, a record or an optional.
final class SelectNode: Node {
  private let operand: any Node
  private let selection: Selection

  init(_ operand: any Node, _ selection: Selection) {
    self.operand = operand
    self.selection = selection
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try selection.value(of: try operand.value(&frame))
  }
}

/// `operand.?name`.
final class OptionalSelectNode: Node {
  private let operand: any Node
  private let selection: Selection

  init(_ operand: any Node, _ selection: Selection) {
    self.operand = operand
    self.selection = selection
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try selection.optional(of: try operand.value(&frame))
  }
}

/// `has(operand.name)`.
final class FieldTestNode: Node {
  private let operand: any Node
  private let selection: Selection

  init(_ operand: any Node, _ selection: Selection) {
    self.operand = operand
    self.selection = selection
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    .bool(try selection.isPresent(in: try operand.value(&frame)))
  }
}
