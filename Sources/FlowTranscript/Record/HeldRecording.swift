internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction

/// A recording kept in memory until the end of its run, when all secrets are known.
///
/// A value passed on as a secret may be in the answer that it comes from, and in any line since
/// then.
struct HeldRecording {
  private let plan: Plan
  private let redactor: Redactor
  /// The number of secrets known before the first line.
  private let secretCount: Int
  /// The bodies of the lines.
  private(set) var bodies: [Blob: [UInt8]] = [:]

  /// Nil for a run that learns no secrets.
  init?(_ run: RunDescription) {
    guard run.plan.mayLearnSecrets else { return nil }
    (plan, redactor) = (run.plan, run.redactor)
    secretCount = run.redactor.secretCount
  }

  /// Keeps a body of the lines.
  mutating func keep(_ blob: Blob, _ content: [UInt8]) { bodies[blob] = content }

  /// Returns the lines without the secrets learnt since the first one.
  mutating func hidden(_ lines: [UInt8]) throws -> [UInt8] {
    if redactor.secretCount == secretCount { return lines }
    // Patterns are known from the start, and their matches are hidden already.
    var redaction = RecordingRedaction(of: plan, redactor.withoutPatterns) {
      [bodies] blob throws(BlobError) in
      guard let content = bodies[blob] else { throw BlobError(blob, "is missing") }
      return content
    }
    let hidden = try redaction.lines(lines)
    if !redaction.changes.isEmpty { bodies = redaction.bodies }
    return hidden
  }
}
