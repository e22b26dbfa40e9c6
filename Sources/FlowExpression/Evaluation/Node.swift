internal import FlowCore

/// A part of a compiled expression.
protocol Node: AnyObject, Sendable {
  /// The value, when it needs no variable; nil otherwise.
  var constant: Value? { get }

  /// Computes the value; called by the node around this one, any number of times at once.
  ///
  /// - Throws: `EvaluationError` with the span of the part that fails.
  func value(_ frame: inout Frame) throws(EvaluationError) -> Value
}

extension Node {
  var constant: Value? { nil }
}

/// A value known in advance.
final class ConstantNode: Node {
  private let known: Value

  init(_ value: Value) {
    known = value
  }

  var constant: Value? { known }

  func value(_ frame: inout Frame) -> Value { known }
}

/// A part that can only fail: what the checker would have refused, in an expression not checked.
final class FailingNode: Node {
  private let error: EvaluationError

  init(_ error: EvaluationError) {
    self.error = error
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value { throw error }
}
