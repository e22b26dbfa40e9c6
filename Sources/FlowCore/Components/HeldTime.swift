private import Synchronization

/// Time that can be held still.
package protocol HeldTime: Sendable {
  /// Stops time until `release` was called as often as this.
  ///
  /// Called from any thread.
  func hold()

  /// Ends one hold.
  func release()

  /// Lets time follow real time until `unfollow` was called as often as this.
  ///
  /// Called from any thread.
  func follow()

  /// Ends one such span.
  func unfollow()
}

/// A span in which virtual time passes at the pace of real time, as `Context.followRealTime` starts
/// it.
///
/// Ends at the latest when nothing refers to it any more.
public final class RealTimePace: Sendable {
  private let time: Mutex<(any HeldTime)?>

  init(_ time: any HeldTime) {
    self.time = Mutex(time)
    time.follow()
  }

  deinit { end() }

  /// Ends the span, once.
  public func end() {
    time.withLock { time in
      defer { time = nil }
      return time
    }?.unfollow()
  }
}

extension HeldTime {
  /// Holds time still during work that leaves the run's executor.
  ///
  /// Not in the isolation of the caller: the thread that ends the work can take over an actor, and
  /// time would pass before the task is back on the executor that counts it.
  @concurrent func holding<Success: Sendable>(
    _ work: @concurrent @Sendable () async throws -> Success
  ) async rethrows -> Success {
    hold()
    defer { release() }
    return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
  }
}

/// Real time, which never stands still.
package struct RealTime: HeldTime {
  package init() {}

  package func hold() {}

  package func release() {}

  package func follow() {}

  package func unfollow() {}
}
