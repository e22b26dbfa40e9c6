internal import FlowCore

/// A variable of the environment.
final class VariableNode: Node {
  private let slot: Slot
  private let name: String
  private let span: Range<Int>

  init(_ variable: Environment.Binding, _ span: Range<Int>) {
    slot = variable.slot
    name = variable.name
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    guard let value = frame.activation[slot] else { throw .unset(name, span) }
    return value
  }
}

/// Whether a variable of the environment was set: `has(steps.page)`.
final class VariableTestNode: Node {
  private let slot: Slot

  init(_ variable: Environment.Binding) {
    slot = variable.slot
  }

  func value(_ frame: inout Frame) -> Value {
    .bool(frame.activation[slot] != nil)
  }
}

/// A variable of the environment, or nothing: `steps.?page`.
final class OptionalVariableNode: Node {
  private let slot: Slot

  init(_ variable: Environment.Binding) {
    slot = variable.slot
  }

  func value(_ frame: inout Frame) -> Value {
    .optional(frame.activation[slot])
  }
}

/// A variable of a macro.
final class LocalNode: Node {
  private let index: Int

  init(_ index: Int) {
    self.index = index
  }

  func value(_ frame: inout Frame) -> Value { frame.locals[index] }
}

/// `cel.bind(name, value, result)`.
final class BindNode: Node {
  private let index: Int
  private let bound: any Node
  private let result: any Node

  init(_ index: Int, _ bound: any Node, _ result: any Node) {
    self.index = index
    self.bound = bound
    self.result = result
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    frame.locals[index] = try bound.value(&frame)
    return try result.value(&frame)
  }
}
