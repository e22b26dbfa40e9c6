public import FlowCore

/// A part of an expression with what it evaluates to, for the message of a failed assertion.
public struct Operand: Sendable {
  /// The place of the part, in unicode scalars from 0.
  public let span: Range<Int>
  /// The part's text, as it was written.
  public let text: String
  /// The part's value, or why it has none.
  public let result: Result<Value, EvaluationError>
}
