public import FlowCore
internal import FlowEngine

/// One departure of a replayed run from its transcript, as data.
public struct ReplayMismatch: Sendable {
  /// What was compared.
  public enum Subject: String, Sendable {
    /// Whether a call is recorded, or made.
    case call
    /// Which operation is called.
    case operation
    /// What it is given.
    case input
    /// When it is called.
    case order
    /// What it answered, or reported.
    case answer
    /// How the run ended, and with which outputs.
    case end
  }

  /// A recorded call that a call may have been meant for.
  package struct Candidate: Sendable {
    /// Where in the run.
    package let address: String
    /// The line of its beginning in the transcript, from 1.
    package let line: Int
    /// Whether another call was answered by it.
    package let isServed: Bool
    /// How its input differs from that of the call.
    package let fields: [FieldChange]
  }

  /// What was compared.
  public let subject: Subject
  /// Where in the run; `steps` for the end.
  public let address: String
  /// The line of the recorded call, from 1; nil where nothing is recorded.
  public let line: Int?
  /// What is recorded; nil for nothing.
  package let expected: JSON?
  /// What the run did; nil for nothing.
  package let actual: JSON?
  /// The parts that differ, where there are such.
  package let fields: [FieldChange]
  /// The nearest recorded call, where a call is not recorded.
  package let nearest: Candidate?
  /// The same in words.
  public let diagnostic: Diagnostic
  /// Whether it was let pass.
  public let isAllowed: Bool
}
