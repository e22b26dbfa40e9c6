/// Why a text could not be read, and where.
public struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of mistake it is; for programs that act on some of them.
  public let code: Code

  /// What is wrong, for people: lower case, no full stop, the file's own text in single quotes.
  public let message: String

  /// Where it is wrong; nil when it concerns the text as a whole.
  public let span: Span?

  /// The place to look at; nil when the error concerns the text as a whole.
  public var mark: Mark? { span?.start }

  /// The message after its line and column, such as `3:7: duplicate key 'a', first on line 1`.
  public var description: String {
    guard let mark else { return message }
    return "\(mark.line):\(mark.column): \(message)"
  }

  init(_ problem: YAMLProblem, at span: Span?) {
    code = problem.code
    message = problem.message
    self.span = span
  }
}
