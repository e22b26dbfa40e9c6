public import FlowCore

/// One thing that is wrong with a scenario or with what it did, at its place.
public struct ScenarioProblem: Error, Sendable, Hashable {
  /// The stable code, such as `F2001`.
  public let code: String
  /// The full path of the file that the problem belongs to.
  public let file: String
  /// The place in the file; its first character when the problem is about all of it.
  public let position: Position
  /// What `flow` prints: the place, the message, the line with carets, and notes; no newline at its end.
  public let text: String
}

extension ScenarioProblem: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

/// A scenario that did not do what it should, thrown where there is no test to record it in.
public struct ScenarioFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in the order of the run; never nothing.
  public let problems: [ScenarioProblem]

  /// The problems' texts, one below the other.
  public var description: String { problems.map(\.text).joined(separator: "\n") }
}
