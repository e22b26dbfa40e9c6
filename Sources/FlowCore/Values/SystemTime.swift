internal import FlowSystem

/// The system's wall clock.
package enum SystemTime {
  /// The time now, in UTC.
  @Sendable package static func now() -> Timestamp {
    let (seconds, nanoseconds) = FileSystem.wallClock
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds) ?? .epoch
  }
}
