internal import FlowCore

/// The range of a comprehension, and its variables.
struct Loop: Sendable {
  let range: any Node
  /// The index of the first variable; the second has the next.
  let firstLocal: Int
  let hasSecond: Bool
  /// The steps that one element takes.
  let cost: Int
  /// The place of the range.
  let span: Range<Int>

  /// Sets the variables to each element in turn, until `visit` answers false.
  func run(
    _ frame: inout Frame, _ visit: (inout Frame) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) {
    switch try range.value(&frame) {
    case .list(let values):
      for (index, value) in values.enumerated() {
        let first = hasSecond ? Value.int(index) : value
        guard try step(&frame, first, value, visit) else { return }
      }
    case .map(let map):
      for entry in map.entries {
        guard try step(&frame, entry.key, entry.value, visit) else { return }
      }
    case .record(let record):
      for (field, value) in zip(record.type.fields, record.values) {
        guard try step(&frame, .string(field.name), value, visit) else { return }
      }
    case let other: throw .notIterable(other, span)
    }
  }

  private func step(
    _ frame: inout Frame, _ first: Value, _ second: Value,
    _ visit: (inout Frame) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) -> Bool {
    try frame.charge(cost)
    frame.locals[firstLocal] = first
    if hasSecond { frame.locals[firstLocal + 1] = second }
    return try visit(&frame)
  }

  /// The first variable's value for the element that is visited.
  func first(_ frame: Frame) -> Value { frame.locals[firstLocal] }

  /// Whether the predicate holds for the element that is visited.
  static func holds(
    _ predicate: any Node, _ frame: inout Frame, _ span: Range<Int>
  ) throws(EvaluationError) -> Bool {
    let value = try predicate.value(&frame)
    guard case .bool(let holds) = value else { throw .notBool(value, span) }
    return holds
  }
}
