/// Which transcripts are written by `flow test`.
public enum UpdateMode: String, CaseIterable, Sendable {
  /// None.
  case never
  /// Those that are not there.
  case missing
  /// Those whose scenario does not do any more what they say, and those that are not there.
  case failed
  /// All of them.
  case all
}
