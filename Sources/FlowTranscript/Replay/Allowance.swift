/// A departure from a transcript that may be let pass.
public enum Allowance: String, Sendable, Hashable, CaseIterable {
  /// A call that is not recorded.
  case unexpected
  /// A recorded call that is not made.
  case unused
  /// A call that has another input, or is answered otherwise.
  case changed
}
