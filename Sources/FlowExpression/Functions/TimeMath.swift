internal import FlowCore

/// Sums of instants and spans, within the ranges that the definition gives them.
enum TimeMath {
  static func timestamp(
    _ instant: Timestamp, advancedBy span: Duration
  ) throws(EvaluationError) -> Value {
    guard let sum = instant.advanced(by: span) else { throw .overflow("timestamp") }
    return .timestamp(sum)
  }

  /// A span that 64 bits of nanoseconds hold, about 292 years.
  static func duration(_ span: Duration) throws(EvaluationError) -> Value {
    guard nanoseconds(span) != nil else { throw .overflow("duration") }
    return .duration(span)
  }

  static func nanoseconds(_ span: Duration) -> Int? {
    let (seconds, attoseconds) = span.components
    return Int(exactly: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
  }
}
