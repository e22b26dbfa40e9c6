public import FlowCore
public import FlowPlan

/// The failure of a step, as data.
///
/// `Messages.swift` words it.
public enum StepFailure: Error, Sendable {
  /// The answer does not match `expect`.
  ///
  /// There is at least one mismatch.
  case unexpectedAnswer([Mismatch], answer: Value, at: Place)
  /// The request, or the answer unless it is nil, is not what the service's description in a file
  /// allows.
  ///
  /// There is at least one mismatch.
  case brokenContract([Mismatch], file: String, answer: Value?, at: Place)
  /// The component answered with an unexpected error.
  case componentError(ComponentError, at: Place)
  /// Another error than the expected one.
  case otherError(expected: String, ComponentError, at: Place)
  /// The expected error with another message.
  ///
  /// There is at least one mismatch.
  case otherMessage([Mismatch], ComponentError, at: Place)
  /// An answer instead of the expected error.
  case noError(expected: String, answer: Value, at: Place)
  /// False assertions, in file order.
  ///
  /// Never empty.
  case assertions([FailedAssertion])
  /// An expression without a value.
  case evaluation(EvaluationFailure)
  /// A `repeat` that reached its limit with `until` still false or `while` still true.
  ///
  /// The operands are those of the last condition.
  case limit(Int, isUntil: Bool, operands: [OperandText], at: Place)
  /// A component that could not be opened.
  case notOpened(ComponentError, at: Place)
  /// A call without an answer.
  case boundary(BoundaryFailure)
  /// The step did not end within its time.
  case timeout(Duration)
  /// The run was cancelled.
  case cancelled
  /// An inner step failed, and its failure is reported.
  case inner
}

/// A false assertion.
public struct FailedAssertion: Sendable {
  /// The expression's text.
  public internal(set) var text: String
  /// Its place.
  public let place: Place
  /// The values of its parts, each with its text.
  public internal(set) var operands: [OperandText]
  /// The reason why it has no value, or nil if it is false.
  public internal(set) var problem: String?
}

extension StepFailure {
  /// True if the scenario continues after this failure.
  ///
  /// Nothing continues after a cancellation.
  package func isContinued(by options: StepOptions?) -> Bool {
    if case .cancelled = self { return false }
    return !isBoundary && options?.continuesOnError ?? false
  }

  /// True for a failure of the run and not of the scenario, such as a difference from a transcript.
  ///
  /// No step may continue after it.
  package var isBoundary: Bool {
    if case .boundary = self { return true }
    return false
  }

  /// True for a failure that no inner step has reported.
  var isUnreported: Bool {
    switch self {
    case .inner, .cancelled: false
    case .unexpectedAnswer, .brokenContract, .componentError, .otherError, .otherMessage, .noError,
      .assertions, .evaluation, .limit, .notOpened, .boundary, .timeout:
      true
    }
  }

  var isCancellation: Bool {
    if case .cancelled = self { return true }
    return false
  }
}
