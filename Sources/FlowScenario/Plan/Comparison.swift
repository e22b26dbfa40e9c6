/// How the order of calls is compared with a transcript; what they are given is compared in any case.
public enum Comparison: String, Sendable, Hashable, CaseIterable {
  /// Calls come in the order of the transcript, as far as one step comes after the other.
  case causal
  /// Calls come in any order.
  case set
}
