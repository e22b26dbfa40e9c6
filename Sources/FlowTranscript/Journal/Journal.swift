/// A transcript of a run that may not have come to its end.
public struct Journal: Sendable {
  /// What was run, and on what.
  public let header: TranscriptHeader
  /// The run's name, which its idempotency keys begin with.
  public let run: String
  /// Whether the run passed; nil when it did not come to its end.
  public let passed: Bool?
  /// How many bytes its whole lines have.
  public let length: Int
  /// How many bytes of a torn line follow them.
  public let tornBytes: Int
  /// The checksum of its whole lines; nil when they have none, as those of an earlier version.
  let checksum: Checksum?
  /// The crossings in the order of their beginnings; one that was not completed has no answer.
  let calls: [Transcript.Call]

  /// Whether damage to its lines would have been seen.
  package var isChecked: Bool { checksum != nil }
}
