public import FlowCore
public import FlowScenario

/// Why a step failed, as data; `StepFailure+Message` words it.
public enum StepFailure: Error, Sendable {
  /// The answer is not what `expect` says; never without mismatches.
  case unexpectedAnswer([Mismatch], at: Place)
  /// The component answered with an error that nobody expected.
  case componentError(ComponentError, at: Place)
  /// Another error than the expected one.
  case otherError(expected: String, ComponentError, at: Place)
  /// An answer where an error was expected.
  case noError(expected: String, answer: Value, at: Place)
  /// Assertions that are false, in file order; never none.
  case assertions([FailedAssertion])
  /// An expression without a value.
  case evaluation(EvaluationFailure)
  /// A `repeat` that came to its limit, with `until` still false or `while` still true.
  case limit(Int, isUntil: Bool, at: Place)
  /// A component that could not be opened.
  case notOpened(ComponentError, at: Place)
  /// A call without an answer.
  case boundary(BoundaryFailure)
  /// The step did not end within its time.
  case timeout(Duration)
  /// The run was cancelled.
  case cancelled
  /// A step inside of this one failed; that step's failure is reported.
  case inner
}

/// An assertion that is false.
public struct FailedAssertion: Sendable {
  /// The expression's text.
  public let text: String
  /// Its place.
  public let place: Place
  /// The values of its parts, each with its text.
  public internal(set) var operands: [OperandText]
  /// Why it has no value; nil when it is false.
  public internal(set) var problem: String?
}
