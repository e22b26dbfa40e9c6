/// One use of a variable in an expression.
public struct Reference: Sendable, Hashable {
  /// A condition under which a use is reached, or decides nothing.
  public struct Condition: Sendable, Hashable {
    /// The condition as `Expression.normalizedText` has it.
    public let text: String
    /// Whether the condition holds where the variable is used; false in the other arm.
    public let holds: Bool
  }

  /// The variable's name as it was declared.
  public let name: String
  /// Where its value is kept.
  public let slot: Slot
  /// The place of the use, in unicode scalars from 0.
  public let span: Range<Int>
  /// Whether the use bears an unset variable: it stands in `has()`, is optional (`steps.?page`), or
  /// is reached only where such a test has found a value.
  public let isGuarded: Bool
  /// The conditions known where the variable is used, from the outside in; `a && b` also lists `a`
  /// and `b`.
  public let conditions: [Condition]
}
