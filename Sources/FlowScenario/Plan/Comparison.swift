/// How the order of calls is compared with a transcript; what they are given is compared in any case.
public enum Comparison: String, Sendable, Hashable, CaseIterable {
  /// All calls come in the order of the transcript, those of steps at the same time as well.
  case exact
  /// Calls come in the order of the transcript, as far as one step comes after the other.
  case causal
  /// Calls come in any order.
  case set
}
