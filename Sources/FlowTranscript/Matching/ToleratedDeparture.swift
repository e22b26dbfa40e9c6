/// A tolerable difference from a transcript.
public enum ToleratedDeparture: String, Sendable, Hashable, CaseIterable {
  /// An unrecorded call.
  case unexpected
  /// A recorded call that the run does not make.
  case unused
  /// A call with another input, or another answer.
  case changed
  /// A file or a default that has changed since the recording.
  case stale
}
